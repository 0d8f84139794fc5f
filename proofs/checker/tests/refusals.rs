//! Files that say something wrong are refused, with the place.

mod maker;

use fewest_check::{Checks, check};
use maker::{Abstraction, Maker, Table, View, samples};

/// Checks that a text is refused, with this in the reason.
#[track_caller]
fn refused(text: &str, reason: &str) {
    let objection = check(text.into(), &Checks::default()).expect_err("holds");
    assert!(objection.refused && objection.text.contains(reason), "{}", objection.text);
}

/// The text with the first line that begins like this changed.
fn with(text: &str, begin: &str, change: impl Fn(&str) -> String) -> String {
    let at = text.lines().position(|line| line.starts_with(begin)).expect("a line");
    let line = |(number, line): (usize, &str)| {
        if number == at { change(line) } else { line.to_owned() }
    };
    text.lines().enumerate().map(line).map(|line| line + "\n").collect()
}

/// The number of the first line that begins like this.
fn number(text: &str, begin: &str) -> usize {
    text.lines().position(|line| line.starts_with(begin)).expect("a line") + 1
}

/// Some values in a line swapped.
fn swapped(line: &str, one: usize, other: usize) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    words.swap(one, other);
    words.join(" ")
}

#[test]
fn a_longer_plan_is_not_proven() {
    let maker = samples::board();
    let (cost, text) = maker.certificate();
    // Two more moves, by way of a neighbouring state, and a bound that was never searched.
    let detour = with(&text, "plan ", |line| {
        let moves = line.splitn(3, ' ').last().unwrap();
        format!("plan {} right left {moves}", cost + 2)
    });
    let detour = if maker.start[2] == 0 || maker.start[5] == 0 || maker.start[8] == 0 {
        detour.replace("right left", "left right")
    } else {
        detour
    };
    refused(&detour, &format!("the claim is {}, but only {cost} is proven", cost + 2));
    let more = detour.replace("\nend\n", &format!("\nbound {cost} 0 10 5 2\nend\n"));
    refused(&more, &format!("bound {cost}: "));
    // Plans that do not end at the goal, cost something else, or leave the board.
    refused(&with(&text, "plan ", |line| line.rsplit_once(' ').unwrap().0.to_owned()), "the plan");
    refused(&with(&text, "plan ", |line| line.replacen("plan 2", "plan 3", 1)), "the plan costs");
    let place = format!("line {}: there is no move `jump`", number(&text, "plan "));
    refused(&with(&text, "plan ", |line| format!("{line} jump")), &place);
}

#[test]
fn forbidden_strings_need_smaller_twins() {
    let (_, text) = samples::board().certificate();
    let place = |reason: &str| format!("line {}: {reason}", number(&text, "forbid "));
    let forbid = |line: &'static str| with(&text, "forbid ", |_| line.to_owned());
    refused(&forbid("forbid up = up"), &place("expected a smaller twin"));
    refused(&forbid("forbid up left = up right"), &place("expected a smaller twin"));
    refused(&forbid("forbid up ="), &place("the twin leads elsewhere, from square 3"));
    refused(&forbid("forbid up left = left up"), &place("expected a smaller twin"));
    refused(&forbid("forbid left up = up left"), &place("the twin leads elsewhere, from square 4"));
    // The twin must apply wherever the string does.
    refused(&forbid("forbid left left left left = left"), "bound");
    refused(&forbid("forbid up up down = down"), &place("the twin leads elsewhere, from square 6"));
    refused(&forbid("forbid up down = = left"), &place("expected one `=`"));
    let (_, text) = samples::symmetric_ring().certificate();
    let line = number(&text, "forbid ");
    let wrong = with(&text, "forbid ", |_| "forbid A A A =".to_owned());
    refused(&wrong, &format!("line {line}: the twin leads elsewhere"));
}

