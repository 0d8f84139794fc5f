//! Distances to a subgroup: [`SubgroupPattern`], and a chain of them, [`SubgroupChain`].

mod chain;
#[cfg(test)]
mod tests;

pub use chain::{SubgroupActions, SubgroupChain, SubgroupError, SubgroupStage, point_permutation};

use crate::abstraction::{Abstraction, ColumnMap, Edge, Indexer};
use groups::{CosetGraph, GroupError, Permutation, StabilizerChain};
use search::{Cost, Domain, Op};
use std::sync::Arc;

/// The cosets of a subgroup on one component of the points.
#[derive(Debug)]
struct Part {
    /// The points of the component.
    points: Vec<u16>,
    /// For each point of the group: its number in the component.
    numbers: Vec<u16>,
    graph: CosetGraph,
}

/// A permutation of the points of a component alone. `numbers` has the number of each point.
fn restricted(of: &Permutation, points: &[u16], numbers: &[u16]) -> Permutation {
    let image = |&point: &u16| numbers[usize::from(of.image(point))];
    Permutation::new(points.iter().map(image).collect())
        .unwrap_or_else(|error| unreachable!("elements permute components: {error}"))
}

/// The operators of a stage, and the subgroup that it leads to.
struct Steps<'a> {
    points: usize,
    /// For each operator of the domain: its action and cost, or `None` if the stage lacks it.
    operators: &'a [Option<(Permutation, Cost)>],
    /// Generators of the subgroup.
    subgroup: &'a [Permutation],
}

impl Steps<'_> {
    /// The cosets on a component. `None` if there are more than `most`.
    fn part(
        &self,
        component: &[u16],
        most: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Part>, GroupError> {
        let mut numbers = vec![0; self.points];
        for (number, &point) in (0..).zip(component) {
            numbers[usize::from(point)] = number;
        }
        let inner = |of: &Permutation| restricted(of, component, &numbers);
        let subgroup: Vec<_> = self.subgroup.iter().map(inner).collect();
        let actions = self.operators.iter().flatten();
        let actions: Vec<_> = actions.map(|(action, _)| inner(action)).collect();
        let chain = StabilizerChain::new_until(component.len(), &subgroup, &[], stop)?;
        let graph = CosetGraph::new_until(&chain, &actions, most, stop)?;
        Ok(graph.map(|graph| Part { points: component.to_vec(), numbers, graph }))
    }
}

/// The abstraction that keeps the coset of a subgroup, component by component.
///
/// The points of the group fall into components that no operator mixes (the corners and the edges
/// of the cube). The entry of an element is a number made of its cosets on the components, each by
/// the subgroup's action on that component ([`CosetGraph`]). So two elements of one coset have one
/// entry. The entry is the coset itself if the subgroup holds every element of the group that acts
/// on each component as some element of the subgroup. Otherwise several cosets share an entry, and
/// the distances are lower bounds. Entries that no element has stay unseen.
///
/// The last component gives the columns, if it has at most 65,536 cosets. Memory: 4 bytes for each
/// coset and operator, and the elements of [`CosetGraph`].
///
/// `V` turns a state into its permutation of the points.
#[derive(Clone, Debug)]
pub struct SubgroupPattern<V> {
    view: V,
    /// The components that are kept, the one of the columns last.
    parts: Vec<Arc<Part>>,
    rows: u64,
    columns: usize,
    /// For each operator of the domain: its number among those of the stage.
    numbers: Vec<Option<u32>>,
    costs: Vec<Cost>,
    /// For each operator of the stage: the column that each column becomes.
    maps: Vec<Vec<u16>>,
}

/// The number of entries of some components together.
fn product(parts: &[Arc<Part>]) -> u64 {
    parts.iter().fold(1, |all: u64, part| all.saturating_mul(part.graph.cosets().into()))
}

