//! Dense numbers for arrangements of pieces in slots, where pieces of a class look alike.

use std::collections::HashMap;

/// Maximum number of symbols: a symbol is stored in a byte.
const MOST_SYMBOLS: usize = 256;
/// Maximum number of slots that one table lookup of [`ClassWords::rank`] covers.
const MOST_AT_ONCE: usize = 4;
/// Maximum number of nodes of one slot. A node says how many pieces of each class are left. More
/// nodes would make large tables.
const MOST_NODES: usize = 1 << 12;

/// A class of pieces that look alike, such as all pieces of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceClass {
    /// The number of pieces in this class, at least 1.
    pub pieces: u8,
    /// The number of orientations of a piece that are told apart, at least 1. With 1, orientations
    /// are ignored.
    pub turns: u8,
}

/// Numbers *words* without gaps. A word places the pieces of some classes in slots: it has one
/// symbol for each slot.
///
/// A symbol is a class together with a turn (orientation) of its piece. The symbols of the first
/// class come first. A class occurs in a word as often as it has pieces. Words are in lexicographic
/// order of their symbols, the first slot first.
///
/// If the turns are *bound*, a word must have a given sum of turns, modulo the number of turns.
/// Then all classes have the same number of turns.
///
/// The method is enumerative coding (Thomas Cover, "Enumerative source encoding", IEEE Transactions
/// on Information Theory 19, 1973). A symbol adds to the rank the number of words that begin alike
/// and have a lesser symbol in its slot. That number depends on how many pieces of each class are
/// left. One table lookup of [`ClassWords::rank`] covers up to four symbols, if they have at most
/// 256 values together.
#[derive(Clone, Debug)]
pub struct ClassWords {
    slots: usize,
    classes: Vec<PieceClass>,
    /// For each symbol: its class.
    class_of: Vec<u8>,
    /// For each class: its first symbol.
    first: Vec<u8>,
    /// The sum of turns that a word must have. `None` if turns are free.
    bound: Option<u8>,
    /// For each slot: its nodes, which are the counts of pieces that may be left there.
    nodes: Vec<Vec<TrieNode>>,
    words: u32,
    /// For each table lookup of a rank: how many slots it covers.
    chunks: Vec<usize>,
    /// For each lookup, node before it and value of its symbols: where the entries of the next node
    /// begin, and the summand of the rank.
    table: Vec<(u32, u32)>,
}

/// How many pieces of each class are left before a slot.
#[derive(Clone, Debug)]
struct TrieNode {
    /// For each class: the next slot's node after a symbol of this class, and the number of ways to
    /// complete the word. `None` if no piece of the class is left.
    after: Vec<Option<(u32, u64)>>,
}

impl ClassWords {
    /// The words of these classes. With `bound`, only words whose turns have this sum, modulo the
    /// number of turns.
    ///
    /// `None` if
    /// - there are more than `most` words, more than 256 symbols, or too many nodes for a table;
    /// - there is no class, or a class has no piece or no turn;
    /// - turns are bound, and classes differ in their number of turns, or `bound` is not below it.
    pub fn new(classes: Vec<PieceClass>, bound: Option<u8>, most: u32) -> Option<Self> {
        let symbols: usize = classes.iter().map(|class| usize::from(class.turns)).sum();
        let slots = classes.iter().map(|class| usize::from(class.pieces)).sum();
        let unlike = |pair: &[PieceClass]| pair[0].turns != pair[1].turns;
        let empty = classes.iter().any(|class| class.turns == 0 || class.pieces == 0);
        if symbols > MOST_SYMBOLS || slots == 0 || empty {
            return None;
        }
        if bound.is_some_and(|sum| classes.windows(2).any(unlike) || sum >= classes[0].turns) {
            return None;
        }
        let (mut class_of, mut first) = (Vec::new(), Vec::new());
        for (number, class) in (0..=u8::MAX).zip(&classes) {
            first.push(u8::try_from(class_of.len()).ok()?);
            class_of.extend(std::iter::repeat_n(number, class.turns.into()));
        }
        let mut made = Self {
            slots,
            class_of,
            first,
            bound,
            nodes: Vec::new(),
            words: 0,
            chunks: Vec::new(),
            table: Vec::new(),
            classes,
        };
        made.words = made.count().filter(|&words| words <= most.into())?.try_into().ok()?;
        made.compile();
        Some(made)
    }

