//! Texts of a definition: states, plans, scrambles, and their forms for proofs.

mod encoding;
mod held;
mod moves;
mod plain;
mod random_moves;
mod scramble_files;
mod states;
mod stickers;
mod wca;

pub(crate) use encoding::of_state as encoding_of;
pub(crate) use moves::{invert_moves, is_json, read_state};
pub(crate) use plain::{of_model as plain_of, of_state as plain_state_of};
pub(crate) use random_moves::random_moves;
pub(crate) use scramble_files::WORDS;
pub(crate) use states::StateTexts;
pub(crate) use stickers::face_of;
pub(crate) use wca::state as wca_state;
