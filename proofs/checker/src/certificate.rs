//! The lines of a certificate, in their order.

use crate::forbidden::Forbidden;
use crate::puzzle::Puzzle;
use crate::table::{Kind, Table};
use crate::text::{Line, Lines, Objection};
use crate::view::View;
use std::fmt;

/// All that a certificate says. What can be checked without tables is checked.
pub(crate) struct Certificate {
    pub(crate) puzzle: Puzzle,
    pub(crate) start: Vec<u16>,
    pub(crate) forbidden: Vec<Forbidden>,
    /// The first one is the state itself.
    pub(crate) views: Vec<View>,
    pub(crate) tables: Vec<Table>,
    /// For each sum, its tables and views.
    pub(crate) sums: Vec<Vec<(usize, usize)>>,
    pub(crate) claim: Claim,
    pub(crate) bounds: Vec<Bound>,
}

pub(crate) struct Claim {
    pub(crate) line: usize,
    pub(crate) cost: u64,
    /// `None`: only that no plan costs less.
    pub(crate) plan: Option<Vec<usize>>,
}

/// A bound that was searched.
pub(crate) struct Bound {
    pub(crate) line: usize,
    pub(crate) bound: u64,
    /// The counts above the units.
    pub(crate) above: Counts,
    pub(crate) units: Vec<Counts>,
}

/// The counts of a search.
#[derive(Debug, Default, Clone)]
pub(crate) struct Counts {
    pub(crate) generated: u64,
    pub(crate) expanded: u64,
    /// The least number by which something was cut. `None`: nothing was.
    pub(crate) over: Option<u64>,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let over = self.over.map_or("-".to_owned(), |over| over.to_string());
        write!(f, "{} {} {over}", self.generated, self.expanded)
    }
}

impl Certificate {
    /// Reads all lines behind the first.
    pub(crate) fn read(lines: &mut Lines) -> Result<Self, Objection> {
        lines.all("about")?;
        let puzzle = Puzzle::read(lines)?;
        let line = lines.expect("start")?;
        let start = puzzle.read_state(&line)?;
        let forbidden = lines.all("forbid")?;
        let forbidden =
            forbidden.iter().map(|line| read_forbidden(line, &puzzle)).collect::<Result<_, _>>()?;
        let mut views = vec![View::plain()];
        for line in lines.all("view")? {
            let view = View::read(&line, &puzzle)?;
            require_new_name(&line, &view.name, views.iter().map(|view| &*view.name))?;
            views.push(view);
        }
        let mut tables: Vec<Table> = Vec::new();
        for line in lines.all("table")? {
            let table = Table::read(&line, &puzzle)?;
            require_new_name(&line, &table.name, tables.iter().map(|table| &*table.name))?;
            tables.push(table);
        }
        let sums = lines.all("sum")?;
        let sums =
            sums.iter().map(|line| read_sum(line, &views, &tables)).collect::<Result<_, _>>()?;
        let claim = read_claim(lines, &puzzle, &start)?;
        let mut bounds = Vec::new();
        while let Some(line) = lines.take("bound")? {
            bounds.push(read_bound(&line, lines)?);
        }
        lines.expect("end")?.require_words(0)?;
        lines.end()?;
        Ok(Self { puzzle, start, forbidden, views, tables, sums, claim, bounds })
    }
}

fn require_new_name<'a>(
    line: &Line,
    name: &str,
    mut others: impl Iterator<Item = &'a str>,
) -> Result<(), Objection> {
    line.require(!name.contains('@'), "expected a name without `@`")?;
    line.require(others.all(|other| other != name), "expected another name")
}

/// Reads a forbidden string, and checks its twin.
fn read_forbidden(line: &Line, puzzle: &Puzzle) -> Result<Forbidden, Objection> {
    let mut sides = line.words.split(|&word| word == "=");
    let (Some(string), Some(twin), None) = (sides.next(), sides.next(), sides.next()) else {
        return Err(line.refused("expected one `=`"));
    };
    let (string, twin) = (puzzle.named(line, string)?, puzzle.named(line, twin)?);
    let forbidden = Forbidden { line: line.number, string, twin };
    forbidden.check(puzzle)?;
    Ok(forbidden)
}

/// Reads a sum, and checks that its lookups may be added: no move counts in two of them.
fn read_sum(
    line: &Line,
    views: &[View],
    tables: &[Table],
) -> Result<Vec<(usize, usize)>, Objection> {
    let lookup = |word: &&str| {
        let (table, view) = word.split_once('@').unwrap_or((word, ""));
        let known = tables.iter().position(|one| one.name == table);
        let known = known.zip(views.iter().position(|one| one.name == view));
        let known = known.filter(|_| !word.ends_with('@'));
        known.ok_or_else(|| line.refused(format_args!("there is no lookup `{word}`")))
    };
    let sum = line.words.iter().map(lookup).collect::<Result<Vec<_>, _>>()?;
    let Some(&(_, first)) = sum.first() else { return Err(line.refused("expected a lookup")) };
    line.require(sum.iter().all(|&(_, view)| view == first), "expected one view for all")?;
    let mut seen = Vec::new();
    for (lookup, &(table, _)) in line.words.iter().zip(&sum) {
        match &tables[table].kind {
            Kind::Labels(_) => line.require(sum.len() == 1, "expected one lookup of labels")?,
            Kind::Tiles(tiles, _) => {
                let shared = tiles.tiles.iter().find(|tile| seen.contains(tile));
                let text =
                    format_args!("`{lookup}` shares tile {} with another", shared.unwrap_or(&0));
                line.require(shared.is_none(), text)?;
                seen.extend(&tiles.tiles);
            }
        }
    }
    Ok(sum)
}

/// Reads the claim, and replays its plan.
fn read_claim(lines: &mut Lines, puzzle: &Puzzle, start: &[u16]) -> Result<Claim, Objection> {
    let Some(line) = lines.take("plan")? else {
        let line = lines.expect("least")?;
        line.require_words(1)?;
        return Ok(Claim { line: line.number, cost: line.number(0, u64::MAX)?, plan: None });
    };
    let cost = line.number(0, u64::MAX)?;
    let plan = puzzle.named(&line, &line.words[1..])?;
    let costs = puzzle.cost(&plan);
    line.require(costs == cost, format_args!("the plan costs {costs}, not {cost}"))?;
    for end in 1..=plan.len() {
        let text = format_args!("move {end} of the plan, `{}`, does not apply", line.words[end]);
        line.require(puzzle.apply_all(start, &plan[..end]).is_some(), text)?;
    }
    let end = puzzle.apply_all(start, &plan);
    line.require(end.is_some_and(|end| puzzle.is_goal(&end)), "the plan does not end at a goal")?;
    Ok(Claim { line: line.number, cost, plan: Some(plan) })
}

/// Reads a bound and its units.
fn read_bound(line: &Line, lines: &mut Lines) -> Result<Bound, Objection> {
    line.require_words(5)?;
    let (bound, many) = (line.number(0, u64::MAX)?, line.number(1, u64::MAX)?);
    let above = read_counts(line, 2)?;
    let mut units = Vec::new();
    for _ in 0..many {
        let line = lines.expect("unit")?;
        line.require_words(3)?;
        units.push(read_counts(&line, 0)?);
    }
    Ok(Bound { line: line.number, bound, above, units })
}

fn read_counts(line: &Line, at: usize) -> Result<Counts, Objection> {
    let number = |at| line.number(at, u64::MAX);
    let over = if line.word(at + 2)? == "-" { None } else { Some(number(at + 2)?) };
    Ok(Counts { generated: number(at)?, expanded: number(at + 1)?, over })
}