    /// Computes the nodes, and returns the number of words. `None` if it exceeds 2^64 - 1, or there
    /// are too many nodes.
    fn count(&mut self) -> Option<u64> {
        let counts = |class: &PieceClass| class.pieces;
        let mut level: Vec<Vec<u8>> = vec![self.classes.iter().map(counts).collect()];
        for _ in 0..self.slots {
            let (mut next, mut numbers) = (Vec::new(), HashMap::new());
            let mut nodes = Vec::new();
            for left in &level {
                let after = |class: usize| {
                    let mut after = left.clone();
                    after[class] = after[class].checked_sub(1)?;
                    let number = *numbers.entry(after).or_insert_with_key(|after| {
                        next.push(after.clone());
                        next.len() - 1
                    });
                    Some((u32::try_from(number).expect("few nodes"), 0))
                };
                nodes.push(TrieNode { after: (0..left.len()).map(after).collect() });
            }
            if next.len() > MOST_NODES {
                return None;
            }
            self.nodes.push(nodes);
            level = next;
        }
        let mut following = vec![1_u64];
        for slot in (0..self.slots).rev() {
            let mut here = Vec::new();
            for node in &mut self.nodes[slot] {
                let mut sum = 0_u64;
                for (class, after) in node.after.iter_mut().enumerate() {
                    let Some((next, words)) = after else { continue };
                    *words = following[*next as usize];
                    // The last turn follows from the others if turns are bound.
                    let free = self.bound.is_none() || slot + 1 < self.slots;
                    let turns = if free { self.classes[class].turns.into() } else { 1 };
                    sum = sum.checked_add(words.checked_mul(turns)?)?;
                }
                here.push(sum);
            }
            following = here;
        }
        following.first().copied()
    }

    /// For a symbol in a slot: the node of the next slot, and the summand of the symbol in the
    /// rank. `None` if no piece of its class is left.
    fn step(&self, slot: usize, node: u32, symbol: usize) -> Option<(u32, u64)> {
        let after = &self.nodes[slot][node as usize].after;
        let class = usize::from(self.class_of[symbol]);
        let free = self.bound.is_none() || slot + 1 < self.slots;
        let before = after[..class].iter().zip(&self.classes).filter_map(|(after, class)| {
            after.map(|(_, words)| words * if free { u64::from(class.turns) } else { 1 })
        });
        let (next, words) = after[class]?;
        let turn = (symbol - usize::from(self.first[class])) as u64;
        Some((next, before.sum::<u64>() + if free { turn * words } else { 0 }))
    }

    fn compile(&mut self) {
        let symbols = self.class_of.len();
        let values = |slots: usize| symbols.pow(u32::try_from(slots).expect("at most 4 slots"));
        let fits = |&slots: &usize| slots == 1 || values(slots) <= 256;
        let most = (1..=MOST_AT_ONCE).take_while(fits).last().expect("one slot fits");
        let (mut from, mut row) = (0, 0);
        while from < self.slots {
            let slots = most.min(self.slots - from);
            let after = from + slots;
            let next_values = values(most.min(self.slots - after));
            row += self.nodes[from].len() * values(slots);
            for node in (0..=u32::MAX).take(self.nodes[from].len()) {
                let entry = |value| {
                    let step = |(at, sum, rest): (u32, u64, usize), slot| {
                        let (next, add) = self.step(slot, at, rest % symbols)?;
                        Some((next, sum + add, rest / symbols))
                    };
                    let (at, sum, _) = (from..after).try_fold((node, 0, value), step)?;
                    Some((at, sum))
                };
                // A string that is not a word continues like the first word, so its rank stays in
                // range.
                let first = (0..values(slots)).filter_map(entry).find(|&(_, sum)| sum == 0);
                let entries = (0..values(slots)).map(|value| {
                    let (at, sum) = entry(value).or(first).unwrap_or((0, 0));
                    let next = row + at as usize * next_values;
                    let next = u32::try_from(next).expect("few nodes, so few rows");
                    (next, u32::try_from(sum).expect("below the number of words"))
                });
                let entries: Vec<(u32, u32)> = entries.collect();
                self.table.extend(entries);
            }
            self.chunks.push(slots);
            from = after;
        }
    }

    /// Number of words.
    pub fn words(&self) -> u32 {
        self.words
    }

