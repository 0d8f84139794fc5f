// The package in Chromium, as a page uses it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.mjs";

/** A board of Korf's hundred (1985), and the nodes that he counted. He counts the root, too. */
const BOARD = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15";
const [LENGTH, NODES] = [42, 540_860];
/** A board that takes 80 moves: with the Manhattan distance, hours. */
const FAR = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
const MANHATTAN = { heuristic: "manhattan" };

/** Two rings of six beads that cross at two places. */
const RINGS = `Name Rings
Set BEADS 10 1

StartState
BEADS
0 1 2 3 4 5 6 7 8 9
End

MoveTransformation L
BEADS
3 0 2 7 4 1 6 8 5 9
End

MoveTransformation R
BEADS
0 4 1 3 8 5 2 7 9 6
End
`;

let page, end;
before(async () => {
    ({ page, end } = await open());
    await page.evaluate(async () => {
        window.fewest = await import("/fewest-wasm/index.js");
        // Calls a method of a new solver. Returns what comes of it, and the progress.
        window.ask = async (puzzle, options, method, ...args) => {
            const solver = new fewest.Solver(puzzle, options);
            const progress = [];
            const onProgress = (one) => progress.push(one);
            const last = args.at(-1);
            if (last && typeof last === "object") args[args.length - 1] = { onProgress, ...last };
            try {
                return { result: await solver[method](...args), progress };
            } catch ({ name, kind, message }) {
                return { error: { name, kind, message }, progress };
            } finally {
                solver.close();
            }
        };
    });
});
after(() => end());

const ask = (...args) => page.evaluate((args) => ask(...args), args);

/** Solves a state, and has the plan replayed. */
async function solve(puzzle, options, state, limits = {}) {
    const { result, error, progress } = await ask(puzzle, options, "solve", state, limits);
    assert.equal(error, undefined);
    assert.equal(result.outcome, "solved");
    const replay = await ask(puzzle, options, "check", state, result.plan.join(" "));
    assert.deepEqual([replay.result.solves, replay.result.error], [true, null]);
    assert.equal(replay.result.plan_length, result.length);
    return { ...result, progress };
}

test("all puzzles have their names", async () => {
    const named = await page.evaluate(() => fewest.puzzles());
    const names = named.map(({ puzzle }) => puzzle);
    for (const name of ["2x2x2", "3x3x3", "8-puzzle", "pyraminx"]) assert.ok(names.includes(name));
    assert.deepEqual(named.find(({ puzzle }) => puzzle === "2x2x2").aliases, ["222", "2x2"]);
});

test("a 2x2x2 is solved, its plan undone, and every state counted", async () => {
    const answer = await solve("2x2x2", {}, "R U F' R2 U' F R U2");
    assert.deepEqual([answer.length, answer.optimal, answer.lower_bound], [8, true, 8]);
    assert.ok(answer.progress.some(({ progress }) => progress === "building"));
    const inverse = await ask("2x2x2", {}, "invert", "R U F' R2");
    assert.deepEqual(inverse.result, ["R2", "F", "U'", "R'"]);
    const { result } = await ask("2x2x2", {}, "shorten", "R U U' R F R2", { limit_time: 5 });
    assert.deepEqual([result.plan.join(" "), result.length_before], ["R2 F R2", 6]);
    const { error } = await ask("2x2x2", {}, "shorten", "R", { state: "R" });
    assert.equal(error.kind, "refused");
    const others = ["R2 F U U' R2"];
    const together = (await ask("2x2x2", {}, "shorten", "R U U' R F R R", { others })).result;
    assert.deepEqual([together.plan.join(" "), together.length_before], ["R2 F R2", 5]);
    const wrong = await ask("2x2x2", {}, "shorten", "R", { others: ["R", "U"] });
    assert.match(wrong.error.message, /plan 3/);
    const { counts, antipodes } = (await ask("2x2x2", {}, "godsAlgorithm", { antipodes: 2 }))
        .result;
    const published = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    assert.deepEqual(counts, published);
    assert.equal((await solve("2x2x2", {}, antipodes[1])).length, 11);
});

test("a board takes the nodes that Korf counted", async () => {
    const korf = { ...MANHATTAN, pruning: "inverse" };
    const { length, generated } = await solve("15-puzzle", korf, BOARD);
    assert.deepEqual([length, generated], [LENGTH, NODES - 1]);
    assert.equal((await solve("15-puzzle", {}, BOARD)).length, LENGTH);
});

