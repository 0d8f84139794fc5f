//! Makes small certificates: plain recursion, and tables in maps. It shares nothing with the
//! checker, so that each is the other's oracle.

#![expect(clippy::cast_possible_truncation, reason = "puzzles of a few points")]
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod samples;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

pub(crate) type State = Vec<u16>;

/// A puzzle as the file has it.
#[derive(Clone, Default)]
pub(crate) struct Game {
    /// Pieces and rotations. None for a board.
    pub(crate) blocks: Vec<(usize, usize)>,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) moves: Vec<Step>,
    pub(crate) goal: State,
}

#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) cost: u64,
    /// For permutations.
    pub(crate) map: State,
    /// For boards.
    pub(crate) step: (isize, isize),
}

#[derive(Clone)]
pub(crate) enum View {
    Plain,
    Inverse,
    Symmetry(State),
}

/// What a table forgets. Its distances are kept by word.
#[derive(Clone)]
pub(crate) enum Abstraction {
    Labels(State),
    Tiles(&'static str, State),
}

#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) abstraction: Abstraction,
    pub(crate) distances: HashMap<State, u64>,
}

/// Everything that a certificate says, but for counts.
#[derive(Clone, Default)]
pub(crate) struct Maker {
    pub(crate) game: Game,
    pub(crate) start: State,
    pub(crate) forbidden: Vec<(Vec<usize>, Vec<usize>)>,
    pub(crate) views: Vec<(String, View)>,
    pub(crate) tables: Vec<Table>,
    /// For each sum: tables and views. View 0 is the state itself.
    pub(crate) sums: Vec<Vec<(usize, usize)>>,
}

/// The value of a tile that a table forgets.
pub(crate) const OTHER: u16 = 999;

impl Game {
    pub(crate) fn board(rows: usize, columns: usize, costs: [u64; 4], goal: State) -> Self {
        let steps = [("up", (-1, 0)), ("left", (0, -1)), ("right", (0, 1)), ("down", (1, 0))];
        let moves = steps.into_iter().zip(costs).filter(|&(_, cost)| cost > 0);
        let moves =
            moves.map(|((name, step), cost)| Step { name: name.into(), cost, map: vec![], step });
        Self { blocks: vec![], rows, columns, moves: moves.collect(), goal }
    }

    pub(crate) fn permutations(
        blocks: &[(usize, usize)],
        moves: &[(&str, u64, State)],
        goal: State,
    ) -> Self {
        let moves = moves.iter().map(|(name, cost, map)| Step {
            name: (*name).into(),
            cost: *cost,
            map: map.clone(),
            step: (0, 0),
        });
        Self { blocks: blocks.to_vec(), rows: 0, columns: 0, moves: moves.collect(), goal }
    }

