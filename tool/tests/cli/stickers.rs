//! A definition of a cube refuses stickers, and never reads them as moves.

use super::{definition, json, run, run_with_input};

/// The faces of a solved cube, `size` stickers each.
fn faces(size: usize) -> Vec<String> {
    "URFDLB".chars().map(|face| face.to_string().repeat(size)).collect()
}

/// Stickers in groups of nine.
fn nine(stickers: &str) -> String {
    let groups = stickers.as_bytes().chunks(9).map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(" ")
}

/// A cube with turned faces, by its stickers.
const TURNED: &str = "DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRBD";

#[test]
fn stickers_are_refused_by_definitions_of_cubes() {
    let alone = TURNED.chars().map(String::from).collect::<Vec<_>>().join(" ");
    let folder = tempfile::tempdir().expect("a folder");
    // The goal ignores its middle layer and its bottom.
    let cross = folder.path().join("cross.tws");
    let text = std::fs::read_to_string(definition("3x3x3.tws")).expect("a definition");
    let zeros = |n| vec!["1"; n].join(" ");
    let ignore = format!(
        "\nIgnore\nCORNERS\n{0}\n{0}\nEDGES\n0 0 0 0 1 1 1 1 1 1 1 1\n0 0 0 0 1 1 1 1 1 1 1 1\nEnd\n",
        zeros(8)
    );
    std::fs::write(&cross, text + &ignore).expect("a file");
    let cross = cross.to_str().expect("a path");
    for (file, texts) in [
        (cross, vec![TURNED.to_owned(), nine(TURNED), alone.clone()]),
        (
            &definition("3x3x3.tws"),
            vec![TURNED.to_owned(), TURNED.to_lowercase(), faces(9).concat()],
        ),
        (&definition("3x3x3-slices.tws"), vec![TURNED.to_lowercase(), nine(TURNED)]),
        (&definition("3x3x3-squares.tws"), vec![faces(9).join(" "), faces(9)[..2].join(" ")]),
        (
            &definition("2x2x2-six-faces.tws"),
            vec![faces(4).concat(), faces(4).join(" "), TURNED.into()],
        ),
        (&definition("2x2x2.tws"), vec![faces(4).concat(), faces(4).join(" ")]),
        (&definition("4x4x4.tws"), vec![faces(16).concat(), faces(16).join(" "), TURNED.into()]),
        (&definition("5x5x5.tws"), vec![faces(25).concat(), faces(25).join(" ")]),
    ] {
        for text in texts {
            for verb in ["solve", "check"] {
                let words: Vec<&str> = text.split(' ').collect();
                let ran = run(&[&[verb, file, "--format", "json"], &words[..]].concat());
                let answer = &json(&ran.out)[0];
                assert_eq!(
                    (ran.code, &answer["outcome"]),
                    (2, &"refused".into()),
                    "{file}: {text}"
                );
                let error = answer["error"].as_str().expect("why");
                assert!(error.contains("stickers"), "{file}: {text}: {error}");
                assert!(error.contains("expected moves with blanks"), "{error}");
            }
        }
    }
    let ran = run(&["check", &definition("3x3x3.tws"), TURNED]);
    assert!(ran.err.contains("the puzzle 3x3x3 reads stickers"), "{}", ran.err);
}

