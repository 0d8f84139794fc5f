//! The symmetries of the cube: Appendix B of Fowler (2002).

use super::{Findings, Lab, Row};
use fewest::Failure;
use fewest::cube::symmetry::{COUNT, mirrored, product, relabel_face};
use std::collections::BTreeSet;

/// The image of a direction under a symmetry. Face `f` looks along axis `f % 3`, backward from face
/// 3 on.
fn image(symmetry: usize, direction: [i32; 3]) -> [i32; 3] {
    let mut image = [0; 3];
    for (axis, part) in direction.into_iter().enumerate() {
        let (face, _) = relabel_face(symmetry, axis);
        image[face % 3] = if face < 3 { part } else { -part };
    }
    image
}

/// The symmetry's powers, the identity last.
fn powers(symmetry: usize) -> Vec<usize> {
    let mut powers = vec![symmetry];
    while let Some(&last) = powers.last()
        && last != 0
    {
        powers.push(product(last, symmetry));
    }
    powers
}

/// A direction that the symmetry keeps, as smallest whole numbers. The first part that is not 0 is
/// positive.
fn axis(symmetry: usize) -> [i32; 3] {
    // No axis is at right angles to this direction, so the sum of its images is not 0.
    let general = [1, 10, 100];
    let mut sum = [0; 3];
    for power in powers(symmetry) {
        sum.iter_mut().zip(image(power, general)).for_each(|(sum, part)| *sum += part);
    }
    let length = sum.iter().map(|part| part.abs()).max().unwrap_or(1).max(1);
    let sign = sum.iter().find(|part| **part != 0).map_or(1, |part| part.signum());
    sum.map(|part| part * sign / length)
}

/// The number of symmetries that these generate.
fn generated(generators: &[usize]) -> usize {
    let mut all = BTreeSet::from([0]);
    let mut fresh = vec![0];
    while let Some(symmetry) = fresh.pop() {
        let next = generators.iter().map(|&generator| product(symmetry, generator));
        fresh.extend(next.filter(|&next| all.insert(next)).collect::<Vec<_>>());
    }
    all.len()
}

/// F24.
pub(super) fn run(_: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let rotations: Vec<usize> = (0..COUNT).filter(|&one| !mirrored(one)).collect();
    out.row(Row::exact("F24", "rotations", 24_usize, rotations.len()));
    let axes: BTreeSet<_> =
        rotations.iter().filter(|&&one| one != 0).map(|&one| axis(one)).collect();
    out.row(Row::exact("F24", "axes of rotation", 13_usize, axes.len()));
    let through = |parts: usize| {
        let is_such = |one: &&usize| {
            **one != 0 && axis(**one).iter().filter(|part| **part != 0).count() == parts
        };
        rotations.iter().filter(is_such).count()
    };
    for (what, parts, published) in [("faces", 1, 9), ("corners", 3, 8), ("edges", 2, 6)] {
        let what = format!("rotations about axes through {what}");
        out.row(Row::exact("F24", what, published as usize, through(parts)));
    }
    // A reflection in a plane is its own inverse and turns one direction round. The other symmetry
    // of this kind turns all directions round.
    let turns_all = |one: usize| image(one, [1, 10, 100]) == [-1, -10, -100];
    let is_plane = |one: &usize| mirrored(*one) && powers(*one).len() == 2 && !turns_all(*one);
    let planes: Vec<usize> = (0..COUNT).filter(is_plane).collect();
    out.row(Row::exact("F24", "planes of reflection", 9_usize, planes.len()));
    let with_inversion: Vec<usize> =
        rotations.iter().copied().chain((0..COUNT).filter(|&one| turns_all(one))).collect();
    out.row(Row::exact(
        "F24",
        "symmetries with the inversion",
        48_usize,
        generated(&with_inversion),
    ));
    let sixes = (0..1_u32 << planes.len()).filter(|set| set.count_ones() == 6);
    let chosen = |set: u32| {
        let members = planes.iter().enumerate().filter(move |(number, _)| set >> number & 1 == 1);
        members.map(|(_, &plane)| plane).collect::<Vec<_>>()
    };
    let orders: Vec<usize> = sixes.map(|set| generated(&chosen(set))).collect();
    let whole = orders.iter().filter(|&&order| order == COUNT).count();
    let least = orders.iter().min().copied().unwrap_or(0);
    let what = "six reflections generate all 48";
    out.row(Row::holds("F24", what, whole > 0).remark(format!(
        "{whole} of the {} sets of six planes do; the other sets generate {least}",
        orders.len()
    )));
    Ok(())
}
