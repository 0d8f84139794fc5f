//! The file with the words of a puzzle: [`WordFile`].

use super::names::TableNames;
use crate::puzzle::{Failure, Result};
use crate::run::Run;
use crate::settings::Settings;
use crate::tables::TableSource;
use anytime::{Effort, Generators, NotWords, Pieces, WordChain};
use pdb::file::{Payload, TableSpec};
use pdb::memory::{Bytes, BytesMut};
use search::CancelToken;

/// Where the words of a definition are saved.
pub(crate) struct WordFile {
    names: TableNames,
    source: TableSource,
}

impl WordFile {
    pub(crate) fn new(names: TableNames, settings: &Settings) -> Self {
        Self { names, source: TableSource::new(settings) }
    }

    /// The chain of the file, or a new one, which is saved. If `cancel` ends the work, the result
    /// is what was found by then, and is not saved.
    ///
    /// # Errors
    /// If the file is damaged or has other words, or the work ended before there was a chain.
    pub(crate) fn chain(
        &self,
        (generators, pieces): (&Generators, &Pieces),
        effort: Effort,
        cancel: &CancelToken,
        run: &Run<'_>,
    ) -> Result<WordChain> {
        let stop = || cancel.is_cancelled();
        let identity = WordChain::identity((generators, pieces), effort);
        let spec_of = |bytes: u64| self.spec(WORDS, &identity, effort, bytes);
        let mut built = None;
        let build = || {
            let chain = WordChain::new(generators.clone(), pieces.clone(), effort, &stop);
            let chain = built.insert(chain.map_err(Failure::of_group)?);
            if stop() { Err(Failure::Cancelled) } else { payload(&chain.to_bytes()).map(Some) }
        };
        let bytes = self.source.obtain_sized(&spec_of, cancel, run, build);
        if let Some(chain) = built {
            return Ok(chain);
        }
        let (generators, pieces) = (generators.clone(), pieces.clone());
        let chain = WordChain::from_bytes(generators, pieces, effort, &bytes?, &stop);
        chain.map_err(|error| match error {
            NotWords::Wrong { found, expected } => {
                self.source.wrong_contents(&spec_of(1).name, found, expected)
            }
            _ => Failure::Cancelled,
        })
    }

    /// The hash of all that the words depend on.
    pub(crate) fn identity(&self, puzzle: (&Generators, &Pieces), effort: Effort) -> String {
        TableNames::pattern(&WordChain::identity(puzzle, effort)).0
    }

    /// Gives a chain what is saved of it, if there is something.
    ///
    /// # Errors
    /// If a file is damaged, or `cancel` ends the work.
    pub(crate) fn read_more(
        &self,
        chain: &WordChain,
        effort: Effort,
        cancel: &CancelToken,
        run: &Run<'_>,
    ) -> Result<()> {
        for more in [More::Cycles, More::Pairs] {
            let spec_of = self.spec_of(more, chain, effort);
            if self.source.has(&spec_of(1).name) {
                let none = || Err(Failure::Cancelled);
                let bytes = self.source.obtain_sized(&spec_of, cancel, run, none)?.to_vec();
                match more {
                    More::Cycles => chain.take_cycles(bytes),
                    More::Pairs => chain.take_pairs(bytes),
                }
            }
        }
        Ok(())
    }

    /// Saves what a search had to find.
    pub(crate) fn save_more(&self, chain: &WordChain, effort: Effort, run: &Run<'_>) {
        let found = [(More::Cycles, chain.cycle_bytes()), (More::Pairs, chain.pair_bytes())];
        for (more, bytes) in found {
            let Some(bytes) = bytes.filter(|_| self.source.saves()) else { continue };
            let spec_of = self.spec_of(more, chain, effort);
            if !self.source.has(&spec_of(1).name) {
                let save = || payload(&bytes).map(Some);
                // What cannot be saved was told. A file of another process serves as well.
                let _ = self.source.obtain_sized(&spec_of, &run.request.cancel, run, save);
            }
        }
    }

    /// The specifications of files that belong to a chain, by their bytes.
    fn spec_of(
        &self,
        more: More,
        chain: &WordChain,
        effort: Effort,
    ) -> impl Fn(u64) -> TableSpec + use<'_> {
        let puzzle = (chain.generators(), chain.pieces());
        let (kind, identity) = match more {
            More::Cycles => (CYCLES, WordChain::cycle_identity(puzzle, effort)),
            More::Pairs => (PAIRS, WordChain::pair_identity(puzzle, effort)),
        };
        move |bytes| self.spec(kind, &identity, effort, bytes)
    }

    /// The specification of a file of so many bytes. The hash in its name is that of all that the
    /// words depend on.
    fn spec(&self, kind: &str, identity: &str, effort: Effort, bytes: u64) -> TableSpec {
        let (name, mut description) = self.names.of_kind(kind);
        let (pattern, mark) = TableNames::pattern(identity);
        description["pattern"] = pattern.into();
        let bytes = bytes.clamp(1, effort.bytes.max(1));
        let payload = Payload { encoding: kind.to_owned(), entries: bytes, bytes };
        TableSpec::new(format!("{name}-{kind}-{mark}"), description, payload)
    }
}

/// The kinds of files, which are their encodings, too.
const WORDS: &str = "words";
const CYCLES: &str = "cycles";
const PAIRS: &str = "pairs";

/// What a chain may have beside its words.
#[derive(Clone, Copy)]
enum More {
    /// The words for cycles of three places.
    Cycles,
    /// The weights of pairs of places.
    Pairs,
}

/// Bytes as the payload of a file.
fn payload(bytes: &[u8]) -> Result<Bytes> {
    let memory = BytesMut::zeroed(bytes.len());
    let mut memory = memory.map_err(|error| Failure::limit(format!("the words: {error}")))?;
    memory.as_mut_slice().copy_from_slice(bytes);
    Ok(memory.freeze())
}
