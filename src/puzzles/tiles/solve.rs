//! Searching with the heuristic of a configured board, in the type that is fastest for it.

use super::any::Any;
use super::choice::{Choice, Sums};
use super::{TilesGame, TilesPuzzle};
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use distances::{DistancesError, LearnedDistances};
use fsm::Automaton;
use search::{AdditiveBounds, Cost, Heuristic, InPlace, MaxOfSums};
use std::sync::Arc;
use tiles::{
    AnyTiles, Board, BoardWord, DirectTables, KorfTaylor, LinearConflict, PatternTable,
    RankedTables, TableLayout, Tiles, TilesManhattan, WideWord,
};

/// The tables of a heuristic, in the order of its patterns.
type Tables = [Arc<PatternTable>];

/// The bound of a board.
type Estimate<'a> = Box<dyn Fn(&Board<WideWord>) -> Cost + Sync + 'a>;

impl TilesPuzzle {
    /// Searches with the heuristic, its tables built or loaded first.
    pub(super) fn search_board(
        &self,
        start: &Board<WideWord>,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let game = &self.game;
        let stopwatch = Stopwatch::start();
        let tables = &*game.shelf.obtain(job)?;
        if matches!(game.choice, Choice::Pairs | Choice::Triples) {
            found.table_bytes = game.learned(job)?.bytes() as u64;
        }
        found.tables = stopwatch.wall();
        found.table_bytes += tables.iter().map(|table| table.bytes().len() as u64).sum::<u64>();
        let automaton = self.automaton(job.keep(), job)?;
        let search = Search { game, start, tables, automaton, job, found };
        match (game.domain.rows(), game.domain.columns(), &game.choice) {
            (4, 4, _) => search.sized::<u64, 4, 4>(),
            (5, 5, _) => search.sized::<u128, 5, 5>(),
            (4, 5, Choice::Tables(sums)) => search.with_tables::<u128, 4, 5>(sums),
            (rows, columns, _) => match rows * columns {
                ..=16 => search.any::<u64>(),
                17..=25 => search.any::<u128>(),
                _ => search.any::<WideWord>(),
            },
        }
    }
}

/// A search of one board.
struct Search<'a> {
    game: &'a TilesGame,
    start: &'a Board<WideWord>,
    tables: &'a Tables,
    automaton: &'a Automaton<u32>,
    job: &'a Job<'a>,
    found: &'a mut Found,
}

impl Search<'_> {
    /// The search with the size known at run time, the same one for all heuristics.
    fn any<W: BoardWord>(self) -> Result<(), Failure> {
        let domain = self.in_word::<W>();
        let heuristic = self.game.heuristic(&domain, self.tables, self.job)?;
        self.run(&domain, &heuristic);
        Ok(())
    }

    /// The search with the size in the type, if it is compiled for the heuristic.
    fn sized<W: BoardWord, const R: usize, const C: usize>(self) -> Result<(), Failure> {
        match &self.game.choice {
            Choice::Manhattan => {
                let domain = self.in_size::<W, R, C>();
                self.run(&domain, &TilesManhattan::new(&domain));
            }
            Choice::LinearConflict => {
                let domain = self.in_size::<W, R, C>();
                self.run(&domain, &LinearConflict::new(&domain));
            }
            Choice::Tables(sums) => self.with_tables::<W, R, C>(sums)?,
            Choice::KorfTaylor | Choice::Pairs | Choice::Triples => self.any::<W>()?,
        }
        Ok(())
    }

    /// The search with sums of tables, and the size in the type.
    fn with_tables<W: BoardWord, const R: usize, const C: usize>(
        self,
        sums: &Sums,
    ) -> Result<(), Failure> {
        let (domain, tables) = (self.in_size::<W, R, C>(), self.tables);
        let (reflected, blank) = (sums.reflected, sums.blank);
        match (sums.layout == TableLayout::Direct, sums.are_few()) {
            (true, true) => {
                let members = DirectTables::<16>::new(&domain, tables, reflected, blank);
                self.in_place(&domain, &families::<_, _, 8, 32>(&domain, members, sums)?);
            }
            (true, false) => self.in_place(&domain, &direct_sums(&domain, tables, sums)?),
            (false, true) => {
                let members = RankedTables::new(&domain, tables, reflected, blank);
                self.in_place(&domain, &families::<_, _, 8, 32>(&domain, members, sums)?);
            }
            (false, false) => {
                let members = RankedTables::new(&domain, tables, reflected, blank);
                self.in_place(&domain, &families::<_, _, 24, 64>(&domain, members, sums)?);
            }
        }
        Ok(())
    }

    /// The puzzle in a word that has room for it.
    fn in_word<W: BoardWord>(&self) -> AnyTiles<W> {
        self.game.domain.to_word().expect("a word with room for the board")
    }

    /// The puzzle with its size in the type.
    fn in_size<W: BoardWord, const R: usize, const C: usize>(&self) -> Tiles<W, R, C> {
        self.in_word().to_size().expect("the size of the board")
    }

    /// The start in a word that has room for it.
    fn start<W: BoardWord>(&self) -> Board<W> {
        self.start.to_word().expect("a word with room for the board")
    }

    /// The search in which every node has its own board.
    fn run<W: BoardWord, const R: usize, const C: usize>(
        self,
        domain: &Tiles<W, R, C>,
        heuristic: &impl Heuristic<Tiles<W, R, C>>,
    ) {
        self.found.search(domain, heuristic, self.automaton, &self.start(), self.job);
    }

    /// The search that moves on one board.
    fn in_place<W: BoardWord, const R: usize, const C: usize>(
        self,
        domain: &Tiles<W, R, C>,
        heuristic: &impl InPlace<Tiles<W, R, C>>,
    ) {
        self.found.search_in_place(domain, heuristic, self.automaton, &self.start(), self.job);
    }
}

