// The live examples of the book.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./browser.mjs";

const RINGS = `Name Rings\nSet BEADS 3 1\nStartState\nBEADS\n0 1 2\nEnd
MoveTransformation L\nBEADS\n2 0 1\nEnd\nMoveTransformation R\nBEADS\n1 0 2\nEnd`;

test("the live examples solve, tell what is wrong, and stop", async () => {
    const { page, end } = await open(`
        <pre><code>${RINGS}</code></pre>
        <div class="live" data-state="L R"></div>
        <div class="live" data-puzzle="15-puzzle" data-options='{"heuristic": "manhattan"}'
            data-state="15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"></div>
        <script type="module" src="/book/live.js"></script>`);
    try {
        const example = (number) => page.locator(".live").nth(number);
        const press = (number, name) => example(number).getByRole("button", { name }).click();
        const says = async (number, part) => {
            await example(number).locator("code", { hasText: part }).waitFor();
        };
        await press(0, "Solve");
        await says(0, "2 moves, optimal");
        await example(0).locator("input").fill("L Q");
        await press(0, "Solve");
        await says(0, "found `Q`");
        await press(1, "Solve");
        await says(1, "nodes");
        await press(1, "Stop");
        await says(1, "stopped");
        await press(1, "Random state");
        await page.waitForFunction(
            () => !document.querySelectorAll("input")[1].value.startsWith("15 14 8 12 10"),
        );
        assert.equal(await page.locator(".live form").count(), 2);
    } finally {
        await end();
    }
});
