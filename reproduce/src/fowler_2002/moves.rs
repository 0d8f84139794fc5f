//! Moves of the cube in Fowler (2002): notation, legality, and the superflip.

use crate::{Findings, Lab, Row};
use fewest::Failure;
use fewest::cube::notation::{named, parse_moves};
use fewest::cube::{Cube, Cycles, Parts};

/// The cube after moves from the solved state.
fn moved(moves: &str) -> Result<Cube, Failure> {
    Ok(Cube::SOLVED.moved(&parse_moves(moves).map_err(Failure::refused)?))
}

/// The pieces that are not at home, or not in their home orientation.
fn changed(cube: &Cube) -> usize {
    let corner = |slot: &usize| usize::from(cube.corner(*slot)) != *slot || cube.twist(*slot) > 0;
    let edge = |slot: &usize| usize::from(cube.edge(*slot)) != *slot || cube.flip(*slot) > 0;
    (0..8).filter(corner).count() + (0..12).filter(edge).count()
}

/// F1 and F2.
pub(super) fn legality(_: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let with_square = moved("L (U2 L B' D2 B L')2 L'")?;
    let twists = Cycles(&with_square).to_string();
    let pieces = changed(&with_square);
    out.row(Row::exact("F1", "pieces that L (U2 L B' D2 B L')2 L' changes", 2_usize, pieces));
    let twisted = with_square.twist(2) > 0 && with_square.twist(3) > 0;
    let turned = with_square.corner(2) == 2 && with_square.corner(3) == 3;
    let what = "it twists ULB and UBR where they are, in opposite ways";
    let opposite = (with_square.twist(2) + with_square.twist(3)) % 3 == 0;
    out.row(
        Row::holds("F1", what, twisted && turned && opposite).remark(format!("ours: {twists}")),
    );
    let without = changed(&moved("L U2 L B' D2 B L' L'")?);
    let evidence = "in the copy that we read, the square is lost; without it the macro changes \
        many pieces, with it these two";
    let what = "pieces that the macro changes without its square";
    out.row(Row::wrong("F1", what, 2_usize, without, evidence));

    let solved = Parts::SOLVED;
    let mut twisted = solved;
    twisted.twists[0] = 1;
    let mut flipped = solved;
    flipped.flips[0] = 1;
    let mut swapped = solved;
    swapped.edges.swap(0, 1);
    let legal = |parts: &Parts| {
        let cube = Cube::from_parts(parts).map_err(Failure::refused)?;
        Ok::<_, Failure>(if cube.check().is_ok() { "solvable" } else { "not solvable" })
    };
    for (what, parts, claim) in [
        ("one twisted corner", twisted, "not solvable"),
        ("one flipped edge", flipped, "not solvable"),
        ("two edges that are swapped", swapped, "not solvable"),
        ("the cube after the macro", with_square.parts(), "solvable"),
    ] {
        out.row(Row::exact("F2", what, claim, legal(&parts)?));
    }
    let sum = with_square.parts().twists.iter().map(|&twist| u64::from(twist)).sum::<u64>() % 3;
    out.row(
        Row::exact("F2", "sum of its eight twists modulo 3", 0_u64, sum).remark(
            "page 9 prints \"v1 .. v12 .. mod 2\": twists are eight, and are summed modulo 3",
        ),
    );
    Ok(())
}

/// F6 and F7.
pub(super) fn superflip(_: &Lab<'_>, out: &mut dyn Findings) -> Result<(), Failure> {
    let superflip = Cube::from_parts(&Parts { flips: [1; 12], ..Parts::SOLVED });
    let superflip = superflip.map_err(Failure::refused)?;
    let half = "F B U2 R F2 R2 B2 U' D F U2 R' L' U B2 D R2 U B2 U";
    let quarter = "R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'";
    let double = quarter.split(' ').filter(|turn| turn.contains('2')).count();
    out.row(Row::exact("F6", "half turns of Winter's macro", 20_usize, half.split(' ').count()));
    out.row(Row::holds("F6", "it makes the superflip", moved(half)? == superflip));
    out.row(Row::exact(
        "F6",
        "quarter turns of the other macro",
        24_usize,
        quarter.split(' ').count() + double,
    ));
    let credit = "the thesis credits Longridge, the Cube-Lovers list Reid";
    out.row(
        Row::holds("F6", "it makes the superflip", moved(quarter)? == superflip).remark(credit),
    );
    let known = named("superflip") == Some(superflip);
    out.row(Row::holds("F6", "the named position `superflip` is the same cube", known));
    for (what, then, now) in [
        ("half turns", "20 to 29", "20, proven in 2010 (Rokicki, Kociemba, Davidson, Dethridge)"),
        ("quarter turns", "24 to 42", "26, proven in 2014 (Rokicki, Davidson)"),
    ] {
        let what = format!("bounds of God's number, {what}");
        out.row(Row::history("F7", what, then, None).remark(format!("today it is {now}")));
    }
    Ok(())
}
