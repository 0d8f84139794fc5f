//! Learns duplicate operator strings of a domain from a small breadth-first search.
