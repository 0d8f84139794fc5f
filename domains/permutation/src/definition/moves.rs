//! The moves of a puzzle: those of its file, names for sequences of them, and what a turn means.

use super::names::{MoveRef, Names, Turn, is_rotation_name, powers_of};
use super::notation::parse;
use super::orbits::check_name;
use super::{LimitedMoves, Transformation};
use crate::error::{Complaint, Hint, quoted};
use search::Cost;

/// Says whether a search makes a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// A search makes it.
    Turn,
    /// It turns the whole puzzle. No search makes it.
    Rotation,
}

impl MoveKind {
    /// The kind of a move with this name, unless the definition says otherwise.
    pub fn of_name(name: &str) -> Self {
        if is_rotation_name(name) { Self::Rotation } else { Self::Turn }
    }

    /// The word for it in definitions.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Rotation => "rotation",
        }
    }
}

/// A move of a definition. Its powers follow from it.
#[derive(Clone, Debug)]
pub struct BaseMove {
    /// The name, without an amount.
    pub name: String,
    /// What it does to the slots.
    pub transformation: Transformation,
    /// Cost of one turn: of any power in the turn metric, of M or M' in the quarter metric.
    /// [default: 1]
    pub cost: Cost,
    /// Whether a search makes it.
    pub kind: MoveKind,
    /// The line of its file, from 1; 0 without a file. Equality ignores it.
    pub line: usize,
}

impl BaseMove {
    /// A move of cost 1. Its name says whether it is a rotation.
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
/// States may be written with it. A search makes it only if asked to.
#[derive(Clone, Debug)]
pub struct DerivedMove {
    /// The name.
    pub name: String,
    /// The moves it stands for, at least one.
    pub turns: Vec<Turn>,
    /// What they do together.
    pub transformation: Transformation,
    /// The line of its file, from 1; 0 without a file. Equality ignores it.
    pub line: usize,
}

impl PartialEq for DerivedMove {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, turns, transformation, line: _ } = self;
        (name, turns) == (&other.name, &other.turns) && *transformation == other.transformation
    }
}

impl Eq for DerivedMove {}

/// A turn without its names: a move, and how often it is made, from 0 to the order of the move.
pub(crate) type Meaning = (MoveRef, i128);

/// The moves of a puzzle by index and by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveSet {
    pub(super) base: Vec<BaseMove>,
    pub(super) derived: Vec<DerivedMove>,
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

    /// The move that a name stands for.
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

    /// What a move does when it is made once.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn transformation_of(&self, of: MoveRef) -> &Transformation {
        match of {
            MoveRef::Base(index) => &self.base[index].transformation,
            MoveRef::Derived(index) => &self.derived[index].transformation,
        }
    }

    /// What a turn does.
    ///
    /// # Panics
    /// If the puzzle has no such move.
    pub fn transformation(&self, turn: Turn) -> Transformation {
        self.transformation_of(turn.of).power(turn.amount.into())
    }

    /// A turn as text that can be read back: `R`, `R2'`, or `(y2)2` where `y22` would be
    /// another name.
    pub fn turn_text(&self, turn: Turn) -> String {
        self.names.with_amount(self.name_of(turn.of), turn.amount)
    }

    /// Turns as text that can be read back, with blanks between them.
    pub fn turns_text(&self, turns: &[Turn]) -> String {
        turns.iter().map(|&turn| self.turn_text(turn)).collect::<Vec<_>>().join(" ")
    }

    /// What a limit counts, as text that can be read back.
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

    /// Reads what a limit counts: a turn, or `F*` for all turns of F.
    pub(crate) fn parse_limited(&self, text: &str) -> Result<LimitedMoves, Complaint> {
        let Some(name) = text.strip_suffix('*') else {
            return self.parse_turn(text).map(LimitedMoves::Turn);
        };
        match self.find(name) {
            Some(of) => Ok(LimitedMoves::All(of)),
            None => self.parse_turn(name).and(Err(Complaint::new(quoted(text), "a name and *"))),
        }
    }

    /// What a turn means, whatever its name.
    ///
    /// A name for one turn of another move means that turn. Turns of one move that do the same
    /// mean the same.
    pub(crate) fn meaning(&self, turn: Turn) -> Meaning {
        let (mut of, mut amount) = (turn.of, i128::from(turn.amount));
        loop {
            let order = self.transformation_of(of).order().and_then(|n| i128::try_from(n).ok());
            amount = order.map_or(amount, |order| amount.rem_euclid(order));
            let MoveRef::Derived(index) = of else { return (of, amount) };
            let [inner] = self.derived[index].turns[..] else { return (of, amount) };
            // A chain of names for large powers of moves of enormous order is left as it is.
            let Some(product) = amount.checked_mul(inner.amount.into()) else {
                return (of, amount);
            };
            (of, amount) = (inner.of, product);
        }
    }

    /// Whether a limit counts a turn. `F2` counts that turn alone, `F*` every power of F.
    pub fn counts(&self, limited: LimitedMoves, turn: Turn) -> bool {
        let (of, amount) = self.meaning(turn);
        match limited {
            LimitedMoves::Turn(named) => self.meaning(named) == (of, amount),
            LimitedMoves::All(named) => {
                let (base, step) = self.meaning(Turn::once(named));
                let order = self.transformation_of(base).order();
                // The powers of a move of enormous order are counted as if they never came back.
                let order = order.unwrap_or(0);
                let step = super::gcd(step.unsigned_abs(), order).max(1);
                base == of && amount.unsigned_abs() % step == 0
            }
        }
    }

    /// Adds a move. [`MoveSet::check`] looks at what it changes.
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

    /// The move of the file that has this name. Derived moves are not found.
    fn base_named(&mut self, name: &str) -> Result<&mut BaseMove, Complaint> {
        match self.find(name) {
            Some(MoveRef::Base(index)) => Ok(&mut self.base[index]),
            _ => {
                let like = self.names.like(name).map(|name| Hint::DidYouMean(name.to_owned()));
                Err(Complaint::new(quoted(name), "the name of a move of this puzzle").maybe(like))
            }
        }
    }

    /// Sets the cost of a move.
    ///
    /// # Errors
    /// If there is no such move, or the cost is not from 1 to 250.
    pub fn set_cost(&mut self, name: &str, cost: u64) -> Result<(), Complaint> {
        let one = self.base_named(name)?;
        let fits = Cost::try_from(cost).ok().filter(|cost| (1..=250).contains(cost));
        let wrong = || Complaint::new(quoted(&cost.to_string()), "a cost from 1 to 250");
        one.cost = fits.ok_or_else(wrong)?;
        Ok(())
    }

    /// Sets whether a move is a rotation, whatever its name says.
    ///
    /// # Errors
    /// If there is no such move, or a search would make it and it changes nothing.
    pub fn set_kind(&mut self, name: &str, kind: MoveKind) -> Result<(), Complaint> {
        let one = self.base_named(name)?;
        check_effect(name, kind, &one.transformation)?;
        one.kind = kind;
        Ok(())
    }

    /// Checks that there is a move, that searches make no move that changes nothing, and that no
    /// name such as U2 differs from that power of U.
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

/// A note to the user if a new move is a rotation.
pub(crate) fn rotation_note(name: &str) -> Option<String> {
    let note = || format!("move {name} is a rotation by its name: no search makes it");
    is_rotation_name(name).then(note)
}

/// A search makes no move that changes nothing.
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