    /// Number of slots of a word.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Number of symbols.
    pub fn symbols(&self) -> usize {
        self.class_of.len()
    }

    /// The symbol for a class and a turn of its piece. The turn is taken modulo the turns of the
    /// class.
    pub fn symbol(&self, class: u8, turn: u8) -> u8 {
        self.first[usize::from(class)] + turn % self.classes[usize::from(class)].turns
    }

    /// The class of a symbol, and the turn of its piece.
    pub fn class(&self, symbol: u8) -> (u8, u8) {
        let class = self.class_of[usize::from(symbol)];
        (class, symbol - self.first[usize::from(class)])
    }

    /// For each slot: the factor by which a caller of [`ClassWords::rank`] multiplies its symbol.
    pub fn scales(&self) -> Vec<u8> {
        let scale = |slot: usize| self.symbols().pow(u32::try_from(slot).expect("at most 4 slots"));
        let scales = self.chunks.iter().flat_map(|&slots| (0..slots).map(scale));
        scales.map(|scale| u8::try_from(scale).expect("a chunk has at most 256 values")).collect()
    }

    /// The sizes of the chunks, from the first slot to the last. A chunk is the 1 to 4 slots that
    /// one table lookup of a rank covers.
    pub fn chunks(&self) -> &[usize] {
        &self.chunks
    }

    /// The rank of a word. `scaled` gives the symbol of each slot times its
    /// [scale](ClassWords::scales). If the symbols are not a word, the result is the rank of some
    /// word, or 0.
    #[inline(always)]
    pub fn rank(&self, mut scaled: impl FnMut(usize) -> u8) -> u32 {
        let mut slot = 0;
        let sums = self.chunks.iter().map(|&slots| {
            let from = slot;
            slot += slots;
            (from..slot).map(|slot| u32::from(scaled(slot))).sum()
        });
        self.rank_of_sums(sums)
    }

    /// As [`ClassWords::rank`], where `scaled` computes a slot's scaled symbol from an item of
    /// `slots`.
    #[inline(always)]
    pub fn rank_of<T>(&self, slots: &[T], scaled: impl Fn(&T) -> u8) -> u32 {
        let mut rest = slots;
        let sums = self.chunks.iter().map(|&slots| {
            let (here, others) = rest.split_at_checked(slots).unwrap_or_default();
            rest = others;
            here.iter().map(|slot| u32::from(scaled(slot))).sum()
        });
        self.rank_of_sums(sums)
    }

    /// As [`ClassWords::rank`], from the sum of the scaled symbols of each
    /// [chunk](ClassWords::chunks).
    #[inline(always)]
    pub fn rank_of_sums(&self, sums: impl IntoIterator<Item = u32>) -> u32 {
        let (mut row, mut rank) = (0, 0_u32);
        for sum in sums.into_iter().take(self.chunks.len()) {
            let (next, add) = self.table.get((row + sum) as usize).copied().unwrap_or((0, 0));
            row = next;
            rank = rank.wrapping_add(add);
        }
        rank
    }

