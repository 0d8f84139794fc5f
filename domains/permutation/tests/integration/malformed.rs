//! Errors about every kind of malformed line of a definition: the place, what was found, what was
//! expected, and the hint.

use crate::puzzles::tws;
use fewest_permutation::{Definition, ReadLimits};

const HEAD: &str = "Name T\nSet A 3 2\nSet B 2 1\nSolved\nA\n1 2 3\n0 0 0\nEnd\n";
const MOVES: &str = "Move M\nA\n2 3 1\n1 0 1\nEnd\nMove N\nB\n2 1\nEnd\n";

/// Checks the complaint about a text. The `@` marks the place to which the complaint must point.
#[track_caller]
fn check(marked: &str, complaint: &str) {
    let at = marked.find('@').expect("a mark");
    let text = marked.replacen('@', "", 1);
    let error = Definition::from_tws(&text, &ReadLimits::default()).expect_err(marked);
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    assert_eq!(error.place(), Some((line, column)), "{marked}\n{error}");
    let found = error.complaint().expect("a complaint").to_string();
    assert!(found.starts_with(complaint), "{marked}\nfound:    {found}\nexpected: {complaint}");
}

#[test]
fn the_texts_without_errors_are_read() {
    tws(&format!("{HEAD}{MOVES}"));
}

#[test]
fn heads() {
    for (text, complaint) in [
        ("@", "found the end of the file, expected Name, Set or Solved"),
        ("Name@", "found the end of the line, expected Name and a name"),
        ("Name A @# b", "found `#`, expected a name (a comment begins with # as the very first"),
        ("Name A\n@Name B", "found a second Name, expected one name"),
        ("@Sets A 1 1", "found `Sets`, expected Name, Set or Solved"),
        (
            "@set A 1 1",
            "found `set`, expected Name, Set or Solved (upper and lower case differ: did you mean `Set`?)",
        ),
        (
            "@Move A",
            "found `Move`, expected Name, Set or Solved (Solved stands after all Sets and before everything else)",
        ),
        (
            "Set A 3@",
            "found the end of the line, expected Set, a name, the number of pieces and that of orientations",
        ),
        ("Set A 3 2 @1", "found `1`, expected the end of the line after Set, a name"),
        (
            "Set A 3 2 @# twist",
            "found `#`, expected the end of the line after Set, a name, the number of pieces and that of orientations (a comment",
        ),
        ("Set A @x 2", "found `x`, expected a number of pieces from 1 to 65536"),
        ("Set A @0 2", "found `0`, expected a number of pieces from 1 to 65536"),
        (
            "Set A @99999999999 2",
            "found `99999999999`, expected a number of pieces from 1 to 65536",
        ),
        ("Set A 3 @0", "found `0`, expected a number of orientations from 1 to 255"),
        ("Set A 3 @256", "found `256`, expected a number of orientations from 1 to 255"),
        ("Set @12 3 2", "found `12`, expected a name of a set that is no number"),
        ("Set @End 3 2", "found `End`, expected a name that does not begin with #"),
        ("Set A 3 2\nSet @A 2 2", "found a second set `A`, expected sets of different names"),
        ("Set A 40000 2\nSet B @40000 2", "found 80000 slots in all sets, expected at most 65536"),
        (
            "@Solved\nEnd",
            "found no set of pieces, expected at least one (all Sets stand before Solved)",
        ),
        ("Set A 3 2\nSolved @x", "found `x`, expected the end of the line after this word"),
        ("Name \u{a0}x\nSet A 3 2\nSolved\nEnd", ""),
    ] {
        if text.contains('@') {
            check(text, complaint);
        } else {
            assert!(Definition::from_tws(text, &ReadLimits::default()).is_err());
        }
    }
}

