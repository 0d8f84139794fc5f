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

/// An operator: it permutes the values of some places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceOperator {
    /// The name, for comments in the formula.
    pub name: String,
    /// The cost.
    pub cost: usize,
    /// One item for each place that the operator changes or that decides whether it applies.
    pub moves: Vec<ValueMove>,
}

/// Why an [`Encoding`] is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EncodingError(String);

/// A puzzle whose states give each place a value, with the start and the goals of one search.
///
/// An *atom* is a place with a value. Atoms are numbered place by place. Atoms that operators turn
/// into each other are of one *kind*: such as the squares of one tile, or the slots and
/// orientations of one piece. No operator changes how many atoms of a kind a state has.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub(super) operators: Vec<PlaceOperator>,
    /// The start and the goals, as the atoms of all places in order.
    pub(super) start: Vec<u16>,
    pub(super) goals: Vec<Vec<u16>>,
    /// The first atom of each place, and the number of all atoms.
    pub(super) first: Vec<usize>,
    /// The place of each atom.
    pub(super) place: Vec<usize>,
    /// By operator and atom: the atom that it becomes. `None` if the operator does not apply.
    images: Vec<Vec<Option<u16>>>,
    /// By operator and atom: the atom that becomes this one.
    preimages: Vec<Vec<Option<u16>>>,
    /// The kind of each atom.
    pub(super) kind: Vec<usize>,
    /// The atoms of each kind.
    pub(super) kinds: Vec<Vec<u16>>,
    /// Places of the first goal whose pieces make a pattern.
    pub(super) patterns: Vec<Vec<usize>>,
}

impl Encoding {
    /// Encodes a search. `start` and each of `goals` give the value at each place. `values` has the
    /// number of values that each place can have.
    ///
    /// # Errors
    /// - There is no goal.
    /// - `start` or a goal lacks a value for a place, [`ValueMove::values`] lacks an item for a
    ///   value, or a value is out of range.
    /// - The moves of an operator do not permute a set of places, or make two values the same.
    /// - There are more than 65,534 atoms.
    pub fn new(
        values: &[usize],
        operators: Vec<PlaceOperator>,
        start: &[usize],
        goals: &[Vec<usize>],
    ) -> Result<Self, EncodingError> {
        let mut first = vec![0];
        first.extend(values.iter().scan(0_usize, |sum, &count| {
            *sum = sum.saturating_add(count);
            Some(*sum)
        }));
        let count = first[values.len()];
        if count >= usize::from(u16::MAX) {
            return Err(EncodingError(format!("{count} places with values, at most 65534")));
        }
        let place = values.iter().enumerate().flat_map(|(place, &n)| vec![place; n]).collect();
        let atoms = |what: &str, state: &[usize]| {
            let fits = state.len() == values.len() && state.iter().zip(values).all(|(v, n)| v < n);
            let expected = || EncodingError(format!("{what}: expected a value for each place"));
            fits.then(|| state.iter().zip(&first).map(|(&v, &at)| atom(at + v)).collect())
                .ok_or_else(expected)
        };
        let start = atoms("start", start)?;
        let goals: Vec<Vec<u16>> =
            goals.iter().map(|goal| atoms("goal", goal)).collect::<Result<_, _>>()?;
        if goals.is_empty() {
            return Err(EncodingError("expected a goal".to_owned()));
        }
        let images = operators.iter().map(|operator| images(operator, values, &first));
        let images: Vec<Vec<_>> = images.collect::<Result<_, _>>()?;
        let preimages = operators.iter().zip(&images).map(|(one, images)| preimages(one, images));
        let preimages = preimages.collect::<Result<_, _>>()?;
        let (kind, kinds) = kinds(count, &images);
        let patterns = Vec::new();
        Ok(Self { operators, start, goals, first, place, images, preimages, kind, kinds, patterns })
    }

    /// The same search with patterns for its tables of distances. Each pattern is a list of places:
    /// those where its pieces lie in the first goal. Patterns of more than 8 pieces have no table.
    #[must_use]
    pub fn with_patterns(self, patterns: Vec<Vec<usize>>) -> Self {
        Self { patterns, ..self }
    }

    /// The number of atoms.
    pub(super) fn atoms(&self) -> usize {
        self.place.len()
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.start.len()
    }

    /// The place of an atom.
    pub(super) fn place_of(&self, atom: u16) -> usize {
        self.place[usize::from(atom)]
    }

    /// The kind of an atom.
    pub(super) fn kind_of(&self, atom: u16) -> usize {
        self.kind[usize::from(atom)]
    }

    /// Sorts the atoms of a state by their kinds. So each position of a sorted state has atoms of
    /// one kind.
    pub(super) fn sort(&self, atoms: &mut [u16]) {
        atoms.sort_unstable_by_key(|&atom| (self.kind_of(atom), atom));
    }

    /// The atoms of a place.
    pub(super) fn atoms_at(&self, place: usize) -> impl Iterator<Item = u16> + use<> {
        (self.first[place]..self.first[place + 1]).map(atom)
    }

    /// Whether each goal has as many atoms of each kind as the start.
    pub(super) fn goals_have_pieces_of_start(&self) -> bool {
        let kinds = |state: &[u16]| {
            let mut kinds: Vec<usize> = state.iter().map(|&atom| self.kind_of(atom)).collect();
            kinds.sort_unstable();
            kinds
        };
        self.goals.iter().all(|goal| kinds(goal) == kinds(&self.start))
    }

    /// What an operator makes of one atom. `None` if it does not apply.
    pub(super) fn image(&self, operator: usize, atom: u16) -> Option<u16> {
        self.images[operator][usize::from(atom)]
    }

    /// What an operator makes this atom of. `None` if there is no such atom.
    pub(super) fn preimage(&self, operator: usize, atom: u16) -> Option<u16> {
        self.preimages[operator][usize::from(atom)]
    }

    /// What an operator makes of some atoms, in their order. `None` if it does not apply.
    pub(super) fn step(&self, operator: usize, atoms: &[u16]) -> Option<Vec<u16>> {
        atoms.iter().map(|&atom| self.image(operator, atom)).collect()
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

/// The atom that becomes each atom.
fn preimages(
    operator: &PlaceOperator,
    images: &[Option<u16>],
) -> Result<Vec<Option<u16>>, EncodingError> {
    let mut preimages = vec![None; images.len()];
    for (before, &image) in images.iter().enumerate() {
        let Some(image) = image else { continue };
        if preimages[usize::from(image)].replace(atom(before)).is_some() {
            let wrong = format!("operator {}: two values become the same", operator.name);
            return Err(EncodingError(wrong));
        }
    }
    Ok(preimages)
}

/// The kind of each atom, and the atoms of each kind.
fn kinds(atoms: usize, images: &[Vec<Option<u16>>]) -> (Vec<usize>, Vec<Vec<u16>>) {
    let mut near = vec![Vec::new(); atoms];
    for (before, after) in images.iter().flat_map(|images| images.iter().enumerate()) {
        if let Some(after) = after.map(usize::from).filter(|&after| after != before) {
            near[before].push(after);
            near[after].push(before);
        }
    }
    let (mut kind, mut kinds) = (vec![usize::MAX; atoms], Vec::new());
    for first in 0..atoms {
        let (mut open, mut of_kind) = (vec![first], Vec::new());
        while let Some(next) = open.pop() {
            if kind[next] == usize::MAX {
                kind[next] = kinds.len();
                of_kind.push(atom(next));
                open.extend(&near[next]);
            }
        }
        if !of_kind.is_empty() {
            of_kind.sort_unstable();
            kinds.push(of_kind);
        }
    }
    (kind, kinds)
}
