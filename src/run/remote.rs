//! Searches with tables whose entries a reader reads.

use pdb::{EntryReader, Lookups};
use search::{Domain, Options, Pruning, Report};

/// [`search::ida_star_parallel`] with tables whose entries `reader` reads. It must know
/// the tables: see [`EntryReader::open`].
#[cfg(feature = "remote")]
pub(crate) fn search_remote<D: Domain, H: Lookups<D>, P: Pruning<D>>(
    domain: &D,
    (heuristic, reader): (&H, &dyn EntryReader),
    pruning: &P,
    start: &D::State,
    options: &Options<'_>,
) -> Report {
    let remote = pdb::Remote::new(heuristic, reader);
    search::ida_star_parallel(domain, &remote, pruning, start, options)
}

/// Without the feature `remote` no request has a reader.
#[cfg(not(feature = "remote"))]
pub(crate) fn search_remote<D: Domain, H: Lookups<D>, P: Pruning<D>>(
    _: &D,
    _: (&H, &dyn EntryReader),
    _: &P,
    _: &D::State,
    _: &Options<'_>,
) -> Report {
    unreachable!("a request takes no reader without the feature `remote`")
}
