//! Searches with the heuristic of a configured board, in the type that is fastest for the board.

use super::any_heuristic::Any;
use super::heuristic::{Sums, TilesHeuristic};
use super::{Step, TilesGame, TilesPuzzle};
use crate::puzzle::{Aim, Failure, Result};
use crate::puzzles::approach::{Approach, time_left};
use crate::puzzles::built_in::BuiltIn;
use crate::puzzles::configured::Game;
use crate::run::Run;
use crate::settings::HeuristicChoice;
use distances::{DistancesError, LearnedDistances};
use fsm::Automaton;
use search::{Cost, Heuristic, Limit, MaxOfSums, Members, Outcome};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tiles::{
    AnyTiles, Board, BoardWord, DirectTables, KorfTaylor, LinearConflict, PatternTable,
    RankedTables, TableLayout, Tiles, TilesManhattan, WideWord,
};

/// Nodes of a first search without tables, where the tables of `best` are not at hand. A board near
/// the goal needs no more, and waits for no table.
const NEAR_NODES: u64 = 1 << 20;

/// A search with smaller tables generates a node for so many bytes of the next ones that are to be
/// built. That takes up to a third of the time of their build.
const BYTES_OF_A_NODE: u64 = 4;

/// If time is limited, a search with smaller tables gets a part of what is left: one by this
/// number, as far as can be told from usual speeds.
const SHARE: u32 = 4;
const NODES_OF_A_MICROSECOND: u64 = 30;

/// All searches with smaller tables together may have so many times as many nodes.
const BUILD: u64 = 4;

/// The tables of a heuristic, in the order of its patterns.
type Tables = [Arc<PatternTable>];

/// A function that computes the bound of a board.
type Estimate<'a> = Box<dyn Fn(&Board<WideWord>) -> Cost + Sync + 'a>;

impl TilesPuzzle {
    /// Searches with the heuristic.
    ///
    /// `best` has a way to its tables if they are not at hand and nothing asks for counts of its
    /// nodes: some nodes without tables, then with smaller ones.
    pub(super) fn search_board(&self, start: &Board<WideWord>, run: &mut Run<'_>) -> Result<()> {
        let game = &self.game;
        // Learning takes memory of its own, which is free again before the tables come.
        let automaton = self.automaton(run.keep(), run)?;
        let with_tables = |run: &mut Run<'_>| {
            let tables = &self.obtain_tables(run)?;
            Search { game, heuristic: &game.heuristic, start, tables, automaton, run }.with_tables()
        };
        let is_best = self.settings.heuristic == HeuristicChoice::Best;
        if run.request.aim == Aim::NearOptimal {
            return self.approach(start, run, &with_tables);
        }
        if !is_best || run.counts_nodes() || !run.is_for_one() {
            return with_tables(run);
        }
        // Small boards are solved soon, so that a plan is of no use before the proof.
        let is_small = game.domain.rows() * game.domain.columns() <= 16;
        let full = |run: &mut Run<'_>| {
            if is_small { with_tables(run) } else { self.approach(start, run, &with_tables) }
        };
        if game.shelf.is_at_hand() || run.request.reader.is_some() || run.request.team.is_some() {
            return full(run);
        }
        let without_tables = |run: &mut Run<'_>| {
            run.reads("linear-conflict", 0);
            let heuristic = &TilesHeuristic::LinearConflict;
            Search { game, heuristic, start, tables: &[], automaton, run }.without_tables();
            Ok(())
        };
        let then_full = |run: &mut Run<'_>| {
            // Afterwards, plans are looked for with them.
            self.obtain_tables(run)?;
            run.approaches_again();
            full(run)
        };
        let first = game.steps.iter().rposition(|step| step.shelf.is_at_hand()).unwrap_or(0);
        let steps = game.steps.get(first..).unwrap_or_default();
        let climb = |run: &mut Run<'_>| self.climb((start, automaton), steps, run, &then_full);
        run.near_first(NEAR_NODES, without_tables, |run| {
            if is_small { climb(run) } else { self.approach(start, run, &climb) }
        })
    }

    /// Searches with one step after the other, and at last by `full`.
    fn climb(
        &self,
        (start, automaton): (&Board<WideWord>, &Automaton<u32>),
        steps: &[Step],
        run: &mut Run<'_>,
        full: &dyn Fn(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let game = &self.game;
        let Some((Step { heuristic, shelf, nodes }, above)) = steps.split_first() else {
            return full(run);
        };
        let next = above.first().map_or(&game.shelf, |step| &step.shelf);
        let worth = next.missing_bytes() / BYTES_OF_A_NODE;
        // Searches one after the other have as many nodes as a build takes time.
        let (states, spent) = (run.request.backlog.states() as u64, nodes.load(Relaxed));
        let most = (worth / states.saturating_add(1)).min((BUILD * worth).saturating_sub(spent));
        let within = |left: Duration| u64::try_from(left.as_micros()).unwrap_or(u64::MAX);
        let most = time_left(run).map_or(most, |left| {
            most.min(within(left / SHARE).saturating_mul(NODES_OF_A_MICROSECOND))
        });
        let before = run.results().generated();
        let with_step = |run: &mut Run<'_>| {
            let tables = match run.tables(|run| shelf.obtain(run)) {
                // The next tables may be at hand, or can be built.
                Err(failure) if !failure.is_stop() => {
                    run.end(Outcome::LimitReached(Limit::Nodes), false);
                    return Ok(());
                }
                tables => &tables?,
            };
            let name = heuristic.sums().map_or_else(String::new, Sums::sizes);
            run.reads(format!("best/{name}"), bytes_of(tables));
            Search { game, heuristic, start, tables, automaton, run }.with_tables()?;
            nodes.fetch_add(run.results().generated() - before, Relaxed);
            Ok(())
        };
        run.near_first(before.saturating_add(most), with_step, |run| {
            self.climb((start, automaton), above, run, full)
        })
    }
}

