//! The one way in which ranks make layers: [`Spread`].

use super::checkpoint::Checkpoint;
use super::error::{LayersError, together};
use super::rounds::{Rounds, Targets, pack, unpack};
use super::slice::Slice;
use crate::Comm;
use fewest::pdb::{Abstraction, Edge, TeamDistances};
use fewest::search::{CancelToken, Cost};
use rayon::prelude::*;

/// The most entries of a rank that are expanded in one round: it bounds the memory of messages.
const ROUND: usize = 1 << 18;
/// The entries that a thread expands at once.
const CHUNK: usize = 1 << 12;

/// Flags of a message: the rank has more to expand in this layer.
const MORE: u8 = 1;
/// An edge has a cost that is not allowed.
const WEIGHTED: u8 = 2;
const CANCELLED: u8 = 4;
/// An edge leads beyond the greatest distance.
const FAR: u8 = 8;

/// The codes of the last layer and of the next, where entries have two bits. That of earlier layers
/// is 0.
pub(super) const LAST: u8 = 1;
const NEXT: u8 = LAST + 1;

/// What the codes of entries mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Two bits: earlier layers, the last, the next.
    Count,
    /// The distance.
    Table(TeamDistances),
}

impl Form {
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::Count => 2,
            Self::Table(distances) => distances.bits,
        }
    }

    /// The greatest distance.
    fn most(self) -> usize {
        match self {
            Self::Count => usize::MAX,
            Self::Table(distances) => distances.greatest().into(),
        }
    }

    /// Whether each edge must cost 1.
    fn is_unit(self) -> bool {
        match self {
            Self::Count => true,
            Self::Table(distances) => distances.most.is_some(),
        }
    }

    /// The code of an entry that an edge of this cost reaches from the layer `depth`.
    fn code(self, depth: usize, cost: Cost) -> u8 {
        match self {
            Self::Count => LAST + cost,
            Self::Table(_) => u8::try_from(depth + usize::from(cost)).expect("not beyond the most"),
        }
    }
}

/// Layers that all ranks make together.
///
/// An entry has the least distance that is known so far. It is final when its layer is the next to
/// be expanded: each entry is expanded once, along edges of all costs. An entry that an edge of
/// cost 0 reaches belongs to the layer that is being expanded.
pub(super) struct Spread<'s, 'c, C> {
    pub(super) rounds: &'s mut Rounds<'c, C>,
    pub(super) abstraction: &'s dyn Abstraction,
    pub(super) form: Form,
    pub(super) slice: Slice,
    pub(super) cancel: &'s CancelToken,
}

/// What a rank found in one round.
struct RoundResult {
    /// For each rank: the targets that it owns.
    parts: Vec<Targets>,
    flags: u8,
}

impl<C: Comm> Spread<'_, '_, C> {
    /// Makes all layers, and returns their sizes. Calls `tell` when the size of a layer is known.
    pub(super) fn run(
        &mut self,
        checkpoint: &Checkpoint<'_>,
        tell: &mut dyn FnMut(usize, u64),
    ) -> Result<Vec<u64>, LayersError> {
        let mut layers = together(self.rounds, checkpoint.load(&mut self.slice))?;
        let sizes = layers.iter().flat_map(|size| size.to_le_bytes()).collect();
        if self.rounds.share(sizes).windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(LayersError::Checkpoint(checkpoint.not_shared()));
        }
        // Whether an entry may be too far. After a restart nobody knows.
        let mut far = !layers.is_empty();
        if layers.is_empty() {
            layers.push(self.goals());
        }
        // Edges of cost 0 may add entries to the last layer of a table.
        let known = layers.len() - usize::from(self.form != Form::Count);
        layers[..known].iter().enumerate().for_each(|(depth, &count)| tell(depth, count));
        loop {
            let depth = layers.len() - 1;
            far |= self.layer(depth, None)? & FAR != 0;
            let counts = self.rounds.sum(self.slice.counts());
            let next = match self.form {
                Form::Count => usize::from(NEXT)..usize::from(NEXT) + 1,
                Form::Table(_) => {
                    layers[depth] = counts[depth];
                    tell(depth, counts[depth]);
                    depth + 1..counts.len()
                }
            };
            let start = next.start;
            let Some(next) = next.into_iter().find(|&code| counts[code] > 0) else { break };
            layers.extend(&counts[start..=next]);
            if self.form == Form::Count {
                self.slice.age();
                tell(depth + 1, counts[next]);
            }
            self.save(checkpoint, &layers)?;
        }
        match self.form {
            Form::Table(TeamDistances { most: None, .. }) if far => self.check_depth(&layers)?,
            _ => {}
        }
        Ok(layers)
    }

    /// Reaches the goals, and returns their number.
    fn goals(&mut self) -> u64 {
        let (mut goals, code) = (Vec::new(), self.form.code(0, 0));
        self.abstraction.goals(&mut goals);
        let own = self.slice.start()..self.slice.end();
        for goal in goals.into_iter().filter(|goal| own.contains(goal)) {
            self.slice.lower(goal, code);
        }
        let counts = self.rounds.sum(self.slice.counts());
        counts[usize::from(code)]
    }

    fn save(&mut self, checkpoint: &Checkpoint<'_>, layers: &[u64]) -> Result<(), LayersError> {
        together(self.rounds, checkpoint.save(&self.slice, layers))?;
        let published = match self.slice.rank() {
            0 => checkpoint.publish(&self.slice, layers),
            _ => Ok(()),
        };
        together(self.rounds, published)
    }

    /// An error if an entry is farther than a code can say.
    fn check_depth(&mut self, layers: &[u64]) -> Result<(), LayersError> {
        let reached: u64 = layers.iter().sum();
        if reached == self.slice.entries() {
            return Ok(());
        }
        let mut nearest = u64::MAX;
        let least = (self.form.most() + 1).saturating_sub(Cost::MAX.into());
        for depth in (least..layers.len()).filter(|&depth| layers[depth] > 0) {
            self.layer(depth, Some(&mut nearest))?;
        }
        match self.rounds.numbers(nearest).into_iter().min() {
            Some(depth) if depth < u64::MAX => Err(LayersError::TooDeep {
                depth: u32::try_from(depth).expect("at most 254 + 255"),
                bits: self.form.bits(),
            }),
            _ => Ok(()),
        }
    }

    /// Expands a layer, and returns the flags of all ranks.
    ///
    /// With `nearest`, reaches nothing: it takes the least distance of unseen entries beyond the
    /// greatest distance.
    fn layer(&mut self, depth: usize, mut nearest: Option<&mut u64>) -> Result<u8, LayersError> {
        let code = self.form.code(depth, 0);
        let (own, mut at, mut told) = (self.slice.rank(), self.slice.start(), 0);
        loop {
            let mut from = self.slice.select(code, &mut at, ROUND);
            if from.is_empty() {
                from = self.slice.take_held(ROUND);
            }
            let Self { abstraction, form, slice, .. } = &*self;
            let walk = Walk { abstraction: *abstraction, form: *form, slice };
            let RoundResult { mut parts, mut flags } = walk.expand(&from, depth, nearest.is_some());
            if at < self.slice.end() || self.slice.held() > 0 {
                flags |= MORE;
            }
            if self.cancel.is_cancelled() {
                flags |= CANCELLED;
            }
            // What this rank owns takes no message.
            for (cost, entries) in std::mem::take(&mut parts[own]) {
                for entry in entries {
                    self.take(depth, (cost, entry), at, &mut nearest);
                }
            }
            let parts = parts.into_par_iter().map(|targets| pack(flags, targets)).collect();
            let mut all = 0;
            for part in self.rounds.exchange(parts) {
                all |= unpack(&part, &mut |cost, entry| {
                    self.take(depth, (cost, entry), at, &mut nearest);
                });
            }
            told |= all;
            match all {
                all if all & WEIGHTED != 0 => return Err(LayersError::Weighted),
                all if all & CANCELLED != 0 => return Err(LayersError::Cancelled),
                all if all & MORE == 0 => return Ok(told),
                _ => {}
            }
        }
    }

    /// Takes a target that this rank owns. Entries before `at` were selected already.
    fn take(
        &mut self,
        depth: usize,
        (cost, entry): (Cost, u64),
        at: u64,
        nearest: &mut Option<&mut u64>,
    ) {
        if let Some(nearest) = nearest {
            if self.slice.code(entry) == self.slice.unseen() {
                **nearest = (depth as u64 + u64::from(cost)).min(**nearest);
            }
        } else if self.slice.lower(entry, self.form.code(depth, cost)) && cost == 0 && entry < at {
            self.slice.hold(entry);
        }
    }
}