    pub(crate) fn is_board(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The state after a move, and the value that moved on a board.
    pub(crate) fn apply(&self, state: &State, step: &Step) -> Option<(State, u16)> {
        if !self.is_board() {
            return Some((step.map.iter().map(|&p| state[p as usize]).collect(), 0));
        }
        let blank = state.iter().position(|&value| value == 0)?;
        let row = (blank / self.columns) as isize + step.step.0;
        let column = (blank % self.columns) as isize + step.step.1;
        if row < 0 || column < 0 || row >= self.rows as isize || column >= self.columns as isize {
            return None;
        }
        let next = row as usize * self.columns + column as usize;
        let mut after = state.clone();
        after.swap(blank, next);
        Some((after, state[next]))
    }

    /// The first state whose distance is this or the next less.
    pub(crate) fn far(&self, distance: u64) -> State {
        let states = self.true_distances().into_iter().filter(|&(_, found)| found <= distance);
        states.max_by_key(|(state, found)| (*found, Reverse(state.clone()))).unwrap().0
    }

    /// A state that is a goal.
    pub(crate) fn solved(&self) -> State {
        if self.is_board() { self.goal.clone() } else { (0..self.goal.len() as u16).collect() }
    }

    pub(crate) fn is_goal(&self, state: &State) -> bool {
        let shown = |state: &State| -> State {
            if self.is_board() {
                state.clone()
            } else {
                state.iter().map(|&s| self.goal[s as usize]).collect()
            }
        };
        shown(state) == self.goal
    }

    /// The moves turned around.
    pub(crate) fn backwards(&self) -> Vec<Step> {
        let mut moves = self.moves.clone();
        for step in &mut moves {
            step.step = (-step.step.0, -step.step.1);
            let map = step.map.clone();
            for (at, from) in map.into_iter().enumerate() {
                step.map[from as usize] = at as u16;
            }
        }
        moves
    }

    /// The distance to a word from all words, if a move costs this.
    fn distances(&self, goal: &State, cost: impl Fn(&Step, u16) -> u64) -> HashMap<State, u64> {
        let mut distances = HashMap::new();
        let mut queue = BTreeMap::from([(0, vec![goal.clone()])]);
        let moves = self.backwards();
        while let Some((distance, states)) = queue.pop_first() {
            for state in states {
                if distances.contains_key(&state) {
                    continue;
                }
                for step in &moves {
                    if let Some((next, moved)) = self.apply(&state, step) {
                        queue.entry(distance + cost(step, moved)).or_default().push(next);
                    }
                }
                distances.insert(state, distance);
            }
        }
        distances
    }

    /// The least cost of a plan for each state that has one. Only for few states.
    pub(crate) fn true_distances(&self) -> HashMap<State, u64> {
        let goal =
            if self.is_board() { self.goal.clone() } else { (0..self.goal.len() as u16).collect() };
        self.distances(&goal, |step, _| step.cost)
    }

    /// The lines of the puzzle.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if self.is_board() {
            writeln!(text, "board {} {}", self.rows, self.columns).unwrap();
        }
        for (pieces, rotations) in &self.blocks {
            writeln!(text, "block {pieces} {rotations}").unwrap();
        }
        for Step { name, cost, map, step } in &self.moves {
            let map = if self.is_board() { format!("{} {}", step.0, step.1) } else { words(map) };
            writeln!(text, "move {name} {cost} {map}").unwrap();
        }
        writeln!(text, "goal {}", words(&self.goal)).unwrap();
        text
    }
}

pub(crate) fn words(numbers: &[u16]) -> String {
    numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")
}

impl Table {
    pub(crate) fn new(game: &Game, abstraction: Abstraction) -> Self {
        let goal = game.goal.clone();
        let distances = match &abstraction {
            Abstraction::Labels(labels) => game.distances(labels, |step, _| step.cost),
            Abstraction::Tiles(_, tiles) => game.distances(&only(tiles, &goal), |step, moved| {
                if tiles.contains(&moved) { step.cost } else { 0 }
            }),
        };
        Self { abstraction, distances }
    }

    /// What a lookup reads for a state. `None`: infinite.
    pub(crate) fn read(&self, game: &Game, state: &State) -> Option<u64> {
        match &self.abstraction {
            Abstraction::Labels(labels) => {
                let word: State = state.iter().map(|&sticker| labels[sticker as usize]).collect();
                self.distances.get(&word).copied()
            }
            Abstraction::Tiles(kind, tiles) => {
                let word = only(tiles, state);
                let at = |blank: usize| {
                    let mut word = word.clone();
                    let from = word.iter().position(|&value| value == 0).unwrap();
                    word.swap(from, blank);
                    self.distances.get(&word).copied()
                };
                let blank = state.iter().position(|&value| value == 0).unwrap();
                let free: Vec<_> =
                    (0..state.len()).filter(|&q| word[q] == 0 || word[q] == OTHER).collect();
                let least = |squares: &[usize]| squares.iter().filter_map(|&q| at(q)).min();
                match *kind {
                    "exact" => at(blank),
                    "least" => least(&free),
                    _ => {
                        let regions = regions(game, &free);
                        let large = regions.iter().find(|region| region.len() * 2 > free.len());
                        let others: Vec<usize> = regions
                            .iter()
                            .filter(|&one| Some(one) != large)
                            .flatten()
                            .copied()
                            .collect();
                        let (mut a, mut b) = (least(&free), least(&free));
                        if let Some(large) = large.filter(|_| regions.len() > 1) {
                            (a, b) = (least(large), least(&others));
                        }
                        // `None` is infinite.
                        let lower = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
                        a = lower(a, b.map(|b| b + 8));
                        b = lower(b, a.map(|a| a + 6));
                        if large.is_some_and(|large| large.contains(&blank)) { a } else { b }
                    }
                }
            }
        }
    }
}

