//! A small Sokoban from closures: the fewest steps that push three boxes onto three goals. Pushes
//! cannot be undone, and a box in a corner is lost.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]
use fewest::closures::{ClosureAnswer, ClosureError, ClosureSearch};
use std::collections::VecDeque;
/// `#` is a wall, `.` a goal, `$` a box, and `@` the player.
pub(crate) const ROOM: &str = "\
########
#  .   #
# $#$# #
# .@ . #
#  #$# #
#      #
########";
/// A state: the square of the player, and the squares of the boxes in ascending order.
pub(crate) type State = (usize, Vec<usize>);
/// A room: its squares row by row, the start, and for each square the fewest pushes from there to
/// a goal, if no other box is in the way.
pub(crate) struct Room {
    squares: Vec<u8>,
    ways: [isize; 4],
    pub(crate) start: State,
    pushes: Vec<u32>,
}
impl Room {
    pub(crate) fn new(text: &str) -> Self {
        let width = text.lines().map(str::len).max().unwrap_or(0);
        let squares: Vec<u8> =
            text.lines().flat_map(|line| format!("{line:width$}").into_bytes()).collect();
        let all = |c| (0..squares.len()).filter(|&at| squares[at] == c).collect::<Vec<_>>();
        let start = (all(b'@').first().copied().unwrap_or(0), all(b'$'));
        let ways = [-(width as isize), -1, 1, width as isize];
        let (goals, pushes) = (all(b'.'), vec![u32::MAX; squares.len()]);
        let mut room = Self { squares, ways, start, pushes };
        goals.iter().for_each(|&goal| room.pushes[goal] = 0);
        let mut queue = VecDeque::from(goals);
        while let Some(to) = queue.pop_front() {
            for way in ways {
                // The box comes from one square, and the player stands behind it.
                let (Some(from), Some(behind)) = (room.go(to, -way), room.go(to, -2 * way)) else {
                    continue;
                };
                if room.pushes[from] == u32::MAX && room.go(behind, way) == Some(from) {
                    room.pushes[from] = room.pushes[to] + 1;
                    queue.push_back(from);
                }
            }
        }
        room
    }
    /// The square some way from another, unless it is a wall.
    fn go(&self, at: usize, way: isize) -> Option<usize> {
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
    /// A lower bound: each box needs its pushes. `u32::MAX` if a box is lost.
    pub(crate) fn estimate(&self, (_, boxes): &State) -> u32 {
        boxes.iter().map(|&at| self.pushes[at]).try_fold(0, u32::checked_add).unwrap_or(u32::MAX)
    }
    /// Every box is on a goal.
    pub(crate) fn is_solved(&self, (_, boxes): &State) -> bool {
        boxes.iter().all(|&at| self.pushes[at] == 0)
    }
}
fn main() -> Result<(), ClosureError> {
    let room = Room::new(ROOM);
    let search = || {
        let (steps, estimate) = (|at: &State| room.steps(at), |at: &State| room.estimate(at));
        ClosureSearch::new(&room.start, steps, estimate, |at| room.is_solved(at))
    };
    let show = |name: &str, answer: ClosureAnswer<State, u32>| {
        let (bound, expanded) = (answer.report.lower_bound, answer.report.expanded());
        let plan = answer.path().map_or("no plan".into(), |path| format!("{} steps", path.cost));
        println!("{name}: {plan}, at least {bound}; {expanded} states expanded");
    };
    show("A*", search().a_star()?);
    show("weighted A*, 2", search().weighted_a_star(2.0)?);
    show("IDA*", search().ida_star()?);
    show("breadth first", search().breadth_first()?);
    Ok(())
}
