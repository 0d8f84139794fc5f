//! The moves of a puzzle: moves of its file, and names for sequences of moves.

use super::names::{MoveRef, Names, Turn, is_rotation_name, powers_of};
use super::notation::parse;
use super::orbits::check_name;
use super::rules::Rules;
use super::{LimitedMoves, Transformation};
use crate::error::{Complaint, Hint, quoted};
use search::Cost;
use std::collections::HashSet;

/// Whether searches make a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// Searches make the move.
    Turn,
    /// The move turns the whole puzzle. Searches do not make it.
    Rotation,
}

impl MoveKind {
    /// The kind of a move with this name, if the definition does not set it.
    pub fn of_name(name: &str) -> Self {
        if is_rotation_name(name) { Self::Rotation } else { Self::Turn }
    }

    /// The word for the kind in definition files.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Rotation => "rotation",
        }
    }
}

/// A move that the file defines. Its powers, such as U2 of U, follow from it.
#[derive(Clone, Debug)]
pub struct BaseMove {
    /// The name, without an amount.
    pub name: String,
    /// The effect of the move on the slots.
    pub transformation: Transformation,
    /// The cost of an operator of this move. In the turn metric an operator is any power M, M2, M'.
    /// In the quarter metric it is M or M'. [default: 1]
    pub cost: Cost,
    /// Whether searches make the move.
    pub kind: MoveKind,
    /// The line in its file, from 1. 0 if there is no file. Equality ignores it.
    pub line: usize,
}

impl BaseMove {
    /// A move of cost 1. Its name decides whether it is a rotation.
    pub(super) fn new(name: String, transformation: Transformation, line: usize) -> Self {
        let kind = MoveKind::of_name(&name);
        Self { name, transformation, cost: 1, kind, line }
    }
}

impl PartialEq for BaseMove {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, transformation, cost, kind, line: _ } = self;
        *name == other.name
            && *transformation == other.transformation
            && (*cost, *kind) == (other.cost, other.kind)
    }
}

impl Eq for BaseMove {}

/// A name for a sequence of moves.
///
/// Users may type it in states. A search makes it only if its list of moves names it.
#[derive(Clone, Debug)]
pub struct DerivedMove {
    /// The name.
    pub name: String,
    /// The moves it stands for, at least one.
    pub turns: Vec<Turn>,
    /// The effect of all these moves together.
    pub transformation: Transformation,
    /// The line in its file, from 1. 0 if there is no file. Equality ignores it.
    pub line: usize,
}

impl PartialEq for DerivedMove {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, turns, transformation, line: _ } = self;
        (name, turns) == (&other.name, &other.turns) && *transformation == other.transformation
    }
}

impl Eq for DerivedMove {}

/// A turn in a form that does not depend on names: a move and an amount. The amount is at least 0
/// and below the order of the move. If the order is 2^127 or more, the amount is unchanged.
pub(crate) type Meaning = (MoveRef, i128);

/// The moves of a puzzle, found by index or by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveSet {
    pub(super) base: Vec<BaseMove>,
    pub(super) derived: Vec<DerivedMove>,
    /// What single turns of base moves cost, where that is not the cost of the move. Sorted.
    pub(super) turn_costs: Vec<(Turn, Cost)>,
    pub(crate) names: Names,
}

impl MoveSet {
    /// The moves in the order of the file, rotations included.
    pub fn base(&self) -> &[BaseMove] {
        &self.base
    }

    /// The names for sequences of moves, in the order of the file.
    pub fn derived(&self) -> &[DerivedMove] {
        &self.derived
    }

    /// The move that a name stands for. `None` if the name is unknown.
    pub fn find(&self, name: &str) -> Option<MoveRef> {
        self.names.get(name)
    }