impl<V: Clone> SubgroupPattern<V> {
    /// The patterns of a stage, each with at most `most` entries. There is one if all components
    /// fit. A component with more cosets is left out, and one with a single coset too.
    fn of_stage(
        steps: &Steps<'_>,
        components: &[Vec<u16>],
        view: &V,
        most: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Self>, GroupError> {
        let mut parts = Vec::new();
        for component in components {
            let part = steps.part(component, most, stop)?;
            parts.extend(part.filter(|part| part.graph.cosets() > 1).map(Arc::new));
        }
        // The largest first, so that few patterns hold them all.
        parts.sort_by_key(|part| std::cmp::Reverse(part.graph.cosets()));
        let mut bins: Vec<Vec<Arc<Part>>> = Vec::new();
        for part in parts {
            let cosets = u64::from(part.graph.cosets());
            let fits = |bin: &&mut Vec<_>| product(bin).saturating_mul(cosets) <= u64::from(most);
            match bins.iter_mut().find(fits) {
                Some(bin) => bin.push(part),
                None => bins.push(vec![part]),
            }
        }
        Ok(bins.into_iter().map(|bin| Self::new(steps, bin, view.clone())).collect())
    }

    fn new(steps: &Steps<'_>, mut parts: Vec<Arc<Part>>, view: V) -> Self {
        // The largest component whose cosets fit 16 bits gives the columns.
        let narrow = |part: &Arc<Part>| part.graph.cosets() <= 1 << 16;
        if let Some(at) = parts.iter().position(narrow) {
            let columns = parts.remove(at);
            parts.push(columns);
        }
        let last = parts.last().filter(|part| narrow(part));
        let columns = last.map_or(1, |part| part.graph.cosets());
        let mut next = 0;
        let mut number = |operator: &Option<_>| {
            operator.as_ref().map(|_| {
                next += 1;
                next - 1
            })
        };
        let numbers: Vec<Option<u32>> = steps.operators.iter().map(&mut number).collect();
        let map = |op: u32| {
            let to = |column| last.map_or(0, |part| part.graph.product(column, op as usize));
            (0..columns).map(|column| u16::try_from(to(column)).unwrap_or(0)).collect()
        };
        Self {
            view,
            rows: product(&parts) / u64::from(columns),
            columns: columns as usize,
            costs: steps.operators.iter().flatten().map(|(_, cost)| *cost).collect(),
            maps: (0..next).map(map).collect(),
            parts,
            numbers,
        }
    }
}

impl<V> SubgroupPattern<V> {
    /// The number of entries.
    pub fn entries(&self) -> u64 {
        product(&self.parts)
    }

    /// The components that give the rows.
    fn of_rows(&self) -> &[Arc<Part>] {
        match self.columns {
            1 => &self.parts,
            _ => &self.parts[..self.parts.len() - 1],
        }
    }

    /// A number made of cosets of these components, after an operator of the stage.
    fn moved(parts: &[Arc<Part>], mut number: u64, op: u32) -> u64 {
        let (mut to, mut scale) = (0, 1);
        for part in parts.iter().rev() {
            let cosets = u64::from(part.graph.cosets());
            let coset = u32::try_from(number % cosets).unwrap_or(0);
            to += u64::from(part.graph.product(coset, op as usize)) * scale;
            (number, scale) = (number / cosets, scale * cosets);
        }
        to
    }

    /// The entry of an element. `None` if no product of the operators of the stage and an element
    /// of the subgroup acts on a component as it does.
    fn rank(&self, element: &Permutation) -> Option<u64> {
        self.parts.iter().try_fold(0, |entry, part| {
            let inner = restricted(element, &part.points, &part.numbers);
            let coset = part.graph.coset(&inner)?;
            Some(entry * u64::from(part.graph.cosets()) + u64::from(coset))
        })
    }
}

impl<V> SubgroupPattern<V> {
    /// Whether a state of the stage's group has the entry of the subgroup.
    fn is_goal<S>(&self, state: &S) -> bool
    where
        V: Fn(&S) -> Permutation,
    {
        self.rank(&(self.view)(state)) == Some(0)
    }
}

impl<V: Sync> Abstraction for SubgroupPattern<V> {
    fn shape(&self) -> (u64, usize) {
        (self.rows, self.columns)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(0);
    }
    /// Every operator of a stage is undone by one of the stage, at the same cost. So the edges to
    /// predecessors are those to successors.
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let parts = self.of_rows();
        out.extend((0..).zip(&self.costs).map(|(op, &cost)| {
            let row = Self::moved(parts, row, op);
            Edge { row, map: op, cost }
        }));
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        match self.columns {
            1 => ColumnMap::IDENTITY,
            _ => ColumnMap::by(&self.maps[map as usize]),
        }
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl<D: Domain, V: Fn(&D::State) -> Permutation + Sync> Indexer<D> for SubgroupPattern<V> {
    /// The entry.
    type Index = u64;
    /// An element outside of the group of the stage has the entry of the subgroup, whose distance
    /// is 0.
    fn index(&self, _: &D, state: &D::State) -> u64 {
        self.rank(&(self.view)(state)).unwrap_or(0)
    }
    #[inline]
    fn advance(&self, _: &D, _: &D::State, entry: u64, op: Op, _: &D::State) -> u64 {
        match self.numbers[op.index()] {
            Some(number) => Self::moved(&self.parts, entry, number),
            None => unreachable!("the stage has this operator"),
        }
    }
    #[inline]
    fn entry(&self, entry: u64) -> u64 {
        entry
    }
}
