//! Decides whether a text of letters is stickers or moves.

/// Letters that a sticker may have: the letters of faces, then the further letters of colours.
const LETTERS: &str = "URFDLBWYGO";
/// Characters that occur in moves, but never in stickers.
const MARKS: &str = "'’′´`-()[],:^";

/// The stickers in a text, without blanks, faces in the order U R F D L B. `None` if the text does
/// not look like stickers.
///
/// `face` is the number of stickers of a face: 9 on the 3x3x3, 4 on the 2x2x2. A text looks like
/// stickers if it is
/// - letters in the shape of an unfolded cube: rows of U, then rows of L, F, R and B beside each
///   other, then rows of D;
/// - one word, at least three quarters as long as six faces, without characters that only moves
///   have;
/// - words of letters, together as long as six faces, each as long as one face or several;
/// - six words of letters: four or more as long as a face, the others one letter longer or shorter;
/// - on the 3x3x3, eighteen words of letters: fourteen or more of three letters, the others of two
///   or four;
/// - six different letters with any blanks between them, each as often as a face has stickers;
/// - digits alone, at least three quarters as many as six faces have stickers.
///
/// The stickers may still be wrong, for example have too few of one colour, or a word with a
/// letter too few.
///
/// ```
/// use fewest_cube::notation::stickers;
///
/// assert_eq!(stickers("UUUU RRRR FFFF DDDD LLLL BBBB", 4).unwrap().len(), 24);
/// assert_eq!(stickers("R U R U R U R U R U R U R U R U R U R U R U R U", 4), None);
/// ```
pub fn stickers(text: &str, face: usize) -> Option<String> {
    let letters_alone = |text: &String| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if let Some(net) = unfolded(text, face).filter(letters_alone) {
        return Some(net);
    }
    let joined: String = text.split_whitespace().collect();
    let length = joined.chars().count();
    let one_word = text.split_whitespace().count() == 1;
    // On the 2x2x2 a word with digits is more likely moves. On the 3x3x3 digits may stand for
    // colours.
    let is_mark = |c: char| MARKS.contains(c) || face < 9 && c.is_ascii_digit();
    let long_word = one_word && length >= 6 * face * 3 / 4 && !joined.contains(is_mark);
    let letters = length == 6 * face && letters_alone(&joined);
    let digits = length >= 6 * face * 3 / 4 && joined.bytes().all(|byte| byte.is_ascii_digit());
    let groups = || text.split_whitespace().all(|word| word.len() % face == 0);
    let is_even = || is_even(&joined, face);
    let rows = || face == 9 && are_words(text, (18, 14), 3);
    let faces = || are_words(text, (6, 4), face);
    (long_word || digits || letters && (groups() || is_even()) || faces() || rows())
        .then_some(joined)
}

/// The symbols of an unfolded cube, faces in the order U R F D L B. Rows are the lines without
/// their blanks, or the words of a text of one line. `None` if the rows have another shape.
pub(crate) fn unfolded(text: &str, face: usize) -> Option<String> {
    let side = face.isqrt();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let rows: Vec<String> = if lines.clone().count() > 1 {
        lines.map(|line| line.split_whitespace().collect()).collect()
    } else {
        text.split_whitespace().map(str::to_owned).collect()
    };
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let widths = [side, 4 * side, side].map(|width| vec![width; side]).concat();
    if !rows.iter().map(Vec::len).eq(widths) {
        return None;
    }
    // For each face, its first row and column.
    let corners = [(0, 0), (1, 2), (1, 1), (2, 0), (1, 0), (1, 3)];
    let stickers = corners.into_iter().flat_map(|(row, column)| {
        rows[side * row..][..side].iter().flat_map(move |row| &row[side * column..][..side])
    });
    Some(stickers.collect())
}

/// Whether a text is `count` words of letters, at least `least` of them with `length` letters. The
/// others may have one letter too few or too many.
fn are_words(text: &str, (count, least): (usize, usize), length: usize) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let whole = words.iter().filter(|word| word.len() == length).count();
    let near = |word: &&str| word.len().abs_diff(length) < 2;
    let letters = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    words.len() == count && whole >= least && words.iter().all(near) && words.iter().all(letters)
}

/// Whether a text may be one line of stickers: a word of `face` letters, each a face or a colour.
///
/// Six such lines are the stickers of a cube.
pub fn is_face(text: &str, face: usize) -> bool {
    let within = |text: &str| text.chars().all(|c| LETTERS.contains(c));
    let lower = || !text.contains(char::is_uppercase) && within(&text.to_ascii_uppercase());
    text.len() == face && (within(text) || lower())
}

