//! Wrappers that change only some methods of a heuristic:
//! [`forward_heuristic!`](crate::forward_heuristic) writes the others.

/// Methods of [`Heuristic`](crate::Heuristic) that call those of the heuristic inside. First come
/// the names for the wrapper and its domain, then the heuristic inside and its domain, then the
/// methods.
///
/// Both domains have the same states and operators, and both heuristics carry the same data.
#[macro_export]
macro_rules! forward_heuristic {
    (|$this:ident, $domain:ident: $of:ty| $inner:expr, $inside:expr; $($method:ident)*) => {
        $($crate::forward_heuristic!(@$method |$this, $domain: $of| $inner, $inside);)*
    };
    (@root |$this:ident, $domain:ident: $of:ty| $inner:expr, $inside:expr) => {
        #[inline(always)]
        fn root(&self, domain: &$of, state: &<$of as $crate::Domain>::State) -> Self::Carry {
            let ($this, $domain) = (self, domain);
            $inner.root($inside, state)
        }
    };
    (@child |$this:ident, $domain:ident: $of:ty| $inner:expr, $inside:expr) => {
        #[inline(always)]
        fn child(
            &self,
            domain: &$of,
            from: &<$of as $crate::Domain>::State,
            carry: &Self::Carry,
            op: $crate::Op,
            to: &<$of as $crate::Domain>::State,
        ) -> Self::Carry {
            let ($this, $domain) = (self, domain);
            $inner.child($inside, from, carry, op, to)
        }
    };
    (@bound |$this:ident, $domain:ident: $of:ty| $inner:expr, $inside:expr) => {
        #[inline(always)]
        fn bound(
            &self,
            domain: &$of,
            state: &<$of as $crate::Domain>::State,
            carry: &mut Self::Carry,
            limit: $crate::Cost,
        ) -> $crate::Verdict<<$of as $crate::Domain>::Ops> {
            let ($this, $domain) = (self, domain);
            $inner.bound($inside, state, carry, limit)
        }
    };
    (@$batch:ident |$this:ident, $domain:ident: $of:ty| $inner:expr, $inside:expr) => {
        #[inline(always)]
        fn $batch<C>(&self, domain: &$of, batch: &mut $crate::Batch<'_, C>, stage: usize)
        where
            C: $crate::Carries<State = <$of as $crate::Domain>::State, Carry = Self::Carry>,
        {
            let ($this, $domain) = (self, domain);
            $inner.$batch($inside, batch, stage);
        }
    };
}

/// The data of a [`Heuristic`](crate::Heuristic) on this domain whose bound needs only the state:
/// none.
#[macro_export]
macro_rules! carry_nothing {
    ($domain:ty) => {
        type Carry = ();
        #[inline(always)]
        fn root(&self, _: &$domain, _: &<$domain as $crate::Domain>::State) {}
        #[inline(always)]
        fn child(
            &self,
            _: &$domain,
            _: &<$domain as $crate::Domain>::State,
            (): &(),
            _: $crate::Op,
            _: &<$domain as $crate::Domain>::State,
        ) {
        }
    };
}