/// The walk from entries of one rank along their edges.
struct Walk<'w> {
    abstraction: &'w dyn Abstraction,
    form: Form,
    slice: &'w Slice,
}

impl Walk<'_> {
    /// The targets of the edges of these entries, which are ascending. With `beyond`, only those
    /// beyond the greatest distance, else only the others.
    fn expand(&self, from: &[u64], depth: usize, beyond: bool) -> RoundResult {
        let (columns, ranks) = (self.abstraction.columns() as u64, self.slice.ranks());
        let none = || RoundResult { parts: vec![Targets::new(); ranks], flags: 0 };
        let chunk = |from: &[u64]| {
            let (mut found, mut edges): (_, Vec<Edge>) = (none(), Vec::new());
            for entries in from.chunk_by(|a, b| a / columns == b / columns) {
                edges.clear();
                self.abstraction.edges(entries[0] / columns, &mut edges);
                for edge in &edges {
                    let is_far = depth + usize::from(edge.cost) > self.form.most();
                    if self.form.is_unit() && edge.cost != 1 {
                        found.flags |= WEIGHTED;
                    } else if is_far == beyond {
                        self.walk(edge, entries, columns, &mut found.parts);
                    }
                    found.flags |= if is_far { FAR } else { 0 };
                    // Who owns the target has more to expand.
                    found.flags |= if edge.cost == 0 { MORE } else { 0 };
                }
            }
            found
        };
        from.par_chunks(CHUNK).map(chunk).reduce(none, |mut found, other| {
            for (part, others) in found.parts.iter_mut().zip(other.parts) {
                for (cost, entries) in others {
                    targets(part, cost).extend(entries);
                }
            }
            RoundResult { flags: found.flags | other.flags, ..found }
        })
    }

    /// Walks an edge from entries of one row.
    fn walk(&self, edge: &Edge, entries: &[u64], columns: u64, parts: &mut [Targets]) {
        let (map, row) = (self.abstraction.map_of(edge), edge.row * columns);
        let to = |&entry: &u64| {
            let column = usize::try_from(entry % columns).expect("a column");
            row + map.to(column) as u64
        };
        // Most rows have one owner.
        let [first, last] = [row, row + columns - 1].map(|entry| self.slice.owner(entry));
        if first == last {
            return targets(&mut parts[first], edge.cost).extend(entries.iter().map(to));
        }
        for entry in entries.iter().map(to) {
            targets(&mut parts[self.slice.owner(entry)], edge.cost).push(entry);
        }
    }
}

/// The targets of this cost.
fn targets(all: &mut Targets, cost: Cost) -> &mut Vec<u64> {
    let at = all.iter().position(|(own, _)| *own == cost).unwrap_or_else(|| {
        all.push((cost, Vec::new()));
        all.len() - 1
    });
    &mut all[at].1
}
