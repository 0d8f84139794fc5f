//! The rounds of each technique of a [`Planner`].

use super::Planner;
use crate::chain::LastLevels;
use crate::cycles::Round;
use crate::frames::Frame;
use crate::meet::Meeting;
use crate::{BeamOptions, ChainBeam, Found, Generators, WordChain};
use search::Op;
use std::sync::atomic::Ordering::Relaxed;

/// The widths of the rounds, as far as memory allows them.
pub(crate) const WIDTHS: [usize; 7] = [30, 300, 2_000, 10_000, 40_000, 150_000, 500_000];

/// The most of [`WIDTHS`] for the words of other bases. On the megaminx, a wide beam over one base
/// gains more than many narrow ones; on the 4x4x4 it gains less.
const BASE_WIDTHS: usize = 5;

/// The weights that follow each other in a round.
const WEIGHTS: [u32; 2] = [1, 2];

/// The widths of beams by pairs, as far as memory allows them.
const PAIR_WIDTHS: [usize; 7] = [300, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

/// Nodes of the width for each symmetric image of the state that is put into a beam.
const NODES_OF_VIEW: usize = 200;

/// An image of the state to solve. A plan for the image gives a plan for the state.
struct View<'a> {
    /// The symmetry whose image it is. `None`: the identity.
    frame: Option<&'a Frame>,
    /// Whether it is the image of the inverse.
    is_back: bool,
    images: Vec<u16>,
}

impl View<'_> {
    /// The plan of the state that a word for this view gives.
    fn plan(&self, word: Vec<Op>, generators: &Generators) -> Vec<Op> {
        let word = match self.frame {
            Some(frame) => frame.origin(&word),
            None => word,
        };
        if self.is_back { generators.inverse_of(&word) } else { word }
    }
}

/// Finding words takes as long as a node for so many lookups.
const LOOKUPS: u64 = 400;

/// The words of another base than that of the chain.
pub(super) struct OtherBase {
    number: u64,
    chain: WordChain,
}

/// The time, in nodes, to make the tables of a chain that a beam of this width needs and one of the
/// width `before` did not.
fn made_nodes(
    chain: &WordChain,
    (width, before): (usize, Option<usize>),
    stop: &(dyn Fn() -> bool + Sync),
) -> u64 {
    let new = |count: fn(&WordChain, usize) -> usize| {
        let own = count(chain, width);
        if before.is_some_and(|before| count(chain, before) == own) { 0 } else { own }
    };
    let first = chain.first(new(WordChain::first_count), stop);
    let last = chain.last(new(WordChain::last_count), stop);
    let first = first.map_or(0, |first| first.nodes(chain.generators()));
    first.saturating_add(last.map_or(0, LastLevels::nodes))
}

