//! Completions and manual pages come from the definitions of the arguments.

use super::run;

#[test]
fn shells_complete_the_command_line() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for word in ["heuristics", "deadline", "gods-algorithm", "explain"] {
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "csh"]).code, 2);
}

#[test]
fn every_verb_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    let ran = run(&["man", pages.to_str().expect("text")]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let read = |name: &str| std::fs::read_to_string(pages.join(name)).expect("a page");
    let solve = read("fewest-solve.1");
    for line in [
        ".TH FEWEST\\-SOLVE 1 ",
        "\nfewest\\-solve \\- Solve a state",
        "\nfewest solve [OPTIONS] <PUZZLE> [STATE]...",
        "\n\\fB\\-n, \\-\\-count <COUNT>\\fR\n",
        "\n.SH ARGUMENTS\n.TP\n\\fB<PUZZLE>\\fR\n",
        "[possible values: text, json, csv]",
    ] {
        assert!(solve.contains(line), "{line}: {solve}");
    }
    let own = run(&["man"]).out;
    assert_eq!(own, read("fewest.1"));
    let (_, verbs) = own.split_once(".SH COMMANDS\n").expect("a list of verbs");
    for verb in verbs.lines().filter_map(|line| line.strip_prefix("\\fB")?.strip_suffix("\\fR")) {
        let verb = verb.replace('\\', "");
        assert!(pages.join(format!("fewest-{verb}.1")).exists() || verb == "help", "{verb}");
    }
    assert!(read("fewest-tables-build.1").contains("fewest tables build"));
}

/// Help that nobody can read is no success.
#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_printed_is_a_failure() {
    for words in [&["help"][..], &["solve", "--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it opens");
        let mut command = super::fewest(&crate::tables());
        let status = command.args(words).stdout(full).status().expect("it runs");
        assert_eq!(status.code(), Some(2), "{words:?}");
    }
}
