//! Builder functions: each sets the field of its name.

/// Declares a builder function for each field. `value` is what the field gets.
macro_rules! setters {
    ($($field:ident: $type:ty = $value:expr;)*) => {$(
        #[doc = concat!("Sets [`Self::", stringify!($field), "`].")]
        pub fn $field(self, $field: $type) -> Self {
            Self { $field: $value, ..self }
        }
    )*};
}

pub(crate) use setters;
