//! The strings that the learner keeps, and the candidates that it has yet to try.
//!
//! Nothing here depends on the type of the domain, so it is compiled once for all domains.

use crate::forbidden::{ForbiddenStrings, Keep};
use hashbrown::HashTable;
use search::{Op, Plan};
use std::collections::BTreeMap;

/// The node of the empty string.
pub(crate) const ROOT: u32 = 0;
/// Stands for "no node" and "no row".
pub(crate) const NONE: u32 = u32::MAX;

/// A kept string: the string of its parent with one more operator.
pub(crate) struct Node {
    pub(crate) parent: u32,
    /// The node of the string without its first operator.
    suffix: u32,
    /// The number of the node's row in [`Strings::children`]; `NONE` if the string has full depth
    /// and is never extended.
    pub(crate) row: u32,
    /// The start of the string's effect in the learner's store. Only nodes with a row have one.
    pub(crate) effect: u32,
    /// The number of contexts in which the string applies.
    pub(crate) applies: u32,
    pub(crate) cost: u32,
    pub(crate) op: Op,
}

/// A string to try: a kept string with one more operator.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) parent: u32,
    pub(crate) op: Op,
}

/// A kept string, and a hash of a context with the state to which the string leads there.
pub(crate) struct Entry {
    pub(crate) hash: u32,
    pub(crate) node: u32,
}

/// Kept strings, forbidden strings and candidates.
pub(crate) struct Strings {
    learned: ForbiddenStrings,
    nodes: Vec<Node>,
    /// For each row and operator, the node of the kept string, or `NONE`.
    children: Vec<u32>,
    /// One entry for each kept string and context.
    ends: HashTable<Entry>,
    /// The candidates of each cost and length.
    open: BTreeMap<(u32, usize), Vec<Candidate>>,
    /// For each pair of operators, at index `a * operators + b`: whether they commute. Empty unless
    /// it is needed, for [`Keep::AllOptimal`].
    commute: Vec<bool>,
}

impl Strings {
    /// No strings yet. `learned` is empty and will receive the forbidden strings.
    pub(crate) fn new(learned: ForbiddenStrings, commute: Vec<bool>) -> Self {
        let (nodes, children) = (Vec::new(), Vec::new());
        Self { learned, nodes, children, ends: HashTable::new(), open: BTreeMap::new(), commute }
    }

    pub(crate) fn into_forbidden(self) -> ForbiddenStrings {
        self.learned
    }

    /// The length up to which strings are learned.
    pub(crate) fn depth(&self) -> usize {
        self.learned.depth()
    }

    /// The bytes of all strings and candidates, except the candidates that [`Strings::candidates`]
    /// has already returned.
    pub(crate) fn bytes(&self) -> usize {
        let open = self.open.values().map(Vec::capacity).sum::<usize>();
        self.nodes.capacity() * size_of::<Node>()
            + self.children.capacity() * size_of::<u32>()
            + self.ends_bytes()
            + open * size_of::<Candidate>()
    }

    /// The bytes of the table of entries. If the table grows soon, the bytes of the old and the new
    /// table together.
    fn ends_bytes(&self) -> usize {
        let grows_soon = self.ends.len() >= self.ends.capacity() / 8 * 7;
        self.ends.allocation_size() * if grows_soon { 3 } else { 1 }
    }

    pub(crate) fn keep_one(&self) -> bool {
        self.learned.keep() == Keep::OneOptimal
    }

    #[inline]
    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Removes the candidates of the least cost and length, in lexicographic order. Returns that
    /// cost and length with them; `None` if there are no candidates.
    pub(crate) fn candidates(&mut self) -> Option<((u32, usize), Vec<Candidate>)> {
        let (place, mut candidates) = self.open.pop_first()?;
        if self.learned.costs().windows(2).any(|pair| pair[0] != pair[1]) {
            // If all costs are equal, the candidates are already in lexicographic order.
            candidates.sort_by_cached_key(|&candidate| self.string(candidate));
        }
        Some((place, candidates))
    }

    /// The node of the candidate without its first operator; `NONE` if that string is not kept.
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
        let mut string = self.string_of(parent);
        string.push(op);
        string
    }

    /// The kept string of a node.
    pub(crate) fn string_of(&self, mut node: u32) -> Plan {
        let mut string = Plan::new();
        while node != ROOT {
            string.push(self.node(node).op);
            node = self.node(node).parent;
        }
        string.reverse();
        string
    }

    /// Whether the candidate is a string `b u a` with `a < b` in which `a` commutes with `b` and
    /// with all of `u`. Another order of the same operators is then lexicographically earlier.
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

    /// Keeps a candidate and returns its node. `applies` is the number of contexts in which the
    /// candidate applies. If the string is shorter than the full depth, it gets a row, and its
    /// effect begins at `stored`.
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

    /// Records the hash of a context with the state to which a kept string leads there.
    pub(crate) fn add_end(&mut self, hash: u32, node: u32) {
        let entry = Entry { hash, node };
        self.ends.insert_unique(spread(hash), entry, |entry| spread(entry.hash));
    }

    /// Entries that probably have this hash. Their strings may have the same effect.
    pub(crate) fn ends(&self, hash: u32) -> impl Iterator<Item = &Entry> {
        self.ends.iter_hash(spread(hash))
    }
}

/// Spreads a 32-bit hash over 64 bits, because the table uses the high and the low bits.
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