#[test]
fn states() {
    for (block, complaint) in [
        ("A\n1 2@\nEnd", "found the end of the line after 2, expected 3 pieces for set `A`"),
        ("A\n1 2 3 @4\nEnd", "found `4`, expected the end of the line after 3 pieces for set `A`"),
        ("A\n@0 1 2\nEnd", "found `0`, expected a piece from 1 to 65535 (Move, Solved, Scramble"),
        (
            "A\n1 @? 3\nEnd",
            "found `?`, expected a piece from 1 to 65535 (? stands for an unknown orientation",
        ),
        ("A\n1 @-2 3\nEnd", "found `-2`, expected a piece from 1 to 65535"),
        ("A\n1 2 @70000\nEnd", "found `70000`, expected a piece from 1 to 65535"),
        ("A\n1 2 3\n0 @2 0\nEnd", "found `2`, expected an orientation or ? from 0 to 1"),
        ("A\n1 2 3\n0 @x 0\nEnd", "found `x`, expected an orientation or ? from 0 to 1"),
        (
            "A\n1 2 3\n0 0@\nEnd",
            "found the end of the line after 2, expected 3 orientations for set `A`",
        ),
        ("A\n1 2 3\n0 0 0 @0\nEnd", "found `0`, expected the end of the line after 3 orientations"),
        (
            "A\n1 2 3\n0 0 0\n@0 0 0\nEnd",
            "found `0`, expected the name of a set, or End (in a block a set has one line",
        ),
        (
            "A\n1 1 3\n0 @? 0\nEnd",
            "found identical pieces of which not the same is known, expected the same known of both in set `A` (identical",
        ),
        (
            "A\n1 1 3\n0 @0?5 0\nEnd",
            "found `0?5`, expected ?, or A?D with a divisor D of 2 below it",
        ),
        ("@C\n1 2 3\nEnd", "found `C`, expected the name of a set, or End"),
        (
            "@a\n1 2 3\nEnd",
            "found `a`, expected the name of a set, or End (upper and lower case differ: did you mean `A`?)",
        ),
        (
            "@end",
            "found `end`, expected the name of a set, or End (upper and lower case differ: did you mean `End`?)",
        ),
        ("A @1 2 3\nEnd", "found `1`, expected the end of the line after the name of a set"),
        ("A\n1 2 3\n@A\n1 2 3\nEnd", "found set `A` again, expected each set once"),
        (
            "A\n1 2 3\n@",
            "found the end of the file, expected the name of a set, or End (a block of sets ends with a line End)",
        ),
        (
            "A\n1 2 3\n@Move M\n",
            "found `Move`, expected the name of a set, or End (a block of sets ends with a line End)",
        ),
        ("A\n1 2 @# 3\nEnd", "found `#`, expected a piece from 1 to 65535 (a comment begins"),
        ("A\n1 2 3\nEnd @#", "found `#`, expected the end of the line after End (a comment begins"),
        ("A\n@End", "found `End`, expected a line of 3 numbers for set `A`"),
    ] {
        check(&format!("Set A 3 2\nSet B 2 1\nSolved\n{block}"), complaint);
    }
    let zero = "Set A 3 2\nStartState\nA\n0 1 @65535\nEnd\n";
    check(zero, "found `65535`, expected a piece from 0 to 65534 (Move, Solved");
    check(
        "Set A 2 4\nSolved\nA\n1 2\n0 @2?2\nEnd",
        "found `2`, expected an orientation or ? from 0 to 1",
    );
}

