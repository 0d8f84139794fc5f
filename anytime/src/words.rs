//! Short words, in order of their number of operators: [`short_words`].

use crate::Generators;
use groups::Permutation;
use search::Op;

/// At most `most` words with their elements: all words of one operator, of two, and so on. Of words
/// that differ by swaps of commuting neighbours or by joined operators, it lists one. An operator
/// may come twice in a row, and more often.
///
/// Ends early if `stop` is true.
pub(crate) fn short_words(
    generators: &Generators,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Vec<(Vec<Op>, Permutation)> {
    let mut words: Vec<(Vec<Op>, Permutation)> = Vec::new();
    let all = || (0..generators.len()).map(Op::new);
    for op in all().take(most) {
        words.push((vec![op], generators.elements()[op.index()].clone()));
    }
    let mut from = 0;
    while from < words.len() && words.len() < most && !stop() {
        let last = words[from].0[words[from].0.len() - 1];
        for op in all() {
            if words.len() >= most {
                break;
            }
            if generators.may_follow(last, op) {
                let (word, element) = &words[from];
                let longer = [word.as_slice(), &[op]].concat();
                words.push((longer, element.then(&generators.elements()[op.index()])));
            }
        }
        from += 1;
    }
    words
}
