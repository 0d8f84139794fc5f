//! Two patterns of the toy domain, with the two typical shapes of tables: few long rows with shared
//! maps, and many short rows.

use super::Ring;
use crate::abstraction::{Abstraction, ColumnMap, Edge, Indexer};
use crate::rank::{Arrangements, Orientations, octet};
use search::{Domain, Op};

/// Ranks the angles of the discs in eight places. There are three angles, and their sum is a
/// multiple of 3.
const ANGLES: Orientations = Orientations::constrained(3, 8, 2);

/// The pattern that keeps the whole state of a ring of 8 places and 3 angles. It has 40,320 rows
/// (which disc is where) of 2,187 columns (the angles by place).
///
/// An operator changes the angles of all rows alike, so each operator has one column map.
#[derive(Clone, Debug)]
pub struct Whole {
    /// For each operator: where it takes the disc in each of the 8 places.
    targets: Vec<[u8; 8]>,
    /// The column map of each operator, one after another.
    maps: Vec<u16>,
}

impl Whole {
    /// The pattern of a ring.
    ///
    /// # Panics
    /// If the ring does not have 8 places and 3 angles.
    pub fn new(ring: Ring) -> Self {
        assert_eq!((ring.places(), ring.angles()), (8, 3), "a ring of 8 places and 3 angles");
        let (mut targets, mut maps) = (Vec::new(), Vec::new());
        for op in (0..ring.operators()).map(Op::new) {
            let mut places = [0; 8];
            for (place, target) in places.iter_mut().enumerate() {
                *target = u8::try_from(ring.carry(op, place).0).expect("a place");
            }
            targets.push(places);
            for column in 0..ANGLES.size() {
                let from = ANGLES.unrank(column);
                let mut to = 0;
                for place in 0..8 {
                    let (target, twist) = ring.carry(op, place);
                    to |= (((from >> (2 * place) & 3) + u64::from(twist)) % 3) << (2 * target);
                }
                maps.push(u16::try_from(ANGLES.rank(to)).expect("below 2,187"));
            }
        }
        Self { targets, maps }
    }
}