/// The bytes of tables.
fn bytes_of(tables: &Tables) -> u64 {
    tables.iter().map(|table| table.bytes().len() as u64).sum()
}

/// A search of one board.
struct Search<'a, 'r> {
    game: &'a TilesGame,
    heuristic: &'a TilesHeuristic,
    start: &'a Board<WideWord>,
    tables: &'a Tables,
    automaton: &'a Automaton<u32>,
    run: &'a mut Run<'r>,
}

impl Search<'_, '_> {
    /// Searches in the type that is fastest for the board and the heuristic.
    fn with_tables(self) -> Result<()> {
        let game = self.game;
        if matches!(self.heuristic, TilesHeuristic::Tables(_)) && self.run.request.reader.is_some()
        {
            return self.remote_sums();
        }
        match (game.domain.rows(), game.domain.columns(), self.heuristic) {
            (4, 4, TilesHeuristic::Manhattan) => self.manhattan::<u64, 4, 4>(),
            (4, 5, TilesHeuristic::Manhattan) => self.manhattan::<u128, 4, 5>(),
            (5, 5, TilesHeuristic::Manhattan) => self.manhattan::<u128, 5, 5>(),
            (4, 4, TilesHeuristic::LinearConflict) => self.linear_conflict::<u64, 4, 4>(),
            (4, 5, TilesHeuristic::LinearConflict) => self.linear_conflict::<u128, 4, 5>(),
            (5, 5, TilesHeuristic::LinearConflict) => self.linear_conflict::<u128, 5, 5>(),
            (rows, columns, _) => match rows * columns {
                ..=16 => self.any_or_sums::<u64>()?,
                17..=25 => self.any_or_sums::<u128>()?,
                _ => self.any::<WideWord>()?,
            },
        }
        Ok(())
    }

    /// Searches with linear conflicts.
    fn without_tables(self) {
        match self.game.domain.rows() * self.game.domain.columns() {
            ..=16 => self.conflicts::<u64>(),
            17..=25 => self.conflicts::<u128>(),
            _ => self.conflicts::<WideWord>(),
        }
    }

    /// Searches with linear conflicts, in the search that serves all heuristics.
    fn conflicts<W: BoardWord>(self) {
        let domain = self.in_word::<W>();
        let conflicts = LinearConflict::new(&domain);
        self.search(&domain, &Any::LinearConflict(Box::new(conflicts)));
    }

    /// Searches a board whose size is known at run time. One compiled search serves all heuristics.
    fn any<W: BoardWord>(self) -> Result<()> {
        let domain = self.in_word::<W>();
        let heuristic = self.game.any_heuristic(self.heuristic, &domain, self.tables, self.run)?;
        self.search(&domain, &heuristic);
        Ok(())
    }

    /// As [`Search::any`], but each usual kind of sums has a compiled search of its own. It would
    /// take 1.4 times as long if every child looked up the kind of the heuristic.
    fn any_or_sums<W: BoardWord>(self) -> Result<()> {
        let domain = self.in_word::<W>();
        match self.game.any_heuristic(self.heuristic, &domain, self.tables, self.run)? {
            Any::FewDirect(sums) => self.search(&domain, &*sums),
            Any::MoreDirect(sums) => self.search(&domain, &*sums),
            Any::FewRanked(sums) => self.search(&domain, &*sums),
            other => self.search(&domain, &other),
        }
        Ok(())
    }

