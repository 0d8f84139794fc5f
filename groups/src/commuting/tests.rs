//! Words are compared with those of a breadth-first search, and multiplied out.

use super::*;
use std::collections::VecDeque;

/// Wheels of these lengths, side by side, and generators that turn them by these steps, with all
/// their powers.
fn group_of(lengths: &[u16], turns: &[&[u16]]) -> Vec<Permutation> {
    let points = lengths.iter().map(|&length| usize::from(length)).sum();
    let element = |turn: &[u16]| {
        let (mut images, mut first) = (Vec::new(), 0);
        for (&length, &step) in lengths.iter().zip(turn) {
            images.extend((0..length).map(|at| first + (at + step) % length));
            first += length;
        }
        Permutation::new(images).expect("turned wheels")
    };
    let identity = Permutation::identity(points).expect("few points");
    let mut all = Vec::new();
    for turn in turns {
        let one = element(turn);
        let mut power = one.clone();
        while power != identity {
            all.push(power.clone());
            power = power.then(&one);
        }
    }
    all
}

/// Fewest generators for each element, by breadth-first search.
fn fewest(generators: &[Permutation]) -> HashMap<Permutation, usize> {
    let identity = generators[0].then(&generators[0].inverse());
    let mut counts = HashMap::from([(identity.clone(), 0)]);
    let mut queue = VecDeque::from([identity]);
    while let Some(element) = queue.pop_front() {
        let count = counts[&element] + 1;
        for generator in generators {
            let next = element.then(generator);
            if !counts.contains_key(&next) {
                counts.insert(next.clone(), count);
                queue.push_back(next);
            }
        }
    }
    counts
}

/// The first count for which there is a word.
fn least(group: &CommutingGroup, element: &Permutation) -> Option<Vec<usize>> {
    (0..=group.families()).find_map(|count| group.word_of(element, count, &mut |_| false).word)
}

#[test]
fn words_are_as_short_as_those_of_a_breadth_first_search() {
    let groups: [(&[u16], &[&[u16]]); 6] = [
        (&[4, 2, 4], &[&[1, 1, 0], &[2, 0, 1], &[1, 0, 3], &[0, 1, 2]]),
        (&[12, 12], &[&[1, 0], &[1, 1], &[1, 11], &[3, 4]]),
        (&[6, 4], &[&[1, 1], &[2, 3], &[3, 2], &[0, 1]]),
        (
            &[2, 2, 2, 2, 2, 2],
            &[
                &[1, 1, 0, 0, 0, 0],
                &[1, 1, 1, 0, 0, 0],
                &[0, 1, 1, 1, 0, 0],
                &[0, 0, 1, 1, 1, 0],
                &[0, 0, 0, 1, 1, 1],
                &[0, 0, 0, 0, 1, 1],
            ],
        ),
        (&[9, 3, 5], &[&[1, 1, 0], &[3, 1, 1], &[0, 1, 2], &[8, 0, 1]]),
        // No generator alone turns the wheel of six by one.
        (&[6, 3], &[&[2, 1], &[3, 0], &[2, 2]]),
    ];
    for (lengths, turns) in groups {
        let generators = group_of(lengths, turns);
        let group = CommutingGroup::new(&generators).expect("a commuting group");
        for (element, count) in fewest(&generators) {
            let word = least(&group, &element).expect("a word");
            assert_eq!(word.len(), count, "{lengths:?} {turns:?} {element:?}");
            let identity = generators[0].then(&generators[0].inverse());
            let product = word.iter().fold(identity, |all, &op| all.then(&generators[op]));
            assert_eq!(product, element, "{lengths:?} {turns:?}");
        }
        // Elements outside of the group, if there are any, have no word.
        let size = lengths.iter().map(|&length| usize::from(length)).product::<usize>();
        if fewest(&generators).len() < size {
            let units: Vec<Vec<u16>> = (0..lengths.len())
                .map(|at| (0..lengths.len()).map(|other| u16::from(at == other)).collect())
                .collect();
            let units: Vec<&[u16]> = units.iter().map(|unit| &unit[..]).collect();
            let known = fewest(&generators);
            for element in group_of(lengths, &units) {
                assert_eq!(least(&group, &element).is_some(), known.contains_key(&element));
            }
        }
    }
}

#[test]
fn other_groups_are_refused() {
    let cycle = |cycles: &[&[u16]]| Permutation::from_cycles(6, cycles).expect("cycles");
    // A power is missing.
    assert!(CommutingGroup::new(&[cycle(&[&[0, 1, 2]])]).is_none());
    // Two do not commute.
    assert!(CommutingGroup::new(&[cycle(&[&[0, 1]]), cycle(&[&[1, 2]])]).is_none());
    // Two swaps act on four points as no cyclic group.
    let swaps = [cycle(&[&[0, 1], &[2, 3]]), cycle(&[&[0, 2], &[1, 3]])];
    assert!(CommutingGroup::new(&swaps).is_none());
    assert!(CommutingGroup::new(&[]).is_none());
    assert!(CommutingGroup::new(&[cycle(&[])]).is_none());
    assert!(CommutingGroup::new(&[cycle(&[&[0, 1]]), cycle(&[&[2, 3]])]).is_some());
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let turns: Vec<Vec<u16>> = (0..40_u16).map(|at| vec![1, at % 12, at / 12, 1]).collect();
    let turns: Vec<&[u16]> = turns.iter().map(|turn| &turn[..]).collect();
    let generators = group_of(&[12, 12, 12, 2], &turns);
    let group = CommutingGroup::new(&generators).expect("a commuting group");
    let odd = group_of(&[12, 12, 12, 2], &[&[0, 0, 0, 1]]).remove(0);
    let found = group.word_of(&odd, 1, &mut |_| true);
    assert_eq!((found.word, found.sets, found.is_stopped), (None, 40, false));
    let found = group.word_of(&odd, 7, &mut |_| true);
    assert!(found.is_stopped || found.word.is_some());
}
