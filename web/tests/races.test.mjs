// What the page does when answers are late, or when nobody answers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, choose, open, serve, write } from "./browser.mjs";

/** A board of 24 tiles that no search solves in minutes. */
const LONG = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13";

let server;
let browser;
before(async () => {
    server = await serve();
    browser = await browse();
});
after(async () => {
    await browser?.close();
    server?.end();
});

const headline = (page) => page.locator(".result .headline");

test("of two quick searches, the last one is shown", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await write(page, "R2 U2");
    // The answer to the first request comes after the second search.
    let late = 0;
    await page.route("**/searches", async (route) => {
        const answer = await route.fetch();
        const first = late === 0;
        late += 1;
        if (first) await new Promise((resume) => setTimeout(resume, 1500));
        await route.fulfill({ response: answer });
    });
    const forgotten = page.waitForRequest((request) => request.method() === "DELETE");
    await page.locator(".options summary").click();
    await page.fill("#plans", "5");
    await page.fill("#slack", "5");
    const asked = page.waitForRequest((request) => request.url().endsWith("/searches"));
    await page.click("#solve");
    await asked;
    await page.fill("#plans", "");
    await page.fill("#slack", "");
    await page.click("#solve");
    await headline(page).filter({ hasText: "2 moves: proven" }).waitFor();
    // The first search is told to end as soon as its number is known.
    await forgotten;
    await page.waitForTimeout(300);
    assert.equal(late, 2);
    assert.equal(await page.locator(".plans h3").count(), 0, "plans of the first search");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("Ctrl+Enter sends the text as it is now", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await write(page, "R U");
    await page.focus("#state");
    await page.keyboard.press("End");
    await page.keyboard.type(" F");
    await page.keyboard.press("Control+Enter");
    await headline(page).filter({ hasText: "3 moves: proven" }).waitFor();
    // A text that is no state is not sent.
    const sent = [];
    page.on("request", (request) => sent.push(request.url()));
    await page.keyboard.type(" Q");
    await page.keyboard.press("Control+Enter");
    await page.locator("#state-error").filter({ hasText: "column 7" }).waitFor();
    await page.waitForTimeout(400);
    assert.ok(!sent.some((url) => url.endsWith("/searches")), sent.join());
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a batch that is stopped starts no more searches", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "24-puzzle");
    await page.getByRole("button", { name: "Batch" }).click();
    let started = 0;
    page.on("request", (request) => (started += request.url().endsWith("/searches") ? 1 : 0));
    await page.fill("#batch", Array(200).fill(LONG).join("\n"));
    await page.getByText("Solve all").click();
    await page
        .locator("td")
        .filter({ hasText: /Builds|Searches/ })
        .first()
        .waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    const rows = page.locator("tbody tr");
    await rows.last().filter({ hasText: "Not started" }).waitFor();
    assert.equal(await rows.first().locator("td").nth(4).textContent(), "Stopped");
    assert.ok(started < 50, `${started} searches of 200`);
    // The next batch counts anew.
    await page.fill(
        "#batch",
        "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\nQ",
    );
    await page.getByText("Solve all").click();
    await page.locator("[role=status]").filter({ hasText: "2 of 2 done, 1.00 moves" }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a server that is gone is called so in every view", async () => {
    const own = await serve();
    const { page } = await open(browser, own.link);
    await write(page, "R U");
    own.server.kill();
    await page.locator(".banner").filter({ hasText: "does not answer" }).waitFor();
    const gone = { hasText: "The server does not answer. Is fewest serve still running?" };
    await page.fill("#state", "R U F");
    await page.locator("#state-error").filter(gone).waitFor();
    await page.click("#scramble");
    await page.locator("#state-error").filter(gone).waitFor();
    await page.getByRole("button", { name: "Batch" }).click();
    await page.fill("#batch", "R");
    await page.getByText("Solve all").click();
    await page.locator("td.error").filter(gone).waitFor();
    await page.getByRole("button", { name: "God’s algorithm" }).click();
    await page.evaluate(() => (document.querySelector("#count").disabled = false));
    await page.click("#count");
    await page.locator(".headline").filter(gone).waitFor();
    await page.getByRole("button", { name: "Tables" }).click();
    await page.locator(".headline").filter(gone).waitFor();
    const text = await page.locator("body").textContent();
    assert.ok(!text.includes("Failed to fetch"), text);
    await page.context().close();
    own.end();
});
