//! A schedule of beams that grow: [`Planner`].

use crate::frames::Frame;
use crate::{BeamOptions, ChainBeam, Found, Generators, WordChain};
use search::Op;

/// The widths of the rounds, as far as memory allows them.
pub(crate) const WIDTHS: [usize; 6] = [30, 300, 2_000, 10_000, 40_000, 150_000];

/// The weights that follow each other in a round.
const WEIGHTS: [u32; 2] = [1, 2];

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

/// Looks for plans with wider and wider beams.
#[derive(Debug)]
pub struct Planner<'a> {
    chain: &'a WordChain,
    beam: ChainBeam<'a>,
    /// The widest beam that fits the memory.
    widest: usize,
}

impl<'a> Planner<'a> {
    /// The planner that uses the words of a chain, with beams of about `bytes` bytes at most. The
    /// narrowest takes 100 KB for a puzzle of 100 pieces.
    pub fn new(chain: &'a WordChain, bytes: u64) -> Self {
        let beam = ChainBeam::new(chain);
        let widest = usize::try_from(bytes / beam.bytes_of_node()).unwrap_or(usize::MAX);
        Self { chain, beam, widest: widest.max(WIDTHS[0]) }
    }

    /// Looks for plans until about `nodes` nodes were generated, all rounds are over, or `stop` is
    /// true. Calls `tell` with each plan that is cheaper than those before. Returns the nodes.
    ///
    /// `images` are the points where the pieces lie. The plans are the same for any number of
    /// threads, unless `stop` ends the work. Nodes are counted after each beam.
    pub fn improve(
        &self,
        images: &[u16],
        nodes: u64,
        stop: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(&[Op]),
    ) -> u64 {
        let (mut spent, mut least) = (0, u32::MAX);
        let generators = self.chain.generators();
        for width in WIDTHS.into_iter().filter(|&width| width <= self.widest) {
            let views = self.views(images, width / NODES_OF_VIEW);
            let starts: Vec<&[u16]> = views.iter().map(|view| &view.images[..]).collect();
            for weight in WEIGHTS {
                if stop() || spent >= nodes {
                    return spent;
                }
                let options = BeamOptions { width, weight };
                let Found { word, start, generated } = self.beam.search(&starts, options, stop);
                spent += generated;
                let Some(word) = word else { continue };
                if generators.cost_of(&word) < least {
                    least = generators.cost_of(&word);
                    tell(&views[start].plan(word, generators));
                }
            }
        }
        spent
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
