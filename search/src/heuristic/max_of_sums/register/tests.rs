//! The register of the CPU computes what loops over bytes compute.

use super::{LANES, plain, sse2};
use crate::random::Random;

/// The bytes of a register, read by comparing it with all numbers.
macro_rules! bytes {
    ($register:expr, $of:path) => {{
        let register: $of = $register;
        let lane = |lane: usize| {
            let mut mask = [0; LANES];
            mask[lane] = 255;
            register.and(<$of>::new(mask)).most()
        };
        std::array::from_fn::<u8, LANES, _>(lane)
    }};
}

#[test]
fn a_register_computes_what_loops_compute() {
    let mut random = Random::new(5);
    let mut some =
        || std::array::from_fn::<u8, LANES, _>(|_| u8::try_from(random.below(256)).unwrap());
    for round in 0..1000 {
        let (a, b) = if round == 0 { ([0; LANES], [0; LANES]) } else { (some(), some()) };
        let (x, y) = (sse2::Register::new(a), sse2::Register::new(b));
        let (p, q) = (plain::Register::new(a), plain::Register::new(b));
        assert_eq!(bytes!(x, sse2::Register), a);
        let all = (sse2::Register::all(b[0]), plain::Register::all(b[0]));
        let pairs = [
            (x.and(y), p.and(q)),
            (x.plus(y), p.plus(q)),
            (x.above(y), p.above(q)),
            (x.max(y), p.max(q)),
            (x.above(x), p.above(p)),
            all,
        ];
        for (fast, slow) in pairs {
            assert_eq!(bytes!(fast, sse2::Register), bytes!(slow, plain::Register));
            assert_eq!((fast.most(), fast.is_zero()), (slow.most(), slow.is_zero()));
        }
    }
}
