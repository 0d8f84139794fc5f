// The page as a person uses it: written and drawn states, searches, players, links, accessibility.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { SOLVED, browse, choose, open, serve, shoot, write } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
/** A cube whose bounds meet in seconds, and one whose bounds take a while. */
const FIFTEEN = "R U2 F' D L2 B U' R2 F D' L B2 U R' F2";
const RANDOM = "U2 R2 F' D2 L B' R' U F2 L2 D' B2 R U' F D2 B L'";

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

/** Nothing that axe-core knows is wrong with the page as it is. */
async function accessible(page, what) {
    await page.evaluate(() => document.fonts.ready);
    if (!(await page.evaluate(() => "axe" in window))) {
        const session = await page.context().newCDPSession(page);
        const { readFileSync } = await import("node:fs");
        await session.send("Runtime.evaluate", { expression: readFileSync(axe, "utf8") });
    }
    const { violations } = await page.evaluate(() => window.axe.run());
    const told = violations.map(
        (one) =>
            `${one.id}: ${one.nodes
                .map((node) => node.html)
                .slice(0, 3)
                .join(" ")}`,
    );
    assert.deepEqual(told, [], what);
}

const headline = (page) => page.locator(".result .headline");
const moves = (page) => page.locator(".moves button").allTextContents();

