//! What ranks tell each other about a search.

use fewest::search::{Cost, UnitCounts};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the search of one rank ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankEnd {
    /// Processor time of the search, in seconds.
    pub cpu_seconds: f64,
    /// Units that the rank searched completely, of bounds that are shared.
    pub units: u64,
    /// Messages that the rank sent.
    pub messages: u64,
    /// Bytes of these messages.
    pub bytes: u64,
    /// Why the rank could not search. `None` if it could.
    pub error: Option<String>,
}

/// Results of units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    /// Units that are searched completely.
    pub(crate) counts: Vec<(usize, UnitCounts)>,
    /// Units with a plan of theirs, as the numbers of its operators.
    pub(crate) plans: Vec<(usize, Vec<u16>)>,
}

impl Results {
    pub(crate) fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.plans.is_empty()
    }
}

/// What rank 0 knows when a shared bound begins.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Opening {
    /// The hash of what the units are.
    pub(crate) digest: [u8; 16],
    pub(crate) counts: Vec<(usize, UnitCounts)>,
    pub(crate) plans: Vec<Vec<u16>>,
    /// Whether the journal takes no results, so that nothing is searched.
    pub(crate) refused: bool,
}

/// The heuristic of a search, with the fingerprints of its tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HeuristicMark {
    pub(crate) heuristic: String,
    pub(crate) tables: BTreeMap<String, String>,
}

/// What a rank tells rank 0. `bound` is the number of the shared bound, counted from 1.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Up {
    /// From rank 0 alone: its search begins.
    Begin(HeuristicMark),
    /// From rank 0 alone: a shared bound begins, with so many places to hand out.
    Open {
        bound: u32,
        places: usize,
        wanted: usize,
        opening: Opening,
    },
    /// The rank wants at most `places` places.
    Claim {
        bound: u32,
        places: usize,
    },
    Results {
        bound: u32,
        results: Results,
    },
    /// The rank searches no more units of this bound.
    Close {
        bound: u32,
        complete: bool,
    },
    /// The search of the rank has ended. `is_deaf`: it cannot answer other ranks.
    End {
        end: RankEnd,
        is_deaf: bool,
    },
    /// The rank sends nothing more.
    Gone,
}

/// What rank 0 tells a rank, or all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Down {
    /// To all: begin the search.
    Begin(HeuristicMark),
    /// To all: a shared bound begins.
    Open { bound: u32, opening: Opening },
    /// To one: places to search. `last`: no more will come.
    Places { bound: u32, first: usize, places: usize, last: bool },
    /// To all: search no further unit of the bound, for there are enough plans or a rank stopped.
    Enough { bound: u32 },
    /// To all: the bound has ended, with the results of all ranks.
    Close { bound: u32, results: Results },
    /// To all: search no further shared bound.
    Stop,
    /// To all: rank 0 has its answer.
    End,
    /// To one: no rank sends anything more.
    Leave,
}

/// What a rank asks another one: some entries of each table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ask {
    pub(crate) ticket: u64,
    /// Indexed by the number of the table. Tables at the end may be missing.
    pub(crate) entries: Vec<Vec<u64>>,
}

/// The values of these entries, table after table, under the ticket of the question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) ticket: u64,
    pub(crate) values: Vec<Cost>,
}

/// All messages, as they are sent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Message<U = Up, D = Down> {
    Up(U),
    Down(D),
    Ask(Ask),
    Answer(Answer),
}

/// What the search of a rank gives to the thread that sends.
#[derive(Clone, Debug)]
pub(crate) enum SendCommand {
    /// To rank 0.
    Up(Up),
    /// To another rank.
    Ask { to: usize, ask: Ask },
}

/// The bytes of a message of rank 0.
pub(super) fn encode_down(message: &Down) -> Vec<u8> {
    encode(&Message::<Up, &Down>::Down(message))
}

pub(crate) fn encode(message: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(message).expect("a vector takes all bytes")
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> T {
    postcard::from_bytes(bytes).expect("all ranks run the same program")
}
