//! Chooses which digits of a rank are the row and which the column, and computes the column maps.

use groups::{GroupError, Permutation, Ranking, StabilizerChain, StabilizerLevel, orbits};

/// Maximum number of columns of a row. A row at 2 or 4 bits an entry, and its maps, stay in the
/// first cache level.
const MOST_COLUMNS: u64 = 4096;
/// Maximum number of entries of all maps together, two bytes each. They stay in the second cache
/// level, or almost.
const MOST_MAPPED: u64 = 1 << 21;
/// Maximum number of entries of all maps, for each entry of the table. It keeps builds of small
/// tables fast.
const MAPPED_AN_ENTRY: u64 = 16;

/// A split of the first levels of a stabilizer chain into rows and columns.
pub(super) struct Split<'a> {
    points: usize,
    /// The levels whose digits are the column.
    tail: Vec<&'a StabilizerLevel>,
    /// The levels whose digits are the number of the column map: those of `tail`, and further ones.
    acting: Vec<&'a StabilizerLevel>,
    pub(super) rows: u64,
    pub(super) columns: usize,
    /// Number of column maps.
    pub(super) maps: u64,
    /// Ranks the row together with the number of the map.
    pub(super) wide: Ranking,
}

impl<'a> Split<'a> {
    /// The split of the first `k` levels that has the most columns, among those whose maps are not
    /// too large.
    pub(super) fn choose(chain: &'a StabilizerChain, k: usize) -> Result<Self, GroupError> {
        let moving =
            |levels: &'a [StabilizerLevel]| levels.iter().filter(|level| level.orbit().len() > 1);
        let first: Vec<&StabilizerLevel> = moving(&chain.levels()[..k]).collect();
        let entries = Ranking::of_levels(chain.points(), &first)?.size();
        for split in 0..=first.len() {
            let (head, tail) = first.split_at(split);
            let mut acting = tail.to_vec();
            let end = tail.first().map_or(k, |level| acting_end(chain, level.base(), tail, k));
            acting.extend(moving(&chain.levels()[k..end]));
            let (Some(columns), Some(maps)) = (size(tail), size(&acting)) else { continue };
            let most = MOST_MAPPED.min(entries.saturating_mul(MAPPED_AN_ENTRY));
            if columns > MOST_COLUMNS || maps.saturating_mul(columns) > most {
                continue;
            }
            let levels = [head, &acting].concat();
            // This split has too many rows and maps to be ranked. Splits with fewer columns have
            // fewer maps.
            let Ok(wide) = Ranking::of_levels(chain.points(), &levels) else { continue };
            return Ok(Self {
                points: chain.points(),
                tail: tail.to_vec(),
                acting,
                rows: entries / columns,
                columns: usize::try_from(columns).expect("at most 4,096 columns"),
                maps,
                wide,
            });
        }
        unreachable!("one column needs one map, and the ranking of all levels exists")
    }

    /// The column maps of all elements that the acting levels tell apart, one after another in the
    /// order of their ranks. Empty if there is one column.
    pub(super) fn map_columns(&self, stop: &dyn Fn() -> bool) -> Result<Vec<u16>, GroupError> {
        let mut mapped = Vec::new();
        let ranking = Ranking::of_levels(self.points, &self.tail);
        let ranking = ranking.expect("the tail is a part of a ranking");
        if self.columns > 1 {
            let columns = (0..ranking.size()).filter_map(|column| ranking.unrank(column));
            let columns: Vec<_> = columns.collect();
            let mut images = vec![0; self.tail.len()];
            for_each(
                &self.acting,
                &Permutation::identity(self.points).expect("points of a chain"),
                &mut |element| {
                    // Skips all remaining elements.
                    if stop() {
                        return;
                    }
                    for column in &columns {
                        for (image, &point) in images.iter_mut().zip(column) {
                            *image = element.image(point);
                        }
                        let column = ranking.rank_in_place(&mut images);
                        mapped.push(
                            u16::try_from(column.expect("elements permute the columns"))
                                .expect("few columns"),
                        );
                    }
                },
            );
        }
        if stop() { Err(GroupError::Stopped) } else { Ok(mapped) }
    }
}

/// The product of the lengths of the levels' orbits. `None` if it exceeds 2^64 - 1.
fn size(levels: &[&StabilizerLevel]) -> Option<u64> {
    levels.iter().try_fold(1_u64, |size, level| size.checked_mul(level.orbit().len() as u64))
}

/// The index behind the last acting level, at least `k`. Let P be the points to which the levels
/// from that of `first` on can take the points of the tail. The levels behind the last acting level
/// fix every point of P, so they change no column.
fn acting_end(chain: &StabilizerChain, first: u16, tail: &[&StabilizerLevel], k: usize) -> usize {
    let levels = chain.levels();
    let begin = levels.iter().position(|level| level.base() == first);
    let begin = begin.expect("a level of the chain");
    let generators: Vec<_> =
        levels[begin..].iter().flat_map(|level| level.inverses()).cloned().collect();
    let mut reached = vec![false; chain.points()];
    for orbit in orbits(chain.points(), &generators) {
        if tail.iter().any(|level| orbit.contains(&level.base())) {
            orbit.iter().for_each(|&point| reached[usize::from(point)] = true);
        }
    }
    let moves = |inverse: &Permutation| {
        (0..).zip(&reached).any(|(point, &reached)| reached && inverse.image(point) != point)
    };
    let acts = |level: &StabilizerLevel| level.inverses().iter().any(moves);
    (k..levels.len()).rev().find(|&level| acts(&levels[level])).map_or(k, |level| level + 1)
}

/// Calls `call` with every product of one element of each level, in the order of their digits. The
/// element of the first level is the last factor.
fn for_each(levels: &[&StabilizerLevel], last: &Permutation, call: &mut impl FnMut(&Permutation)) {
    let Some((level, rest)) = levels.split_first() else { return call(last) };
    for &point in level.orbit() {
        for_each(rest, &level.element(point).then(last), call);
    }
}
