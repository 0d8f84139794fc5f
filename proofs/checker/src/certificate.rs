//! The lines of a certificate, in their order.

use crate::puzzle::Puzzle;
use crate::rules::{View, read_forbidden};
use crate::table::{Kind, Table};
use crate::text::{Checked, Line, Lines, at, number, require, some, word};
use std::collections::HashSet;

/// All that a certificate says behind the goal. What needs no table is checked.
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

/// The counts of a search.
#[derive(Debug, Default, Clone)]
pub(crate) struct Counts {
    pub(crate) generated: usize,
    pub(crate) expanded: usize,
    /// The least number by which something was cut. `None`: nothing was.
    pub(crate) over: Option<usize>,
}

impl Certificate {
    pub(crate) fn read(lines: &mut Lines, puzzle: &Puzzle) -> Checked<Self> {
        let start = puzzle.state(lines.need("start", |words| puzzle.read_list(words))?);
        let forbidden = lines.each("forbid", |words| read_forbidden(words, puzzle))?;
        let mut names = HashSet::new();
        let views = lines.each("view", |words| {
            Ok((read_name(words, &mut names)?, View::read(&words[1..], puzzle)?))
        })?;
        let views = [(String::new(), View::plain(puzzle))].into_iter().chain(views).collect();
        names.clear();
        let tables = lines.each("table", |words| {
            Ok((read_name(words, &mut names)?, Table::read(&words[1..], puzzle)?))
        })?;
        let mut certificate = Self {
            start,
            forbidden: forbidden.into_iter().collect(),
            views,
            tables,
            lookups: Vec::new(),
            sums: Vec::new(),
            cost: 0,
            has_plan: false,
            bounds: Vec::new(),
        };
        while lines.one("sum", |words| certificate.read_sum(words))?.is_some() {}
        let plan = lines.one("plan", |words| certificate.read_plan(words, puzzle))?;
        certificate.has_plan = plan.is_some();
        certificate.cost = match plan {
            Some(cost) => cost,
            None => lines.need("least", |words| {
                require(words.len() == 1, "expected a cost alone")?;
                number(words, 0)
            })?,
        };
        let is_goal = puzzle.is_goal(&certificate.start);
        while let Some(bound) = read_bound(lines)? {
            require(!is_goal, "expected no bound, as the start is a goal")?;
            certificate.bounds.push(bound);
        }
        let alone = lines.need("end", |words| Ok(words.is_empty()))? && lines.rest.is_empty();
        require(alone, "expected nothing behind `end`")?;
        Ok(certificate)
    }

    /// Reads a sum, and checks that its lookups may be added: no move counts in two of them.
    fn read_sum(&mut self, words: &Line) -> Checked {
        word(words, 0)?;
        let mut sum = Vec::new();
        for word in words {
            let (table, view) = word.split_once('@').unwrap_or((word, ""));
            let table = self.tables.iter().position(|one| one.0 == table);
            let view = self.views.iter().position(|one| one.0 == view && !word.ends_with('@'));
            let new = some(table.zip(view), format_args!("there is no lookup `{word}`"))?;
            for &at in &sum {
                let (table, view): (usize, usize) = self.lookups[at];
                let apart = match (&self.tables[table].1.kind, &self.tables[new.0].1.kind) {
                    (Kind::Tiles(one), Kind::Tiles(other)) => !one.shares(other) && view == new.1,
                    _ => false,
                };
                let other = &self.tables[table].0;
                require(apart, format_args!("`{word}` shares tiles or no view with `{other}`"))?;
            }
            let known = self.lookups.iter().position(|one| *one == new);
            sum.push(known.unwrap_or(self.lookups.len()));
            self.lookups.extend(known.is_none().then_some(new));
        }
        self.sums.push(sum);
        Ok(())
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
    let place = format!("line {}", lines.number);
    let Some(words) = lines.take("bound")? else { return Ok(None) };
    let bound = at(&place, number(&words, 0))?;
    let (mut above, mut units) = (None, Vec::new());
    if words.len() > 1 {
        above = Some(at(&place, read_counts(&words, 2))?);
        for _ in 0..at(&place, number(&words, 1))? {
            units.push(lines.need("unit", |words| read_counts(words, 0))?);
        }
    }
    Ok(Some(Bound { bound, above, units }))
}

/// Reads counts, the last words of a line.
fn read_counts(words: &Line, at: usize) -> Checked<Counts> {
    require(words.len() == at + 3, format_args!("expected {} words", at + 4))?;
    let over = if words[at + 2] == "-" { None } else { Some(number(words, at + 2)?) };
    Ok(Counts { generated: number(words, at)?, expanded: number(words, at + 1)?, over })
}
