//! The definitions that come with the crate, by name.
//!
//! ```
//! use fewest_permutation::{Definition, ReadLimits, shipped};
//!
//! let text = shipped::text("skewb").unwrap();
//! let skewb = Definition::from_tws(text, &ReadLimits::default()).unwrap();
//! assert_eq!(skewb.name(), "skewb");
//! ```

/// The name and the text of the definition in `puzzles/NAME.tws`.
macro_rules! shipped {
    ($name:literal) => {
        ($name, include_str!(concat!("../puzzles/", $name, ".tws")))
    };
}

/// Name and text of each definition, ascending by name.
const ALL: &[(&str, &str)] = &[
    shipped!("2x2x2"),
    shipped!("2x2x2-six-faces"),
    shipped!("2x2x3"),
    shipped!("3x3x3"),
    shipped!("3x3x3-slices"),
    shipped!("3x3x3-squares"),
    shipped!("4x4x4"),
    shipped!("5x5x5"),
    shipped!("6x6x6"),
    shipped!("7x7x7"),
    shipped!("burnt-pancake-3"),
    shipped!("burnt-pancake-4"),
    shipped!("burnt-pancake-5"),
    shipped!("burnt-pancake-6"),
    shipped!("burnt-pancake-7"),
    shipped!("burnt-pancake-8"),
    shipped!("clock"),
    shipped!("dino-cube"),
    shipped!("dino-cube-eight-corners"),
    shipped!("fto"),
    shipped!("helicopter-cube"),
    shipped!("hungarian-rings"),
    shipped!("hungarian-rings-10"),
    shipped!("ivy-cube"),
    shipped!("kilominx"),
    shipped!("loopover-3x3"),
    shipped!("loopover-4x4"),
    shipped!("m12"),
    shipped!("m24"),
    shipped!("megaminx"),
    shipped!("pancake-10"),
    shipped!("pancake-5"),
    shipped!("pancake-6"),
    shipped!("pancake-7"),
    shipped!("pancake-8"),
    shipped!("pancake-9"),
    shipped!("pyraminx"),
    shipped!("pyraminx-faces"),
    shipped!("pyraminx-tips"),
    shipped!("pyramorphix"),
    shipped!("redi-cube"),
    shipped!("skewb"),
    shipped!("skewb-diamond"),
    shipped!("skewb-diamond-eight-faces"),
    shipped!("skewb-eight-corners"),
    shipped!("square-1"),
    shipped!("swap-and-turn-8"),
    shipped!("top-spin-10-4"),
    shipped!("top-spin-20-4"),
    shipped!("top-spin-5-4"),
    shipped!("top-spin-6-4"),
    shipped!("top-spin-7-4"),
    shipped!("top-spin-8-4"),
    shipped!("top-spin-9-4"),
];

/// The names of the definitions, ascending.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|&(name, _)| name)
}

/// Name and title of each definition, ascending by name. The title is the first comment line.
pub fn titles() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().map(|&(name, text)| {
        let first = text.lines().next().unwrap_or_default();
        (name, first.trim_start_matches(['#', ' ']).trim_end_matches('.'))
    })
}

/// The text of the definition with this name, `None` if there is none.
/// [`Definition::from_tws`](crate::Definition::from_tws) reads it.
pub fn text(name: &str) -> Option<&'static str> {
    let index = ALL.binary_search_by_key(&name, |&(name, _)| name).ok()?;
    Some(ALL[index].1)
}
