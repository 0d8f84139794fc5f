// The player shows what the engine means: the same stickers, and the same moves by the same names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { puzzles } from "cubing/puzzles";
import { build } from "esbuild";

// The player is made for browsers. Node.js has no elements, and these tests need none.
globalThis.HTMLElement ??= class {};
const folder = mkdtempSync(join(tmpdir(), "fewest-player-"));
const bundle = { entryPoints: ["src/player.ts"], bundle: true, format: "esm", platform: "node" };
await build({ ...bundle, outfile: join(folder, "player.mjs"), logLevel: "error" });
const { transformation } = await import(join(folder, "player.mjs"));

function fewest(...words) {
    const folder = process.env.FEWEST_TABLES ?? join(tmpdir(), "fewest-player-tables");
    const answer = execFileSync(process.env.FEWEST, words, {
        encoding: "utf8",
        env: { ...process.env, FEWEST_TABLES: folder },
    });
    return JSON.parse(answer);
}

for (const name of ["3x3x3", "2x2x2"]) {
    test(`stickers of the ${name} become the same pieces`, async () => {
        const kpuzzle = await puzzles[name].kpuzzle();
        for (const moves of ["R", "U", "F", "R U", "R U F' L2 D B", "F2 R' B D L' U B2"]) {
            const { facelets } = fewest("check", name, moves, "--format", "json").facts;
            const moved = kpuzzle.defaultPattern().applyAlg(moves);
            const read = kpuzzle
                .defaultPattern()
                .applyTransformation(transformation(kpuzzle, facelets));
            assert.ok(moved.isIdentical(read), `${moves}: ${facelets}`);
        }
    });
}

const NAMED_ALIKE = {
    pyraminx: ["pyraminx", ["U L' R B' U", "R' L R L' U B"]],
    "pyraminx-tips": ["pyraminx", ["U L' R B' u r'", "b' L l U"]],
    fto: ["fto", ["U R' BL", "F BR' L"]],
    "4x4x4": ["4x4x4", ["R Uw' F", "Rw2 D"]],
    "5x5x5": ["5x5x5", ["R Uw' F", "Lw D2"]],
    "6x6x6": ["6x6x6", ["3Rw U'", "Bw 3Uw2"]],
    "7x7x7": ["7x7x7", ["3Rw U'", "Fw 3Dw"]],
};
for (const [name, [id, states]] of Object.entries(NAMED_ALIKE)) {
    test(`the moves of ${name} have the same names`, async () => {
        const kpuzzle = await puzzles[id].kpuzzle();
        for (const state of states) {
            const { plan } = fewest("solve", name, state, "--format", "json", "--quiet");
            const end = kpuzzle.defaultPattern().applyAlg(state).applyAlg(plan.join(" "));
            // cubing.js knows the turned solved states of some puzzles only.
            const turned = { ignorePuzzleOrientation: true, ignoreCenterOrientation: true };
            const solved =
                end.isIdentical(kpuzzle.defaultPattern()) || end.experimentalIsSolved(turned);
            assert.ok(solved, `${state}, then ${plan.join(" ")}`);
        }
    });
}
