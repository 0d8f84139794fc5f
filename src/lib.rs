//! Fewest moves, found and proven: a heuristic-search engine and the puzzles that prove it.
