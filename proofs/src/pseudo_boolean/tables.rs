//! Distances of parts of states, from which lower bounds and their proofs come: [`Tables`].

use super::chooser::Chooser;
use super::costs::Costs;
use super::encoding::Encoding;
use super::parts::MOST_PIECES;
use std::collections::HashMap;

/// Most entries of all tables if bounds do not add up: enough for pairs of pieces. Larger sets make
/// fewer states, but so many lemmas that logs are longer.
const MOST_TOGETHER: usize = if cfg!(test) { 300 } else { 1 << 18 };

/// In place of an atom that is not known.
pub(super) const UNKNOWN: u16 = u16::MAX;

/// A set of positions of a sorted state, and the table with its distances.
#[derive(Debug)]
pub(super) struct View {
    /// The positions. The first is that of the key piece, if bounds add up and there is one.
    pub(super) positions: Vec<usize>,
    /// The part to which its units are charged.
    pub(super) part: usize,
    table: usize,
}

/// For sets of pieces: the least number of units, counted in one part, that brings them to a goal
/// if all other pieces are left out.
///
/// If bounds add up, the *key piece* is one that decides which operators apply (the blank). It
/// belongs to each set. Its own moves cost nothing, so many of its squares have the same distance.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    encoding: &'a Encoding,
    costs: &'a Costs,
    /// The operators that make each atom of the key piece. Empty without a key piece.
    into_key: Vec<Vec<usize>>,
    /// The position of the key piece.
    pub(super) key: Option<usize>,
    /// By part, smaller sets first.
    pub(super) views: Vec<View>,
    /// The views whose distances no other view exceeds.
    largest: Vec<usize>,
    tables: Vec<Vec<u8>>,
    /// The number of each atom within its kind.
    local: Vec<usize>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(encoding: &'a Encoding, costs: &'a Costs, chooser: &Chooser) -> Self {
        let mut local = vec![0; encoding.atoms()];
        for atoms in &encoding.kinds {
            atoms.iter().enumerate().for_each(|(at, &atom)| local[usize::from(atom)] = at);
        }
        let mut sorted = encoding.start.clone();
        encoding.sort(&mut sorted);
        let is_charged = |kind: usize| costs.parts.iter().any(|part| part.contains(&kind));
        let key_kind = chooser.kind.first().map(|&atom| encoding.kind_of(atom));
        let key_kind = key_kind.filter(|&kind| costs.is_additive && !is_charged(kind));
        let is_key = |&atom: &u16| Some(encoding.kind_of(atom)) == key_kind;
        let key = sorted.iter().position(is_key);
        let mut into_key = vec![Vec::new(); if key.is_some() { encoding.atoms() } else { 0 }];
        for (operator, needed) in chooser.needed.iter().enumerate().filter(|_| key.is_some()) {
            let image = needed.and_then(|needed| encoding.image(operator, needed));
            image.into_iter().for_each(|image| into_key[usize::from(image)].push(operator));
        }
        let (views, largest, tables) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Self { encoding, costs, into_key, key, views, largest, tables, local };
        all.add_views(&sorted);
        all
    }

    /// Adds the views of all parts, and their tables.
    fn add_views(&mut self, sorted: &[u16]) {
        let mut known = HashMap::new();
        for (part, kinds) in self.costs.parts.iter().enumerate() {
            let has = |&at: &usize| kinds.contains(&self.encoding.kind_of(sorted[at]));
            let positions: Vec<usize> = (0..sorted.len()).filter(has).collect();
            let sets = self.sets(sorted, &positions);
            let largest = sets.last().map_or(0, Vec::len);
            for mut positions in sets {
                if positions.len() == largest {
                    self.largest.push(self.views.len());
                }
                if let Some(key) = self.key.filter(|key| !positions.contains(key)) {
                    positions.insert(0, key);
                }
                let kinds: Vec<usize> =
                    positions.iter().map(|&at| self.encoding.kind_of(sorted[at])).collect();
                let table = *known.entry((part, kinds)).or_insert_with_key(|(part, kinds)| {
                    self.tables.push(self.distances(kinds, *part));
                    self.tables.len() - 1
                });
                self.views.push(View { positions, part, table });
            }
        }
    }

    /// The sets of positions that have a table, smaller ones first.
    fn sets(&self, sorted: &[u16], positions: &[usize]) -> Vec<Vec<usize>> {
        let size = |at: usize| self.encoding.kinds[self.encoding.kind_of(sorted[at])].len();
        let entries = |set: &[usize]| set.iter().map(|&at| size(at)).fold(1, usize::saturating_mul);
        let (mut sets, mut from, mut room) = (vec![Vec::new()], 0, MOST_TOGETHER);
        for _ in 0..MOST_PIECES {
            let next = sets[from..].iter().flat_map(|set| {
                let after = positions.iter().filter(|&&at| set.last().is_none_or(|&l| l < at));
                after.map(|&at| [set.as_slice(), &[at]].concat()).collect::<Vec<_>>()
            });
            let next: Vec<Vec<usize>> = next.collect();
            // A pattern of an additive part has all its sets.
            let needed = next.iter().map(|set| entries(set)).sum::<usize>();
            if next.is_empty() || (!self.costs.is_additive && needed > room) {
                break;
            }
            room = room.saturating_sub(needed);
            from = sets.len();
            sets.extend(next);
        }
        sets.remove(0);
        sets
    }

    /// The distances of all placements of some kinds of pieces, by their code. 255 is more than the
    /// budget.
    fn distances(&self, kinds: &[usize], part: usize) -> Vec<u8> {
        let (encoding, atoms) = (self.encoding, |kind: usize| &self.encoding.kinds[kind]);
        let size = kinds.iter().map(|&kind| atoms(kind).len()).product();
        let mut distance = vec![u8::MAX; size];
        let budget = self.costs.budget.min(254);
        let mut open: Vec<Vec<u32>> = vec![Vec::new(); budget + 1];
        let code = |state: &[u16]| narrow(self.code(state.iter().copied()));
        for goal in &encoding.goals {
            open[0].extend(placements(encoding, goal, kinds).iter().map(|state| code(state)));
        }
        let operators: Vec<usize> = (0..encoding.operators.len()).collect();
        let (mut state, mut before) = (vec![0; kinds.len()], vec![0; kinds.len()]);
        for far in 0..=budget {
            while let Some(next) = open[far].pop() {
                if usize::from(distance[next as usize]) <= far {
                    continue;
                }
                distance[next as usize] = u8::try_from(far).unwrap_or(u8::MAX);
                let mut rest = next as usize;
                for (at, &kind) in kinds.iter().enumerate().rev() {
                    state[at] = atoms(kind)[rest % atoms(kind).len()];
                    rest /= atoms(kind).len();
                }
                let into = self.into_key.get(usize::from(state[0])).filter(|_| self.key.is_some());
                for &operator in into.unwrap_or(&operators) {
                    let images = state.iter().map(|&atom| encoding.preimage(operator, atom));
                    let mut pairs = before.iter_mut().zip(images);
                    if !pairs.all(|(to, image)| image.map(|image| *to = image).is_some()) {
                        continue;
                    }
                    let own = |atom: &&u16| self.costs.part_of(encoding, **atom) == part;
                    let extra = before.iter().filter(own).map(|&a| self.costs.extra(operator, a));
                    let cost = far + self.costs.base[operator] + extra.sum::<usize>();
                    let to = code(&before);
                    if cost <= budget && usize::from(distance[to as usize]) > cost {
                        open[cost].push(to);
                    }
                }
            }
        }
        distance
    }

    /// The code of a placement.
    fn code(&self, atoms: impl Iterator<Item = u16>) -> usize {
        atoms.fold(0, |code, atom| {
            let kind = &self.encoding.kinds[self.encoding.kind_of(atom)];
            code * kind.len() + self.local[usize::from(atom)]
        })
    }

    /// The distance of a sorted state in a view, at most one more than the budget. `None` if the
    /// state lacks an atom of the view.
    pub(super) fn distance(&self, view: &View, state: &[u16]) -> Option<usize> {
        let mut atoms = view.positions.iter().map(|&at| state[at]);
        let known = atoms.clone().all(|atom| atom != UNKNOWN);
        let distance = || usize::from(self.tables[view.table][self.code(&mut atoms)]);
        known.then(distance).map(|distance| distance.min(self.costs.budget + 1))
    }

    /// The greatest distance of a sorted state in each part.
    pub(super) fn by_part(&self, state: &[u16]) -> Vec<usize> {
        let mut bounds = vec![0; self.costs.parts.len()];
        for view in self.largest.iter().map(|&at| &self.views[at]) {
            bounds[view.part] = bounds[view.part].max(self.distance(view, state).unwrap_or(0));
        }
        bounds
    }

    /// The first view of a part whose distance is at least `least`, with the distance. Parts of a
    /// state have `UNKNOWN` elsewhere.
    pub(super) fn reason(
        &self,
        part: usize,
        state: &[u16],
        least: usize,
    ) -> Option<(&View, usize)> {
        let of_part = self.views.iter().filter(|view| view.part == part);
        let mut far = of_part.filter_map(|view| Some((view, self.distance(view, state)?)));
        far.find(|(_, distance)| *distance >= least)
    }
}

/// The ways to select pieces of these kinds from a goal.
fn placements(encoding: &Encoding, goal: &[u16], kinds: &[usize]) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    for &kind in kinds {
        let longer = all.iter().flat_map(|chosen: &Vec<u16>| {
            let fits = |atom: &&u16| encoding.kind_of(**atom) == kind && !chosen.contains(atom);
            goal.iter().filter(fits).map(|&atom| [chosen.as_slice(), &[atom]].concat())
        });
        all = longer.collect();
    }
    all
}

/// A code of a table. Tables are small enough.
fn narrow(code: usize) -> u32 {
    u32::try_from(code).unwrap_or(u32::MAX)
}
