//! Sliding tiles in the multi-tile metric: a slide of several tiles in a row or column is one move.

mod domain;
mod lines;
#[expect(
    clippy::cast_possible_truncation,
    reason = "squares and labels of boards with tables are below 32"
)]
mod lookups;
mod notation;
#[expect(
    clippy::cast_possible_truncation,
    reason = "at most 32 squares, 8 tiles of a pattern, and 8! columns"
)]
mod placements;
mod reference;

pub use domain::{Slides, direction_and_count, slide};
pub use lines::SlideLines;
pub use lookups::{SlideIndex, SlideTables};
pub use notation::{parse_slides, slide_name};
pub use placements::SlidePlacements;
pub use reference::ReferenceSlides;
