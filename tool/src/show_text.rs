//! A summary of a definition as text.

use fewest::{DefinitionSummary, MoveSummary, OrbitSummary, grouped_digits};
use serde_json::Number;

/// A number with a comma between thousands.
fn grouped(number: &Number) -> String {
    grouped_digits(&number.to_string())
}

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn board(name: &str, (rows, columns): (usize, usize), states: &str) -> String {
    let states = grouped_digits(states);
    format!(
        "{name}: a board of {rows} rows and {columns} columns, one square free\n\
         moves: up, left, right, down (the way that the free square goes)\n\
         goal: 0 1 2 .. row by row, unless --goal says otherwise\n\
         states: {states}, half of all arrangements"
    )
}

pub(super) fn text(summary: &DefinitionSummary) -> String {
    let mut lines = vec![format!(
        "{}: {}, {}, {}",
        summary.name,
        plural(summary.slots, "slot"),
        plural(summary.orbits.len(), "orbit"),
        plural(summary.moves.len(), "move")
    )];
    lines.push("orbits".to_owned());
    lines.extend(summary.orbits.iter().map(orbit));
    lines.push(
        "moves: slots are numbered from 0, and (3 5+1) says that the piece in slot 3 goes to slot \
         5, and that in slot 5 to slot 3, where it turns by 1"
            .to_owned(),
    );
    summary.moves.iter().for_each(|one| moved(one, &mut lines));
    for name in &summary.names {
        lines.push(format!("  {} is {} {}", name.name, article(name.kind), name.moves));
    }
    let (htm, qtm) = (summary.operators["htm"], summary.operators["qtm"]);
    lines.push(format!("operators: {htm} (htm), {qtm} (qtm)"));
    lines.extend(summary.left_out.iter().map(|note| format!("  {note}")));
    group(summary, &mut lines);
    let goals = match summary.goals {
        1 => "the solved state".to_owned(),
        goals => format!("{goals} states"),
    };
    lines.push(format!("goal: {goals}"));
    let rules = &summary.rules;
    lines.extend(rules.illegal.iter().map(|rule| format!("illegal: {rule}")));
    if rules.blocks > 0 {
        lines.push(format!("{} of pieces that are tied together", plural(rules.blocks, "block")));
    }
    if !rules.forbidden_pairs.is_empty() {
        lines.push(format!("forbidden pairs: {}", rules.forbidden_pairs.join(", ")));
    }
    if !rules.move_limits.is_empty() {
        lines.push(format!("limits: {}", rules.move_limits.join(", ")));
    }
    lines.extend(summary.notes.iter().map(|note| format!("note: {note}")));
    lines.join("\n")
}

fn article(kind: &str) -> &str {
    if kind == "alias" { "another name of" } else { "a name for" }
}

fn orbit(orbit: &OrbitSummary) -> String {
    let mut text = format!(
        "  {}: {}, {}",
        orbit.name,
        plural(orbit.pieces, "piece"),
        plural(orbit.orientations.into(), "orientation")
    );
    if orbit.kinds.len() < orbit.pieces {
        let kinds: Vec<String> = orbit
            .kinds
            .chunk_by(|a, b| a == b)
            .map(|run| format!("{} of {}", run.len(), run[0]))
            .collect();
        text += &format!("; {}: {}", plural(orbit.kinds.len(), "kind"), kinds.join(", "));
    }
    for (count, what) in [
        (orbit.partly_known, "of unknown orientation"),
        (orbit.ignored_pieces, "slots whose piece the goal ignores"),
        (orbit.ignored_orientations, "slots whose orientation the goal ignores"),
        (orbit.fixed, "slots that no move changes"),
    ] {
        if count > 0 {
            text += &format!("; {count} {what}");
        }
    }
    text
}

fn moved(one: &MoveSummary, lines: &mut Vec<String>) {
    let order = one.order.as_ref().map_or_else(|| "2^128 or more".to_owned(), grouped);
    let mut head =
        format!("  {}: order {order}, changes {}", one.name, plural(one.changed, "slot"));
    if one.kind == "rotation" {
        head += "; a rotation, which no search makes";
    }
    if one.cost != 1 {
        head += &format!("; costs {}", one.cost);
    }
    lines.push(head);
    for (orbit, cycles) in &one.cycles {
        let item = |&(slot, turn): &(u16, u8)| match turn {
            0 => slot.to_string(),
            turn => format!("{slot}+{turn}"),
        };
        let cycle = |cycle: &Vec<(u16, u8)>| {
            format!("({})", cycle.iter().map(item).collect::<Vec<_>>().join(" "))
        };
        let cycles: Vec<String> = cycles.iter().map(cycle).collect();
        lines.push(format!("    {orbit} {}", cycles.join(" ")));
    }
}

fn group(summary: &DefinitionSummary, lines: &mut Vec<String>) {
    let group = &summary.group;
    if let Some(order) = &group.order {
        lines.push(format!("group: {} elements", grouped(order)));
    }
    lines.push(format!("arrangements of the pieces: {}", grouped(&group.arrangements)));
    if let Some(states) = &group.states {
        lines.push(format!("states: {}", grouped(states)));
    }
    if let Some(symmetries) = group.symmetries {
        lines.push(format!("symmetries of the moves: {symmetries}"));
    }
    lines.extend(group.unknown.iter().map(|what| format!("not known: {what}")));
}