    /// Searches with sums of tables whose entries a reader reads. One compiled search serves all
    /// boards and tables: it waits for answers most of the time.
    fn remote_sums(self) -> Result<()> {
        let domain = self.in_word::<WideWord>();
        let heuristic = self.game.any_heuristic(self.heuristic, &domain, self.tables, self.run)?;
        self.run.search_tables(&domain, &heuristic, self.automaton, &self.start());
        Ok(())
    }

    /// Searches with Manhattan distance, and with the board's size in the type.
    fn manhattan<W: BoardWord, const R: usize, const C: usize>(self) {
        let domain = self.in_size::<W, R, C>();
        self.search(&domain, &TilesManhattan::new(&domain));
    }

    /// Searches with linear conflicts, and with the board's size in the type.
    fn linear_conflict<W: BoardWord, const R: usize, const C: usize>(self) {
        let domain = self.in_size::<W, R, C>();
        self.search(&domain, &LinearConflict::new(&domain));
    }

    /// The puzzle with boards that are one word of type `W`.
    fn in_word<W: BoardWord>(&self) -> AnyTiles<W> {
        self.game.domain.to_word().expect("a word with room for the board")
    }

    /// The puzzle with its size in the type.
    fn in_size<W: BoardWord, const R: usize, const C: usize>(&self) -> Tiles<W, R, C> {
        self.in_word().to_size().expect("the size of the board")
    }

    /// The start as a board that is one word of type `W`.
    fn start<W: BoardWord>(&self) -> Board<W> {
        self.start.to_word().expect("a word with room for the board")
    }

    /// Runs the search.
    fn search<W: BoardWord, const R: usize, const C: usize>(
        self,
        domain: &Tiles<W, R, C>,
        heuristic: &impl Heuristic<Tiles<W, R, C>>,
    ) {
        self.run.search(domain, heuristic, self.automaton, &self.start());
    }
}

impl TilesPuzzle {
    /// The tables of the heuristic, and what it learns.
    fn obtain_tables(&self, run: &mut Run<'_>) -> Result<Vec<Arc<PatternTable>>> {
        let game = &self.game;
        let (tables, learned) = run.tables(|run| {
            let learned = match game.heuristic {
                TilesHeuristic::Pairs | TilesHeuristic::Triples => game.learned(run)?.bytes(),
                _ => 0,
            };
            Ok((game.shelf.obtain(run)?, learned))
        })?;
        run.reads(self.settings.heuristic.name(), bytes_of(&tables) + learned as u64);
        Ok(tables)
    }