#[test]
fn moves() {
    for (tail, complaint) in [
        ("@", "found no move, expected at least one Move"),
        ("Move@", "found the end of the line, expected Move and a name"),
        ("Move M @x", "found `x`, expected the end of the line after Move and a name"),
        (
            "@Moves M",
            "found `Moves`, expected one of the words Move, MoveTransformation, MoveAlias",
        ),
        ("@move M", "found `move`, expected one of the words Move"),
        ("@Set C 2 2", "found `Set`, expected one of the words Move"),
        ("@End", "found `End`, expected one of the words Move"),
        ("@0 0 0", "found `0`, expected one of the words Move"),
        (" @# no", "found `#`, expected one of the words Move"),
        (
            "Move @(a)\nA\n2 1 3\nEnd",
            "found `(a)`, expected a name without ( ) [ ] , : which group moves",
        ),
        ("Move @#\nA\n2 1 3\nEnd", "found `#`, expected a name that does not begin with #"),
        ("Move M\nA\n2 3@\nEnd", "found the end of the line after 2, expected 3 slots for set `A`"),
        ("Move M\nA\n2 3 1 @1\nEnd", "found `1`, expected the end of the line after 3 slots"),
        (
            "Move M\nA\n2 @0 1\nEnd",
            "found `0`, expected a slot from 1 to 3 (Move, Solved, Scramble, Illegal, Block and Goal count from 1",
        ),
        ("Move M\nA\n2 @4 1\nEnd", "found `4`, expected a slot from 1 to 3 (Move, Solved"),
        ("Move M\nA\n2 @9 1\nEnd", "found `9`, expected a slot from 1 to 3"),
        (
            "Move M\nA\n2 3 @2\nEnd",
            "found `2` again, expected each slot from 1 to 3 once (a move takes each slot once",
        ),
        ("Move M\nA\n2 @? 1\nEnd", "found `?`, expected a slot from 1 to 3 (? stands for"),
        ("Move M\nA\n2 3 1\n0 @2 0\nEnd", "found `2`, expected an orientation from 0 to 1"),
        ("Move M\nA\n2 3 1\n0 @? 0\nEnd", "found `?`, expected an orientation from 0 to 1"),
        (
            "Move M\nB\n2 1\n@1 0\nEnd",
            "found `1`, expected an orientation from 0 to 0 (to tie pieces to one that turns",
        ),
        (
            "MoveTransformation M\nA\n1 @3 0\nEnd",
            "found `3`, expected a slot from 0 to 2 (Move, Solved",
        ),
        (
            "Move @M\nEnd",
            "found the move `M`, which changes nothing, expected a move that changes something",
        ),
        (
            "Move M\nA\n2 3 1\nEnd\nMove @M\nB\n2 1\nEnd",
            "found a second move `M`, expected moves of different names",
        ),
        (
            "Move M\nA\n2 3 1\nEnd\nMove @M2\nB\n2 1\nEnd",
            "found the move `M2`, which is not that power of M, expected another name, as this one means two things (powers such as",
        ),
        (
            "Move M\nA\n2 3 1\nEnd\nMove @M'\nA\n2 3 1\nEnd",
            "found the move `M'`, which is not that power of M",
        ),
    ] {
        check(&format!("{HEAD}{tail}"), complaint);
    }
}

#[test]
fn derived_moves() {
    for (tail, complaint) in [
        (
            "MoveAlias X@",
            "found the end of the line, expected MoveAlias, a new name and the name of a move",
        ),
        ("MoveAlias X M @N", "found `N`, expected the end of the line after MoveAlias"),
        (
            "MoveAlias X @Q",
            "found `Q`, expected a move of this puzzle, with a number or ' after it",
        ),
        (
            "MoveAlias X @m",
            "found `m`, expected a move of this puzzle, with a number or ' after it (upper and lower case differ: did you mean `M`?)",
        ),
        ("MoveAlias @N M", "found a second move `N`, expected moves of different names"),
        ("MoveAlias @End M", "found `End`, expected a name that does not begin with #"),
        (
            "MoveSequence X@",
            "found the end of the line, expected MoveSequence, a new name and moves",
        ),
        ("MoveSequence X M N @Q2", "found `Q2`, expected a move of this puzzle"),
        (
            "MoveSequence X M N @# end",
            "found `#`, expected a move of this puzzle, with a number or ' after it (a comment begins",
        ),
        ("MoveSequence X M (N M@", "found the end, expected a move or `)`"),
        ("MoveSequence X M@0", "found `0`, expected a number from 1 to 1000000000"),
        ("MoveSequence X @()", "found `X` without moves, expected at least one move"),
        (
            "MoveSequence X (M N)@5001",
            "found `5001`, expected at most 10000 moves when groups are written out",
        ),
        (
            "MoveSequence @X Y\nMoveSequence Y X",
            "found a cycle of derived moves, expected a move that does not stand for itself in the end",
        ),
        ("NamedSequence @X X2 M", "found a cycle of derived moves"),
        ("MoveSequence @X Y N\nNamedSequence Y X", "found a cycle of derived moves"),
        (
            "NamedSequence X@",
            "found the end of the line, expected NamedSequence, a new name and moves",
        ),
        (
            "NamedSequence Y M M'\nMoveSequence @X Y",
            "found the move `X`, which changes nothing, expected a move that changes something",
        ),
        (
            "NamedSequence Y M N\nMoveSequence X N\nMoveSequence @X2 Y",
            "found the move `X2`, which is not that power of X",
        ),
        (
            "MoveSequence X N\nMoveSequence W M\nNamedSequence @X2 W",
            "found the move `X2`, which is not that power of X",
        ),
        ("MoveAlias @M2 N", "found the move `M2`, which is not that power of M"),
    ] {
        check(&format!("{HEAD}{MOVES}{tail}"), complaint);
    }
}