#[test]
fn stickers_in_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let cube = definition("3x3x3.tws");
    let lines = |verb: &str, input: &str| {
        let ran = run_with_input(folder.path(), &[verb, &cube, "--format", "json"], input);
        let one = |one: &serde_json::Value| (one["outcome"].clone(), one["error"].to_string());
        (ran.code, json(&ran.out).iter().map(one).collect::<Vec<_>>())
    };
    let (code, answers) = lines("solve", &format!("{TURNED}\nR U\n{}\nR\n", faces(9).join("\n")));
    assert_eq!(code, 2);
    let outcomes: Vec<_> = answers.iter().map(|(outcome, _)| outcome.clone()).collect();
    assert_eq!(outcomes, ["refused", "solved", "refused", "solved"]);
    assert!([0, 2].iter().all(|&at| answers[at].1.contains("54 letters of faces")), "{answers:?}");
    // Five lines of nine letters are no cube, and no moves either.
    let (code, answers) = lines("solve", &faces(9)[..5].join("\n"));
    assert_eq!((code, answers.len()), (2, 5), "{answers:?}");
    assert!(answers.iter().all(|(_, error)| error.contains("9 letters of faces")), "{answers:?}");
    // A scramble file with stickers for moves is refused as a whole.
    for stickers in [TURNED.to_owned(), faces(9).join("\n")] {
        let file = format!("ScrambleAlg fine\nR U\nEnd\nScrambleAlg bad\n{stickers}\nEnd\n");
        let ran = run_with_input(folder.path(), &["solve", &cube], &file);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
        assert!(ran.err.contains("line 5") && ran.err.contains("stickers"), "{}", ran.err);
    }
}

#[test]
fn moves_are_still_moves() {
    let cube = definition("3x3x3.tws");
    for (file, moves) in [
        (&cube, "R U R' U'"),
        (&cube, "RUR'U'"),
        (&cube, "RUFRUFRUFRUF"),
        (&cube, "R R R R U U U U F"),
        (&cube, "RUFRUFRUFRUFRUFRUFRUFRUF"),
        (&definition("2x2x2.tws"), "RUFRUF"),
        (&definition("dino-cube.tws"), "URF UFL UBR"),
    ] {
        let words: Vec<&str> = moves.split(' ').collect();
        let ran = run(&[&["check", file, "--format", "json"], &words[..]].concat());
        assert_eq!(json(&ran.out)[0]["solvable"], true, "{file}: {moves}: {}", ran.out);
    }
}

/// An error about wrong stickers names the face order in which they are right.
#[test]
fn wrong_face_orders_are_named() {
    for (puzzle, size) in [("3x3x3", 9), ("2x2x2", 4)] {
        let state = run(&["scramble", puzzle, "--seed", "3"]).out;
        let face = |face: char| {
            let at = "URFDLB".find(face).expect("a face");
            state[size * at..][..size].to_owned()
        };
        let check =
            |order: &str| run(&["check", puzzle, &order.chars().map(face).collect::<String>()]);
        assert_eq!(check("URFDLB").code, 0);
        let ran = check("ULFRBD");
        let told = "these stickers make a solvable cube in the face order ULFRBD";
        assert!(ran.code == 2 && ran.err.contains(told), "{}", ran.err);
        assert_eq!(run(&["check", puzzle, &state.trim().to_lowercase()]).code, 0);
    }
}

/// Neither a plan nor a line of a file is moves if it may be stickers.
#[test]
fn plans_and_lines_of_stickers_are_refused() {
    for (puzzle, size) in [("3x3x3", 9), ("2x2x2", 4), (&*definition("3x3x3.tws"), 9)] {
        for plan in [faces(size).concat(), faces(size).join(" ")] {
            let ran = run(&["check", puzzle, "R", "--plan", &plan]);
            assert!(ran.code == 2 && ran.err.contains("plan: "), "{puzzle}: {}", ran.err);
            assert!(ran.err.contains("stickers"), "{}", ran.err);
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = faces(4).join("\n").replacen('U', "R", 1);
    let input = format!("{wrong}\nR U R'\nRUFR\n");
    let ran =
        run_with_input(folder.path(), &["solve", "2x2x2", "--heuristic", "manhattan"], &input);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (2, 3), "{}", ran.out);
    let told = "line 1: refused: the colour `U` occurs 3 times, expected 4; moves have blanks";
    assert!(lines[0].starts_with(told), "{}", lines[0]);
    assert!(lines[2].starts_with("line 8: "), "{}", lines[2]);
}