/// A board on which only these tiles and the blank are known.
fn only(tiles: &State, state: &State) -> State {
    let shown = |&value: &u16| if value == 0 || tiles.contains(&value) { value } else { OTHER };
    state.iter().map(shown).collect()
}

fn regions(game: &Game, free: &[usize]) -> Vec<Vec<usize>> {
    let mut regions: Vec<Vec<usize>> = free.iter().map(|&square| vec![square]).collect();
    let near = |a: usize, b: usize| {
        game.moves.iter().any(|step| {
            let to = |q: usize| {
                (
                    (q / game.columns) as isize + step.step.0,
                    (q % game.columns) as isize + step.step.1,
                )
            };
            let plain = |q: usize| ((q / game.columns) as isize, (q % game.columns) as isize);
            to(a) == plain(b) || to(b) == plain(a)
        })
    };
    while let Some((i, j)) = (0..regions.len())
        .flat_map(|i| (0..i).map(move |j| (i, j)))
        .find(|&(i, j)| regions[i].iter().any(|&a| regions[j].iter().any(|&b| near(a, b))))
    {
        let joined = regions.remove(i);
        regions[j].extend(joined);
    }
    regions
}

#[derive(Clone)]
struct Node {
    state: State,
    left: u64,
    path: Vec<usize>,
}

#[derive(Clone, Default)]
pub(crate) struct Counts(u64, u64, Option<u64>);

impl Counts {
    fn cut(&mut self, by: u64) {
        self.2 = Some(self.2.map_or(by, |over| over.min(by)));
    }

    fn text(&self) -> String {
        let over = self.2.map_or("-".into(), |over| over.to_string());
        format!("{} {} {over}", self.0, self.1)
    }
}

impl Maker {
    /// The state as a view shows it.
    pub(crate) fn image(&self, state: &State, view: &View) -> State {
        let mut image = state.clone();
        for (p, &s) in state.iter().enumerate() {
            match view {
                View::Plain => {}
                View::Inverse => image[s as usize] = p as u16,
                View::Symmetry(v) if self.game.is_board() => {
                    let home = self.game.goal.iter().position(|&value| value == s).unwrap();
                    image[v[p] as usize] = self.game.goal[v[home] as usize];
                }
                View::Symmetry(v) => image[v[p] as usize] = v[s as usize],
            }
        }
        image
    }

    /// The heuristic. `None`: infinite.
    pub(crate) fn h(&self, state: &State) -> Option<u64> {
        let mut h = 0;
        for sum in &self.sums {
            let mut total = 0;
            for &(table, view) in sum {
                let image = self.image(state, &self.views[view].1);
                total += self.tables[table].read(&self.game, &image)?;
            }
            h = h.max(total);
        }
        Some(h)
    }

    /// The greatest cost of a way to go on from a path without a forbidden string. `None`:
    /// infinite, which is so if the same end comes again, or at 254.
    fn longest(&self, path: &[usize], before: &mut Vec<Vec<usize>>) -> Option<u64> {
        let most = self.forbidden.iter().map(|(string, _)| string.len()).max()?;
        let end = path[path.len().saturating_sub(most - 1)..].to_vec();
        if before.contains(&end) {
            return None;
        }
        before.push(end.clone());
        let mut longest = 0;
        for (by, step) in self.game.moves.iter().enumerate() {
            let path = [&end[..], &[by]].concat();
            if !self.forbidden.iter().any(|(string, _)| path.ends_with(string)) {
                longest = longest.max(step.cost + self.longest(&path, before)?);
            }
        }
        before.pop();
        Some(longest).filter(|&longest| longest < 254)
    }

    /// The children that are kept, or the plan that was met.
    fn expand(&self, node: &Node, counts: &mut Counts) -> Result<Vec<Node>, Vec<usize>> {
        counts.1 += 1;
        let mut kept = Vec::new();
        for (by, step) in self.game.moves.iter().enumerate() {
            let mut path = node.path.clone();
            path.push(by);
            let Some((state, _)) = self.game.apply(&node.state, step) else { continue };
            if self.forbidden.iter().any(|(string, _)| path.ends_with(string)) {
                continue;
            }
            if step.cost > node.left {
                counts.cut(step.cost - node.left);
                continue;
            }
            let longest = self.longest(&path, &mut Vec::new());
            if longest.is_some_and(|longest| longest < node.left - step.cost) {
                continue;
            }
            counts.0 += 1;
            let left = node.left - step.cost;
            match self.h(&state) {
                None => {}
                Some(h) if h > left => counts.cut(h - left),
                Some(_) if self.game.is_goal(&state) => return Err(path),
                Some(_) if left == 0 => counts.cut(1),
                Some(_) => kept.push(Node { state, left, path }),
            }
        }
        Ok(kept)
    }

