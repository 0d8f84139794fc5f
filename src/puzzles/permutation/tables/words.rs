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

    /// Gives a chain the words for cycles that are saved, if there are any.
    ///
    /// # Errors
    /// If the file is damaged, or `cancel` ends the work.
    pub(crate) fn read_cycles(
        &self,
        chain: &WordChain,
        effort: Effort,
        cancel: &CancelToken,
        run: &Run<'_>,
    ) -> Result<()> {
        let identity = WordChain::cycle_identity((chain.generators(), chain.pieces()), effort);
        let spec_of = |bytes: u64| self.spec(CYCLES, &identity, effort, bytes);
        if self.source.has(&spec_of(1).name) {
            let none = || Err(Failure::Cancelled);
            chain.take_cycles(self.source.obtain_sized(&spec_of, cancel, run, none)?.to_vec());
        }
        Ok(())
    }

    /// Saves the words for cycles, if a search had to find them.
    pub(crate) fn save_cycles(&self, chain: &WordChain, effort: Effort, run: &Run<'_>) {
        let Some(bytes) = chain.cycle_bytes().filter(|_| self.source.saves()) else { return };
        let identity = WordChain::cycle_identity((chain.generators(), chain.pieces()), effort);
        let spec_of = |bytes: u64| self.spec(CYCLES, &identity, effort, bytes);
        if self.source.has(&spec_of(1).name) {
            return;
        }
        let save = || payload(&bytes).map(Some);
        // What cannot be saved was told. A file of another process serves as well.
        let _ = self.source.obtain_sized(&spec_of, &run.request.cancel, run, save);
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

/// Bytes as the payload of a file.
fn payload(bytes: &[u8]) -> Result<Bytes> {
    let memory = BytesMut::zeroed(bytes.len());
    let mut memory = memory.map_err(|error| Failure::limit(format!("the words: {error}")))?;
    memory.as_mut_slice().copy_from_slice(bytes);
    Ok(memory.freeze())
}
