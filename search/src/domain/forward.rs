//! Domains that are another domain in part: macros write the methods that need no thought.

/// Methods of a trait that call those of the value inside: `forward_domain! { 0: cost inverse_op }`
/// writes two methods, which call those of `self.0`. Both have the same states, operators and keys.
/// The list below has the methods that can be named. Others stay as they are by default: name them
/// by hand where the value inside has its own.
#[macro_export]
macro_rules! forward_domain {
    ($of:tt: $($method:ident)*) => { $($crate::forward_domain!(@$method $of);)* };
    (@operators $of:tt) => { $crate::forward_domain!(@fn $of operators(): usize); };
    (@applicable $of:tt) => {
        $crate::forward_domain!(@fn $of applicable(state: &Self::State): Self::Ops);
    };
    (@apply_into $of:tt) => {
        $crate::forward_domain!(
            @fn $of apply_into(from: &Self::State, op: $crate::Op, to: &mut Self::State): ()
        );
    };
    (@is_goal $of:tt) => { $crate::forward_domain!(@fn $of is_goal(state: &Self::State): bool); };
    (@cost $of:tt) => { $crate::forward_domain!(@fn $of cost(op: $crate::Op): $crate::Cost); };
    (@inverse_op $of:tt) => {
        $crate::forward_domain!(@fn $of inverse_op(op: $crate::Op): $crate::Op);
    };
    (@identity $of:tt) => { $crate::forward_domain!(@fn $of identity(): Self::State); };
    (@compose $of:tt) => {
        $crate::forward_domain!(
            @fn $of compose(a: &Self::State, b: &Self::State, out: &mut Self::State): ()
        );
    };
    (@invert $of:tt) => {
        $crate::forward_domain!(@fn $of invert(a: &Self::State, out: &mut Self::State): ());
    };
    (@points $of:tt) => { $crate::forward_domain!(@fn $of points(): usize); };
    (@image $of:tt) => {
        $crate::forward_domain!(@fn $of image(element: &Self::State, point: usize): usize);
    };
    (@symmetries $of:tt) => { $crate::forward_domain!(@fn $of symmetries(): usize); };
    (@conjugate $of:tt) => {
        $crate::forward_domain!(
            @fn $of conjugate(symmetry: usize, state: &Self::State, out: &mut Self::State): ()
        );
    };
    (@relabel $of:tt) => {
        $crate::forward_domain!(@fn $of relabel(symmetry: usize, op: $crate::Op): $crate::Op);
    };
    (@features $of:tt) => { $crate::forward_domain!(@fn $of features(): usize); };
    (@mover $of:tt) => {
        $crate::forward_domain!(@fn $of mover(from: &Self::State, op: $crate::Op): usize);
    };
    (@contexts $of:tt) => { $crate::forward_domain!(@fn $of contexts(): usize); };
    (@context $of:tt) => { $crate::forward_domain!(@fn $of context(state: &Self::State): usize); };
    (@representative $of:tt) => {
        $crate::forward_domain!(@fn $of representative(context: usize): Self::State);
    };
    (@places $of:tt) => { $crate::forward_domain!(@fn $of places(): usize); };
    (@feature_at $of:tt) => {
        $crate::forward_domain!(
            @fn $of feature_at(state: &Self::State, place: usize): Option<usize>
        );
    };
    (@pack $of:tt) => { $crate::forward_domain!(@fn $of pack(state: &Self::State): Self::Key); };
    (@unpack $of:tt) => {
        $crate::forward_domain!(@fn $of unpack(key: Self::Key, out: &mut Self::State): ());
    };
    (@is_key $of:tt) => { $crate::forward_domain!(@fn $of is_key(key: Self::Key): bool); };
    (@fn $of:tt $method:ident($($argument:ident: $kind:ty),*): $result:ty) => {
        #[inline(always)]
        fn $method(&self, $($argument: $kind),*) -> $result {
            self.$of.$method($($argument),*)
        }
    };
}

/// The methods of [`Packed`](crate::Packed) where a state is its own key.
#[macro_export]
macro_rules! state_is_key {
    () => {
        #[inline(always)]
        fn pack(&self, state: &Self::State) -> Self::Key {
            *state
        }
        #[inline(always)]
        fn unpack(&self, key: Self::Key, out: &mut Self::State) {
            *out = key;
        }
    };
}

/// The methods of [`Contexts`](crate::Contexts) for one context: a domain where every operator
/// applies in every state. The expression gives a state of the domain. [default: the identity of a
/// group]
#[macro_export]
macro_rules! one_context {
    () => {
        $crate::one_context! { $crate::Group::identity }
    };
    ($state:expr) => {
        fn contexts(&self) -> usize {
            1
        }
        fn context(&self, _: &Self::State) -> usize {
            0
        }
        fn representative(&self, _: usize) -> Self::State {
            $state(self)
        }
    };
}
