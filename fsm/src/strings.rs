//! The strings that the learner keeps, and the candidates that it still has to look at.
//!
//! Nothing here depends on the domain, so it is compiled once for all.

use crate::forbidden::{ForbiddenStrings, Keep};
use hashbrown::HashTable;
use search::{Op, Plan};
use std::collections::BTreeMap;

/// The empty string.
pub(crate) const ROOT: u32 = 0;
/// No node, no row.
pub(crate) const NONE: u32 = u32::MAX;

/// A kept string: its parent's with one more operator.
pub(crate) struct Node {
    pub(crate) parent: u32,
    /// The string without its first operator.
    suffix: u32,
    /// The node's row of children; `NONE` if the string has full depth and is never extended.
    pub(crate) row: u32,
    /// The start of the effect in the store. Only nodes with a row have one.
    pub(crate) effect: u32,
    /// The number of contexts in which the string applies.
    pub(crate) applies: u32,
    pub(crate) cost: u32,
    pub(crate) op: Op,
}

/// A string to look at: a kept one, and an operator after it.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) parent: u32,
    pub(crate) op: Op,
}

/// A string that ends in some state of some context. The hash stands for both.
pub(crate) struct Entry {
    pub(crate) hash: u32,
    pub(crate) node: u32,
}

/// Kept strings, forbidden strings and candidates.
pub(crate) struct Strings {
    learned: ForbiddenStrings,
    nodes: Vec<Node>,
    /// By row and operator: the kept string, or `NONE`.
    children: Vec<u32>,
    /// One entry for each kept string and context.
    ends: HashTable<Entry>,
    /// By cost and length: the candidates.
    open: BTreeMap<(u32, usize), Vec<Candidate>>,
    /// By operator pair `a * operators + b`: whether they commute. Empty if nobody asks.
    commute: Vec<bool>,
}

impl Strings {
    /// No strings. `learned` forbids nothing yet.
    pub(crate) fn new(learned: ForbiddenStrings, commute: Vec<bool>) -> Self {
        let (nodes, children) = (Vec::new(), Vec::new());
        Self { learned, nodes, children, ends: HashTable::new(), open: BTreeMap::new(), commute }
    }

    pub(crate) fn into_forbidden(self) -> ForbiddenStrings {
        self.learned
    }

    pub(crate) fn keep_one(&self) -> bool {
        self.learned.keep() == Keep::OneOptimal
    }

    #[inline]
    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// The candidates of the least cost and length, in their order, with this cost and length.
    pub(crate) fn candidates(&mut self) -> Option<((u32, usize), Vec<Candidate>)> {
        let (place, mut candidates) = self.open.pop_first()?;
        if self.learned.costs().windows(2).any(|pair| pair[0] != pair[1]) {
            // If all costs are equal, candidates are already in this order.
            candidates.sort_by_cached_key(|&candidate| self.string(candidate));
        }
        Some((place, candidates))
    }

    /// The candidate without its first operator, if that is kept, or `NONE`.
    pub(crate) fn suffix(&self, Candidate { parent, op }: Candidate) -> u32 {
        match parent {
            ROOT => ROOT,
            _ => {
                let row = self.node(self.node(parent).suffix).row as usize;
                self.children[row * self.learned.operators() + op.index()]
            }
        }
    }

    fn string(&self, Candidate { parent, op }: Candidate) -> Plan {
        let mut string = Plan::from_slice(&[op]);
        let mut node = parent;
        while node != ROOT {
            string.push(self.node(node).op);
            node = self.node(node).parent;
        }
        string.reverse();
        string
    }

    /// Whether the string `b u a` is not the first of its class: `a < b`, and `a` commutes with `b`
    /// and all of `u`.
    pub(crate) fn commutes_forward(&self, Candidate { parent, op: a }: Candidate) -> bool {
        if self.commute.is_empty() {
            return false;
        }
        let (mut node, mut first) = (parent, None);
        while node != ROOT {
            let op = self.node(node).op;
            if !self.commute[a.index() * self.learned.operators() + op.index()] {
                return false;
            }
            first = Some(op);
            node = self.node(node).parent;
        }
        first.is_some_and(|b| a < b)
    }

    pub(crate) fn forbid(&mut self, candidate: Candidate) {
        let string = self.string(candidate);
        self.learned.push(string.into_iter());
    }

    /// Keeps a string that applies in so many contexts; returns its node. A string that is shorter
    /// than the full depth gets a row, and its effect is `stored` from there on.
    pub(crate) fn keep(
        &mut self,
        Candidate { parent, op }: Candidate,
        suffix: u32,
        (cost, length): (u32, usize),
        (applies, stored): (u32, u32),
    ) -> u32 {
        let id = narrow(self.nodes.len());
        let operators = self.learned.operators();
        let mut node = Node { parent, suffix, row: NONE, effect: 0, applies, cost, op };
        if length < self.learned.depth() {
            node.row = narrow(self.children.len() / operators.max(1));
            node.effect = stored;
            self.children.resize(self.children.len() + operators, NONE);
            for op in (0..operators).map(Op::new) {
                let key = (cost + u32::from(self.learned.costs()[op.index()]), length + 1);
                self.open.entry(key).or_default().push(Candidate { parent: id, op });
            }
        }
        self.nodes.push(node);
        if id != ROOT {
            let row = self.node(parent).row as usize;
            self.children[row * operators + op.index()] = id;
        }
        id
    }

    /// Notes that a kept string ends in a state of a context with this hash.
    pub(crate) fn add_end(&mut self, hash: u32, node: u32) {
        let entry = Entry { hash, node };
        self.ends.insert_unique(spread(hash), entry, |entry| spread(entry.hash));
    }

    /// The kept strings that may end where the hash says.
    pub(crate) fn ends(&self, hash: u32) -> impl Iterator<Item = &Entry> {
        self.ends.iter_hash(spread(hash))
    }
}

/// Expands the stored half of a hash to the full hash that the table needs in high and low bits.
fn spread(hash: u32) -> u64 {
    let hash = u64::from(hash).wrapping_mul(0xd1b5_4a32_d192_ed03);
    hash ^ hash >> 32
}

pub(crate) fn narrow(index: usize) -> u32 {
    match u32::try_from(index) {
        Ok(index) if index != NONE => index,
        _ => panic!("more than 2^32 strings times contexts"),
    }
}
