// What the page costs: first paint, long tasks while bounds close, memory of pages that are closed.
// Times are told and decide nothing, since they depend on what else the machine does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { browse, choose, open, serve, write } from "./browser.mjs";

const HARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
/** A board of 24 tiles that no search solves in minutes. */
const LONG = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

let server;
let browser;
before(async () => {
    server = await serve("--gone-after", "1s");
    browser = await browse();
});
after(async () => {
    await browser?.close();
    server?.end();
});

test("first paint", async () => {
    const paints = [];
    for (let count = 0; count < 5; count += 1) {
        const { page, context } = await open(browser, server.link);
        const paint = await page.evaluate(
            () =>
                performance.getEntriesByName("first-contentful-paint")[0]?.startTime ??
                performance.now(),
        );
        paints.push(Math.round(paint));
        await context.close();
    }
    console.log(`first contentful paint: ${paints.join(", ")} ms`);
});

test("sixty updates of a running search", async () => {
    const { page, context, errors } = await open(browser, server.link);
    await choose(page, "24-puzzle");
    await write(page, LONG);
    await page.evaluate(() => {
        window.updates = 0;
        window.tasks = [];
        const figures = document.querySelector(".figures");
        new MutationObserver(() => (window.updates += 1)).observe(figures, { childList: true });
        new PerformanceObserver((list) =>
            window.tasks.push(...list.getEntries().map((entry) => Math.round(entry.duration))),
        ).observe({ type: "longtask" });
    });
    await page.click("#solve");
    await page.waitForFunction(() => window.updates >= 60);
    const tasks = JSON.stringify(await page.evaluate(() => window.tasks));
    console.log(`tasks of 50 ms or more in 60 updates: ${tasks}`);
    await page.click("#stop");
    await page.locator(".headline").filter({ hasText: "Stopped" }).waitFor();
    assert.deepEqual(errors, []);
    await context.close();
});

/** Resident bytes of the server. */
function resident() {
    const status = readFileSync(`/proc/${server.server.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) * 1024;
}

/** Opens 34 pages that begin to search, and closes them. */
async function round() {
    for (let count = 0; count < 34; count += 1) {
        const { page, context } = await open(browser, server.link);
        await choose(page, "15-puzzle");
        await write(page, HARD);
        await page.click("#solve");
        await page.locator(".result").waitFor();
        await context.close();
    }
    // The last search ends a second after its page is gone.
    const { page, context } = await open(browser, server.link);
    await choose(page, "8-puzzle");
    await write(page, "1 0 2 3 4 5 6 7 8");
    await page.click("#solve");
    await page.locator(".headline").filter({ hasText: "proven" }).waitFor();
    await context.close();
    return resident();
}

test("pages that are closed leave nothing behind", async () => {
    const rounds = [await round(), await round(), await round()];
    const told = rounds.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
    console.log(`resident: ${told.join(", then ")}`);
    // What a page leaves behind adds up in every round. What the allocator keeps for threads that
    // happened to run at once is added in one.
    const growths = rounds.slice(1).map((bytes, before) => bytes / rounds[before] - 1);
    const growth = Math.min(...growths);
    assert.ok(growth < 0.07, `each round of 34 pages adds ${(100 * growth).toFixed(1)}% or more`);
});