    /// Writes the word with this rank to `out`, one symbol for each slot.
    ///
    /// # Panics
    /// If there is no such word, or `out` has fewer slots.
    pub fn unrank(&self, number: u32, out: &mut [u8]) {
        assert!(number < self.words, "word {number} of {}", self.words);
        let (mut rest, mut node, mut sum) = (u64::from(number), 0_u32, 0_u8);
        for (slot, out) in out[..self.slots].iter_mut().enumerate() {
            let free = self.bound.is_none() || slot + 1 < self.slots;
            let after = &self.nodes[slot][node as usize].after;
            for (class, after) in after.iter().enumerate() {
                let Some((next, words)) = *after else { continue };
                let turns = self.classes[class].turns;
                let all = words * if free { u64::from(turns) } else { 1 };
                if rest >= all {
                    rest -= all;
                    continue;
                }
                let turn = match self.bound {
                    Some(bound) if !free => (bound + turns - sum) % turns,
                    _ => u8::try_from(rest / words).expect("below the number of turns"),
                };
                rest %= words;
                sum = u8::try_from((u16::from(sum) + u16::from(turn)) % u16::from(turns))
                    .expect("below the number of turns");
                *out = self.first[class] + turn;
                node = next;
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All words in order, found by trying all strings of symbols.
    fn slow(classes: &[PieceClass], bound: Option<u8>) -> Vec<Vec<u8>> {
        let symbols: Vec<(usize, u8)> = classes
            .iter()
            .enumerate()
            .flat_map(|(number, class)| (0..class.turns).map(move |turn| (number, turn)))
            .collect();
        let slots: u32 = classes.iter().map(|class| u32::from(class.pieces)).sum();
        let mut words = Vec::new();
        for mut value in 0..symbols.len().pow(slots) {
            let mut word = Vec::new();
            for _ in 0..slots {
                word.push(value % symbols.len());
                value /= symbols.len();
            }
            word.reverse();
            let right = classes.iter().enumerate().all(|(number, class)| {
                let of = word.iter().filter(|&&symbol| symbols[symbol].0 == number);
                of.count() == usize::from(class.pieces)
            });
            let sum: u32 = word.iter().map(|&symbol| u32::from(symbols[symbol].1)).sum();
            let bound =
                bound.is_none_or(|bound| sum % u32::from(classes[0].turns) == u32::from(bound));
            if right && bound {
                words.push(word.into_iter().map(|symbol| u8::try_from(symbol).unwrap()).collect());
            }
        }
        words
    }

    fn agree(classes: Vec<PieceClass>, bound: Option<u8>) {
        let words = slow(&classes, bound);
        let made = ClassWords::new(classes, bound, u32::MAX).unwrap();
        assert_eq!(made.words() as usize, words.len());
        let scales = made.scales();
        let strings = made.symbols().pow(u32::try_from(made.slots()).unwrap());
        for string in (0..strings).step_by(strings.div_ceil(1 << 16)) {
            let digit = |slot: usize| string / made.symbols().pow(u32::try_from(slot).unwrap());
            let symbol = |slot: usize| u8::try_from(digit(slot) % made.symbols()).unwrap();
            let scaled = |slot: usize| symbol(slot) * scales[slot];
            assert!(made.rank(scaled) < made.words(), "string {string}");
        }
        let mut out = vec![0; made.slots()];
        for (number, word) in (0..).zip(&words) {
            made.unrank(number, &mut out);
            assert_eq!(out, *word, "word {number}");
            assert_eq!(made.rank(|slot| word[slot] * scales[slot]), number);
            let pairs: Vec<(u8, u8)> = word.iter().copied().zip(scales.iter().copied()).collect();
            assert_eq!(made.rank_of(&pairs, |(symbol, scale)| symbol * scale), number);
        }
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_all_words_in_order(
            classes in proptest::collection::vec((1_u8..4, 1_u8..4), 1..4), bound: bool, sum: u8,
        ) {
            let turns = classes[0].1;
            let classes: Vec<PieceClass> = classes
                .into_iter()
                .map(|(pieces, own)| PieceClass { pieces, turns: if bound { turns } else { own } })
                .collect();
            let slots: u32 = classes.iter().map(|class| u32::from(class.pieces)).sum();
            let symbols: usize = classes.iter().map(|class| usize::from(class.turns)).sum();
            prop_assume!(symbols.pow(slots) <= 1 << 16);
            agree(classes, bound.then_some(sum % turns));
        }
    }

    #[test]
    fn known_numbers() {
        let class = |pieces, turns| PieceClass { pieces, turns };
        let words = |classes: &[PieceClass], bound| {
            ClassWords::new(classes.to_vec(), bound, u32::MAX).map(|made| made.words())
        };
        // Eight corners with twists; four of twelve edges with all flips, and with the flips of the
        // other eight only; four of eight corners.
        assert_eq!(words(&[class(8, 3)], Some(0)), Some(2187));
        assert_eq!(words(&[class(4, 2), class(8, 2)], Some(0)), Some(495 * 2048));
        assert_eq!(words(&[class(4, 1), class(8, 2)], None), Some(495 * 256));
        assert_eq!(words(&[class(4, 1), class(4, 1)], None), Some(70));
        // These are refused: too many words, classes with different numbers of turns, and an
        // impossible sum.
        assert_eq!(words(&[class(100, 2)], None), None);
        assert_eq!(words(&[class(4, 1), class(8, 2)], Some(0)), None);
        assert_eq!(words(&[class(4, 2)], Some(2)), None);
        assert!(ClassWords::new(vec![class(8, 3)], Some(0), 2186).is_none());
    }
}