impl Abstraction for Whole {
    fn shape(&self) -> (u64, usize) {
        (u64::from(octet::SIZE), 2187)
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(0);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let from = octet::unrank(u32::try_from(row).expect("a row"));
        for (map, targets) in (0..).zip(&self.targets) {
            let to = (0..)
                .zip(targets)
                .fold(0, |to, (place, target)| to | (from >> (3 * place) & 7) << (3 * target));
            out.push(Edge { row: u64::from(octet::rank(to)), map, cost: 1 });
        }
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        ColumnMap::by(&self.maps[map as usize * 2187..][..2187])
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Ring> for Whole {
    type Index = u64;
    fn index(&self, _: &Ring, state: &[u8; 12]) -> u64 {
        let (mut discs, mut angles) = (0, 0);
        for (place, &byte) in state[..8].iter().enumerate() {
            discs |= u32::from(byte % 16) << (3 * place);
            angles |= u64::from(byte / 16) << (2 * place);
        }
        u64::from(octet::rank(discs)) * 2187 + ANGLES.rank(angles)
    }
    fn entry(&self, at: u64) -> u64 {
        at
    }
}

/// The pattern that keeps places and angles of the first few discs of a ring. The places are the
/// row, the angles by disc the column.
///
/// An operator twists only the discs that it carries, so there is one column map for each
/// combination of twists.
#[derive(Clone, Debug)]
pub struct DiscPattern {
    ring: Ring,
    discs: usize,
    places: Arrangements,
    angles: Orientations,
    /// The column maps, one after another. Map `m` adds the angles that column `m` stands for to
    /// the angles of each column.
    maps: Vec<u16>,
    /// Indexed by `16 * operator + place`: the new place of the disc, and by how many angles it is
    /// twisted.
    carry: Vec<(u8, u8)>,
}

impl DiscPattern {
    /// The pattern that keeps discs `0 .. discs`.
    ///
    /// # Panics
    /// If the ring has fewer discs, or the angles make more than 256 columns.
    pub fn new(ring: Ring, discs: usize) -> Self {
        let k = u32::try_from(discs).expect("few discs");
        let places = Arrangements::new(u32::try_from(ring.places()).expect("few places"), k);
        let angles = Orientations::new(u64::from(ring.angles()), k, 2);
        let columns = angles.size();
        assert!(columns <= 256, "{columns} columns");
        let add = |a: u64, b: u64| {
            (0..discs).fold(0, |sum, disc| {
                let digit = (a >> (2 * disc) & 3) + (b >> (2 * disc) & 3);
                sum | (digit % u64::from(ring.angles())) << (2 * disc)
            })
        };
        let mut maps = Vec::new();
        for map in 0..columns {
            for column in 0..columns {
                let sum = angles.rank(add(angles.unrank(map), angles.unrank(column)));
                maps.push(u16::try_from(sum).expect("a column"));
            }
        }
        let carry = (0..ring.operators() * 16).map(|i| {
            let (place, twist) = ring.carry(Op::new(i / 16), i % 16 % ring.places());
            (u8::try_from(place).expect("few places"), twist)
        });
        Self { ring, discs, places, angles, maps, carry: carry.collect() }
    }
}

impl Abstraction for DiscPattern {
    fn shape(&self) -> (u64, usize) {
        (self.places.size(), usize::try_from(self.angles.size()).expect("at most 256"))
    }
    fn goals(&self, out: &mut Vec<u64>) {
        out.push(0);
    }
    fn edges(&self, row: u64, out: &mut Vec<Edge>) {
        let from = self.places.unrank(row);
        for carry in self.carry.chunks_exact(16) {
            let (mut to, mut twists) = (0, 0);
            for disc in 0..self.discs {
                let (place, twist) = carry[(from >> (4 * disc) & 15) as usize];
                to |= u64::from(place) << (4 * disc);
                twists |= u64::from(twist) << (2 * disc);
            }
            let map = u32::try_from(self.angles.rank(twists)).expect("few maps");
            out.push(Edge { row: self.places.rank(to), map, cost: 1 });
        }
    }
    fn column_map(&self, map: u32) -> ColumnMap<'_> {
        let columns = self.columns();
        match map {
            0 => ColumnMap::IDENTITY,
            map => ColumnMap::by(&self.maps[map as usize * columns..][..columns]),
        }
    }
    fn undirected(&self) -> bool {
        true
    }
}

impl Indexer<Ring> for DiscPattern {
    /// The rank of the places, and that of the angles.
    type Index = (u64, u64);
    fn index(&self, _: &Ring, state: &[u8; 12]) -> (u64, u64) {
        let (mut places, mut angles) = (0, 0);
        for (place, &byte) in (0_u64..).zip(&state[..self.ring.places()]) {
            let disc = usize::from(byte % 16);
            if disc < self.discs {
                places |= place << (4 * disc);
                angles |= u64::from(byte / 16) << (2 * disc);
            }
        }
        (places, angles)
    }
    fn advance(&self, _: &Ring, _: &[u8; 12], at: (u64, u64), op: Op, _: &[u8; 12]) -> (u64, u64) {
        let (mut places, mut angles) = (0, 0);
        for disc in 0..self.discs {
            let (place, twist) = self.carry[op.index() * 16 + (at.0 >> (4 * disc) & 15) as usize];
            places |= u64::from(place) << (4 * disc);
            let angle = (at.1 >> (2 * disc) & 3) + u64::from(twist);
            angles |= (angle % u64::from(self.ring.angles())) << (2 * disc);
        }
        (places, angles)
    }
    fn entry(&self, at: (u64, u64)) -> u64 {
        self.places.rank(at.0) * self.angles.size() + self.angles.rank(at.1)
    }
}
