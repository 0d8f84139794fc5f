//! A small Sokoban from closures: the fewest steps that push three boxes onto three goals. Pushes
//! cannot be undone, and a box in a corner is lost.
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]
mod pushes;
mod room;

use fewest::closures::{ClosureAnswer, ClosureError, ClosureSearch};
pub(crate) use room::{Room, State};

/// `#` is a wall, `.` a goal, `$` a box, and `@` the player.
pub(crate) const ROOM: &str = "\
########
#  .   #
# $#$# #
# .@ . #
#  #$# #
#      #
########";

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
