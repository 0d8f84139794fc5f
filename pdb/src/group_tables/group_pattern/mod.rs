//! The abstraction that keeps the images of a tuple of points under a group: [`GroupPattern`].

mod split;
#[cfg(test)]
mod tests;

use crate::abstraction::{Abstraction, ColumnMap, Edge};
use groups::{
    FusedRanking, GroupError, Permutation, Ranking, StabilizerChain, StabilizerLevel,
    check_generators, orbits,
};
use rustc_hash::FxHashMap;
use search::Cost;
use smallvec::SmallVec;
use split::Split;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The abstraction that keeps the images of a tuple of points under an element of a group. If the
/// tuple is a base of the group, the entries are the elements of the group.
///
/// The entry is the rank of the images of the points (see [`Ranking`]). The digits of the first few
/// points give the row, which is a coset of their stabilizer S. The other digits give the column:
/// where an element of S takes the other points.
///
/// Let `u` be the element of a row and `g` an operator. Then `u g = s v` with the element `v` of
/// another row and `s` in S. So `g` takes the row to that of `v`, and permutes its columns as `s`
/// does. The column maps cover all actions of S on the columns.
///
/// Rows have as many columns as possible, up to 4,096. All maps together have at most 2,097,152
/// entries, and at most 16 for each entry of the table. In the worst case there is one column. The
/// order of the points decides. If points form blocks that move as a whole (a piece and its
/// orientations), add a point for each block and name these points first. Then rows tell which
/// block is where, and columns tell how it lies.
///
/// Time of a row's edges: at most `e (e + 3) / 2` lookups for each operator, if `e` points
/// determine the row and the map. If the group has few points, it is about a third of that
/// ([`FusedRanking`]). Memory: [`GroupPattern::bytes`], for three rankings, the maps, and 2 bytes
/// for each operator and point of the tuple's orbits.
#[derive(Clone, Debug)]
pub struct GroupPattern {
    /// For each point of the group: its number among the points of the tuple's orbits. Rankings and
    /// operators use these numbers.
    numbers: Vec<u16>,
    /// The points whose images are ranked, in the order of the given tuple. A point is left out if
    /// the images of the points before it determine its own.
    tuple: Vec<u16>,
    ranking: Ranking,
    /// Ranks the images of these points, and of further points that are needed to tell the maps
    /// apart. The rank is `row * maps + map`.
    wide: Ranking,
    /// The ranks of `wide`, faster.
    fused: FusedRanking,
    rows: u64,
    columns: usize,
    maps: u64,
    /// The maps one after another, `columns` entries each. Empty if there is one column.
    mapped: Vec<u16>,
    /// For each map, the number of a map that takes every column back. Found when it is first asked
    /// for.
    inverses: OnceLock<Vec<Option<u32>>>,
    /// The inverses of the operators, with their costs. Operators that do nothing are left out.
    steps: Vec<(Permutation, Cost)>,
    goals: Vec<u64>,
    undirected: bool,
}

impl GroupPattern {
    /// The abstraction that keeps the images of the points of `tuple`. Each operator has its cost,
    /// or 0 if it is not charged. At the goal, every point is its own image.
    ///
    /// # Errors
    /// If there are too many points, or an operator has another number of points. Also if a point
    /// of the tuple occurs twice or does not exist, or there are 2^64 entries or more.
    pub fn of_tuple(
        points: usize,
        operators: &[(Permutation, Cost)],
        tuple: &[u16],
    ) -> Result<Self, GroupError> {
        Self::new(points, operators, tuple, false, &|| false)
    }