    fn below(&self, node: &Node, counts: &mut Counts) -> Result<(), Vec<usize>> {
        for child in self.expand(node, counts)? {
            self.below(&child, counts)?;
        }
        Ok(())
    }

    /// The counts above the units and those of the units, or the plan that was met.
    pub(crate) fn search(
        &self,
        bound: u64,
        before: u64,
    ) -> Result<(Counts, Vec<Counts>), Vec<usize>> {
        let width = (before / 131_072).clamp(2048, 32_768) as usize;
        let mut level = vec![Node { state: self.start.clone(), left: bound, path: vec![] }];
        let mut above = Counts::default();
        while !level.is_empty() && level.len() < width {
            let mut kept = Vec::new();
            let mut done = 0;
            for node in &level {
                if kept.len() >= 4 * width {
                    break;
                }
                kept.extend(self.expand(node, &mut above)?);
                done += 1;
            }
            kept.extend(level.drain(done..));
            level = kept;
        }
        let mut units = vec![Counts::default(); level.len()];
        for (node, counts) in level.iter().zip(&mut units) {
            self.below(node, counts)?;
        }
        Ok((above, units))
    }

    /// The lines up to the claim.
    pub(crate) fn head(&self) -> String {
        let mut text = format!("fewest-plain 1\nabout a test\n{}", self.game.text());
        writeln!(text, "start {}", words(&self.start)).unwrap();
        let names = |moves: &[usize]| {
            moves.iter().map(|&by| format!(" {}", self.game.moves[by].name)).collect::<String>()
        };
        for (string, twin) in &self.forbidden {
            writeln!(text, "forbid{} ={}", names(string), names(twin)).unwrap();
        }
        for (name, view) in &self.views {
            match view {
                View::Plain => {}
                View::Inverse => writeln!(text, "view {name} inverse").unwrap(),
                View::Symmetry(v) => writeln!(text, "view {name} symmetry {}", words(v)).unwrap(),
            }
        }
        for (number, table) in self.tables.iter().enumerate() {
            let what = match &table.abstraction {
                Abstraction::Labels(labels) => format!("labels {}", words(labels)),
                Abstraction::Tiles(kind, tiles) => format!("tiles {kind} {}", words(tiles)),
            };
            writeln!(text, "table t{number} {what}").unwrap();
        }
        for sum in &self.sums {
            let lookup = |&(table, view): &(usize, usize)| match &self.views[view] {
                (_, View::Plain) => format!(" t{table}"),
                (name, _) => format!(" t{table}@{name}"),
            };
            writeln!(text, "sum{}", sum.iter().map(lookup).collect::<String>()).unwrap();
        }
        text
    }

    /// A bound and its units as lines.
    pub(crate) fn bound_text(&self, bound: u64, (above, units): &(Counts, Vec<Counts>)) -> String {
        let mut text = format!("bound {bound} {} {}\n", units.len(), above.text());
        for unit in units {
            writeln!(text, "unit {}", unit.text()).unwrap();
        }
        text
    }

    /// The cost of a cheapest plan, and the certificate. The start has a plan.
    pub(crate) fn certificate(&self) -> (u64, String) {
        let mut bounds = String::new();
        let (mut bound, mut before) = (self.h(&self.start).expect("a solvable start"), 0);
        let plan = loop {
            match self.search(bound, before) {
                Err(plan) => break plan,
                Ok(counts) => {
                    bounds += &self.bound_text(bound, &counts);
                    let all = || counts.1.iter().chain([&counts.0]);
                    before = all().map(|one| one.0).sum();
                    bound += all().filter_map(|one| one.2).min().expect("a solvable start");
                }
            }
        };
        let names: String =
            plan.iter().map(|&by| format!(" {}", self.game.moves[by].name)).collect();
        let cost = plan.iter().map(|&by| self.game.moves[by].cost).sum();
        (cost, format!("{}plan {cost}{names}\n{bounds}end\n", self.head()))
    }
}
