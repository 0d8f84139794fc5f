//! Files with the distances of all states of a puzzle, and the chains of cosets that number them.

use crate::puzzle::{Move, Puzzle, inverse, is_permutation};
use crate::space::{Edge, MOST, Space, check};
use crate::text::{Checked, Lines, lone_number, not_done, number, numbers, require, some};
use crate::tiles::{Blank, Tiles};
use crate::words::Words;
use std::collections::HashSet;
use std::iter;

/// What a file says in front of its entries.
pub(crate) struct Distances {
    space: Box<dyn Space>,
    counts: Vec<usize>,
}

/// The elements of a group: the products of one coset of each level.
struct Chain(Vec<Level>);

struct Level {
    point: usize,
    /// The inverse of each coset, and the coset.
    cosets: Vec<[Vec<usize>; 2]>,
    /// For each sticker, the number of the coset that has it at the point.
    of_sticker: Vec<Option<usize>>,
}

impl Distances {
    pub(crate) fn read(lines: &mut Lines, puzzle: &Puzzle) -> Checked<Self> {
        let chain = Chain::read(lines, puzzle)?;
        let space: Option<Box<dyn Space>> = if !chain.0.is_empty() {
            Some(Box::new(chain))
        } else if puzzle.is_board() {
            let tiles: Vec<_> = (1..puzzle.points).collect();
            Tiles::new(puzzle, &tiles, Blank::Exact).map(|tiles| Box::new(tiles) as _)
        } else {
            Words::new(puzzle, &puzzle.goal).map(|words| Box::new(words) as _)
        };
        let space = space.ok_or_else(|| not_done("the puzzle has more than 2^32 states"))?;
        let counts =
            lines.need("counts", |words| (0..words.len()).map(|at| number(words, at)).collect())?;
        let said = lines.need("entries", lone_number)?;
        let (found, size) = (lines.rest.len(), space.size());
        let fits = [said, found] == [size; 2];
        require(fits, format_args!("expected {size} entries, not {said}, and {found} follow"))?;
        Ok(Self { space, counts })
    }

    pub(crate) fn check(mut self, puzzle: &Puzzle, entries: &mut [u8]) -> Checked<String> {
        let goal = some(self.space.rank(&puzzle.solved()), "the goal has no rank")?;
        check(&mut *self.space, &puzzle.moves, goal, entries, false)?;
        let mut counts = vec![0; 256];
        entries.iter().for_each(|&entry| counts[usize::from(entry)] += 1);
        let greatest = counts[..255].iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.truncate(greatest + 1);
        let fits = counts == self.counts;
        require(fits, format_args!("expected the counts {counts:?}, not {:?}", self.counts))?;
        let (size, solvable) = (entries.len(), counts.iter().sum::<usize>());
        Ok(format!(
            "states: {size}, {solvable} of them solvable; all edges were checked\n\
             holds: each entry is the distance, and the greatest is {greatest}\n"
        ))
    }
}

impl Chain {
    fn read(lines: &mut Lines, puzzle: &Puzzle) -> Checked<Self> {
        let (mut levels, mut size, points) = (Vec::<Level>::new(), 1, puzzle.points);
        let labels: HashSet<_> = puzzle.goal.iter().collect();
        let group = !puzzle.is_board() && labels.len() == points;
        let level = |words: &[&str]| {
            require(group, "expected permutations with goal labels that differ")?;
            let level = numbers(words, 0, 2)?;
            require(level[0] < points, "expected a point")?;
            Ok((level[0], level[1]))
        };
        while let Some((point, many)) = lines.one("level", level)? {
            size *= many as u128;
            if size > MOST {
                return Err(not_done("the chain has more than 2^32 elements"));
            }
            let (mut cosets, mut of_sticker) = (Vec::new(), vec![None; points]);
            for number in 0..many {
                cosets.push(lines.need("coset", |words| {
                    let coset = numbers(words, 0, points)?;
                    require(is_permutation(&coset), "expected a permutation")?;
                    let stays = |level: &Level| coset[level.point] == level.point;
                    require(levels.iter().all(stays), "expected former points to stay")?;
                    let known = of_sticker[coset[point]].replace(number);
                    require(known.is_none(), "expected another sticker at the level's point")?;
                    Ok([inverse(&coset), coset])
                })?);
            }
            levels.push(Level { point, cosets, of_sticker });
        }
        Ok(Self(levels))
    }

    /// The number of an element, which becomes the identity. `None`: it does not.
    fn sift(&self, element: &mut [usize]) -> Option<usize> {
        let rank = self.0.iter().try_fold(0, |rank, Level { point, cosets, of_sticker }| {
            let number = of_sticker[element[*point]]?;
            element.iter_mut().for_each(|sticker| *sticker = cosets[number][0][*sticker]);
            Some(rank * cosets.len() + number)
        })?;
        element.iter().enumerate().all(|(at, &sticker)| at == sticker).then_some(rank)
    }
}

impl Space for Chain {
    fn size(&self) -> usize {
        self.0.iter().map(|level| level.cosets.len()).product()
    }

    fn rank(&self, state: &[usize]) -> Option<usize> {
        self.sift(&mut state.to_vec())
    }

    fn edges(&self, from: usize, moves: &[Move], edges: &mut Vec<Edge>) -> Checked {
        let (mut rest, mut element) = (from, (0..moves[0].map.len()).collect::<Vec<_>>());
        for Level { cosets, .. } in self.0.iter().rev() {
            let coset = &cosets[rest % cosets.len()][1];
            element.iter_mut().for_each(|sticker| *sticker = coset[*sticker]);
            rest /= cosets.len();
        }
        let mut next = element.clone();
        for Move { name, cost, map } in moves {
            iter::zip(&mut next, map).for_each(|(sticker, &point)| *sticker = element[point]);
            let text = format_args!("entry {from}: `{name}` leads to no entry");
            edges.push(Edge { to: some(self.sift(&mut next), text)?, cost: *cost });
        }
        Ok(())
    }
}