    /// The name of a move.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn name_of(&self, of: MoveRef) -> &str {
        match of {
            MoveRef::Base(index) => &self.base[index].name,
            MoveRef::Derived(index) => &self.derived[index].name,
        }
    }

    /// The effect of a move that is made once.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn transformation_of(&self, of: MoveRef) -> &Transformation {
        match of {
            MoveRef::Base(index) => &self.base[index].transformation,
            MoveRef::Derived(index) => &self.derived[index].transformation,
        }
    }

    /// The effect of a turn.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn transformation(&self, turn: Turn) -> Transformation {
        self.transformation_of(turn.of).power(turn.amount.into())
    }

    /// A turn as text that can be read back, such as `R` or `R2'`. It is `(y2)2` if `y22` would be
    /// another name.
    pub fn turn_text(&self, turn: Turn) -> String {
        self.names.with_amount(self.name_of(turn.of), turn.amount)
    }

    /// Turns as text that can be read back, with blanks between them.
    pub fn turns_text(&self, turns: &[Turn]) -> String {
        turns.iter().map(|&turn| self.turn_text(turn)).collect::<Vec<_>>().join(" ")
    }

    /// The moves that a limit counts, as text that can be read back.
    pub(crate) fn limited_text(&self, limited: LimitedMoves) -> String {
        match limited {
            LimitedMoves::Turn(turn) => self.turn_text(turn),
            LimitedMoves::All(of) => format!("{}*", self.name_of(of)),
        }
    }

    /// Reads one turn.
    pub(crate) fn parse_turn(&self, text: &str) -> Result<Turn, Complaint> {
        match parse(&self.names, text, 2).map_err(|(_, complaint)| complaint)?.as_slice() {
            [turn] => Ok(*turn),
            _ => Err(Complaint::new(quoted(text), "one move, with a number or ' after it")),
        }
    }

    /// Reads the moves that a limit counts: a turn, or `F*` for all turns of F.
    pub(crate) fn parse_limited(&self, text: &str) -> Result<LimitedMoves, Complaint> {
        let Some(name) = text.strip_suffix('*') else {
            return self.parse_turn(text).map(LimitedMoves::Turn);
        };
        match self.find(name) {
            Some(of) => Ok(LimitedMoves::All(of)),
            None => self.parse_turn(name).and(Err(Complaint::new(quoted(text), "a name and *"))),
        }
    }

    /// The move and amount that a turn means, whatever name it uses.
    ///
    /// If a name stands for a single turn of another move, it means that turn. Turns of one move
    /// with the same effect have the same meaning.
    pub fn meaning(&self, turn: Turn) -> Meaning {
        let (mut of, mut amount) = (turn.of, i128::from(turn.amount));
        loop {
            let order = self.transformation_of(of).order().and_then(|n| i128::try_from(n).ok());
            amount = order.map_or(amount, |order| amount.rem_euclid(order));
            let MoveRef::Derived(index) = of else { return (of, amount) };
            let [inner] = self.derived[index].turns[..] else { return (of, amount) };
            // If the amount overflows, the turn keeps the name that it has here.
            let Some(product) = amount.checked_mul(inner.amount.into()) else {
                return (of, amount);
            };
            (of, amount) = (inner.of, product);
        }
    }

    /// Whether a limit counts a turn. `F2` counts only that turn, `F*` every power of F.
    pub fn counts(&self, limited: LimitedMoves, turn: Turn) -> bool {
        let (of, amount) = self.meaning(turn);
        match limited {
            LimitedMoves::Turn(named) => self.meaning(named) == (of, amount),
            LimitedMoves::All(named) => {
                let (base, step) = self.meaning(Turn::once(named));
                let order = self.transformation_of(base).order();
                // An order of 2^128 or more is taken as infinite.
                let order = order.unwrap_or(0);
                let step = super::gcd(step.unsigned_abs(), order).max(1);
                base == of && amount.unsigned_abs() % step == 0
            }
        }
    }

    /// The moves that rules name.
    pub(super) fn ruled_by(&self, rules: &Rules) -> HashSet<MoveRef> {
        let pairs = rules.forbidden.iter().flat_map(|&(first, second)| [first, second]);
        let limits = rules.limits.keys().map(|&limited| match limited {
            LimitedMoves::Turn(turn) => turn,
            LimitedMoves::All(of) => Turn::once(of),
        });
        pairs.chain(limits).map(|turn| self.meaning(turn).0).collect()
    }

    /// Adds a move. [`MoveSet::check`] checks later whether it changes something.
    pub(super) fn add(
        &mut self,
        name: &str,
        kind: MoveKind,
        transformation: Transformation,
        line: usize,
    ) -> Result<(), Complaint> {
        check_name(name)?;
        self.take_name(name, MoveRef::Base(self.base.len()))?;
        let one = BaseMove::new(name.to_owned(), transformation, line);
        self.base.push(BaseMove { kind, ..one });
        Ok(())
    }

    pub(super) fn take_name(&mut self, name: &str, of: MoveRef) -> Result<(), Complaint> {
        if self.names.insert(name, of) {
            return Ok(());
        }
        let found = format!("a second move {}", quoted(name));
        Err(Complaint::new(found, "moves of different names"))
    }

    /// The move of the file that has this name. Does not find derived moves.
    fn base_named(&mut self, name: &str) -> Result<&mut BaseMove, Complaint> {
        match self.find(name) {
            Some(MoveRef::Base(index)) => Ok(&mut self.base[index]),
            _ => {
                let like = self.names.like(name).map(|name| Hint::DidYouMean(name.to_owned()));
                Err(Complaint::new(quoted(name), "the name of a move of this puzzle").maybe(like))
            }
        }
    }

    /// Sets the cost of a move, such as `R`. Or sets the cost of one of its turns, such as `R2` or
    /// `R'`, which then wins over that of the move.
    ///
    /// # Errors
    /// If there is no such move, or the cost is not from 1 to 250.
    pub(crate) fn set_cost(&mut self, name: &str, cost: u64) -> Result<(), Complaint> {
        let fits = Cost::try_from(cost).ok().filter(|cost| (1..=250).contains(cost));
        let wrong = || Complaint::new(quoted(&cost.to_string()), "a cost from 1 to 250");
        let fits = fits.ok_or_else(wrong);
        if self.find(name).is_none()
            && let Ok(turn @ Turn { of: MoveRef::Base(_), .. }) = self.parse_turn(name)
        {
            let meaning = self.meaning(turn);
            let others =
                self.turn_costs.iter().filter(|&&(other, _)| self.meaning(other) != meaning);
            let mut all: Vec<_> = others.copied().chain([(turn, fits?)]).collect();
            all.sort_unstable();
            self.turn_costs = all;
            return Ok(());
        }
        let one = self.base_named(name)?;
        one.cost = fits?;
        Ok(())
    }

    /// What single turns of base moves cost, where that is not the cost of the move.
    pub(crate) fn turn_costs(&self) -> &[(Turn, Cost)] {
        &self.turn_costs
    }

    /// The cost of a turn that has one of its own.
    pub(super) fn turn_cost(&self, turn: Turn) -> Option<Cost> {
        let same = |other: Turn| self.meaning(other) == self.meaning(turn);
        self.turn_costs.iter().find(|&&(other, _)| same(other)).map(|&(_, cost)| cost)
    }

    /// Sets whether searches make a move, whatever its name suggests.
    ///
    /// # Errors
    /// If there is no such move. Also if the move changes nothing and `kind` is a turn.
    pub(crate) fn set_kind(&mut self, name: &str, kind: MoveKind) -> Result<(), Complaint> {
        let one = self.base_named(name)?;
        check_effect(name, kind, &one.transformation)?;
        one.kind = kind;
        Ok(())
    }

    /// Checks that there is a move, and that every move of a search changes something. Also checks
    /// that a move named U2 is that power of U.
    pub(crate) fn check(&self) -> Result<(), (Option<MoveRef>, Complaint)> {
        if self.base.is_empty() {
            return Err((None, Complaint::new("no move", "at least one Move")));
        }
        for (index, one) in self.base.iter().enumerate() {
            check_effect(&one.name, one.kind, &one.transformation)
                .map_err(|complaint| (Some(MoveRef::Base(index)), complaint))?;
        }
        let base = (0..self.base.len()).map(MoveRef::Base);
        for of in base.chain((0..self.derived.len()).map(MoveRef::Derived)) {
            let name = self.name_of(of);
            for (stem, amount) in powers_of(name) {
                let Some(other) = self.find(stem) else { continue };
                if self.transformation(Turn { of: other, amount }) != *self.transformation_of(of) {
                    let found =
                        format!("the move {}, which is not that power of {stem}", quoted(name));
                    let complaint =
                        Complaint::new(found, "another name, as this one means two things");
                    return Err((Some(of), complaint.hint(Hint::PowersAreDerived)));
                }
            }
        }
        Ok(())
    }
}

/// A note to the user that a new move is a rotation by its name. `None` for other names.
pub(crate) fn rotation_note(name: &str) -> Option<String> {
    let note = || format!("move {name} is a rotation by its name: no search makes it");
    is_rotation_name(name).then(note)
}

/// Returns an error for a move that searches would make, but that changes nothing.
pub(super) fn check_effect(
    name: &str,
    kind: MoveKind,
    transformation: &Transformation,
) -> Result<(), Complaint> {
    if kind == MoveKind::Rotation || !transformation.is_identity() {
        return Ok(());
    }
    let found = format!("the move {}, which changes nothing", quoted(name));
    Err(Complaint::new(found, "a move that changes something"))
}
