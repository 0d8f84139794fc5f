//! Units: the parts of one bound, each searched on its own. See [`Units`].

use super::Counts;
use crate::Plan;
use crate::domain::{Cost, Op};
use std::borrow::Cow;
use std::fmt;

/// The number of units that a search makes of a bound at least, if its tree has as many.
///
/// A bound has up to four times as many, and a few more: a level of the tree is expanded whole, or
/// until the next one has four times as many nodes. A search that waits for entries of other
/// processes may make fewer.
pub const LEAST_UNITS: usize = 1 << 11;
/// The greatest such number. A search with [`Units`], or with entries of other processes, makes
/// more units of a longer bound.
pub const MOST_UNITS: usize = 1 << 15;

/// What a complete search below some node counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnitCounts {
    /// The number of generated nodes.
    pub generated: u64,
    /// The number of expanded nodes.
    pub expanded: u64,
    /// The least proven excess over the bound among all nodes that were cut. `None` if nothing was
    /// cut.
    pub over: Option<u16>,
}

impl fmt::Display for UnitCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} generated and {} expanded nodes, ", self.generated, self.expanded)?;
        match self.over {
            Some(over) => write!(f, "the least cut {over} above the bound"),
            None => f.write_str("none cut"),
        }
    }
}

impl From<Counts> for UnitCounts {
    fn from(counts: Counts) -> Self {
        let Counts { generated, expanded, .. } = counts;
        Self { generated, expanded, over: counts.least_cut() }
    }
}

impl From<UnitCounts> for Counts {
    fn from(counts: UnitCounts) -> Self {
        let UnitCounts { generated, expanded, over } = counts;
        Self::with_least_cut(generated, expanded, over)
    }
}

/// The units of one bound, in a fixed order.
#[derive(Clone, Copy, Debug)]
pub struct Frontier<'a> {
    /// The bound.
    pub bound: Cost,
    /// For each unit, the operators that lead from the start to its node.
    pub paths: &'a [Plan],
    /// What the search above the units counted. The units are not part of it.
    pub above: UnitCounts,
    /// The generated nodes of the bound before; 0 for the first bound.
    pub before: u64,
    /// The number of plans that ends the search.
    pub wanted: usize,
}

/// What is known of the units of a bound without searching them here.
#[derive(Clone, Debug, Default)]
pub struct KnownUnits {
    /// Numbers and counts of units that are searched completely.
    pub counts: Vec<(usize, UnitCounts)>,
    /// Numbers of units that this search leaves to others, in ascending order.
    pub left: Vec<usize>,
    /// Plans found in units, in any order, each once. Plans found above the units are not part of
    /// it, nor those of a unit that is still to be searched here.
    pub plans: Vec<Plan>,
}

/// Keeps the results of units, hands them out, or shares them with other processes.
///
/// [`ida_star_parallel`](crate::ida_star_parallel()) cuts each bound into thousands of *units*: the
/// nodes of a frontier below the start. The frontier depends on the domain, the heuristic, the
/// pruning, the start, the bound and the counts of the bound before, and on nothing else (but see
/// [`Units::are_kept`]). So a unit that was searched once, by any process with any number of
/// threads, need not be searched again: its counts are always the same.
///
/// For each bound, the search calls [`Units::open`] once. Its threads then call [`Units::claim`]
/// and search units until there are no more. At last the search calls [`Units::close`]. A bound
/// with plans enough above the units is neither opened nor closed.
pub trait Units: Sync {
    /// Begins a bound, and returns what is known of its units.
    ///
    /// If it returns as many plans as the search wants, no unit is searched. Then these may be
    /// plans of units that are not searched completely.
    fn open(&self, frontier: &Frontier<'_>) -> KnownUnits;

    /// A place in the order in which the units that are not known are searched, largest first.
    /// Each place must be handed out once: 0, 1, 2, .. The search ends the bound when it gets a
    /// place behind the last unit.
    fn claim(&self) -> usize;

    /// Called when a unit is searched completely, from the thread that did it.
    fn searched(&self, unit: usize, counts: UnitCounts);

    /// Called when a unit has a plan that counts. The operators are those of
    /// [`Domain::to_plan`](crate::Domain::to_plan).
    fn found(&self, unit: usize, plan: &[Op]);

    /// Called if a plan that [`Units::open`] or [`Units::close`] returned does not lead from the
    /// start to a goal within the bound, by operators that apply. Then the search ends. Rules on a
    /// two-sided domain ([`ConstrainedDomain`](crate::ConstrainedDomain)) may therefore limit the
    /// operators of the back end only. [default: does nothing]
    fn refused(&self, _plan: &[Op]) {}

    /// Whether the search need not go on: a plan is known from elsewhere, or a result cannot be
    /// kept. Asked every few thousand nodes. [default: false]
    fn is_over(&self) -> bool {
        false
    }

    /// Whether results of units are for other searches, too. If not, and the heuristic is remote,
    /// the search makes fewer units, so that it asks for more entries at a time. All processes that
    /// share units say the same. [default: true]
    fn are_kept(&self) -> bool {
        true
    }

    /// Whether the units are searched again, to compare the counts: by the slow twin of the
    /// search, which is one plain recursion on one thread. Then the search calls
    /// [`Units::open`], [`Units::searched`] for each unit that is neither known nor left to others,
    /// and nothing else. Its [`UnitCounts::over`] is the greatest that the heuristic proves, so it
    /// may exceed that of other searches. [default: false]
    fn is_recheck(&self) -> bool {
        false
    }

    /// Ends a bound. `complete` is false if a limit, the caller or [`Units::is_over`] ended it. A
    /// plan that ends a bound leaves it true, also where a claimed unit is not searched to its end.
    /// Returns what others found since [`Units::open`]. [default: nothing]
    fn close(&self, _complete: bool) -> KnownUnits {
        KnownUnits::default()
    }
}

/// A round of a search for plans that need not be proven. Rounds follow each other in an order that
/// the search fixes, whatever its limits are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanRound {
    /// What planned: a word without blanks.
    pub by: Cow<'static, str>,
    /// The nodes that it generated.
    pub nodes: u64,
    /// The cost of its plan. `None` without one.
    pub cost: Option<u32>,
    /// Its plan, if that is cheaper than the plans of all rounds before.
    pub plan: Option<Plan>,
}
