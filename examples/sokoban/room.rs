//! The squares of a room, and the steps of the player.

/// A state: the square of the player, and the squares of the boxes in ascending order.
pub(crate) type State = (usize, Vec<usize>);
/// A room: its squares row by row, the start, and for each square the fewest pushes from there to
/// a goal, if no other box is in the way.
pub(crate) struct Room {
    pub(super) squares: Vec<u8>,
    pub(super) ways: [isize; 4],
    pub(crate) start: State,
    pub(super) pushes: Vec<u32>,
}
impl Room {
    pub(crate) fn new(text: &str) -> Self {
        let width = text.lines().map(str::len).max().unwrap_or(0);
        let squares: Vec<u8> =
            text.lines().flat_map(|line| format!("{line:width$}").into_bytes()).collect();
        let all = |c| (0..squares.len()).filter(|&at| squares[at] == c).collect::<Vec<_>>();
        let start = (all(b'@').first().copied().unwrap_or(0), all(b'$'));
        let all_goals = all(b'.');
        let ways = [-(width as isize), -1, 1, width as isize];
        let mut room = Self { squares, ways, start, pushes: Vec::new() };
        room.pushes = room.pushes_to(all_goals);
        room
    }
    /// The square some way from another, unless it is a wall.
    pub(super) fn go(&self, at: usize, way: isize) -> Option<usize> {
        at.checked_add_signed(way).filter(|&to| self.squares.get(to).is_some_and(|&c| c != b'#'))
    }
    /// The states one step away. Every step costs 1, with or without a push.
    pub(crate) fn steps(&self, (player, boxes): &State) -> Vec<(State, u32)> {
        let step = |way| {
            let (to, mut boxes) = (self.go(*player, way)?, boxes.clone());
            if let Ok(pushed) = boxes.binary_search(&to) {
                boxes[pushed] = self.go(to, way).filter(|beyond| !boxes.contains(beyond))?;
                boxes.sort_unstable();
            }
            Some(((to, boxes), 1))
        };
        self.ways.into_iter().filter_map(step).collect()
    }
}