    /// As [`GroupPattern::of_tuple`], but ends with an error once `stop` returns true.
    ///
    /// # Errors
    /// As [`GroupPattern::of_tuple`], and [`GroupError::Stopped`].
    pub fn of_tuple_until(
        points: usize,
        operators: &[(Permutation, Cost)],
        tuple: &[u16],
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, GroupError> {
        Self::new(points, operators, tuple, false, stop)
    }

    /// The abstraction whose entries are all elements of the group that the operators generate. The
    /// base begins with the points of `prefix`.
    ///
    /// # Errors
    /// As [`GroupPattern::of_tuple`].
    pub fn of_group(
        points: usize,
        operators: &[(Permutation, Cost)],
        prefix: &[u16],
    ) -> Result<Self, GroupError> {
        Self::new(points, operators, prefix, true, &|| false)
    }

    /// As [`GroupPattern::of_group`], but ends with an error once `stop` returns true.
    ///
    /// # Errors
    /// As [`GroupPattern::of_group`], and [`GroupError::Stopped`].
    pub fn of_group_until(
        points: usize,
        operators: &[(Permutation, Cost)],
        prefix: &[u16],
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, GroupError> {
        Self::new(points, operators, prefix, true, stop)
    }

    fn new(
        points: usize,
        operators: &[(Permutation, Cost)],
        tuple: &[u16],
        whole: bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, GroupError> {
        let generators: Vec<_> = operators.iter().map(|(operator, _)| operator.clone()).collect();
        check_generators(points, &generators, tuple)?;
        let wanted = match whole {
            true => StabilizerChain::new_until(points, &generators, tuple, stop)?.base(),
            false => tuple.to_vec(),
        };
        let orbits = orbits(points, &generators);
        let kept = orbits.iter().filter(|orbit| wanted.iter().any(|point| orbit.contains(point)));
        let kept: Vec<u16> = kept.flatten().copied().collect();
        let mut numbers = vec![u16::MAX; points];
        for (number, &point) in (0..).zip(&kept) {
            numbers[usize::from(point)] = number;
        }
        let steps = steps(operators, &kept, &numbers);
        let actions: Vec<_> = steps.iter().map(|(step, _)| step.clone()).collect();
        let inner: Vec<u16> = wanted.iter().map(|&point| numbers[usize::from(point)]).collect();
        let chain = StabilizerChain::new_until(kept.len(), &actions, &inner, stop)?;

        let split = Split::choose(&chain, inner.len())?;
        let moving = |level: &&&StabilizerLevel| level.orbit().len() > 1;
        let levels = chain.levels()[..inner.len()].iter().collect::<Vec<_>>();
        let levels: Vec<_> = levels.iter().filter(moving).copied().collect();
        let home = |level: &&StabilizerLevel| kept[usize::from(level.base())];
        Ok(Self {
            numbers,
            tuple: levels.iter().map(home).collect(),
            ranking: Ranking::of_levels(kept.len(), &levels)?,
            undirected: is_undirected(&steps),
            rows: split.rows,
            columns: split.columns,
            maps: split.maps,
            mapped: split.map_columns(stop)?,
            inverses: OnceLock::new(),
            fused: FusedRanking::new(&split.wide),
            wide: split.wide,
            steps,
            goals: vec![0],
        })
    }

    /// The same abstraction with other goals: the images of the points under each element of
    /// `goals`.
    ///
    /// # Errors
    /// If `goals` is empty, or a goal has another number of points. Also if no element of the group
    /// has the same images of the tuple as a goal.
    pub fn with_goals(mut self, goals: &[Permutation]) -> Result<Self, GroupError> {
        let points = self.numbers.len();
        let rank = |(number, goal): (usize, &Permutation)| match goal.points() {
            found if found != points => Err(GroupError::Generator { number, found, points }),
            _ => self.rank(|point| goal.image(point)).ok_or(GroupError::Member { number }),
        };
        let goals = goals.iter().enumerate().map(rank).collect::<Result<Vec<_>, _>>()?;
        if goals.is_empty() {
            return Err(GroupError::Empty);
        }
        self.goals = goals;
        Ok(self)
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.ranking.size()
    }

    /// The ranked points: the tuple without the points whose images the earlier points determine.
    pub fn tuple(&self) -> &[u16] {
        &self.tuple
    }

    /// The entry of a state. `image` gives the image of each point of [`GroupPattern::tuple`] under
    /// the state. `None` if no element of the group has these images.
    #[inline]
    pub fn rank(&self, image: impl Fn(u16) -> u16) -> Option<u64> {
        let number = |point: u16| self.numbers.get(usize::from(point)).copied();
        let mut images = SmallVec::<[u16; 32]>::new();
        for &point in &self.tuple {
            images.push(number(image(point))?);
        }
        self.ranking.rank_in_place(&mut images)
    }

    /// The images of the points of [`GroupPattern::tuple`] for an entry: the inverse of
    /// [`GroupPattern::rank`]. `None` if the entry does not exist. Time: that of a rank, and a sort
    /// of all points.
    pub fn images(&self, entry: u64) -> Option<Vec<u16>> {
        let mut points: Vec<(u16, u16)> = (0..).zip(&self.numbers).map(|(p, &n)| (n, p)).collect();
        points.sort_unstable();
        let images = self.ranking.unrank(entry)?;
        Some(images.into_iter().map(|number| points[usize::from(number)].1).collect())
    }

    /// A hash that depends on how entries are numbered. Use it in the descriptions of files.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let tables = [&self.numbers, &self.tuple];
        tables.into_iter().flatten().for_each(|value| _ = hasher.update(&value.to_le_bytes()));
        *hasher.update(&self.ranking.fingerprint()).finalize().as_bytes()
    }

    /// Size of the tables of this value in bytes.
    pub fn bytes(&self) -> usize {
        let operators = self.steps.iter().map(|(step, _)| step.points()).sum::<usize>();
        let words = self.mapped.len() + operators + self.numbers.len();
        let inverses = self.inverses.get().map_or(0, Vec::len) * size_of::<Option<u32>>();
        self.ranking.bytes() + self.wide.bytes() + self.fused.bytes() + 2 * words + inverses
    }

    /// For each map, the number of its inverse. The maps are the actions of a group, so each has
    /// one.
    fn find_inverses(&self) -> Vec<Option<u32>> {
        let maps = || self.mapped.chunks_exact(self.columns);
        let numbers: FxHashMap<&[u16], u32> = maps().zip(0..).collect();
        let mut inverse = vec![0; self.columns];
        let number = |map: &[u16]| {
            for (column, &to) in (0..).zip(map) {
                inverse[usize::from(to)] = column;
            }
            numbers.get(&inverse[..]).copied()
        };
        maps().map(number).collect()
    }
}

/// The inverses of the operators, restricted to the points `kept`. Of operators that act alike on
/// these points, only the cheapest remains.
fn steps(
    operators: &[(Permutation, Cost)],
    kept: &[u16],
    numbers: &[u16],
) -> Vec<(Permutation, Cost)> {
    let mut steps: BTreeMap<Permutation, (usize, Cost)> = BTreeMap::new();
    for (i, (operator, cost)) in operators.iter().enumerate() {
        let image = |&point: &u16| numbers[usize::from(operator.image(point))];
        let step = Permutation::new(kept.iter().map(image).collect())
            .expect("operators permute orbits")
            .inverse();
        if !step.is_identity() {
            let (_, least) = steps.entry(step).or_insert((i, *cost));
            *least = (*least).min(*cost);
        }
    }
    let mut steps: Vec<_> = steps.into_iter().collect();
    steps.sort_by_key(|&(_, (i, _))| i);
    steps.into_iter().map(|(step, (_, cost))| (step, cost)).collect()
}

/// Whether every step has an inverse step of the same cost.
fn is_undirected(steps: &[(Permutation, Cost)]) -> bool {
    steps.iter().all(|(step, cost)| {
        let inverse = step.inverse();
        steps.iter().any(|(other, price)| price == cost && *other == inverse)
    })
}

impl Abstraction for GroupPattern {
    fn shape(&self) -> (u64, usize) {
        (self.rows, self.columns)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.extend(&self.goals);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let mut images = SmallVec::<[u16; 32]>::from_elem(0, self.wide.base().len());
        let mut moved = images.clone();
        self.wide.unrank_into(row * self.maps, &mut images);
        for (step, cost) in &self.steps {
            for (to, &from) in moved.iter_mut().zip(&images) {
                *to = step.image(from);
            }
            let rank = self.fused.rank_in_place(&mut moved);
            let rank = rank.expect("products of elements of the group have a rank");
            let map = u32::try_from(rank % self.maps).expect("at most 2^21 maps");
            out.push(Edge { row: rank / self.maps, map, cost: *cost });
        }
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        match self.columns {
            1 => ColumnMap::IDENTITY,
            columns => ColumnMap::by(&self.mapped[map as usize * columns..][..columns]),
        }
    }
    fn inverse_map(&self, map: u32) -> Option<u32> {
        let inverses = self.inverses.get_or_init(|| self.find_inverses());
        inverses.get(usize::try_from(map).ok()?).copied()?
    }
    fn undirected(&self) -> bool {
        self.undirected
    }
}
