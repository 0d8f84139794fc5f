// Options and results. Results have the keys of the command line's JSON (docs/JSON.md).

/** Why a call failed.
 *
 * - `refused`: the puzzle, an option, a state or a plan is invalid. The message says where, and
 *   what was expected.
 * - `memory`: the tables need more memory than the option `memory` allows.
 * - `limit`: a limit was reached before the search.
 * - `failed`: a table could not be built.
 * - `defect`: the program has a defect, or the browser had no more memory.
 */
export type ErrorKind = "refused" | "memory" | "limit" | "failed" | "defect";

/** Where in a text the error is. All numbers count from 1. */
export interface Place {
    line?: number;
    column?: number;
    /** The refused stickers, in the order of the faces U R F D L B. */
    facelets?: number[];
    /** Squares of a board, row by row: the wrong one first. */
    squares?: number[];
    /** A colour that occurs too often or not often enough. */
    colour?: string;
    /** Which of several plans. */
    plan?: number;
    /** Which word of a sequence of moves. */
    move?: number;
}

/** What a puzzle is solved with. */
export interface PuzzleOptions {
    /** What counts as one move. `mtm` is for tiles, `stm` and `atm` are for the 3x3x3. */
    metric?: "htm" | "qtm" | "stm" | "atm" | "mtm";
    /** The state to reach. [default: the solved state] */
    goal?: string;
    /** The moves that plans may make, with commas between them. [default: all] */
    moves?: string;
    /** What moves cost, such as `R=2,R2=3`. [default: 1, or what the definition says] */
    cost?: string;
    /** How a state is solved. [default: `optimal`] */
    solver?: string;
    /** The text of a stages file, for the solver `stages`. */
    stages?: string;
    /** The lower bound that guides the search. [default: `best`] */
    heuristic?: string;
    /** Which duplicate sequences are cut: `none`, `inverse`, `fsm` or `fsm:D`. [default: `fsm`] */
    pruning?: string;
    /** The most bytes of tables. [default: 256 MiB] */
    memory?: number;
}

/** What every call takes. */
export interface CallOptions {
    /** Ends the call. The promise is rejected with the reason of the signal. */
    signal?: AbortSignal;
    /** Called with progress, at most some ten times a second. */
    onProgress?: (progress: Progress) => void;
}

/** Limits of a search, and what it looks for. */
export interface SolveOptions extends CallOptions {
    /** The most seconds, tables included. */
    deadline?: number;
    /** The most seconds of the search alone. */
    limit_time?: number;
    /** The most generated nodes. */
    limit_nodes?: number;
    /** The greatest cost of a plan. */
    max_bound?: number;
    /** How many plans to look for. [default: 1] */
    plans?: number;
    /** How much more than the cheapest plan a plan may cost, if several are wanted. [default: 0] */
    slack?: number;
    /** The least cost of a plan. [default: 0] */
    min_length?: number;
    /** Sequences with one of which a plan begins, such as `R U,F'`. [default: any] */
    begins?: string;
    /** Sequences with one of which a plan ends. [default: any] */
    ends?: string;
    /** `true`: a short plan without a proof. `false`: an optimal plan, and no
     * near-optimal search before it. [default: one if the proof may take long] */
    near_optimal?: boolean;
    /** Draws the random changes of a search for plans that need no proof. [default: 0] */
    seed?: number;
}

export interface Iteration {
    bound: number;
    generated: number;
    expanded: number;
    complete: boolean;
}

export interface Answer {
    puzzle: string;
    state: string;
    metric: string | null;
    outcome: "solved" | "unsolvable" | "limit-reached" | "cancelled";
    /** The best plan known. Absent if none is. */
    plan?: string[];
    /** The number of operators of the plan. */
    length?: number;
    cost?: number;
    /** Whether the plan is proven optimal. */
    optimal?: boolean;
    /** All plans, if several were asked for, with their lengths and costs. */
    plans?: string[][];
    lengths?: number[];
    costs?: number[];
    /** Whether `plans` has as many as were asked for, or all that exist. */
    complete?: boolean;
    /** Proven: no plan costs less. */
    lower_bound: number;
    upper_bound: number | null;
    generated: number;
    expanded: number;
    iterations: Iteration[];
    near_optimal?: { length: number | null; generated: number; expanded: number; seconds: number };
    stages?: { name: string; length: number }[];
    seconds: number;
    table_seconds: number;
    table_bytes: number;
    solver: string;
    heuristic: string;
    pruning: string;
}

export type Progress =
    | { progress: "preparing"; what: string }
    | { progress: "building" | "ready"; table: string; bytes: number }
    | { progress: "waiting"; table: string }
    | { progress: "not-saved"; table: string; error: string }
    | { progress: "not-kept"; error: string }
    | { progress: "build"; depth: number; entries: number; seen: number; total: number }
    | {
          progress: "search";
          bound: number;
          generated: number;
          lower_bound: number;
          upper_bound: number | null;
      }
    | { progress: "iteration"; iteration: Iteration }
    /** A better plan than all before, not proven optimal. */
    | {
          progress: "plan";
          plan: string[];
          length: number;
          lower_bound: number;
          upper_bound: number;
      };

export interface PuzzleInfo {
    puzzle: string;
    metric: string | null;
    /** Rows and columns of a board of sliding tiles. */
    board: [number, number] | null;
    /** Stickers of one face, if a state can be given as stickers. */
    face_stickers: number | null;
    has_costs: boolean;
    /** Remarks of the reader of a definition. */
    notes: string[];
    near_optimal: boolean;
    scrambles: boolean;
    tables: boolean;
    gods_algorithm: boolean;
}

export interface StateInfo {
    /** The state in a form that reads back as the same state. */
    state: string;
    /** null if it is unknown. States that are known to be unsolvable are refused. */
    solvable: boolean | null;
    /** Facts to show to people. */
    facts: Record<string, string>;
}

export interface Check {
    solves: boolean;
    plan_length: number;
    plan_cost: number;
    /** Why the plan does not solve the state. */
    error: string | null;
}

/** A plan that was made cheaper. */
export interface Shortened {
    plan: string[];
    length: number;
    cost: number;
    length_before: number;
    cost_before: number;
    /**
     * By how much each pass made the plan cheaper: `together` if several plans were given,
     * `commuting`, `nearby` and `solve`.
     */
    passes: { name: string; saved: number }[];
    /** Whether every pass was tried on this plan without a gain. */
    complete: boolean;
}

export interface Layers {
    /** The number of states at each distance from the goal. */
    counts: number[];
    /** Some of the farthest states. */
    antipodes: string[];
}

export interface Histogram {
    table: string;
    entries: number;
    bytes: number;
    mean: number;
    max: number;
    /** The number of entries with value 0, with value 1, and so on. */
    counts: number[];
}

export interface NamedPuzzle {
    /** The name that `Solver` takes. Words in capitals stand for what the user chooses. */
    puzzle: string;
    aliases: string[];
    title: string;
}
