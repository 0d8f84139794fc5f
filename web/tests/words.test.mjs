// Numbers, times, phases and faults in words.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "fewest-words-"));
const bundle = { bundle: true, format: "esm", outdir: folder, logLevel: "error" };
const outExtension = { ".js": ".mjs" };
await build({ ...bundle, entryPoints: ["src/words.ts", "src/charts.ts"], outExtension });
const { axis } = await import(join(folder, "charts.mjs"));
const { amount, duration, moves, phaseText } = await import(join(folder, "words.mjs"));

test("the axis begins at 0 until a bound is proven", () => {
    const points = [{ seconds: 0, lower: 0, upper: 18 }];
    assert.deepEqual(axis(points), [0, 19]);
    assert.deepEqual(axis([]), [0, 2]);
    assert.deepEqual(axis([...points, { seconds: 1, lower: 15, upper: 18 }]), [13, 19]);
});

test("times are rounded before they are split", () => {
    const told = {
        0: "1 ms",
        0.0996: "0.1 s",
        9.96: "10 s",
        59.7: "1 min 0 s",
        119.7: "2 min 0 s",
        3599.6: "1 h 0 min",
        7170: "2 h 0 min",
        172799: "2 days",
        1e9: "years",
    };
    for (const [seconds, text] of Object.entries(told)) {
        assert.equal(duration(Number(seconds)), text, seconds);
    }
});

test("one move is one move, and a cost is no number of moves", () => {
    assert.deepEqual([0, 1, 2].map(moves), ["0 moves", "1 move", "2 moves"]);
    assert.deepEqual([amount(1, false), amount(3, true)], ["1 move", "cost 3"]);
});

test("every phase has words", () => {
    const job = { kind: "search", place: null, activity: null, error: null };
    const text = (more) => phaseText({ ...job, ...more });
    assert.equal(text({ phase: "queued" }), "Waits");
    assert.equal(text({ phase: "queued", place: 3 }), "Place 3 in the queue");
    assert.equal(text({ phase: "building", activity: "corners" }), "Builds a table: corners …");
    assert.equal(text({ phase: "searching", kind: "count" }), "Counts …");
    assert.equal(text({ phase: "failed", answer: { error: "no such move" } }), "no such move");
    for (const phase of ["preparing", "searching", "done", "stopped", "failed"]) {
        assert.match(text({ phase }), /^[A-Z]/, phase);
    }
});
