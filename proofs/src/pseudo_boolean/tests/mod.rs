//! Logs of small puzzles: accepted by a plain checker, and refused if anything is changed.

mod checker;
mod puzzles;

use super::encoding::Step;
use super::*;
use checker::{Values, check};
use puzzles::{coins, plan, ring, sliding, turning, values};

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
    let rings = rings.iter().map(|start| ring(start));
    let coin = [[0, 0, 4, 3], [2, 0, 4, 1], [4, 2, 0, 0], [3, 1, 1, 4]];
    let coin = coin.iter().map(|start| coins(start));
    let like = [[1, 1, 0], [0, 1, 1], [1, 0, 1]].map(|start| turning(&start));
    slow.chain(fast).chain(rings).chain(coin).chain(like).collect()
}

#[test]
fn logs_of_lower_bounds_are_accepted() {
    let mut kinds = [0, 0];
    for encoding in searches() {
        let Some(plan) = plan(&encoding) else { continue };
        let pairs = matches!(Bounds::new(&encoding), Bounds::Pairs { .. });
        kinds[usize::from(pairs)] += 1;
        for bound in [plan.len() - 1, plan.len() / 2] {
            let (formula, proof) = log(&encoding, bound).unwrap();
            assert_eq!(check(&formula, &proof), Ok(()), "{:?}", encoding.start);
            assert_eq!(log(&encoding, bound).unwrap(), (formula, proof), "not the same again");
        }
    }
    assert!(kinds[0] >= 5 && kinds[1] >= 11, "{kinds:?}");
}

/// What has a plan cannot be refuted, and its formula holds for the plan.
#[test]
fn plans_satisfy_the_formula() {
    for encoding in searches() {
        let Some(plan) = plan(&encoding) else { continue };
        for bound in plan.len()..plan.len() + 2 {
            assert!(matches!(log(&encoding, bound), Err(LogError::Plan)));
            let mut text = Vec::new();
            Formula::new(&encoding, bound).write(&mut text).unwrap();
            let constraints = checker::formula(&String::from_utf8(text).unwrap());
            let mut solution = solution(&encoding, &plan, bound);
            let broken = |of: &Values| constraints.iter().filter(|one| one.slack(of) < 0).count();
            assert_eq!(broken(&solution), 0);
            // The formula names each variable of the solution and no other.
            let count = solution.len();
            assert_eq!(count, Formula::new(&encoding, bound).variables());
            let name = format!("o0_{}", plan[0]);
            solution.insert(name, false);
            assert!(broken(&solution) > 0);
        }
    }
}

/// The values of all variables for a plan.
fn solution(encoding: &Encoding, plan: &[usize], bound: usize) -> Values {
    let mut solution = Values::new();
    let mut state = encoding.start.clone();
    for time in 0..=bound {
        let applied = plan.get(time).copied();
        let held = values(encoding, &state);
        let places = encoding.first.windows(2).map(|pair| pair[1] - pair[0]);
        for (place, value) in places.enumerate().flat_map(|(p, n)| (0..n).map(move |v| (p, v))) {
            let holds = held[place] == value;
            solution.insert(format!("x{time}_{place}_{value}"), holds);
            if time == bound {
                continue;
            }
            let mut moved = false;
            for (number, operator) in encoding.operators.iter().enumerate() {
                let allowed = |one: &&ValueMove| one.from == place && one.values[value].is_some();
                if operator.moves.iter().any(|one| allowed(&one)) {
                    let moves = holds && applied == Some(number);
                    solution.insert(format!("m{time}_{number}_{place}_{value}"), moves);
                    moved |= moves;
                }
            }
            solution.insert(format!("s{time}_{place}_{value}"), holds && !moved);
        }
        if time < bound {
            for number in 0..encoding.operators.len() {
                solution.insert(format!("o{time}_{number}"), applied == Some(number));
            }
            solution.insert(format!("z{time}"), applied.is_none());
        }
        if let Some(Step::Atoms(mut next)) = applied.map(|one| encoding.step(one, &state)) {
            next.sort_unstable();
            state = next;
        }
    }
    solution
}

/// A proof in which one derived constraint is another one is refused, and so is the proof of
/// another state or bound.
#[test]
fn changed_logs_are_refused() {
    let encoding = ring(&[3, 0, 2, 1, 4]);
    let bound = plan(&encoding).unwrap().len() - 1;
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
    let with_plan = {
        let mut text = Vec::new();
        Formula::new(&encoding, bound + 1).write(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    assert!(check(&with_plan, &proof).is_err());
}

#[test]
fn large_searches_are_refused() {
    let encoding = sliding(2, 3, 1, &[0, 2, 1, 5, 4, 3]);
    let bound = plan(&encoding).unwrap().len() - 1;
    let write = |most: u64, cancel: &CancelToken| {
        let (mut formula, mut proof) = (Vec::new(), Vec::new());
        let size = write_log(&encoding, bound, most, cancel, (&mut formula, &mut proof));
        assert_eq!(formula.is_empty(), size.is_err());
        assert_eq!(size.as_ref().map_or(0, |size| size.bytes), proof.len() as u64);
        size
    };
    let size = write(100_000, &CancelToken::new()).unwrap();
    assert!(size.generated > 100 && size.nodes > 100);
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
        let operator = PlaceOperator { name: "swap".to_owned(), moves: vec![one(0), one(1)] };
        Encoding::new(&[2, 2], vec![operator], &[0, 1], &[1, 0])
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
    let start = Encoding::new(&[2], Vec::new(), &[2], &[0]);
    assert_eq!(refused(start), "start: expected a value for each place");
    let goal = Encoding::new(&[2], Vec::new(), &[1], &[]);
    assert_eq!(refused(goal), "goal: expected a value for each place");
    let large = Encoding::new(&[40_000, 40_000], Vec::new(), &[0, 0], &[0, 0]);
    assert!(refused(large).contains("80000"));
}