test("a cube is solved, and turns", async () => {
    const { page, errors } = await open(browser, server.link);
    assert.ok(!page.url().includes("token"), "the token left the address");
    await write(page, "R U R' F' R U R' U' R' F R2 U' R'");
    await page.click("#solve");
    await headline(page).filter({ hasText: "10 moves: proven" }).waitFor();
    assert.equal((await moves(page)).length, 10);
    await page.click("[aria-label='To the end']");
    assert.equal(await page.locator(".moves .done").count(), 10);
    await page.click("[aria-label='One move back']");
    await page.waitForFunction(() => document.querySelectorAll(".moves .done").length === 9);
    await page.click("[aria-label='To the start']");
    await page.locator(".speed input").fill("8");
    await page.click("[aria-label='Play']");
    await page.waitForFunction(() => document.querySelectorAll(".moves .done").length === 10);
    await page.click(".moves li:nth-child(4) button");
    await shoot(page, "cube");
    await accessible(page, "a solved cube");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a cube is drawn", async () => {
    const { page, errors } = await open(browser, server.link);
    // One turn of U, sticker by sticker: the upper rows of the sides go round.
    const rows = { F: "R", R: "B", B: "L", L: "F" };
    for (const [face, colour] of Object.entries(rows)) {
        const names = { R: "red", B: "blue", L: "orange", F: "green" };
        await page.click(`.palette [aria-label='${names[colour]}']`);
        for (const at of [1, 2, 3]) await page.click(`.net [aria-label^='${face}${at}:']`);
    }
    await page.waitForFunction(() => !document.querySelector("#solve").disabled);
    await page.click("#solve");
    await headline(page).filter({ hasText: "1 move: proven" }).waitFor();
    assert.deepEqual(await moves(page), ["U'"]);
    // By keys alone: the arrow goes to the next sticker, a letter paints it.
    await page.focus(".net [aria-label^='U1:']");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("r");
    const focused = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.equal(focused, "U2: red");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a state that cannot be is refused, and its place is marked", async () => {
    const { page, errors } = await open(browser, server.link);
    await write(page, SOLVED.replace("UR", "RU"));
    await page.locator("#state-error").filter({ hasText: "facelets 9, 10, 21" }).waitFor();
    const wrong = page.locator(".sticker.wrong");
    assert.equal(await wrong.count(), 3);
    assert.ok(await page.locator("#solve").isDisabled());
    assert.equal(await page.locator("#state").getAttribute("aria-invalid"), "true");
    await accessible(page, "an error");
    await shoot(page, "error");
    await write(page, "R U Q F2");
    assert.equal(await page.locator(".place mark").textContent(), "Q");
    await choose(page, "8-puzzle");
    await write(page, "1 2 3 4 5 6 7 8 8");
    await page.locator("#state-error").filter({ hasText: "square 9" }).waitFor();
    await write(page, "1 0 2 3 4 5 6 7 8");
    await page.waitForFunction(() => !document.querySelector("#solve").disabled);
    assert.equal(await page.locator("#state-error").textContent(), "");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("both bounds close", async () => {
    const { page, errors } = await open(browser, server.link);
    await write(page, FIFTEEN);
    await page.click("#solve");
    await headline(page).filter({ hasText: "proven" }).waitFor({ timeout: 180_000 });
    const [lower, upper] = await page.$$eval(".chart path.lower, .chart path.upper", (paths) =>
        paths.map((path) => path.getAttribute("d").split("L").at(-1)),
    );
    assert.equal(lower, upper, "the curves meet in one point");
    await page.click("[aria-label='To the start']");
    await shoot(page, "bounds");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a search is stopped, and goes on", async () => {
    const { page, errors } = await open(browser, server.link);
    await write(page, RANDOM);
    await page.click("#solve");
    // The near-optimal plan is there long before the proof.
    await page.locator(".moves button").first().waitFor();
    await page.waitForFunction(() => {
        const lower = document.querySelector(".chart path.lower").getAttribute("d");
        const upper = document.querySelector(".chart path.upper").getAttribute("d");
        return (
            lower &&
            upper &&
            document.querySelector(".figures").textContent.includes("nodes a second")
        );
    });
    await page.click("#stop");
    await headline(page).filter({ hasText: "Stopped: at least" }).waitFor();
    const least = Number(/at least (\d+)/.exec(await headline(page).textContent())[1]);
    assert.ok(least > 5, `${least} moves are proven`);
    await page.click("#continue");
    await page.waitForFunction(
        () => document.querySelector(".result").dataset.phase === "searching",
    );
    const figures = await page.locator(".figures").textContent();
    assert.ok(Number(/at least(\d+)/.exec(figures)[1]) >= least, figures);
    await page.click("#stop");
    await headline(page).filter({ hasText: "Stopped" }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("tiles are drawn and solved", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "8-puzzle");
    const before = await page.inputValue("#state");
    await page.click("#scramble");
    await page.waitForFunction(
        (before) => document.querySelector("#state").value !== before,
        before,
    );
    await page.click("#solve");
    await headline(page).filter({ hasText: "proven" }).waitFor();
    const plan = await moves(page);
    assert.ok(
        plan.every((move) => ["up", "down", "left", "right"].includes(move)),
        plan.join(),
    );
    await page.click("[aria-label='To the end']");
    const order = await page.$$eval(".stage .tile", (tiles) =>
        tiles
            .map((tile) => [Number(tile.style.order), Number(tile.textContent)])
            .sort((a, b) => a[0] - b[0]),
    );
    assert.deepEqual(
        order.map(([, tile]) => tile),
        [0, 1, 2, 3, 4, 5, 6, 7, 8],
    );
    await page.click("[aria-label='To the start']");
    await shoot(page, "tiles");
    // Two tiles change places: by a drag, and by Enter on one and on the other.
    await write(page, "0 1 2 3 4 5 6 7 8");
    const box = async (tile) =>
        await page.locator(`.editor .board [aria-label='tile ${tile}']`).boundingBox();
    const [one, two] = [await box(1), await box(2)];
    await page.mouse.move(one.x + 20, one.y + 20);
    await page.mouse.down();
    await page.mouse.move(two.x + 25, two.y + 25, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelector("#state").value.startsWith("0 2 1 3"));
    await page.locator("#state-error").filter({ hasText: "cannot be solved" }).waitFor();
    for (const tile of [3, 4]) {
        await page.focus(`.editor .board [aria-label='tile ${tile}']`);
        await page.keyboard.press("Enter");
    }
    await page.waitForFunction(
        () => document.querySelector("#state").value === "0 2 1 4 3 5 6 7 8",
    );
    await page.waitForFunction(() => !document.querySelector("#solve").disabled);
    await accessible(page, "tiles");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a board whose blank goes last is read and solved", async () => {
    const { page, errors } = await open(browser, server.link);
    const free = () => page.waitForFunction(() => !document.querySelector("#solve").disabled);
    const numbers = (from) => Array.from({ length: 15 }, (_, at) => at + from).join(" ");
    await choose(page, "15-puzzle");
    await free();
    assert.equal(await page.inputValue("#state"), `0 ${numbers(1)}`);
    assert.equal(await page.locator("#state-error").textContent(), "");
    // Only half of all boards can be solved with the blank first.
    await write(page, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15");
    await page.locator("#state-error").filter({ hasText: "blank last" }).waitFor();
    await page.locator(".options summary").click();
    await page.fill("#goal", "last");
    await free();
    await page.click("#solve");
    await headline(page).filter({ hasText: "1 move: proven" }).waitFor();
    await page.getByRole("button", { name: "Solved", exact: true }).click();
    await free();
    assert.equal(await page.inputValue("#state"), `${numbers(1)} 0`);
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a plan goes with its state, and a refused state has no picture", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await write(page, "R U");
    await page.click("#solve");
    await headline(page).filter({ hasText: "2 moves: proven" }).waitFor();
    await write(page, "R U Q");
    await page.locator(".stage.faded").waitFor();
    assert.deepEqual(await moves(page), []);
    await write(page, "R U");
    await page.locator(".stage:not(.faded)").waitFor();
    await page.click("#solve");
    await headline(page).filter({ hasText: "2 moves: proven" }).waitFor();
    await page.locator(".options summary").click();
    await page.fill("#goal", "nowhere");
    await page.locator("#state-error").filter({ hasText: "nowhere" }).waitFor();
    assert.deepEqual(await moves(page), []);
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a definition of one's own is solved on rings", async () => {
    const { page, errors } = await open(browser, server.link);
    const definition = {
        name: "two-wheels",
        orbits: [
            { orbitName: "BEADS", numPieces: 9, numOrientations: 1 },
            { orbitName: "GEMS", numPieces: 4, numOrientations: 3 },
        ],
        defaultPattern: {
            BEADS: { pieces: [0, 1, 2, 3, 4, 5, 6, 7, 8], orientation: Array(9).fill(0) },
            GEMS: { pieces: [0, 1, 2, 3], orientation: [0, 0, 0, 0] },
        },
        moves: {
            L: {
                BEADS: {
                    permutation: [4, 0, 1, 2, 3, 5, 6, 7, 8],
                    orientationDelta: Array(9).fill(0),
                },
                GEMS: { permutation: [2, 0, 1, 3], orientationDelta: [1, 1, 1, 0] },
            },
            R: {
                BEADS: {
                    permutation: [0, 1, 2, 3, 8, 4, 5, 6, 7],
                    orientationDelta: Array(9).fill(0),
                },
                GEMS: { permutation: [0, 3, 1, 2], orientationDelta: [0, 2, 2, 2] },
            },
        },
    };
    await page.selectOption("#puzzle", "own definition");
    await page.fill("#own", '{"name": 3}');
    await page.click("#use-own");
    await page.locator(".own .error").filter({ hasText: "line" }).waitFor();
    await page.fill("#own", JSON.stringify(definition));
    const read = page.waitForResponse((one) => one.url().endsWith("/api/state") && one.ok());
    await page.click("#use-own");
    await read;
    await write(page, "L R2 L' R");
    await page.click("#solve");
    await headline(page).filter({ hasText: "proven" }).waitFor();
    await page.click("[aria-label='To the end']");
    const numbers = await page.$$eval(".rings figure:first-child g text", (all) =>
        all.map((one) => one.textContent),
    );
    assert.deepEqual(numbers, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    await page.click("[aria-label='To the start']");
    await accessible(page, "a definition");
    await shoot(page, "definition");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a twisty puzzle is scrambled, solved, and turns", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "pyraminx");
    await page.click("#scramble");
    await page.waitForFunction(() =>
        /^[ULRB'2 ]{8,}$/.test(document.querySelector("#state").value),
    );
    await page.click("#solve");
    await headline(page).filter({ hasText: "proven" }).waitFor();
    await page.click("[aria-label='To the start']");
    await shoot(page, "pyraminx");
    // A state without moves has no picture before it is solved.
    await write(page, "CPOS 038A82A156");
    await page.locator(".twisty.unknown").waitFor();
    await page.click("#solve");
    await page.locator(".twisty:not(.unknown)").waitFor();
    await headline(page).filter({ hasText: "proven" }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("an address leads to the same state, without the token", async () => {
    const { page, context, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await write(page, "R U R' F2");
    await page.locator(".options summary").click();
    await page.fill("#goal", "face:U");
    await page.click("#solve");
    await headline(page).filter({ hasText: "proven" }).waitFor();
    const address = page.url();
    assert.ok(!address.includes("token"), address);
    const other = await context.newPage();
    await other.goto(address);
    await other.waitForFunction(() => document.querySelector("#state")?.value === "R U R' F2");
    assert.equal(await other.inputValue("#puzzle"), "2x2x2");
    assert.equal(await other.inputValue("#goal"), "face:U");
    // Somebody else has no token, and is told what is missing.
    const stranger = await browser.newContext();
    const stranded = await stranger.newPage();
    await stranded.goto(address);
    await stranded.locator("[role=alert]").filter({ hasText: "whole link" }).waitFor();
    await accessible(stranded, "without a token");
    // The printed link, put into the same window, opens the page.
    await stranded.goto(server.link);
    await stranded.locator("#state").waitFor();
    assert.deepEqual(errors, []);
    await stranger.close();
    await context.close();
});

test("an alias in a link has the picture of its puzzle", async () => {
    const { page, context, errors } = await open(browser, server.link);
    const other = await context.newPage();
    await other.goto(`${page.url().split("#")[0]}#puzzle=3x3&state=R+U`);
    await other.locator(".stage .twisty").waitFor();
    assert.equal(await other.inputValue("#puzzle"), "3x3x3");
    assert.deepEqual(errors, []);
    await context.close();
});

test("the state of a cube may be a KPattern", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await page.fill(
        "#state",
        `{"CORNERS": {"pieces": [4, 0, 2, 3, 7, 5, 6, 1],
                      "orientation": [2, 1, 0, 0, 1, 0, 0, 2]}}`,
    );
    await page.click("#solve");
    await headline(page).filter({ hasText: "1 move: proven" }).waitFor();
    assert.deepEqual(await moves(page), ["R'"]);
    // The net shows the stickers after R.
    assert.equal(await page.locator(".net [aria-label='U2: green']").count(), 1);
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a cost is not called a number of moves, and the history keeps the settings", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await write(page, "R2 U");
    await page.locator(".options summary").click();
    await page.selectOption("#metric", "qtm");
    await page.fill("#moves", "U,R2");
    await page.click("#solve");
    await headline(page).filter({ hasText: "2 moves, cost 3: proven, none is cheaper" }).waitFor();
    await write(page, "solved");
    await page.getByRole("button", { name: "History" }).click();
    await page.locator("td").filter({ hasText: "moves U,R2, qtm" }).waitFor();
    await page.locator("td").getByRole("button", { name: "R2 U" }).click();
    await page.waitForFunction(() => document.querySelector("#state")?.value === "R2 U");
    assert.equal(await page.inputValue("#metric"), "qtm");
    assert.equal(await page.inputValue("#moves"), "U,R2");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("plans, goals and allowed moves", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await write(page, "R2 U2");
    await page.locator(".options summary").click();
    await accessible(page, "options");
    await page.fill("#plans", "5");
    await page.fill("#slack", "5");
    await page.click("#solve");
    await page.locator(".plans h3").filter({ hasText: "5 plans" }).waitFor();
    await page.click(".plans li:nth-child(3) button");
    const third = await page.locator(".plans li:nth-child(3) button").textContent();
    assert.equal((await moves(page)).join(" "), third);
    await page.fill("#plans", "");
    await page.fill("#slack", "");
    await page.getByText("Draw the goal").click();
    for (const at of [1, 2, 3, 4]) await page.click(`.goal-drawing [aria-label^='D${at}:']`);
    assert.ok((await page.inputValue("#goal")).includes("...."));
    await page.fill("#moves", "R,U");
    await page.click("#solve");
    await headline(page).filter({ hasText: "proven" }).waitFor();
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("batch, God's algorithm, tables and history", async () => {
    const { page, errors } = await open(browser, server.link);
    await choose(page, "2x2x2");
    await page.getByRole("button", { name: "Batch" }).click();
    await page.fill("#batch", "R U\nR U R'\nQ\nF2 R\n");
    await page.getByText("Solve all").click();
    await page.locator("[role=status]").filter({ hasText: "4 of 4 done, 2.33 moves" }).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByText("Download CSV").click();
    const { readFileSync } = await import("node:fs");
    const lines = readFileSync(await (await saved).path(), "utf8")
        .trim()
        .split("\n");
    assert.equal(lines[0], "number,state,outcome,length,lower_bound,plan,seconds");
    assert.ok(lines[1].startsWith("1,R U,solved,2,2,U' R',"), lines[1]);
    assert.ok(lines[3].includes("column 1"), lines[3]);
    await accessible(page, "batch");
    await page.getByRole("button", { name: "God’s algorithm" }).click();
    await page.click("#count");
    await page.locator(".headline").filter({ hasText: "none farther than 11" }).waitFor();
    assert.equal(await page.locator(".chart .bar").count(), 12);
    await accessible(page, "God's algorithm");
    await shoot(page, "gods-algorithm");
    await page.getByRole("button", { name: "Tables" }).click();
    await page.click("#build");
    await page.locator(".headline").filter({ hasText: "Ready" }).waitFor();
    const rows = page.locator("tbody tr");
    const count = await rows.count();
    assert.ok(count > 0);
    await accessible(page, "tables");
    await rows.filter({ hasText: "2x2x2" }).first().getByRole("button").click();
    await page.waitForFunction(
        (count) => document.querySelectorAll("tbody tr").length === count - 1,
        count,
    );
    await page.getByRole("button", { name: "Solve", exact: true }).first().click();
    await write(page, "R U F");
    await page.click("#solve");
    await headline(page).filter({ hasText: "3 moves: proven" }).waitFor();
    await page.getByRole("button", { name: "History" }).click();
    await page.locator("td").filter({ hasText: "R U F" }).waitFor();
    await accessible(page, "history");
    assert.deepEqual(errors, []);
    await page.context().close();
});

test("a page that was away finds its search stopped, and goes on", async () => {
    const own = await serve("--gone-after", "1s");
    const { page, context } = await open(browser, own.link);
    // The stream of events breaks off, and cannot be opened while the page is away.
    await page.evaluate(() => {
        const ask = window.fetch;
        window.away = false;
        window.fetch = (path, options) => {
            if (window.away) return Promise.reject(new TypeError("away"));
            return ask(path, options);
        };
        const read = ReadableStreamDefaultReader.prototype.read;
        ReadableStreamDefaultReader.prototype.read = function () {
            if (!window.away) return read.call(this);
            return this.cancel().then(() => ({ done: true }));
        };
    });
    await write(page, RANDOM);
    await page.click("#solve");
    await page.locator(".moves button").first().waitFor();
    await page.evaluate(() => (window.away = true));
    await page.locator(".banner").filter({ hasText: "does not answer" }).waitFor();
    await page.waitForTimeout(2500);
    await page.evaluate(() => (window.away = false));
    await headline(page).filter({ hasText: "Stopped" }).waitFor();
    await page.locator(".banner").waitFor({ state: "hidden" });
    await page.click("#continue");
    await page.waitForFunction(() => document.querySelector(".result").dataset.phase !== "stopped");
    // Another server on the same port has another token.
    own.server.kill();
    await page.locator(".banner").filter({ hasText: "does not answer" }).waitFor();
    const again = await serve("--port", new URL(own.link).port);
    await page.locator(".banner").filter({ hasText: "started anew" }).waitFor();
    await page.goto(again.link);
    await page.locator("#state").waitFor();
    await page.locator(".banner").waitFor({ state: "hidden" });
    await context.close();
    own.end();
    again.end();
});

test("a phone, and dark colours", async () => {
    const phone = {
        width: 390,
        height: 844,
        deviceScaleFactor: 2,
        hasTouch: true,
        isMobile: true,
        colorScheme: "dark",
    };
    const { page, errors } = await open(browser, server.link, phone);
    await write(page, "R U R' F' R U R' U' R' F R2 U' R'");
    await page.click("#solve");
    await headline(page).filter({ hasText: "proven" }).waitFor();
    await page.click("[aria-label='To the start']");
    await accessible(page, "a phone in the dark");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} pixels wide`);
    await shoot(page, "phone");
    assert.deepEqual(errors, []);
    await page.context().close();
});
