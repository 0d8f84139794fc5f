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
        let spec_of = |bytes: u64| self.spec((generators, pieces), effort, bytes);
        let mut built = None;
        let build = || {
            let chain = WordChain::new(generators.clone(), pieces.clone(), effort, &stop);
            let chain = built.insert(chain.map_err(Failure::of_group)?);
            if stop() { Err(Failure::Cancelled) } else { saved(chain).map(Some) }
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

    /// The specification of a file of so many bytes. The hash in its name is that of all that the
    /// words depend on.
    fn spec(&self, puzzle: (&Generators, &Pieces), effort: Effort, bytes: u64) -> TableSpec {
        let (name, mut description) = self.names.of_kind("words");
        let (pattern, mark) = TableNames::pattern(&WordChain::identity(puzzle, effort));
        description["pattern"] = pattern.into();
        let bytes = bytes.clamp(1, effort.bytes.max(1));
        let payload = Payload { encoding: "words".to_owned(), entries: bytes, bytes };
        TableSpec::new(format!("{name}-words-{mark}"), description, payload)
    }
}

/// The words as the payload of a file.
fn saved(chain: &WordChain) -> Result<Bytes> {
    let bytes = chain.to_bytes();
    let memory = BytesMut::zeroed(bytes.len());
    let mut memory = memory.map_err(|error| Failure::limit(format!("the words: {error}")))?;
    memory.as_mut_slice().copy_from_slice(&bytes);
    Ok(memory.freeze())
}