impl<'a> Planner<'a> {
    /// A round of cycles with so many nodes left. `None` if there are none.
    pub(super) fn cycle_round(
        &self,
        images: &[u16],
        (round, left): (u32, u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Round> {
        Some(self.chain.cycles(stop)?.search(images, (self.seed, round, left), stop))
    }

    /// A round of beams by gaps, for plans that cost less than `least`. `None` after the last.
    pub(super) fn gap_round(
        &self,
        images: &[u16],
        (round, least): (u32, u32),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Round> {
        let gaps = self.chain.gaps(stop)?;
        let element = self.chain.pieces().element(images)?;
        gaps.search(&element, (round, self.bytes), least, stop)
    }

    /// A beam by pairs, for plans that cost less than `least`. `None` after the last.
    pub(super) fn pair_round(
        &self,
        images: &[u16],
        (round, least): (u32, u32),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Round> {
        let pairs = self.chain.pairs(self.may_learn, stop)?;
        let width = *PAIR_WIDTHS.get(round as usize)?;
        if round > 0 && !pairs.fits(width, self.bytes) {
            return None;
        }
        Some(self.round_of_views(images, width, |starts| {
            pairs.search(starts, (width, least, self.bytes), stop)
        }))
    }

    /// The searches from both ends, after those rounds that an earlier run made. `None` if they do
    /// not fit into memory, or `stop` is true.
    pub(super) fn meeting(
        &self,
        images: &[u16],
        rounds: u32,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Meeting<'a>> {
        let mut meeting = self.chain.meet()?.start(images, 2 * self.bytes)?;
        for _ in 0..rounds {
            self.meet_round(&mut meeting, stop)?;
        }
        Some(meeting)
    }

    /// A layer of the searches from both ends.
    pub(super) fn meet_round(
        &self,
        meeting: &mut Meeting<'_>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Round> {
        let round = meeting.grow(stop)?;
        self.proven.fetch_max(meeting.bound(), Relaxed);
        Some(round)
    }

    /// A beam, wider than the one two rounds before. After the widest, beams over the words of
    /// other bases. `None` if there are none.
    pub(super) fn beam_round(
        &self,
        images: &[u16],
        (round, other): (u32, &mut Option<OtherBase>),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Round> {
        let (round, weights) = (round as usize, WEIGHTS.len());
        let (weight, begins) = (WEIGHTS[round % weights], round % weights == 0);
        if let Some(&width) = WIDTHS[..self.widths(self.bytes)].get(round / weights) {
            let options = BeamOptions { width, weight };
            let Round { plan, nodes, is_cut } =
                self.round_of_beam(images, &self.beam, options, stop);
            // What the ends of the chain need is computed in the first round that needs it.
            let before = (round / weights).checked_sub(1).map(|at| WIDTHS[at]);
            let made = if begins { made_nodes(self.chain, (width, before), stop) } else { 0 };
            return Some(Round { plan, nodes: nodes.saturating_add(made), is_cut });
        }
        // Half of the memory is for the words.
        let widths = self.widths(self.bytes / 2).min(BASE_WIDTHS);
        let number = (round / weights - self.widths(self.bytes) + 1) as u64;
        // Told with the first round of a base, wherever a run begins.
        let built = if begins { self.chain.effort().lookups / LOOKUPS } else { 0 };
        if other.as_ref().is_none_or(|other| other.number != number) {
            *other = None;
            let chain = self.chain.with_base(number, self.bytes / 2, stop)?;
            *other = Some(OtherBase { number, chain });
        }
        let chain = &other.as_ref()?.chain;
        let options = BeamOptions { width: WIDTHS[widths - 1], weight };
        let found = self.round_of_beam(images, &ChainBeam::new(chain), options, stop);
        let made = if begins { made_nodes(chain, (options.width, None), stop) } else { 0 };
        let nodes = found.nodes.saturating_add(built).saturating_add(made);
        Some(Round { nodes, ..found })
    }

    /// A round among the states near the plans that are known, or near a first one. `None` if there
    /// is none.
    pub(super) fn shorten_round(
        &self,
        images: &[u16],
        (round, plans, left): (u32, &[Vec<Op>], u64),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Round> {
        let shorten = self.chain.shorten()?;
        let means = (round, left, self.bytes);
        if !plans.is_empty() {
            return shorten.search(images, plans, means, &stop);
        }
        let options = BeamOptions { width: WIDTHS[0], weight: WEIGHTS[0] };
        let first = self.round_of_beam(images, &self.beam, options, stop);
        let next = shorten.search(images, &[first.plan?], means, &stop)?;
        Some(Round { nodes: next.nodes.saturating_add(first.nodes), ..next })
    }

    /// How many of [`WIDTHS`] fit into so many bytes, at least one.
    fn widths(&self, bytes: u64) -> usize {
        let fits = |&width: &usize| self.beam.bytes_of_node().saturating_mul(width as u64) <= bytes;
        WIDTHS.iter().rposition(fits).unwrap_or(0) + 1
    }

    fn round_of_beam(
        &self,
        images: &[u16],
        beam: &ChainBeam<'_>,
        options: BeamOptions,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Round {
        self.round_of_views(images, options.width, |starts| {
            let Found { word, start, generated } = beam.search(starts, options, stop);
            (word.map(|word| (start, word)), generated)
        })
    }

    /// The round of a search that begins at the views of a state that suit a width. It returns the
    /// number of a view with a word for it, and the nodes.
    fn round_of_views(
        &self,
        images: &[u16],
        width: usize,
        search: impl FnOnce(&[&[u16]]) -> (Option<(usize, Vec<Op>)>, u64),
    ) -> Round {
        let views = self.views(images, width / NODES_OF_VIEW);
        let starts: Vec<&[u16]> = views.iter().map(|view| &view.images[..]).collect();
        let (found, nodes) = search(&starts);
        let plan = found.map(|(start, word)| views[start].plan(word, self.chain.generators()));
        Round { plan, nodes, is_cut: false }
    }

    /// The state and its inverse, and their images under at most so many other symmetries, spread
    /// over all.
    fn views(&self, images: &[u16], most: usize) -> Vec<View<'_>> {
        let others = self.chain.frames.get(1..).unwrap_or_default();
        let step = others.len().div_ceil(most.max(1)).max(1);
        let others = others.iter().step_by(step).take(most);
        let frames: Vec<Option<&Frame>> = std::iter::once(None).chain(others.map(Some)).collect();
        let inverse = self.inverse(images);
        let states = [Some((images, false)), inverse.as_deref().map(|images| (images, true))];
        let mut views = Vec::new();
        for (images, is_back) in states.into_iter().flatten() {
            let pieces = self.chain.pieces();
            let of = |frame: &Frame| frame.image(pieces, images);
            views.extend(frames.iter().map(|&frame| {
                let images = frame.map_or_else(|| images.to_vec(), of);
                View { frame, is_back, images }
            }));
        }
        views
    }

    /// The images of the inverse of a state, if a state is one element: a word that solves it,
    /// read backwards, solves the state.
    fn inverse(&self, images: &[u16]) -> Option<Vec<u16>> {
        let pieces = self.chain.pieces();
        if !pieces.are_distinct() {
            return None;
        }
        Some(pieces.images(&pieces.element(images)?.inverse()))
    }
}