test("random states are the same for a seed, and can be solved", async () => {
    const draw = async (seed) => (await ask("8-puzzle", {}, "scramble", { count: 3, seed })).result;
    const states = await draw(7);
    assert.deepEqual([await draw(7), states.length], [states, 3]);
    assert.notDeepEqual(await draw(8), states);
    for (const state of states) assert.ok((await solve("8-puzzle", {}, state)).optimal);
});

test("a definition is solved", async () => {
    const { length, optimal } = await solve(RINGS, {}, "L R2 L' R");
    assert.deepEqual([length, optimal], [4, true]);
    const { result } = await ask(RINGS, {}, "godsAlgorithm", {});
    assert.equal(
        result.counts.reduce((sum, count) => sum + count),
        3_628_800,
    );
});

test("a cube gets a near-optimal plan, and with little time a lower bound", async () => {
    const near = await solve("3x3x3", {}, "superflip", { near_optimal: true });
    assert.ok(near.length >= 20 && near.length <= 24, `${near.length} moves`);
    assert.ok(near.progress.some(({ plan }) => plan?.length === near.length));
    const few = { limit_nodes: 2_000_000 };
    const { result } = await ask("3x3x3", {}, "solve", "superflip", few);
    assert.equal(result.outcome, "limit-reached");
    assert.ok(result.lower_bound >= 8 && result.plan.length >= 20 && !result.optimal);
    // How far it comes by then is up to the machine.
    const late = await ask("3x3x3", {}, "solve", "superflip", { deadline: 3 });
    assert.equal(late.result.outcome, "limit-reached");
    assert.ok(late.result.lower_bound < 20 && !late.result.optimal);
    const limits = { limit_nodes: 100_000 };
    const nodes = await ask("15-puzzle", MANHATTAN, "solve", FAR, limits);
    assert.equal(nodes.result.outcome, "limit-reached");
});

test("wrong input is refused, with its place", async () => {
    const refused = async (part, ...args) => {
        const { error } = await ask(...args);
        assert.deepEqual([error?.name, error?.kind], ["FewestError", "refused"]);
        assert.ok(error.message.includes(part), error.message);
    };
    await refused("column 3: found `Q`", "3x3x3", {}, "solve", "R Q", {});
    await refused("expected 16", "15-puzzle", {}, "read", "1 2 3");
    await refused("did you mean 15-puzzle or", "15-puzle", {}, "info");
    await refused("unknown heuristic", "3x3x3", { heuristic: "manhatan" }, "info");
    await refused("unknown field `heuristics`", "3x3x3", { heuristics: "best" }, "info");
    const manhattan = { heuristic: "manhattan" };
    await refused("near-optimal", "3x3x3", manhattan, "solve", "R", { near_optimal: true });
    await refused(
        "line 11, column 11: found `4` again",
        RINGS.replace("7 4 1", "7 4 4"),
        {},
        "info",
    );
    const { error } = await ask("15-puzzle", { heuristic: "pdb:7-8", memory: 1000 }, "info");
    assert.equal(error.kind, "memory");
});

test("a call is cancelled while it runs or waits, and the next is answered", async () => {
    const told = await page.evaluate(
        async ([far, options]) => {
            const solver = new fewest.Solver("15-puzzle", options);
            const [running, waiting] = [new AbortController(), new AbortController()];
            let onProgress;
            const searches = new Promise((resolve) => {
                onProgress = ({ progress }) => progress === "search" && resolve();
            });
            const calls = [
                solver.solve(far, { signal: running.signal, onProgress }),
                solver.solve(far, { signal: waiting.signal }),
                solver.read(far),
                solver.solve(far, { signal: AbortSignal.abort("too late") }),
            ];
            const first = await Promise.race([searches, calls[0]]);
            waiting.abort();
            running.abort();
            const settled = await Promise.allSettled(calls);
            const [closed] = await Promise.allSettled([solver.solve(far), solver.close()]);
            const again = await solver.solve("1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
            solver.close();
            const outcome = ({ value, reason }) => value ?? reason.name ?? reason;
            return { first, settled: settled.map(outcome), closed: outcome(closed), again };
        },
        [FAR, MANHATTAN],
    );
    assert.equal(told.first, undefined);
    const [running, waiting, read, late] = told.settled;
    assert.deepEqual([running, waiting, late], ["AbortError", "AbortError", "too late"]);
    assert.equal(read.solvable, true);
    assert.equal(told.closed, "AbortError");
    assert.equal(told.again.length, 1);
});
