//! Parts: what a spec may keep of one kind of pieces (see [`Kinds`]). A spec combines parts.

use super::abstraction::MOST_COLUMNS;
use super::kinds::Kinds;
use super::structure::PuzzleStructure;
use super::words::PatternSpec;

/// The pieces of a kind whose turns are kept: none, those of the kept classes, or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnDetail {
    None,
    Kept,
    All,
}

/// What a spec keeps of a kind: it distinguishes some classes, and the others look alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: u8,
    /// The labels of the kind.
    pub(super) labels: Vec<u8>,
    /// The classes that are distinguished, ascending.
    pub(super) kept: Vec<u8>,
    pub(super) turned: TurnDetail,
}

/// The classes of a kind. Those with few pieces come first.
fn classes(structure: &PuzzleStructure, kinds: &Kinds, kind: u8) -> Vec<u8> {
    let labels = (0..=u8::MAX).zip(&structure.class).zip(&kinds.of);
    // A class is named by one of its labels.
    let own = labels.filter(|&((label, class), of)| label == *class && *of == kind);
    let mut all: Vec<u8> = own.map(|((label, _), _)| label).collect();
    all.sort_by_key(|&class| (count(structure, class), class));
    all
}

fn labels(kinds: &Kinds, kind: u8) -> Vec<u8> {
    (0..=u8::MAX).zip(&kinds.of).filter(|&(_, of)| *of == kind).map(|(label, _)| label).collect()
}

/// The number of pieces of a class.
pub(super) fn count(structure: &PuzzleStructure, class: u8) -> usize {
    let labels = (0..=u8::MAX).zip(&structure.class).filter(|&(_, of)| *of == class);
    labels.map(|(label, _)| structure.count(label)).sum()
}

/// All parts of a kind.
///
/// In ascending order of size, they keep the first few classes, the last few, or all. Each comes in
/// three variants: without turns, with the turns of the kept classes, and with all turns.
pub(super) fn parts(structure: &PuzzleStructure, kinds: &Kinds, kind: u8) -> Vec<Part> {
    let classes = classes(structure, kinds, kind);
    let turns = |class: &u8| structure.turns[usize::from(*class)] > 1;
    let mut out: Vec<Part> = Vec::new();
    let alone = classes.len() == 1 || kinds.tied.contains(&kind);
    for count in (0..=classes.len()).filter(|&count| count == 0 || !alone) {
        // The last class is the largest. Only a part that keeps all classes keeps it.
        let single = classes.len() - usize::from(count < classes.len());
        for from in [0, single.saturating_sub(count)] {
            let mut kept = classes[from..from + count].to_vec();
            kept.sort_unstable();
            for turned in [TurnDetail::None, TurnDetail::Kept, TurnDetail::All] {
                let useless = match turned {
                    TurnDetail::None => count == 0,
                    TurnDetail::Kept => count == classes.len() || !kept.iter().any(turns),
                    TurnDetail::All => !classes.iter().any(turns),
                };
                let part = Part { kind, labels: labels(kinds, kind), kept: kept.clone(), turned };
                if !useless && !out.contains(&part) {
                    out.push(part);
                }
            }
        }
    }
    out
}

/// The part that distinguishes all classes of a kind, with their turns.
pub(super) fn whole(structure: &PuzzleStructure, kinds: &Kinds, kind: u8) -> Part {
    let mut kept = classes(structure, kinds, kind);
    kept.sort_unstable();
    Part { kind, labels: labels(kinds, kind), kept, turned: TurnDetail::All }
}

/// The number of words in which symbols occur this often. `u128::MAX` if it is greater than that.
pub(super) fn multinomial(counts: impl IntoIterator<Item = usize>) -> u128 {
    let (mut all, mut made) = (0_u128, 1_u128);
    for count in counts {
        for one in 1..=count as u128 {
            all += 1;
            // A product of consecutive binomial coefficients stays whole.
            made = match made.checked_mul(all) {
                Some(product) => product / one,
                None => return u128::MAX,
            };
        }
    }
    made
}

/// The spec of parts, each of a different kind. `None` if the numbers of groups or colours do not
/// fit in a byte.
///
/// Pieces of a kind that are not distinguished share one extra colour. They get a group of their
/// own if only the other pieces keep their turns, or if there would be too many columns. If there
/// are still too many, groups are halved.
pub(super) fn spec(
    structure: &PuzzleStructure,
    kinds: &Kinds,
    parts: &[Part],
) -> Option<PatternSpec> {
    let labels = structure.class.len();
    let most = kinds.of.iter().max().map_or(0, |&most| usize::from(most) + 1);
    let mut made = PatternSpec {
        slots: kinds.always.clone(),
        group: kinds.of.clone(),
        turns: vec![1; labels],
        colour: vec![0; labels],
    };
    let mut next = u8::try_from(most).ok()?;
    for part in parts {
        keep(structure, part, &mut next, &mut made)?;
    }
    made.slots.sort_unstable();
    made.slots.dedup();
    loop {
        let arrangements = |counts: &[usize]| multinomial(counts.iter().copied());
        let mixed = mixed(structure, &made);
        let columns = mixed.iter().map(|(_, counts)| arrangements(counts));
        if columns.fold(1, u128::saturating_mul) <= MOST_COLUMNS.into() {
            return Some(made);
        }
        let (group, counts) = mixed.into_iter().max_by_key(|(_, counts)| arrangements(counts))?;
        // Pieces that are not distinguished have the last colour.
        let split = match counts.last() {
            Some(&last) if last > 1 => counts.len() - 1,
            _ => counts.len() / 2,
        };
        for label in 0..labels {
            if made.group[label] == group && usize::from(made.colour[label]) >= split {
                made.group[label] = next;
                made.colour[label] -= u8::try_from(split).ok()?;
            }
        }
        next = next.checked_add(1)?;
    }
}

