//! The words of cycles as bytes: [`Cycles::to_bytes`] and [`Cycles::of_bytes`].
//!
//! For each cycle, a byte with the number of its words, and the words, cheapest first.

use super::Cycles;
use super::places::Places;
use super::table::{Cycle, CycleTable, CycleWord, cycle_of};
use crate::bytes::{NotWords, Reader, operators, put_word, wrong};
use crate::{Generators, Pieces};
use rayon::prelude::*;

impl Cycles {
    /// The words as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for words in self.table.lists() {
            bytes.push(u8::try_from(words.len()).unwrap_or(u8::MAX));
            words.iter().for_each(|word| put_word(&mut bytes, &self.generators, &word.word));
        }
        bytes
    }

    /// The cycles of [`Cycles::to_bytes`], for the same operators, pieces and bytes of memory.
    ///
    /// Every word is multiplied out, on all threads. `None` if no cycle of three places is cheap.
    ///
    /// # Errors
    /// If a word is no cycle, those of one cycle differ or are not in order, there are too many, or
    /// `stop` is true.
    pub(crate) fn of_bytes(
        generators: &Generators,
        pieces: &Pieces,
        bytes: &[u8],
        memory: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Self>, NotWords> {
        let Some(places) = Places::new(generators, pieces) else { return Ok(None) };
        let Some(mut table) = CycleTable::empty(&places, memory) else {
            return Ok(None);
        };
        let mut reader = Reader(bytes);
        let mut lists: Vec<Vec<&[u8]>> = Vec::new();
        while !reader.0.is_empty() {
            let count = reader.byte()?;
            let words = (0..count).map(|_| reader.word(generators));
            lists.push(words.collect::<Result<_, _>>()?);
        }
        let read = |words: Vec<&[u8]>| match stop() {
            true => Err(NotWords::Stopped),
            false => read_list(generators, &places, &words),
        };
        let lists: Vec<_> = lists.into_par_iter().map(read).collect::<Result<_, _>>()?;
        for (cycle, words) in lists {
            let taken = table.take_list(&places, &cycle, words);
            taken.ok_or(wrong("with a cycle that has words already", "cycles, each once"))?;
        }
        Ok(Self::of_table(generators, pieces, places, table))
    }
}

/// The words of one cycle.
fn read_list(
    generators: &Generators,
    places: &Places,
    words: &[&[u8]],
) -> Result<(Cycle, Vec<CycleWord>), NotWords> {
    let mut cycle = None;
    let mut read = Vec::with_capacity(words.len());
    for bytes in words {
        let (word, element) = operators(generators, bytes)?;
        let own = cycle_of(places, 0..places.list.len(), &|p| element.image(p));
        // The words of a cycle may begin with any of its places.
        let own =
            own.map(|own| own.first_turn()).ok_or(wrong("with one that is none", "cycles"))?;
        if cycle.replace(own).is_some_and(|other| other != own) {
            return Err(wrong("with another cycle's", "words of one cycle"));
        }
        read.push(CycleWord { cost: generators.cost_of(&word), word: word.into() });
    }
    let cycle = cycle.filter(|_| read.is_sorted_by_key(|word: &CycleWord| word.cost));
    Ok((cycle.ok_or(wrong("in another order", "the cheapest first"))?, read))
}
