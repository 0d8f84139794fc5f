//! Plans with slides of several tiles as text, such as `up right3 down2`.

use super::domain::{direction_and_count, slide};
use crate::board::{PlanError, operator_name, parse_plan};
use search::{Op, Plan};

/// The name of an operator: the direction of the blank, and the number of squares if it goes
/// farther than one (`up`, `right3`).
pub fn slide_name(op: Op) -> String {
    let (way, count) = direction_and_count(op);
    let way = operator_name(way).unwrap_or_default();
    if count == 1 { way.to_owned() } else { format!("{way}{count}") }
}

/// Reads a plan of slides on a board whose longer side has `side` squares: directions as
/// [`parse_plan`] reads them, each with the number of squares, 1 if there is none (`u`, `right3`,
/// `D2`). Between words are blanks or commas.
///
/// # Errors
/// At the first word that is not an operator.
pub fn parse_slides(text: &str, side: usize) -> Result<Plan, PlanError> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let op = |(place, word): (usize, &str)| {
        let wrong = || PlanError { place, found: word.to_owned() };
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let way = parse_plan(name).ok().and_then(|plan| plan.first().copied());
        let count = match &word[name.len()..] {
            "" => 1,
            count => count.parse().map_err(|_| wrong())?,
        };
        match way {
            Some(way) if (1..side).contains(&count) => Ok(slide(way, count)),
            _ => Err(wrong()),
        }
    };
    (1..).zip(words).map(op).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{DOWN, LEFT, RIGHT, UP};

    #[test]
    fn plans_are_read_and_written() {
        let plan = [slide(UP, 1), slide(LEFT, 3), slide(DOWN, 2), slide(RIGHT, 1)];
        assert_eq!(plan.map(slide_name).join(" "), "up left3 down2 right");
        assert_eq!(parse_slides("up L3,Down2 r1", 4).unwrap().as_slice(), plan);
        assert!(parse_slides("", 4).unwrap().is_empty());
    }

    #[test]
    fn words_that_are_no_slides_are_refused() {
        for word in ["up4", "up0", "3", "x2", "up-1", "r99999999999999999999999", "2up"] {
            let error = parse_slides(&format!("up {word}"), 4).unwrap_err();
            assert_eq!((error.place, error.found.as_str()), (2, word));
        }
    }
}