/// Whether exactly six symbols occur, each `face` times.
pub fn is_even(stickers: &str, face: usize) -> bool {
    let count = |symbol| stickers.matches(symbol).count();
    stickers.chars().count() == 6 * face && stickers.chars().all(|symbol| count(symbol) == face)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces(letters: &str, face: usize) -> Vec<String> {
        letters.chars().map(|letter| letter.to_string().repeat(face)).collect()
    }

    #[test]
    fn whole_faces_are_stickers() {
        for face in [9, 4] {
            for letters in ["URFDLB", "urfdlb", "WRGYOB", "UURFDL"] {
                let faces = faces(letters, face);
                for between in ["", " ", "\n", " \t "] {
                    let text = faces.join(between);
                    assert_eq!(stickers(&text, face), Some(faces.concat()), "{text}");
                }
                assert_eq!(stickers(&faces[..5].join(" "), face), None);
                assert!(faces.iter().all(|line| is_face(line, face)));
            }
        }
    }

    #[test]
    fn letters_alone_are_stickers_where_they_are_even() {
        let alone = |text: &str| text.chars().flat_map(|c| [c, ' ']).collect::<String>();
        for face in [9, 4] {
            let (even, odd) = (faces("URFDLB", face).concat(), faces("UURFDL", face).concat());
            assert_eq!(stickers(&alone(&even), face), Some(even));
            assert_eq!(stickers(&alone(&odd), face), None);
        }
    }

    #[test]
    fn an_unfolded_cube_is_stickers() {
        let net = "UUU\nUUU\nLLD\nFFDFFRFBBLLL\nBLLFFRUURBBB\nBLLFFRUURDBB\nUBB\nDDD\nDRR";
        let faces = ["UUUUUULLD", "FBBUURUUR", "FFRFFRFFR", "UBBDDDDRR", "FFDBLLBLL", "LLLBBBDBB"];
        assert_eq!(stickers(net, 9), Some(faces.concat()));
        assert_eq!(stickers(&net.replace('\n', " "), 9), Some(faces.concat()));
        let blanks: String = net.chars().flat_map(|c| [' ', c]).collect();
        assert_eq!(stickers(&blanks, 9), Some(faces.concat()));
        assert_eq!(
            stickers("UU UU LLFFRRBB LLFFRRBB DD DD", 4).unwrap(),
            "UUUURRRRFFFFDDDDLLLLBBBB"
        );
        assert_eq!(stickers("R U' R' R2 U2 R2", 4), None);
    }

    /// A letter too few or too many must not turn stickers into moves.
    #[test]
    fn six_words_are_stickers_if_one_is_miscounted() {
        for face in [9, 4] {
            let mut words = faces("URFDLB", face);
            words[5].pop();
            let few = words.join(" ");
            assert_eq!(stickers(&few, face), Some(words.concat()), "{few}");
            words[0].push('R');
            let shifted = words.join("\n");
            assert_eq!(stickers(&shifted, face), Some(words.concat()), "{shifted}");
            words[0].push('R');
            assert_eq!(stickers(&words.join(" "), face), None);
        }
        for text in ["RUF RUF RUF RUF RUF RUF", "RU'F RUFR UFRU FRUF RUFR UFRU", "RUFR RUFR"] {
            assert_eq!(stickers(text, 4), None, "{text}");
        }
    }

    #[test]
    fn digits_alone_are_stickers() {
        for face in [9, 4] {
            let faces = faces("123456", face);
            for text in [faces.join(" "), faces[..5].join("\n"), faces.concat()] {
                let joined = text.split_whitespace().collect::<String>();
                assert_eq!(stickers(&text, face), Some(joined), "{text}");
            }
            assert_eq!(stickers("1 2 3", face), None);
        }
    }

    #[test]
    fn moves_are_no_stickers() {
        for text in [
            "",
            "R U F",
            "RUFRUFRUFRUFRUFRUFRUFRUFRUFRUF",
            "R2U2R2F2R R2U2R2F2R R2U2R2F2R R2U2R2F2R R2U2R2F2R R2U2R2F2R",
            "(RUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUFRUF)2",
        ] {
            assert_eq!(stickers(text, 9), None, "{text}");
        }
        assert_eq!(stickers("RUFRUFRUFRUFRUF", 4), None);
        assert_eq!(stickers("R2U2R2F2R2U2R2F2R2U2R2F2", 4), None);
        for text in ["RUFRUFRU", "RUFRUFRU'", "RUFRUFRUM", "RUFRUFRUu", "RUF RUF R"] {
            assert!(!is_face(text, 9), "{text}");
        }
    }
}
