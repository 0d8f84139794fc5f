//! Linear equations over numbers modulo others.

/// Numbers `x` for which the sum of `x[i] * columns[i]` is `target`, in each row modulo its length.
/// `None` if there are none. `modulus` is a multiple of all lengths.
pub(super) fn solve(
    lengths: &[u32],
    modulus: u32,
    columns: &[&[u32]],
    target: &[u32],
) -> Option<Vec<u32>> {
    let n = i64::from(modulus);
    // A row modulo its length is a row modulo `n` times the rest.
    let scaled = |row: &[u32]| -> Vec<i64> {
        row.iter()
            .zip(lengths)
            .map(|(&x, &length)| i64::from(x) * (n / i64::from(length)))
            .collect()
    };
    // A column, and how it is made of the given ones.
    let unit = |at: usize| (0..columns.len()).map(|other| i64::from(other == at)).collect();
    let mut left: Vec<(Vec<i64>, Vec<i64>)> =
        columns.iter().enumerate().map(|(at, column)| (scaled(column), unit(at))).collect();
    let (mut rest, mut solution) = (scaled(target), vec![0; columns.len()]);
    for row in 0..lengths.len() {
        let Some((column, parts)) = pivot(&mut left, row, n) else {
            if rest[row] != 0 {
                return None;
            }
            continue;
        };
        let divisor = gcd(column[row], n);
        if rest[row] % divisor != 0 {
            return None;
        }
        let inverse = inverse(column[row] / divisor, n / divisor);
        let times = rest[row] / divisor * inverse % (n / divisor);
        subtract(&mut rest, times, &column, n);
        subtract(&mut solution, -times, &parts, n);
        // This multiple of the column is 0 in the row, and may be needed below.
        let multiple = |of: &[i64]| of.iter().map(|x| x * (n / divisor) % n).collect();
        left.push((multiple(&column), multiple(&parts)));
    }
    Some(solution.into_iter().map(|x| u32::try_from(x).unwrap_or(0)).collect())
}

/// Subtracts a multiple of one column from another, modulo `n`.
fn subtract(from: &mut [i64], times: i64, column: &[i64], n: i64) {
    from.iter_mut().zip(column).for_each(|(x, y)| *x = (*x - times * y).rem_euclid(n));
}

/// Makes all columns but one 0 in a row, and takes that one out. `None` if all are 0 there.
fn pivot(left: &mut Vec<(Vec<i64>, Vec<i64>)>, row: usize, n: i64) -> Option<(Vec<i64>, Vec<i64>)> {
    loop {
        let others = left.iter().enumerate().filter(|(_, (column, _))| column[row] != 0);
        let least = others.min_by_key(|(_, (column, _))| column[row])?.0;
        let (column, parts) = left[least].clone();
        let mut changed = false;
        for (other, (next, made)) in left.iter_mut().enumerate() {
            let times = next[row] / column[row];
            if other != least && times > 0 {
                subtract(next, times, &column, n);
                subtract(made, times, &parts, n);
                changed = true;
            }
        }
        if !changed {
            return Some(left.swap_remove(least));
        }
    }
}

pub(super) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The inverse of a number modulo `n`, to which it is coprime.
fn inverse(a: i64, n: i64) -> i64 {
    let (mut old, mut new) = ((a.rem_euclid(n.max(1)), 1), (n, 0));
    while new.0 != 0 {
        let times = old.0 / new.0;
        (old, new) = (new, (old.0 - times * new.0, old.1 - times * new.1));
    }
    old.1.rem_euclid(n.max(1))
}