    /// Looks for plans, in place of the proof by `search` or within it: with the tables of the
    /// heuristic if it has some and all are at hand, else with linear conflicts.
    fn approach(
        &self,
        start: &Board<WideWord>,
        run: &mut Run<'_>,
        search: &dyn Fn(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let game = &self.game;
        let approach = Approach {
            names: &|plan| Game::names(self, plan),
            cost: &|plan| plan.len() as u64,
            replay: &|plan| game.replay(start, plan),
            is_hopeless: false,
        };
        match game.domain.rows() * game.domain.columns() {
            ..=16 => self.approach_in::<u64>((&approach, start), run, search),
            17..=25 => self.approach_in::<u128>((&approach, start), run, search),
            _ => self.approach_in::<WideWord>((&approach, start), run, search),
        }
    }

    fn approach_in<W: BoardWord>(
        &self,
        (approach, start): (&Approach<'_>, &Board<WideWord>),
        run: &mut Run<'_>,
        search: &dyn Fn(&mut Run<'_>) -> Result<()>,
    ) -> Result<()> {
        let game = &self.game;
        let domain: AnyTiles<W> = game.domain.to_word().expect("a word with room for the board");
        let start = start.to_word().expect("a word with room for the board");
        let builds = !game.shelf.is_at_hand();
        let (domain, memory) = (&domain, (game.memory, builds));
        let by_conflicts = |run: &mut Run<'_>| {
            if run.request.aim == Aim::NearOptimal {
                run.reads("linear-conflict", 0);
            }
            let conflicts = LinearConflict::new(domain);
            approach.by_operators((domain, &conflicts, &start), memory, run, search)
        };
        // The rounds of a journal do not depend on tables.
        if builds || game.heuristic.sums().is_none() || run.request.keeper.is_some() {
            return by_conflicts(run);
        }
        let tables = match self.obtain_tables(run) {
            // Plans need no tables.
            Err(failure) if !failure.is_stop() => return by_conflicts(run),
            tables => tables?,
        };
        match game.any_heuristic(&game.heuristic, domain, &tables, run)? {
            // A node has less data, so that a beam may be wider.
            Any::MoreDirect(sums) => {
                approach.by_operators((domain, &*sums, &start), memory, run, search)
            }
            other => approach.by_operators((domain, &other, &start), memory, run, search),
        }
    }
}

impl TilesGame {
    /// A heuristic as [`Any`].
    fn any_heuristic<W: BoardWord>(
        &self,
        heuristic: &TilesHeuristic,
        domain: &AnyTiles<W>,
        tables: &Tables,
        run: &Run<'_>,
    ) -> Result<Any> {
        Ok(match heuristic {
            TilesHeuristic::Manhattan => Any::Manhattan(Box::new(TilesManhattan::new(domain))),
            TilesHeuristic::LinearConflict => {
                Any::LinearConflict(Box::new(LinearConflict::new(domain)))
            }
            TilesHeuristic::KorfTaylor => {
                Any::KorfTaylor(Box::new(KorfTaylor::new(domain).map_err(Failure::limit)?))
            }
            TilesHeuristic::Pairs | TilesHeuristic::Triples => {
                Any::Learned(Arc::clone(self.learned(run)?))
            }
            TilesHeuristic::Tables(sums) => {
                let (reflected, blank) = (sums.reflected, sums.blank);
                let ranked = || RankedTables::new(domain, tables, reflected, blank);
                // With reflections there are twice as many sums and members as here.
                match (sums.layout, sums.sums.len(), sums.patterns.len()) {
                    (TableLayout::Direct, ..=8, ..=8) => {
                        let members = DirectTables::new(domain, tables, reflected, blank);
                        Any::FewDirect(max_of(domain, members, sums)?)
                    }
                    (TableLayout::Direct, ..=8, ..=16) => {
                        let members = DirectTables::new(domain, tables, reflected, blank);
                        Any::MoreDirect(max_of(domain, members, sums)?)
                    }
                    (TableLayout::Direct, _, _) => {
                        let members = DirectTables::new(domain, tables, reflected, blank);
                        Any::ManyDirect(max_of(domain, members, sums)?)
                    }
                    (_, ..=8, ..=8) => Any::FewRanked(max_of(domain, ranked(), sums)?),
                    _ => Any::ManyRanked(max_of(domain, ranked(), sums)?),
                }
            }
        })
    }

    /// The distances of `pairs` or `triples`, learned at the first call.
    fn learned(&self, run: &Run<'_>) -> Result<&Arc<LearnedDistances>> {
        self.learned.get_or_make(run, || {
            let (domain, goals) = (&self.domain, [self.domain.goal()]);
            run.prepare("the distances", |cancel| {
                let learned = match self.heuristic {
                    TilesHeuristic::Triples => {
                        LearnedDistances::triples(domain, &goals, Some(cancel))
                    }
                    _ => LearnedDistances::pairs(domain, &goals, Some(cancel)),
                };
                learned.map(Arc::new).map_err(|error| match error {
                    DistancesError::Cancelled => Failure::Cancelled,
                    other => Failure::limit(other),
                })
            })
        })
    }

    /// A function that computes the bound of a board, with all tables loaded or built.
    pub(super) fn estimator<'a>(&'a self, run: &Run<'_>) -> Result<Estimate<'a>> {
        let (domain, tables) = (&self.domain, &*self.shelf.obtain(run)?);
        let heuristic = self.any_heuristic(&self.heuristic, domain, tables, run)?;
        Ok(Box::new(move |board| heuristic.estimate(domain, board)))
    }
}

/// The maximum of the sums, as a heuristic.
fn max_of<D, M, const SUMS: usize, const MEMBERS: usize>(
    domain: &D,
    members: Option<M>,
    sums: &Sums,
) -> Result<Box<MaxOfSums<M, M::Lookup, SUMS, MEMBERS>>>
where
    D: search::Partitioned,
    M: Members<D>,
{
    let members = members.ok_or_else(|| Failure::limit("more tables than there is room for"))?;
    let lists = sums.lists(members.lookups().len());
    MaxOfSums::new(domain, members, &lists).map(Box::new).map_err(Failure::limit)
}
