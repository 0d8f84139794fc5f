//! A puzzle as places that hold values: [`Encoding`].

/// What an operator does with the value at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMove {
    /// The place whose value moves.
    pub from: usize,
    /// The place to which it moves. It may be the same place.
    pub to: usize,
    /// For each value at `from`: the value at `to` afterwards. `None` if the operator does not
    /// apply to states with this value.
    pub values: Vec<Option<usize>>,
}

/// An operator: it permutes the values of some places, and costs 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceOperator {
    /// The name, for comments in the formula.
    pub name: String,
    /// One item for each place that the operator changes or that decides whether it applies.
    pub moves: Vec<ValueMove>,
}

/// Why an [`Encoding`] is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EncodingError(String);

/// A puzzle whose states give each place a value, with the start and the goal of one search.
///
/// An *atom* is a place with a value. Atoms are numbered place by place.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub(super) operators: Vec<PlaceOperator>,
    /// The start and the goal, as the atoms of all places in order.
    pub(super) start: Vec<u16>,
    pub(super) goal: Vec<u16>,
    /// The first atom of each place, and the number of all atoms.
    pub(super) first: Vec<usize>,
    /// The place of each atom.
    pub(super) place: Vec<usize>,
    /// By operator and atom: the atom that it becomes. `None` if the operator does not apply.
    images: Vec<Vec<Option<u16>>>,
}

/// What an operator does with some atoms.
pub(super) enum Step {
    /// They become these atoms, in the order of the atoms before.
    Atoms(Vec<u16>),
    /// The operator does not apply to states with this atom.
    Refused(u16),
}

impl Encoding {
    /// Encodes a search. `start` and `goal` give the value at each place. `values` has the number
    /// of values that each place can have.
    ///
    /// # Errors
    /// - `start` or `goal` lacks a value for a place, [`ValueMove::values`] lacks an item for a
    ///   value, or a value is out of range.
    /// - The moves of an operator do not permute a set of places.
    /// - There are more than 65,535 atoms.
    pub fn new(
        values: &[usize],
        operators: Vec<PlaceOperator>,
        start: &[usize],
        goal: &[usize],
    ) -> Result<Self, EncodingError> {
        let mut first = vec![0];
        first.extend(values.iter().scan(0_usize, |sum, &count| {
            *sum = sum.saturating_add(count);
            Some(*sum)
        }));
        let count = first[values.len()];
        if count > usize::from(u16::MAX) {
            return Err(EncodingError(format!("{count} places with values, at most 65535")));
        }
        let place = values.iter().enumerate().flat_map(|(place, &n)| vec![place; n]).collect();
        let atoms = |what: &str, state: &[usize]| {
            let fits = state.len() == values.len() && state.iter().zip(values).all(|(v, n)| v < n);
            let expected = || EncodingError(format!("{what}: expected a value for each place"));
            fits.then(|| state.iter().zip(&first).map(|(&v, &at)| atom(at + v)).collect())
                .ok_or_else(expected)
        };
        let (start, goal) = (atoms("start", start)?, atoms("goal", goal)?);
        let images = operators.iter().map(|operator| images(operator, values, &first));
        let images = images.collect::<Result<_, _>>()?;
        Ok(Self { operators, start, goal, images, first, place })
    }

    /// The number of atoms.
    pub(super) fn atoms(&self) -> usize {
        self.place.len()
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.start.len()
    }

    /// Whether the goal has this atom.
    pub(super) fn is_goal(&self, atom: u16) -> bool {
        self.goal[self.place[usize::from(atom)]] == atom
    }

    /// The atoms of a place.
    pub(super) fn atoms_at(&self, place: usize) -> impl Iterator<Item = u16> + use<> {
        (self.first[place]..self.first[place + 1]).map(atom)
    }

    /// What an operator makes of one atom. `None` if it does not apply.
    pub(super) fn image(&self, operator: usize, atom: u16) -> Option<u16> {
        self.images[operator][usize::from(atom)]
    }

    /// What an operator makes of some atoms.
    pub(super) fn step(&self, operator: usize, atoms: &[u16]) -> Step {
        let mut images = Vec::with_capacity(atoms.len());
        for &atom in atoms {
            match self.image(operator, atom) {
                Some(image) => images.push(image),
                None => return Step::Refused(atom),
            }
        }
        Step::Atoms(images)
    }
}

/// The number of an atom. [`Encoding::new`] checks that all fit.
pub(super) fn atom(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// What an operator makes of each atom.
fn images(
    operator: &PlaceOperator,
    values: &[usize],
    first: &[usize],
) -> Result<Vec<Option<u16>>, EncodingError> {
    let wrong = |what: &str| EncodingError(format!("operator {}: {what}", operator.name));
    let sorted = |place: fn(&ValueMove) -> usize| {
        let mut places: Vec<usize> = operator.moves.iter().map(place).collect();
        places.sort_unstable();
        places
    };
    let (from, to) = (sorted(|one| one.from), sorted(|one| one.to));
    if from != to || from.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(wrong("expected moves that permute some places"));
    }
    let mut images: Vec<Option<u16>> = (0..first[values.len()]).map(|a| Some(atom(a))).collect();
    for one in &operator.moves {
        let known = values.get(one.from).zip(values.get(one.to));
        let Some((&before, &after)) = known.filter(|(before, _)| **before == one.values.len())
        else {
            return Err(wrong("expected a value or none for each value of a place"));
        };
        for (value, image) in (0..before).zip(&one.values) {
            if image.is_some_and(|image| image >= after) {
                return Err(wrong("a value is out of range"));
            }
            images[first[one.from] + value] = image.map(|image| atom(first[one.to] + image));
        }
    }
    Ok(images)
}