impl TilesGame {
    /// The heuristic in one type for all.
    fn heuristic<W: BoardWord>(
        &self,
        domain: &AnyTiles<W>,
        tables: &Tables,
        job: &Job<'_>,
    ) -> Result<Any<W>, Failure> {
        Ok(match &self.choice {
            Choice::Manhattan => Any::Manhattan(Box::new(TilesManhattan::new(domain))),
            Choice::LinearConflict => Any::LinearConflict(Box::new(LinearConflict::new(domain))),
            Choice::KorfTaylor => {
                Any::KorfTaylor(Box::new(KorfTaylor::new(domain).map_err(Failure::limit)?))
            }
            Choice::Pairs | Choice::Triples => Any::Learned(Arc::clone(self.learned(job)?)),
            Choice::Tables(sums) => {
                let members = RankedTables::new(domain, tables, sums.reflected, sums.blank);
                if sums.are_few() {
                    Any::Tables(Box::new(families(domain, members, sums)?))
                } else {
                    Any::ManyTables(Box::new(families(domain, members, sums)?))
                }
            }
        })
    }

    /// The learned distances, learned when they are first needed.
    fn learned(&self, job: &Job<'_>) -> Result<&Arc<LearnedDistances>, Failure> {
        self.learned.get_or_make(|| {
            let (domain, goals) = (&self.domain, [self.domain.goal()]);
            let learned = match self.choice {
                Choice::Triples => LearnedDistances::triples(domain, &goals, Some(&job.cancel)),
                _ => LearnedDistances::pairs(domain, &goals, Some(&job.cancel)),
            };
            learned.map(Arc::new).map_err(|error| match error {
                DistancesError::Cancelled => Failure::Cancelled,
                other => Failure::limit(other),
            })
        })
    }

    /// The bounds of boards.
    pub(super) fn estimator<'a>(&'a self, job: &Job<'_>) -> Result<Estimate<'a>, Failure> {
        let (domain, tables) = (&self.domain, &*self.shelf.obtain(job)?);
        match &self.choice {
            Choice::Tables(sums) if sums.layout == TableLayout::Direct => {
                let heuristic = direct_sums(domain, tables, sums)?;
                Ok(Box::new(move |board| heuristic.estimate(domain, board)))
            }
            _ => {
                let heuristic = self.heuristic(domain, tables, job)?;
                Ok(Box::new(move |board| heuristic.estimate(domain, board)))
            }
        }
    }
}

/// The sums of many directly numbered tables.
fn direct_sums<W: BoardWord, const R: usize, const C: usize>(
    domain: &Tiles<W, R, C>,
    tables: &Tables,
    sums: &Sums,
) -> Result<MaxOfSums<DirectTables<64>, 24, 64>, Failure> {
    let members = DirectTables::new(domain, tables, sums.reflected, sums.blank);
    families(domain, members, sums)
}

/// The maximum of the sums, on the board and on its reflection.
fn families<D, M, const SUMS: usize, const MEMBERS: usize>(
    domain: &D,
    members: Option<M>,
    sums: &Sums,
) -> Result<MaxOfSums<M, SUMS, MEMBERS>, Failure>
where
    D: search::Partitioned,
    M: AdditiveBounds<D>,
{
    let members = members.ok_or_else(|| Failure::limit("more tables than there is room for"))?;
    let tables = sums.patterns.len();
    let mut lists = sums.sums.clone();
    if members.count() > tables {
        let reflected = |list: &Vec<usize>| list.iter().map(|member| member + tables).collect();
        lists.extend(sums.sums.iter().map(reflected));
    }
    MaxOfSums::new(domain, members, &lists).map_err(Failure::limit)
}
