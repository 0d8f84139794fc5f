//! Searching with the heuristic of a configured board, whatever its type.

use super::TilesPuzzle;
use super::any::Any;
use super::choice::{Choice, Sums};
use super::sizes::Size;
use crate::puzzle::{Failure, Job};
use crate::runs::Found;
use crate::timing::Stopwatch;
use distances::{DistancesError, LearnedDistances};
use rayon::prelude::*;
use search::{AdditiveBounds, CancelToken, Cost, Heuristic, InPlace, MaxOfSums};
use std::sync::Arc;
use tiles::{
    Board, BoardWord, KorfTaylor, LinearConflict, PatternTable, RankedTables, TableLayout, Tiles,
    TilesManhattan,
};

/// Something done with a heuristic of any type.
pub(crate) trait With<D: search::Domain> {
    type Out;
    fn with<H: Heuristic<D>>(self, heuristic: &H) -> Self::Out;
    /// The same with a heuristic that works in place.
    fn in_place<H: InPlace<D>>(self, heuristic: &H) -> Self::Out
    where
        Self: Sized,
    {
        self.with(heuristic)
    }
}

impl<W: BoardWord, const ROWS: usize, const COLS: usize> TilesPuzzle<W, ROWS, COLS>
where
    Tiles<W, ROWS, COLS>: Size<Word = W, State = Board<W>, Ops = u32>,
{
    /// Makes the heuristic, with its tables, and hands it on.
    pub(super) fn with_heuristic<V: With<Tiles<W, ROWS, COLS>>>(
        &self,
        tables: &[Arc<PatternTable>],
        job: &Job<'_>,
        work: V,
    ) -> Result<V::Out, Failure> {
        let domain = &self.game.domain;
        let any = match &self.game.choice {
            Choice::Manhattan => Any::Manhattan(Box::new(TilesManhattan::new(domain))),
            Choice::LinearConflict => Any::LinearConflict(Box::new(LinearConflict::new(domain))),
            Choice::KorfTaylor => {
                Any::KorfTaylor(Box::new(KorfTaylor::new(domain).map_err(Failure::limit)?))
            }
            Choice::Pairs | Choice::Triples => Any::Learned(Arc::clone(self.learned(job)?)),
            Choice::Tables(sums) if sums.layout == TableLayout::Direct => {
                return domain.with_direct(tables, sums, work);
            }
            Choice::Tables(sums) => {
                let members = RankedTables::new(domain, tables, sums.reflected, sums.blank);
                if sums.are_few() {
                    Any::Tables(Box::new(families(domain, members, sums)?))
                } else {
                    Any::ManyTables(Box::new(families(domain, members, sums)?))
                }
            }
        };
        Ok(domain.with(any, work))
    }

    /// The learned distances, learned when they are first needed.
    fn learned(&self, job: &Job<'_>) -> Result<&Arc<LearnedDistances>, Failure> {
        self.game.learned.get_or_make(|| {
            let (domain, goals) = (&self.game.domain, [self.game.domain.goal()]);
            let learned = match self.game.choice {
                Choice::Triples => LearnedDistances::triples(domain, &goals, Some(&job.cancel)),
                _ => LearnedDistances::pairs(domain, &goals, Some(&job.cancel)),
            };
            learned.map(Arc::new).map_err(|error| match error {
                DistancesError::Cancelled => Failure::Cancelled,
                other => Failure::limit(other),
            })
        })
    }

    /// Searches with the heuristic, its tables built or loaded first.
    pub(super) fn search_board(
        &self,
        start: &Board<W>,
        job: &Job<'_>,
        found: &mut Found,
    ) -> Result<(), Failure> {
        let stopwatch = Stopwatch::start();
        let tables = self.game.shelf.obtain(job)?;
        if matches!(self.game.choice, Choice::Pairs | Choice::Triples) {
            found.table_bytes = self.learned(job)?.bytes() as u64;
        }
        found.tables = stopwatch.wall();
        found.table_bytes += tables.iter().map(|table| table.bytes().len() as u64).sum::<u64>();
        let automaton = self.automaton(job.keep(), job)?;
        struct Search<'a, D: search::Domain> {
            domain: &'a D,
            automaton: &'a fsm::Automaton<D::Ops>,
            start: &'a D::State,
            job: &'a Job<'a>,
            found: &'a mut Found,
        }
        impl<D: search::Domain> With<D> for Search<'_, D> {
            type Out = ();
            fn with<H: Heuristic<D>>(self, heuristic: &H) {
                self.found.search(self.domain, heuristic, self.automaton, self.start, self.job);
            }
            fn in_place<H: InPlace<D>>(self, heuristic: &H) {
                let Self { domain, automaton, start, job, found } = self;
                found.search_in_place(domain, heuristic, automaton, start, job);
            }
        }
        let domain = &self.game.domain;
        self.with_heuristic(&tables, job, Search { domain, automaton, start, job, found })
    }

    /// Bounds of random boards: see [`super::stats`].
    pub(super) fn estimates(
        &self,
        boards: &[Board<W>],
        job: &Job<'_>,
    ) -> Result<Vec<Cost>, Failure> {
        struct Estimate<'a, D: search::Domain>(&'a D, &'a [D::State], &'a CancelToken);
        impl<D: search::Domain> With<D> for Estimate<'_, D> {
            type Out = Result<Vec<Cost>, Failure>;
            fn with<H: Heuristic<D>>(self, heuristic: &H) -> Self::Out {
                let Self(domain, states, cancel) = self;
                let bound = |state| {
                    let cancelled = cancel.is_cancelled();
                    (!cancelled).then(|| heuristic.estimate(domain, state))
                };
                let bounds: Option<_> = states.par_iter().map(bound).collect();
                bounds.ok_or(Failure::Cancelled)
            }
        }
        let tables = self.game.shelf.obtain(job)?;
        self.with_heuristic(&tables, job, Estimate(&self.game.domain, boards, &job.cancel))?
    }
}

/// The maximum of the sums, on the board and on its reflection.
pub(super) fn families<D, M, const SUMS: usize, const MEMBERS: usize>(
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