#[test]
fn counts_are_searched_again() {
    let (_, text) = samples::units();
    let at = text.lines().position(|line| line.starts_with("unit ")).unwrap();
    let bound = text.lines().take(at).last().unwrap().split(' ').nth(1).unwrap();
    for (unit, change) in
        [(0, [1, 0, 0]), (7, [-1, 0, 0]), (20, [0, 1, 0]), (35, [0, -1, 0]), (99, [0, 0, 2])]
    {
        let line = text.lines().nth(at + unit).unwrap();
        let counts = line.split(' ').skip(1).zip(change);
        let counts = counts.map(|(count, by)| format!(" {}", count.parse::<i64>().unwrap() + by));
        let wrong = format!("unit{}", counts.collect::<String>());
        let changed = |(number, line): (usize, &str)| {
            if number == at + unit { format!("{wrong}\n") } else { format!("{line}\n") }
        };
        let text: String = text.lines().enumerate().map(changed).collect();
        refused(&text, &format!("bound {bound}: unit {unit}: expected the counts"));
    }
    let fewer: String = (0..)
        .zip(text.lines())
        .filter(|(number, _)| *number != at + 3)
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    refused(&fewer, "expected `unit`");
    let (_, text) = samples::board().certificate();
    let last = |by: i64| {
        with(&text, "bound ", |line| {
            let (rest, over) = line.rsplit_once(' ').unwrap();
            format!("{rest} {}", over.parse::<i64>().unwrap() + by)
        })
    };
    refused(&last(2), "expected the counts");
    refused(&last(-1), "is proven");
}

#[test]
fn bounds_come_from_the_first_on() {
    let (_, text) = samples::units();
    let first = text.find("\nbound ").unwrap() + 1;
    let second = first + text[first..].find("\nbound ").unwrap() + 1;
    refused(&format!("{}{}", &text[..first], &text[second..]), "is proven before it");
}

#[test]
fn sums_add_what_may_be_added() {
    let mut maker = samples::board();
    let place = |maker: &Maker| format!("line {}: ", number(&maker.head(), "sum "));
    let text = |maker: &Maker| format!("{}least 1\nend\n", maker.head());
    let shared = Table::new(&maker.game, Abstraction::Tiles("exact", vec![2, 6]));
    maker.tables.push(shared);
    maker.sums = vec![vec![(0, 0), (3, 0)]];
    refused(&text(&maker), &(place(&maker) + "`t3` shares tiles"));
    maker.sums = vec![vec![(0, 0), (0, 0)]];
    refused(&text(&maker), &(place(&maker) + "`t0` shares tiles"));
    maker.sums = vec![vec![(0, 0), (1, 1)]];
    refused(
        &text(&maker),
        &(place(&maker) + "`t1@reflect` shares tiles with the others, or no view"),
    );
    let mut maker = samples::symmetric_ring();
    maker.sums = vec![vec![(0, 0), (1, 0)]];
    refused(&text(&maker), &(place(&maker) + "`t1` shares tiles"));
    let (_, text) = samples::symmetric_ring().certificate();
    refused(&with(&text, "sum ", |_| "sum t0@no".to_owned()), "there is no lookup `t0@no`");
    refused(&with(&text, "sum ", |_| "sum t0@".to_owned()), "there is no lookup `t0@`");
    refused(&with(&text, "sum ", |_| "sum".to_owned()), "expected more than");
}

#[test]
fn moves_stay_what_they_are() {
    let (_, text) = samples::symmetric_ring().certificate();
    let line = number(&text, "move A ");
    // A piece torn, a sticker lost, and another move.
    refused(&with(&text, "move A ", |line| swapped(line, 3, 5)), &format!("line {line}: point"));
    refused(&with(&text, "move A ", |line| line.replace(" 17", " 16")), &format!("line {line}: "));
    let other = with(&text, "move A ", |line| {
        let numbers: Vec<&str> = line.split(' ').skip(3).collect();
        let numbers = [&numbers[3..6], &numbers[..3], &numbers[6..]].concat();
        format!("move A 1 {}", numbers.join(" "))
    });
    refused(&other, "line ");
    refused(&with(&text, "move A ", |line| line.replacen("move A 1", "move A 3", 1)), "line ");
    let (_, text) = samples::two_blocks().certificate();
    let line = number(&text, "move a ");
    refused(&with(&text, "move a ", |line| swapped(line, 9, 11)), &format!("line {line}: point"));
    refused(
        &with(&text, "move b ", |line| line.replacen("move b 3", "move b 2", 1)),
        "the plan costs",
    );
    let (_, text) = samples::board().certificate();
    refused(&with(&text, "move up ", |_| "move up 1 -1 1".to_owned()), "expected a step");
    refused(&with(&text, "move up ", |_| "move up 1 1 0".to_owned()), "another name and direction");
    refused(&with(&text, "move up ", |_| "move left 1 -1 0".to_owned()), "another name");
}

