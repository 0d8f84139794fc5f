//! A schedule of beams that grow: [`Planner`].

use crate::{BeamOptions, ChainBeam, Found, WordChain};
use search::Op;

/// The widths of the rounds, as far as memory allows them.
pub(crate) const WIDTHS: [usize; 6] = [30, 300, 2_000, 10_000, 40_000, 150_000];

/// The weights that follow each other in a round.
const WEIGHTS: [u32; 2] = [1, 2];

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
        let inverse = self.inverse(images);
        let starts = [Some((images, false)), inverse.as_deref().map(|images| (images, true))];
        for width in WIDTHS.into_iter().filter(|&width| width <= self.widest) {
            for weight in WEIGHTS {
                for (images, is_back) in starts.into_iter().flatten() {
                    if stop() || spent >= nodes {
                        return spent;
                    }
                    let Found { word, generated } =
                        self.beam.search(images, BeamOptions { width, weight }, stop);
                    spent += generated;
                    let Some(word) = word else { continue };
                    if generators.cost_of(&word) < least {
                        least = generators.cost_of(&word);
                        let plan = if is_back { generators.inverse_of(&word) } else { word };
                        tell(&plan);
                    }
                }
            }
        }
        spent
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
