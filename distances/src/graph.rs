//! The moves of a domain as tables. For each context and operator they say which place the moving
//! feature leaves and which it enters. They are read from a representative state of each context.

use super::{DistancesError, MOST_CONTEXTS, MOST_FEATURES, MOST_PLACES, NONE};
use search::{Cost, Op, OpSet, Placed};

/// A move, stored in the list of the place that it enters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Back {
    /// The context before the move, and the one after it.
    pub(super) before: u16,
    pub(super) after: u16,
    /// The place that the move leaves.
    pub(super) from: u8,
    pub(super) cost: Cost,
}

/// All moves of a domain.
#[derive(Clone, Debug)]
pub(super) struct MoveGraph {
    pub(super) places: usize,
    pub(super) contexts: usize,
    /// The number of 64-bit words of a set of contexts.
    pub(super) words: usize,
    operators: usize,
    /// For each place, the moves that enter it.
    entering: Vec<Vec<Back>>,
    /// All moves again, as sets of contexts. Each layer has at most one move from any context to
    /// any other.
    layers: Vec<Layer>,
    /// For each context and operator, the place that the feature leaves and the one that it enters;
    /// [`NONE`] twice if the operator does not apply.
    ways: Vec<(u8, u8)>,
}

/// Moves as sets of contexts: bit sets of [`MoveGraph::words`] words.
#[derive(Clone, Debug)]
struct Layer {
    /// For each context after a move, the set of contexts before it.
    into: Vec<u64>,
    /// For each place and each context after a move, the set of contexts before it, for moves that
    /// leave or enter this place. One more place, after the last, has empty sets.
    touching: Vec<u64>,
}

fn check(what: &'static str, found: usize, most: usize) -> Result<(), DistancesError> {
    if found <= most { Ok(()) } else { Err(DistancesError::TooMany { what, found, most }) }
}

/// The moves of a layer, and for each of three places the moves that leave or enter it.
#[derive(Debug)]
pub(super) struct Rows<'a> {
    into: &'a [u64],
    touching: [&'a [u64]; 3],
}

impl Rows<'_> {
    /// One word of the set of contexts before a move that neither leaves nor enters the three
    /// places. `word` counts from the set of the first context after a move.
    #[inline(always)]
    pub(super) fn free(&self, word: usize) -> u64 {
        let [a, b, c] = self.touching;
        self.into[word] & !(a[word] | b[word] | c[word])
    }
}

#[expect(clippy::cast_possible_truncation, reason = "places and contexts are checked to fit")]
impl MoveGraph {
    pub(super) fn new<D: Placed>(domain: &D) -> Result<Self, DistancesError> {
        let (places, contexts) = (domain.places(), domain.contexts());
        check("places", places, MOST_PLACES)?;
        check("contexts", contexts, MOST_CONTEXTS)?;
        check("features", domain.features(), MOST_FEATURES)?;
        let operators = domain.operators();
        let mut ways = vec![(NONE, NONE); contexts * operators];
        let words = contexts.div_ceil(64);
        let mut graph = Self {
            places,
            contexts,
            words,
            operators,
            entering: vec![Vec::new(); places],
            layers: Vec::new(),
            ways: Vec::new(),
        };
        for context in 0..contexts {
            let state = domain.representative(context);
            let mut next = state.clone();
            for op in domain.applicable(&state).members() {
                domain.apply_into(&state, op, &mut next);
                let mover = domain.mover(&state, op);
                let (from, to) = (domain.place(&state, mover), domain.place(&next, mover));
                // The laws of `Placed` say that the feature is at a place before and after its
                // move.
                let Some((from, to)) = from.zip(to) else { continue };
                let (from, to) = (from as u8, to as u8);
                ways[context * operators + op.index()] = (from, to);
                let (before, after) = (context as u16, domain.context(&next) as u16);
                let back = Back { before, after, from, cost: domain.cost(op) };
                graph.entering[usize::from(to)].push(back);
                graph.add(back, to);
            }
        }
        graph.ways = ways;
        Ok(graph)
    }

    /// Adds a move to the first layer that has no move between these two contexts yet.
    fn add(&mut self, back: Back, to: u8) {
        let (before, row) = (usize::from(back.before), usize::from(back.after) * self.words);
        let (word, bit) = (row + before / 64, 1 << (before % 64));
        let found = self.layers.iter().position(|layer| layer.into[word] & bit == 0);
        let number = found.unwrap_or(self.layers.len());
        let size = self.contexts * self.words;
        if found.is_none() {
            self.layers
                .push(Layer { into: vec![0; size], touching: vec![0; (self.places + 1) * size] });
        }
        let layer = &mut self.layers[number];
        layer.into[word] |= bit;
        for place in [back.from, to] {
            layer.touching[usize::from(place) * size + word] |= bit;
        }
    }

    /// For each layer: all its moves, and for each of the given `places`, the moves that leave or
    /// enter it. The number of places stands for "no place".
    #[inline(always)]
    pub(super) fn layers(&self, places: [u8; 3]) -> impl Iterator<Item = Rows<'_>> {
        let size = self.contexts * self.words;
        self.layers.iter().map(move |layer| Rows {
            into: &layer.into[..size],
            touching: places.map(|place| &layer.touching[usize::from(place) * size..][..size]),
        })
    }

    /// The moves that enter a place.
    #[inline(always)]
    pub(super) fn entering(&self, place: u8) -> &[Back] {
        &self.entering[usize::from(place)]
    }

    /// The place that the feature leaves and the place that it enters by an applicable operator.
    #[inline(always)]
    pub(super) fn way(&self, context: usize, op: Op) -> (u8, u8) {
        self.ways[context * self.operators + op.index()]
    }

    /// The size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        let layer = |layer: &Layer| size_of_val(&layer.into[..]) + size_of_val(&layer.touching[..]);
        let entering = |moves: &Vec<Back>| size_of_val(&moves[..]);
        self.layers.iter().map(layer).sum::<usize>()
            + self.entering.iter().map(entering).sum::<usize>()
            + size_of_val(&self.ways[..])
    }
}
