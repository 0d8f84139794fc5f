//! Subgoals of the cube: how many slots of a set must be solved. See [`Subgoal`].

use crate::cube::Cube;
use search::Cost;

/// A set of slots as bits: corner slots are bits 0 to 7, edge slots bits 8 to 19.
pub type Slots = u32;

/// All slots.
pub const ALL_SLOTS: Slots = (1 << 20) - 1;
/// The corner slots.
pub const CORNER_SLOTS: Slots = 0xff;
/// The edge slots.
pub const EDGE_SLOTS: Slots = 0xfff << 8;

/// What a condition asks of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Its piece is at home, without twist and flip.
    Solved,
    /// Its piece is at home.
    Placed,
    /// It has a piece of its own layer (U, between, or D) without twist and flip. In the layers of
    /// U and D, the piece shows the colour of the face there.
    Oriented,
    /// Its piece is not at home, or is solved. So no piece is at home with a twist or flip.
    Untwisted,
}

/// One condition: in at least one of some sets, at least so many slots have a status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// What is asked of the slots.
    pub status: Status,
    /// The sets.
    pub sets: Vec<Slots>,
    /// How many slots of a set must have the status.
    pub at_least: u32,
}

impl Condition {
    /// All of these slots have the status.
    pub fn all(status: Status, slots: Slots) -> Self {
        Self { status, sets: vec![slots], at_least: slots.count_ones() }
    }

    /// At least so many of these slots have the status.
    pub fn some(status: Status, slots: Slots, at_least: u32) -> Self {
        Self { status, sets: vec![slots], at_least }
    }

    /// Whether every cube that meets `other` meets this, as far as the sets show it.
    fn follows_from(&self, other: &Self) -> bool {
        self.status == other.status && self.sets == other.sets && self.at_least <= other.at_least
    }
}

/// A set of cubes that a search shall reach. Each of them meets all conditions.
///
/// An *augmenting* subgoal has the conditions of the subgoal before it, and one more
/// ([`Subgoal::augmented`]).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Subgoal {
    name: String,
    /// For each status, the slots that must have it. The order is that of [`Status`].
    required: [Slots; 4],
    /// The conditions that leave a choice.
    choices: Vec<Condition>,
}

impl Subgoal {
    /// The name of the subgoal.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The subgoal with one more condition, under a new name.
    #[must_use]
    pub fn augmented(&self, name: impl Into<String>, condition: Condition) -> Self {
        let Self { mut required, mut choices, .. } = self.clone();
        match condition.sets[..] {
            [slots] if slots.count_ones() == condition.at_least => {
                required[condition.status as usize] |= slots;
            }
            _ => {
                choices.retain(|choice| !choice.follows_from(&condition));
                choices.push(condition);
            }
        }
        Self { name: name.into(), required, choices }
    }

    /// Whether a cube can meet the conditions if, of the slots `known`, exactly `solved` are
    /// solved. May be true though no cube does: it looks at [`Status::Solved`] alone.
    pub fn allows(&self, known: Slots, solved: Slots) -> bool {
        let maybe = solved | ALL_SLOTS & !known;
        let solves = |choice: &Condition| {
            choice.status != Status::Solved
                || choice.sets.iter().any(|set| (set & maybe).count_ones() >= choice.at_least)
        };
        self.required[Status::Solved as usize] & !maybe == 0 && self.choices.iter().all(solves)
    }

    /// The least number of slots whose status must change to meet all conditions, or less. It is 0
    /// exactly if the cube meets them.
    ///
    /// Counts the required slots that lack their status. Of the choices, it adds the one that needs
    /// most further slots. A face turn changes eight slots, so it lowers the number by at most 8.
    #[inline]
    pub fn missing(&self, cube: &Cube) -> Cost {
        let oriented = self.required[Status::Oriented as usize] != 0
            || self.choices.iter().any(|choice| choice.status == Status::Oriented);
        let has = statuses(cube, oriented);
        let lacking = self
            .required
            .iter()
            .zip(has)
            .fold(0, |lacking, (required, has)| lacking | required & !has);
        let further = |choice: &Condition| {
            let has = has[choice.status as usize] | lacking;
            let lack = |set: &Slots| choice.at_least.saturating_sub((set & has).count_ones());
            choice.sets.iter().map(lack).min().unwrap_or(0)
        };
        let further = self.choices.iter().map(further).max().unwrap_or(0);
        #[expect(clippy::cast_possible_truncation, reason = "at most 20 slots and 20 further ones")]
        {
            (lacking.count_ones() + further) as Cost
        }
    }
}

