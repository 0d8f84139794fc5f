//! Bar charts of counts for terminals.

use fewest_terminal::{Format, Output};
use serde_json::Value;
use std::fmt::Write;
use std::io::{self, IsTerminal, stdout};

/// Columns of the longest bar.
const WIDTH: usize = 40;
/// Parts of a column, from an eighth to the whole.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// Writes a bar for each count, if people read the output.
pub(super) fn print(output: &mut Output, counts: &[u128]) -> io::Result<()> {
    match output.format == Format::Text && wanted() {
        true => output.line(|| Value::Null, || chart(counts)),
        false => Ok(()),
    }
}

/// Whether people read the output.
pub(super) fn wanted() -> bool {
    stdout().is_terminal()
}

/// The bar of a count, where the greatest count has the longest. A count above 0 has a bar.
pub(super) fn bar(count: u128, greatest: u128) -> String {
    if count == 0 || greatest == 0 {
        return String::new();
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 320")]
    let eighths = (count as f64 / greatest as f64 * (8 * WIDTH) as f64).round() as usize;
    let eighths = eighths.clamp(1, 8 * WIDTH);
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8 - 1]);
    }
    bar
}

/// A line for each depth: its number and its bar.
fn chart(counts: &[u128]) -> String {
    let greatest = counts.iter().copied().max().unwrap_or(0);
    let mut text = String::new();
    for (depth, &count) in counts.iter().enumerate() {
        let _ = writeln!(text, "{depth:>4} {}", bar(count, greatest));
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_counts_are_large() {
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(1, 1_000_000), "▏");
        assert_eq!(bar(10, 10).chars().count(), WIDTH);
        assert_eq!(bar(5, 10), "█".repeat(WIDTH / 2));
        assert_eq!(bar(3, 64), "█▉");
        assert_eq!(chart(&[1, 0, 2]), format!("   0 {}\n   1 \n   2 {}", bar(1, 2), bar(2, 2)));
        assert_eq!(chart(&[]), "");
    }
}
