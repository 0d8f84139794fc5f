//! Tests of `fewest serve`: the program runs, and a client of plain sockets asks it.

mod client;
mod jobs;
mod refusals;
mod routes;
mod schema;