#[test]
fn rules() {
    for (tail, complaint) in [
        (
            "Illegal A 1@",
            "found the end of the line, expected Illegal, the name of a set, a slot and pieces",
        ),
        ("Illegal @C 1 2", "found `C`, expected the name of a set"),
        ("Illegal A @0 2", "found `0`, expected a slot from 1 to 3 (Move, Solved"),
        ("Illegal A @4 2", "found `4`, expected a slot from 1 to 3 (Move, Solved"),
        ("Illegal A 1 @9", "found `9`, expected a piece of the solved state (Move, Solved"),
        ("Illegal A 1 2 @# no", "found `#`, expected a piece from 1 to 65535 (a comment begins"),
        (
            "Illegal A 1 2 @1",
            "found piece 1 in slot 1 of `A` (counted from 1), which is illegal, expected pieces that are not there in a goal",
        ),
        ("Ignore @x", "found `x`, expected the end of the line after Ignore"),
        ("Ignore\nA\n0 1 @2\nEnd", "found `2`, expected a flag from 0 to 1"),
        ("Ignore\nA\n0 1@\nEnd", "found the end of the line after 2, expected 3 flags for set `A`"),
        (
            "Ignore\nEnd\nIgnore\nA\n1 0 0\nEnd\n@Ignore\nEnd",
            "found a second Ignore, expected one block for all sets",
        ),
        ("@Block\nA\n1\nEnd", "found a block of fewer than two pieces, expected two or more"),
        ("Block\nA\n1 @7\nEnd", "found `7`, expected a piece of the solved state"),
        ("Block\nA\n1 2\n@0 0\nEnd", "found `0`, expected one row of pieces for each set"),
        ("Block\nA\n1 2 3 @1\nEnd", "found `1`, expected each piece of the set at most once"),
        ("ForbiddenPairs\nM@\nEnd", "found the end of the line, expected two moves"),
        ("ForbiddenPairs\nM N @M\nEnd", "found `M`, expected the end of the line after two moves"),
        ("ForbiddenPairs\nM @Q\nEnd", "found `Q`, expected a move of this puzzle"),
        (
            "ForbiddenPairs\nM @NM\nEnd",
            "found `NM`, expected one move, with a number or ' after it",
        ),
        (
            "ForbiddenPairs\nM N@",
            "found the end of the file, expected moves, or End (a block of sets ends",
        ),
        ("ForbiddenGroups\nM @Q\nEnd", "found `Q`, expected a move of this puzzle"),
        (
            "MoveLimits\nM@\nEnd",
            "found the end of the line, expected a move and how often it may be made",
        ),
        ("MoveLimits\nM @-1\nEnd", "found `-1`, expected a number from 0"),
        ("MoveLimits\n@Q* 1\nEnd", "found `Q`, expected a move of this puzzle"),
        ("MoveLimits\n@M2* 1\nEnd", "found `M2*`, expected a name and *"),
        (
            "MoveCost M@",
            "found the end of the line, expected MoveCost, the name of a move and its cost",
        ),
        ("MoveCost M @0", "found `0`, expected a cost from 1 to 250"),
        ("MoveCost M @251", "found `251`, expected a cost from 1 to 250"),
        ("MoveCost @M2 2", "found `M2`, expected the name of a move of this puzzle"),
        ("MoveKind M @spin", "found `spin`, expected turn or rotation"),
        (
            "MoveKind @m turn",
            "found `m`, expected the name of a move of this puzzle (upper and lower case differ",
        ),
        ("Move x\nEnd\nMoveKind @x turn", "found the move `x`, which changes nothing"),
        (
            "Goal\nA\n1 2 @4\nEnd",
            "found piece 4 (counted from 0: 3), expected one of the pieces of the solved state in set `A` (a scramble has the pieces",
        ),
        (
            "Illegal A 1 2\n@Goal\nA\n2 1 3\nEnd",
            "found piece 2 in slot 1 of `A` (counted from 1), which is illegal, expected a goal that is legal",
        ),
        ("ParallelMoves\nM N@", "found the end of the file, expected moves, or End"),
    ] {
        check(&format!("{HEAD}{MOVES}{tail}"), complaint);
    }
    let alike = "Set A 3 1\nSolved\nA\n1 1 2\nEnd\nMove M\nA\n2 3 1\nEnd\nBlock\nA\n@1 2\nEnd\n";
    check(alike, "found `1`, expected a piece that no other looks like");
}
