//! The lines of a certificate, in their order.

use crate::puzzle::Puzzle;
use crate::rules::{View, read_forbidden};
use crate::table::Table;
use crate::text::{Checked, Line, Lines, lone_number, number, require, some, word};
use std::collections::HashSet;

/// All that a certificate says behind the goal. What needs no table is checked.
#[derive(Default)]
pub(crate) struct Certificate {
    pub(crate) start: Vec<usize>,
    pub(crate) forbidden: HashSet<Vec<usize>>,
    /// Names and views. The first one is the state itself.
    pub(crate) views: Vec<(String, View)>,
    pub(crate) tables: Vec<(String, Table)>,
    /// The lookups of all sums, each once: tables and views.
    pub(crate) lookups: Vec<(usize, usize)>,
    /// For each sum, its lookups. One that no sum before has is the next number.
    pub(crate) sums: Vec<Vec<usize>>,
    /// The cost that is claimed to be the least, and whether there is a plan of it.
    pub(crate) cost: usize,
    pub(crate) has_plan: bool,
    pub(crate) bounds: Vec<Bound>,
}

/// A bound that was searched.
pub(crate) struct Bound {
    pub(crate) bound: usize,
    /// The counts above the units. `None`: the checker searches all of the bound.
    pub(crate) above: Option<Counts>,
    pub(crate) units: Vec<Counts>,
}

/// How many nodes were generated and expanded, and the least number by which something was cut,
/// infinite if nothing was.
pub(crate) type Counts = [usize; 3];

impl Certificate {
    pub(crate) fn read(lines: &mut Lines, puzzle: &Puzzle) -> Checked<Self> {
        let start = puzzle.state(lines.need("start", |words| puzzle.read_list(words))?);
        let mut all = Self { start, ..Self::default() };
        let (mut views, mut tables) = (HashSet::new(), HashSet::new());
        all.forbidden.extend(lines.each("forbid", |words| read_forbidden(words, puzzle))?);
        all.views.push((String::new(), View::plain(puzzle)));
        all.views.extend(lines.each("view", |words| {
            Ok((read_name(words, &mut views)?, View::read(&words[1..], puzzle)?))
        })?);
        all.tables = lines.each("table", |words| {
            Ok((read_name(words, &mut tables)?, Table::read(&words[1..], puzzle)?))
        })?;
        lines.each("sum", |words| all.read_sum(words))?;
        let plan = lines.one("plan", |words| all.read_plan(words, puzzle))?;
        all.has_plan = plan.is_some();
        all.cost = plan.map_or_else(|| lines.need("least", lone_number), Ok)?;
        while let Some(bound) = read_bound(lines)? {
            let text = format_args!("bound {}: the start is a goal", bound.bound);
            require(!puzzle.is_goal(&all.start), text)?;
            all.bounds.push(bound);
        }
        let alone = lines.need("end", |words| Ok(words.is_empty()))? && lines.rest.is_empty();
        require(alone, "expected nothing behind `end`")?;
        Ok(all)
    }

    /// Reads a sum, and checks that its lookups may be added: no move counts in two of them.
    fn read_sum(&mut self, words: &Line) -> Checked {
        let (mut sum, mut seen, mut views) = (Vec::new(), HashSet::new(), HashSet::new());
        for word in words {
            let (table, view) = word.split_once('@').unwrap_or((word, ""));
            let table = self.tables.iter().position(|one| one.0 == table);
            let view = self.views.iter().position(|one| one.0 == view && !word.ends_with('@'));
            let new = some(table.zip(view), format_args!("there is no lookup `{word}`"))?;
            let tiles = self.tables[new.0].1.space.tiles();
            // Tables of labels have no tiles: they stand alone.
            let apart = sum.is_empty() || !tiles.is_empty() && views.contains(&new.1);
            let apart = apart && tiles.iter().all(|&tile| seen.insert(tile));
            require(apart, format_args!("`{word}` shares tiles with the others, or no view"))?;
            views.insert(new.1);
            let known = self.lookups.iter().position(|one| *one == new);
            sum.push(known.unwrap_or(self.lookups.len()));
            self.lookups.extend(known.is_none().then_some(new));
        }
        self.sums.push(sum);
        word(words, 0).map(|_| ())
    }

    /// Reads a plan, and replays it.
    fn read_plan(&self, words: &Line, puzzle: &Puzzle) -> Checked<usize> {
        let (cost, plan) = (number(words, 0)?, puzzle.named(&words[1..])?);
        let end = puzzle.apply_all(&self.start, &plan);
        require(end.is_some_and(|end| puzzle.is_goal(&end)), "the plan does not end at a goal")?;
        let costs = puzzle.cost(&plan);
        require(costs == cost, format_args!("the plan costs {costs}, not {cost}"))?;
        Ok(cost)
    }
}

/// A new name, that is taken neither for a lookup nor for a file in another folder.
fn read_name(words: &Line, names: &mut HashSet<String>) -> Checked<String> {
    let name = word(words, 0)?.to_owned();
    let new = names.insert(name.clone()) && !name.contains(['@', '/', '\\']);
    require(new, "expected a new name without `@`, `/` and `\\`")?;
    Ok(name)
}

/// Reads a bound and its units.
fn read_bound(lines: &mut Lines) -> Checked<Option<Bound>> {
    let bound = lines.one("bound", |words| match words.len() {
        1 => Ok((number(words, 0)?, 0, None)),
        _ => Ok((number(words, 0)?, number(words, 1)?, Some(read_counts(words, 2)?))),
    })?;
    let read = |(bound, many, above)| {
        let units = (0..many).map(|_| lines.need("unit", |words| read_counts(words, 0)));
        Ok(Bound { bound, above, units: units.collect::<Checked<_>>()? })
    };
    bound.map(read).transpose()
}

/// Reads counts, the last words of a line.
fn read_counts(words: &Line, at: usize) -> Checked<Counts> {
    require(words.len() == at + 3, format_args!("expected {} words", at + 4))?;
    let over = if words[at + 2] == "-" { usize::MAX } else { number(words, at + 2)? };
    Ok([number(words, at)?, number(words, at + 1)?, over])
}
