//! The order of the base points: [`order`].

use crate::Pieces;
use groups::Permutation;
use search::Op;
use search::random::Random;

/// The number of pieces among which one is drawn.
const FEW: usize = 3;

/// The numbers of the pieces in the order of their levels.
///
/// A piece comes next if most short words fix it and all pieces before it. So the pieces that are
/// solved grow as a block that many words leave alone. Pieces that look alike come last, class
/// after class: with two of a class left, either may go to either home, which repairs the parity.
///
/// Another `base` than 0 draws each piece among the best few. Ends early if `stop` is true.
pub(super) fn order(
    pieces: &Pieces,
    words: &[(Vec<Op>, Permutation)],
    base: u64,
    stop: &dyn Fn() -> bool,
) -> Vec<usize> {
    let mut random = Random::new(base);
    let sizes = pieces.class_sizes();
    let list = pieces.list();
    let is_alike = |piece: usize| sizes[usize::from(list[piece].class)] > 1;
    let mut left: Vec<usize> = (0..list.len()).collect();
    let mut alive: Vec<&Permutation> = words.iter().map(|(_, element)| element).collect();
    let mut order: Vec<usize> = Vec::with_capacity(left.len());
    while !left.is_empty() && !stop() {
        let begun = order.last().filter(|&&last| is_alike(last)).map(|&last| list[last].class);
        let of_begun = |piece: usize| Some(list[piece].class) == begun;
        let rank = |piece: usize| match () {
            () if of_begun(piece) => 0,
            () if left.iter().any(|&other| of_begun(other)) => 3,
            () if !is_alike(piece) => 1,
            () => 2,
        };
        let fixed = |piece: usize| {
            let home = list[piece].home;
            alive.iter().filter(|element| element.image(home) == home).count()
        };
        let best = left.iter().map(|&piece| rank(piece)).min();
        let first = left.iter().enumerate().filter(|&(_, &piece)| Some(rank(piece)) == best);
        let mut first: Vec<(usize, usize)> =
            first.map(|(at, &piece)| (usize::MAX - fixed(piece), at)).collect();
        first.sort_unstable();
        let few = if base == 0 { 1 } else { FEW };
        let next = left.remove(first[random.index(few.min(first.len()))].1);
        let home = list[next].home;
        alive.retain(|element| element.image(home) == home);
        order.push(next);
    }
    order
}