#[test]
fn views_keep_distances() {
    let text = |maker: &Maker| format!("{}least 1\nend\n", maker.head());
    let place = |maker: &Maker| format!("line {}: ", number(&maker.head(), "view "));
    let mut maker = samples::symmetric_ring();
    let places = [&[3, 4, 5, 0, 1, 2][..], &(6..18).collect::<Vec<_>>()].concat();
    let torn = [&[3, 1, 2, 0][..], &(4..18).collect::<Vec<_>>()].concat();
    for (view, reason) in [
        (places, "move `A` is not sent to a move of its cost"),
        (torn, "the block from point 0 is not sent to one"),
        (vec![0; 18], "expected a permutation"),
    ] {
        maker.views[1].1 = View::Symmetry(view);
        refused(&text(&maker), &(place(&maker) + reason));
    }
    let mut maker = samples::inverse_ring();
    maker.game.moves[1].cost = 5;
    maker.forbidden.clear();
    refused(&text(&maker), &(place(&maker) + "move `A` is not sent to a move of its cost"));
    let mut maker = samples::alike_ring();
    maker.views.push(("inverse".into(), View::Inverse));
    refused(
        &text(&maker),
        &(place(&maker) + "expected permutations, and goal labels that all differ"),
    );
    let mut maker = samples::board();
    let upside_down = View::Symmetry((0..9).rev().collect());
    maker.views[1].1 = upside_down;
    refused(&text(&maker), &(place(&maker) + "expected equal costs, and the goal's blank to stay"));
    maker.views[1].1 = View::Symmetry(vec![0, 3, 6, 1, 4, 7, 2, 8, 5]);
    refused(&text(&maker), &(place(&maker) + "move `up` is not sent"));
    // Without one direction, reflections are no symmetries.
    let mut maker = samples::board();
    maker.game.moves.remove(0);
    maker.forbidden.clear();
    refused(&text(&maker), &(place(&maker) + "move `left` is not sent to a move of its cost"));
}

#[test]
fn tables_tell_apart_what_the_goal_does() {
    let (_, text) = samples::alike_ring().certificate();
    let line = number(&text, "table ");
    let labels = with(&text, "table ", |line| line.replacen("labels 1 1", "labels 1 2", 1));
    refused(&labels, &format!("line {line}: expected one label"));
    let (_, text) = samples::board().certificate();
    for (wrong, reason) in [
        ("table t0 tiles exact", "expected a tile or more, each once"),
        ("table t0 tiles exact 1 1", "expected a tile or more, each once"),
        ("table t0 tiles exact 0 1", "expected a tile or more, each once"),
        ("table t0 tiles exact 1 9", "expected a tile or more, each once"),
        ("table t0 tiles most 1 2", "expected `tiles`"),
        ("table t0 labels 1 2", "expected `tiles`"),
        ("table ../t0 tiles exact 1 2", "expected a new name"),
        ("table t1 tiles exact 1 2", "expected a new name"),
    ] {
        refused(&with(&text, "table ", |_| wrong.to_owned()), reason);
    }
}

#[test]
fn every_beginning_is_refused() {
    for (_, maker) in samples::all().into_iter().filter(|(name, _)| *name != "weak board") {
        let (_, text) = maker.certificate();
        for end in 0..text.len() {
            refused(&text[..end], "expected");
        }
        refused(&format!("{text}end\n"), "expected nothing behind `end`");
        refused(
            &text.replacen("fewest-plain 1", "fewest-plain 2", 1),
            "line 1: expected version 1",
        );
    }
}

#[test]
fn large_numbers_are_refused_before_memory_is_needed() {
    let (_, text) = samples::board().certificate();
    for (begin, wrong, reason) in [
        ("board", "board 65535 65535", "64 squares"),
        ("board", "board 99999999999999999999999 3", "expected a number"),
        ("board", "board 03 3", "expected a number"),
        ("board", "block 65535 1\nblock 65535 1", "65,535 points"),
        ("board", "block 65535 1", "expected 65535 numbers"),
        ("bound", "bound 8 18446744073709551615 1 1 2", "is proven"),
        ("bound", "bound 18446744073709551615 0 1 1 2", "is proven"),
        ("plan", "plan 18446744073709551615", "the plan"),
    ] {
        let text = with(&text, begin, |_| wrong.to_owned());
        let objection = check(text.into(), &Checks::default()).expect_err("holds");
        assert!(
            objection.text.contains(reason) || objection.text.contains("expected"),
            "{}",
            objection.text
        );
    }
}