/// Adds a part to a spec.
fn keep(
    structure: &PuzzleStructure,
    part: &Part,
    next: &mut u8,
    made: &mut PatternSpec,
) -> Option<()> {
    let kept = |&label: &u8| part.kept.binary_search(&structure.class[usize::from(label)]).ok();
    for &label in &part.labels {
        let at = usize::from(label);
        made.colour[at] = u8::try_from(kept(&label).unwrap_or(part.kept.len())).ok()?;
        if part.turned == TurnDetail::Kept && kept(&label).is_none() {
            (made.group[at], made.colour[at]) = (*next, 0);
        }
        let homes = structure.homes(label);
        let there = |&slot: &usize| homes.contains(&structure.component[slot]);
        made.slots.extend((0..structure.component.len()).filter(there));
    }
    *next = next.checked_add(1)?;
    let told = |label: u8| match part.turned {
        TurnDetail::None => false,
        TurnDetail::Kept => kept(&label).is_some(),
        TurnDetail::All => true,
    };
    for &label in part.labels.iter().filter(|&&label| told(label)) {
        made.turns[usize::from(label)] = structure.turns[usize::from(label)];
    }
    // All pieces of a group must have the same number of turns. Colours count from 0.
    let own = || part.labels.iter().map(|&label| usize::from(label));
    let mut pairs: Vec<(u8, u8)> =
        own().map(|label| (made.group[label], made.turns[label])).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let mut last = None;
    for (group, turns) in pairs {
        let number = if last == Some(group) { *next } else { group };
        *next = next.checked_add((last == Some(group)).into())?;
        last = Some(group);
        let same = |&label: &usize| made.group[label] == group && made.turns[label] == turns;
        let members: Vec<usize> = own().filter(same).collect();
        let mut colours: Vec<u8> = members.iter().map(|&label| made.colour[label]).collect();
        colours.sort_unstable();
        colours.dedup();
        for label in members {
            let colour = colours.binary_search(&made.colour[label]).expect("a colour of the group");
            made.group[label] = number;
            made.colour[label] = u8::try_from(colour).ok()?;
        }
    }
    Some(())
}

/// The groups with more than one colour, each with the number of pieces of each colour.
pub(super) fn mixed(structure: &PuzzleStructure, spec: &PatternSpec) -> Vec<(u8, Vec<usize>)> {
    let mut all: Vec<(u8, Vec<usize>)> = Vec::new();
    for &slot in &spec.slots {
        let label = usize::from(structure.goals[0][slot].0);
        let (group, colour) = (spec.group[label], usize::from(spec.colour[label]));
        let at = all.iter().position(|&(other, _)| other == group).unwrap_or_else(|| {
            all.push((group, Vec::new()));
            all.len() - 1
        });
        let counts = &mut all[at].1;
        counts.resize(counts.len().max(colour + 1), 0);
        counts[colour] += 1;
    }
    all.retain(|(_, counts)| counts.len() > 1);
    all
}

/// The number of arrangements (columns) of a layout.
pub(super) fn columns(structure: &PuzzleStructure, spec: &PatternSpec) -> u128 {
    let each = mixed(structure, spec).into_iter().map(|(_, counts)| multinomial(counts));
    each.fold(1, u128::saturating_mul)
}

/// An upper bound on the number of layouts of a spec. It is the product of three numbers:
/// - the layouts of its kinds
/// - the ways in which groups can lie within a kind
/// - the ways in which the pieces can be turned
pub(super) fn rows(structure: &PuzzleStructure, kinds: &Kinds, spec: &PatternSpec) -> u128 {
    let label = |slot: usize| usize::from(structure.goals[0][slot].0);
    let mut all = u128::from(kinds.layouts);
    for kind in 0..=kinds.of.iter().max().copied().unwrap_or(0) {
        let here = spec.slots.iter().map(|&slot| label(slot));
        let mut groups: Vec<u8> =
            here.filter(|&label| kinds.of[label] == kind).map(|label| spec.group[label]).collect();
        groups.sort_unstable();
        all = all.saturating_mul(multinomial(groups.chunk_by(|a, b| a == b).map(<[u8]>::len)));
    }
    for component in 0..=structure.component.iter().max().copied().unwrap_or(0) {
        let slots = || {
            let all = spec.slots.iter().copied();
            all.filter(|&slot| structure.component[slot] == component)
        };
        let turns: Vec<u8> = slots().map(|slot| spec.turns[label(slot)]).collect();
        let Some(&first) = turns.first() else { continue };
        let sum = |step: &Vec<(u8, u8)>| slots().map(|slot| u32::from(step[slot].1)).sum::<u32>();
        let bound = turns.iter().all(|&turns| turns == first)
            && structure.steps.iter().all(|step| sum(step) % u32::from(first) == 0);
        let product = turns.iter().fold(1, |all: u128, &turns| all.saturating_mul(turns.into()));
        all = all.saturating_mul(if bound { product / u128::from(first) } else { product });
    }
    all
}