/// The slots of a cube with each [`Status`]. Without `oriented`, none is oriented.
#[inline(always)]
fn statuses(cube: &Cube, oriented: bool) -> [Slots; 4] {
    const CORNER: u64 = 0o1111_1111;
    const EDGE: u64 = 0x1111_1111_1111;
    let away = cube.corners ^ Cube::SOLVED.corners;
    let (pieces, twists) = (away & 0xff_ffff, away >> 24);
    let corners = by_three((pieces | pieces >> 1 | pieces >> 2) & CORNER);
    let twists = by_two((twists | twists >> 1) & 0x5555);
    let away = cube.edges ^ Cube::SOLVED.edges;
    let edges = by_four((away | away >> 1 | away >> 2 | away >> 3) & EDGE);
    let turned = join(twists, away >> 48);
    let moved = join(corners, edges);
    let others = match oriented {
        // The layer of a corner is bit 2 of its number, that of an edge bits 2 and 3.
        true => join(by_three(pieces >> 2 & CORNER), by_four((away >> 2 | away >> 3) & EDGE)),
        false => ALL_SLOTS,
    };
    [moved | turned, moved, others | turned, turned & !moved].map(|lacks| ALL_SLOTS & !lacks)
}

/// Joins bits of corner slots and edge slots.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "8 and 12 bits")]
fn join(corners: u64, edges: u64) -> Slots {
    (corners | edges << 8) as Slots
}

/// Moves the bits 0, 2, 4 .. 14 together.
#[inline(always)]
fn by_two(bits: u64) -> u64 {
    let bits = (bits | bits >> 1) & 0x3333;
    let bits = (bits | bits >> 2) & 0x0f0f;
    (bits | bits >> 4) & 0xff
}

/// Moves the bits 0, 3, 6 .. 21 together.
#[inline(always)]
fn by_three(bits: u64) -> u64 {
    let bits = (bits | bits >> 2) & 0o0303_0303;
    let bits = (bits | bits >> 4) & 0o0017_0017;
    (bits | bits >> 8) & 0xff
}

/// Moves the bits 0, 4, 8 .. 44 together.
#[inline(always)]
fn by_four(bits: u64) -> u64 {
    let bits = (bits | bits >> 3) & 0x0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f;
    (bits | bits >> 12 | bits >> 24) & 0xfff
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::random::Random;

    /// The statuses of a cube, slot by slot.
    fn slowly(cube: &Cube) -> [Slots; 4] {
        let parts = cube.parts();
        let mut has = [0; 4];
        let mut add = |slot: usize, home: bool, layer: bool, right: bool| {
            let all = [home && right, home, layer && right, !home || right];
            for (has, yes) in has.iter_mut().zip(all) {
                *has |= u32::from(yes) << slot;
            }
        };
        for slot in 0..8 {
            let piece = usize::from(parts.corners[slot]);
            add(slot, piece == slot, piece / 4 == slot / 4, parts.twists[slot] == 0);
        }
        for slot in 0..12 {
            let piece = usize::from(parts.edges[slot]);
            add(slot + 8, piece == slot, piece / 4 == slot / 4, parts.flips[slot] == 0);
        }
        has
    }

    #[test]
    fn bits_say_what_the_slots_say() {
        let mut random = Random::new(11);
        assert_eq!(statuses(&Cube::SOLVED, true), [ALL_SLOTS; 4]);
        for _ in 0..300 {
            let mut cube = Cube::SOLVED;
            for _ in 0..random.index(12) {
                cube = cube.turned(random.index(18));
                assert_eq!(statuses(&cube, true), slowly(&cube));
                let [solved, placed, _, untwisted] = slowly(&cube);
                assert_eq!(statuses(&cube, false), [solved, placed, 0, untwisted]);
            }
        }
    }

    /// The count never falls by more than eight in a turn, and follows its definition.
    #[test]
    fn a_turn_mends_at_most_eight_slots() {
        let base = Subgoal::default().augmented("cross", Condition::all(Status::Solved, 0xf000));
        let pairs = vec![0x300, 0x600, 0xc00, 0x900];
        let pair = Condition { status: Status::Solved, sets: pairs, at_least: 2 };
        let goals = [
            base.clone(),
            base.augmented("pair", pair),
            base.augmented("some", Condition::some(Status::Placed, CORNER_SLOTS, 5)),
            Subgoal::default().augmented("any", Condition::some(Status::Solved, ALL_SLOTS, 17)),
            Subgoal::default().augmented("all", Condition::all(Status::Solved, ALL_SLOTS)),
            Subgoal::default().augmented("up", Condition::all(Status::Oriented, 0xf0f)),
            Subgoal::default().augmented("untwisted", Condition::all(Status::Untwisted, ALL_SLOTS)),
        ];
        let mut random = Random::new(4);
        for goal in &goals {
            assert_eq!(goal.missing(&Cube::SOLVED), 0);
            let (mut cube, mut most) = (Cube::SOLVED, 0);
            for _ in 0..3000 {
                let next = match random.index(30) {
                    0 => Cube::SOLVED,
                    _ => cube.turned(random.index(18)),
                };
                if next != Cube::SOLVED {
                    assert!(goal.missing(&cube).abs_diff(goal.missing(&next)) <= 8);
                }
                most = most.max(goal.missing(&next));
                cube = next;
            }
            assert!(most > 1, "{}", goal.name());
        }
        let turned = Cube::SOLVED.turned(0);
        let missing: Vec<Cost> = goals.iter().map(|goal| goal.missing(&turned)).collect();
        assert_eq!(missing, [0, 2, 1, 5, 8, 0, 0]);
    }
}
