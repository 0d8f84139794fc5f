//! Logs of small puzzles: accepted by a plain checker, and refused if anything is changed.

mod checker;
mod puzzles;

use super::*;
use checker::check;
use puzzles::{coins, costly_ring, plan, ring, sliding, turning};

/// The formula and the proof of a bound.
fn log(encoding: &Encoding, bound: usize) -> Result<(String, String), LogError> {
    let (mut formula, mut proof) = (Vec::new(), Vec::new());
    write_log(encoding, bound, 100_000, &CancelToken::new(), (&mut formula, &mut proof))?;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ok((text(formula), text(proof)))
}

/// Searches whose answers are 1 to 21 operators long, of all kinds of bounds.
fn searches() -> Vec<Encoding> {
    let boards = [
        [1, 0, 2, 3, 4, 5],
        [2, 1, 0, 3, 5, 4],
        [0, 2, 1, 5, 4, 3],
        [5, 4, 3, 2, 1, 0],
        [1, 3, 0, 5, 4, 2],
    ];
    let slow = boards.iter().map(|board| sliding(2, 3, 1, board));
    let fast = boards.iter().map(|board| sliding(2, 3, 2, board));
    let rings = [[1, 0, 2, 3, 4], [1, 2, 3, 4, 0], [3, 0, 2, 1, 4], [4, 3, 2, 1, 0]];
    let costly = rings.iter().map(|start| costly_ring(start));
    let rings = rings.iter().map(|start| ring(start)).chain(costly);
    let coin = [[0, 0, 4, 3], [2, 0, 4, 1], [4, 2, 0, 0], [3, 1, 1, 4]];
    let coin = coin.iter().map(|start| coins(start));
    let like = [[1, 1, 0], [0, 1, 1], [1, 0, 1]].map(|start| turning(&start));
    let patterns = boards.iter().map(|board| sliding(2, 3, 1, board));
    let patterns = patterns.map(|one| one.with_patterns(vec![vec![1, 2], vec![3, 4, 5]]));
    slow.chain(patterns).chain(fast).chain(rings).chain(coin).chain(like).collect()
}

#[test]
fn logs_of_lower_bounds_are_accepted() {
    let mut kinds = [0, 0];
    for encoding in searches() {
        let Some((cost @ 1.., _)) = plan(&encoding) else { continue };
        for bound in [cost - 1, cost / 2] {
            kinds[usize::from(Costs::new(&encoding, bound).is_additive)] += 1;
            let (formula, proof) = log(&encoding, bound).unwrap();
            assert_eq!(check(&formula, &proof), Ok(()), "{:?} {bound}", encoding.start);
            assert_eq!(log(&encoding, bound).unwrap(), (formula, proof), "not the same again");
        }
    }
    assert!(kinds[0] >= 22 && kinds[1] >= 10, "{kinds:?}");
}

/// A proof in which one derived constraint is another one is refused, and so is the proof of
/// another state or bound.
#[test]
fn changed_logs_are_refused() {
    let encoding = ring(&[3, 0, 2, 1, 4]);
    let bound = plan(&encoding).unwrap().0 - 1;
    let (formula, proof) = log(&encoding, bound).unwrap();
    let lines: Vec<&str> = proof.lines().collect();
    let (mut checked, mut accepted) = (0, Vec::new());
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with("rup") && !line.starts_with("pol") {
            continue;
        }
        for new in [None, Some("pol 1;")] {
            let mut lines = lines.clone();
            match new {
                Some(new) => lines[at] = new,
                None => drop(lines.remove(at)),
            }
            checked += 1;
            if check(&formula, &lines.join("\n")).is_ok() {
                accepted.push(line);
            }
        }
    }
    assert!(checked > 50 && accepted.is_empty(), "{checked}, accepted {accepted:#?}");
    for other in [log(&ring(&[4, 3, 2, 1, 0]), bound), log(&encoding, bound - 1)] {
        assert!(check(&formula, &other.unwrap().1).is_err());
    }
}

#[test]
fn large_searches_are_refused() {
    let encoding = sliding(2, 3, 2, &[5, 4, 3, 2, 1, 0]);
    let bound = plan(&encoding).unwrap().0 - 1;
    let write = |most: u64, cancel: &CancelToken| {
        let (mut formula, mut proof) = (Vec::new(), Vec::new());
        let size = write_log(&encoding, bound, most, cancel, (&mut formula, &mut proof));
        assert_eq!(formula.is_empty(), size.is_err());
        assert_eq!(size.as_ref().map_or(0, |size| size.bytes), proof.len() as u64);
        size
    };
    let size = write(100_000, &CancelToken::new()).unwrap();
    assert!(size.generated > 10 && size.states > 5, "{size:?}");
    assert!(write(size.generated, &CancelToken::new()).is_ok());
    let refused = write(size.generated - 1, &CancelToken::new()).unwrap_err();
    assert!(refused.to_string().contains(&format!("{} nodes", size.generated - 1)), "{refused}");
    let cancelled = CancelToken::cancelled();
    assert!(matches!(write(100_000, &cancelled), Err(LogError::Cancelled)));
}

#[test]
fn wrong_encodings_are_refused() {
    let swap = |from: [usize; 2], to: [usize; 2], values: &[Option<usize>]| {
        let one = |at: usize| ValueMove { from: from[at], to: to[at], values: values.to_vec() };
        let operator =
            PlaceOperator { name: "swap".to_owned(), cost: 1, moves: vec![one(0), one(1)] };
        Encoding::new(&[2, 2], vec![operator], &[0, 1], &[vec![1, 0]])
    };
    let both = [Some(0), Some(1)];
    assert!(swap([0, 1], [1, 0], &both).is_ok());
    let refused = |result: Result<Encoding, EncodingError>| result.unwrap_err().to_string();
    let permutes = "operator swap: expected moves that permute some places";
    assert_eq!(refused(swap([0, 0], [0, 0], &both)), permutes);
    assert_eq!(refused(swap([0, 1], [1, 1], &both)), permutes);
    let each = "operator swap: expected a value or none for each value of a place";
    assert_eq!(refused(swap([0, 2], [2, 0], &both)), each);
    assert_eq!(refused(swap([0, 1], [1, 0], &[None])), each);
    let out = "operator swap: a value is out of range";
    assert_eq!(refused(swap([0, 1], [1, 0], &[Some(2), None])), out);
    let start = Encoding::new(&[2], Vec::new(), &[2], &[vec![0]]);
    assert_eq!(refused(start), "start: expected a value for each place");
    let goal = Encoding::new(&[2], Vec::new(), &[1], &[vec![]]);
    assert_eq!(refused(goal), "goal: expected a value for each place");
    let large = Encoding::new(&[40_000, 40_000], Vec::new(), &[0, 0], &[vec![0, 0]]);
    assert!(refused(large).contains("80000"));
}
