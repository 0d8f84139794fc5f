//! Sets of families, tried by elimination modulo primes.

/// The columns of the families and the target, modulo a prime, after the elimination of all chosen
/// families. Rows that the prime does not divide are 0.
#[derive(Clone)]
pub(super) struct Residues<const D: usize> {
    prime: u8,
    columns: Vec<[u8; D]>,
    target: [u8; D],
}

impl<const D: usize> Residues<D> {
    /// `None` if the prime is too large.
    pub(super) fn new(
        prime: u32,
        lengths: &[u32],
        columns: &[&[u32]],
        target: &[u32],
    ) -> Option<Self> {
        let small = u8::try_from(prime).ok().filter(|&prime| prime < 128)?;
        let residues = |row: &[u32]| {
            let mut residues = [0; D];
            let rows = row.iter().zip(lengths).filter(|(_, length)| length.is_multiple_of(prime));
            for (residue, (x, _)) in residues.iter_mut().zip(rows) {
                *residue = u8::try_from(x % prime).unwrap_or(0);
            }
            residues
        };
        let columns = columns.iter().map(|column| residues(column)).collect();
        Some(Self { prime: small, columns, target: residues(target) })
    }

    /// Chooses a family: `next` gets what is left of the later families and the target.
    fn eliminate(&self, family: usize, next: &mut Self) {
        let column = &self.columns[family];
        let Some(pivot) = column.iter().position(|&x| x != 0) else {
            next.columns[family + 1..].copy_from_slice(&self.columns[family + 1..]);
            next.target = self.target;
            return;
        };
        let p = self.prime;
        // Added to a column, it takes 1 from the number in the row of the pivot.
        let unit = (1..p).find(|&x| product(x, column[pivot], p) == 1).unwrap_or(1);
        let mut base = [0; D];
        for (x, &y) in base.iter_mut().zip(column) {
            *x = product(y, p - unit, p);
        }
        let reduced = |of: &[u8; D]| (0..of[pivot]).fold(*of, |x, _| sum(&x, &base, p));
        for later in family + 1..self.columns.len() {
            next.columns[later] = reduced(&self.columns[later]);
        }
        next.target = reduced(&self.target);
    }

    /// Whether the target is a multiple of the column of a family.
    fn ends_with(&self, family: usize) -> bool {
        let column = &self.columns[family];
        let Some(pivot) = self.target.iter().position(|&x| x != 0) else { return true };
        if column[pivot] == 0 {
            return false;
        }
        let (a, b, p) = (self.target[pivot], column[pivot], self.prime);
        self.target.iter().zip(column).all(|(&x, &y)| product(x, b, p) == product(y, a, p))
    }
}

fn product(a: u8, b: u8, p: u8) -> u8 {
    u8::try_from(u16::from(a) * u16::from(b) % u16::from(p)).unwrap_or(0)
}

/// The sum of two columns below `p`, which is below 128.
#[inline(always)]
fn sum<const D: usize>(a: &[u8; D], b: &[u8; D], p: u8) -> [u8; D] {
    let mut sum = [0; D];
    for i in 0..D {
        let x = a[i] + b[i];
        // The lesser of the two is the one below `p`.
        sum[i] = x.min(x.wrapping_sub(p));
    }
    sum
}

/// A search over sets of families.
pub(super) struct Choices<'a, T> {
    /// The number of families.
    pub(super) families: usize,
    /// What a set gives that passes modulo all primes, if it fits.
    pub(super) fits: &'a dyn Fn(&[usize]) -> Option<T>,
    /// Gets the number of sets now and then, and returns whether to stop.
    pub(super) stop: &'a mut dyn FnMut(u64) -> bool,
    pub(super) sets: u64,
    /// The work since the last question whether to stop, in sets that do not pass.
    pub(super) work: u64,
    pub(super) is_stopped: bool,
}

impl<T> Choices<'_, T> {
    /// Tries all ways to add families from `first` on to the chosen ones, one for each of `levels`.
    /// Returns what the first fitting set gives. `levels` have what is left at present, and room
    /// for what is left behind each family but the last.
    pub(super) fn search<const D: usize>(
        &mut self,
        levels: &mut [Vec<Residues<D>>],
        first: usize,
        chosen: &mut Vec<usize>,
    ) -> Option<T> {
        let (own, rest) = levels.split_first_mut()?;
        for family in first..self.families - rest.len() {
            chosen.push(family);
            let found = match rest.first_mut() {
                None => {
                    let passes = own.iter().all(|residues| residues.ends_with(family));
                    self.sets += 1;
                    self.work += if passes { EXACT } else { 1 };
                    if self.work >= LOOK {
                        self.work = 0;
                        self.is_stopped |= (self.stop)(self.sets);
                    }
                    if passes { (self.fits)(chosen) } else { None }
                }
                Some(next) => {
                    own.iter().zip(next).for_each(|(from, to)| from.eliminate(family, to));
                    self.search(rest, family + 1, chosen)
                }
            };
            chosen.pop();
            if found.is_some() || self.is_stopped {
                return found;
            }
        }
        None
    }
}

/// The work between two questions whether to stop: less than a millisecond.
const LOOK: u64 = 1 << 14;

/// The work for a set that passes.
const EXACT: u64 = 1 << 10;
