//! The 3x3x3 cube as a domain of the fewest search engine.
