// A server and a browser for the tests of the page.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const web = fileURLToPath(new URL("..", import.meta.url));
const shots = join(web, "shots");
/** The folder of the pictures for the documentation, if they are to be made anew. */
const docs = process.env.SHOTS && join(web, "..", process.env.SHOTS);
/** Tables stay between runs if the caller has a folder for them. */
const kept = process.env.FEWEST_TABLES;

/** Starts a server. Returns its link, its process, and what ends it. */
export async function serve(...options) {
    const tables = kept ?? mkdtempSync(join(tmpdir(), "fewest-page-"));
    const args = [
        "serve",
        "--quiet",
        "--memory",
        "512MiB",
        "--page",
        join(web, "dist"),
        "--tables",
        tables,
    ];
    const server = spawn(process.env.FEWEST, [...args, ...options], {
        stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: server.stdout });
    const [link] = await new Promise((resolve, reject) => {
        lines.once("line", (line) => resolve([line]));
        server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    const end = () => {
        server.kill();
        if (!kept) rmSync(tables, { recursive: true, force: true });
    };
    return { link, server, end };
}

/** Starts Chromium. It fetches nothing from elsewhere. */
export function browse() {
    return chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: [
            "--no-sandbox",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    });
}

/** Opens the page. An error on its console fails the test that asks for `errors`. */
export async function open(browser, link, { width = 1240, height = 860, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const errors = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
        // A refused state is an answer with the status 422, which the browser logs.
        if (message.type() === "error" && !message.text().includes("422"))
            errors.push(message.text());
    });
    page.on("request", (request) => {
        const own =
            request.url().startsWith(new URL(link).origin) || /^(blob|data):/.test(request.url());
        if (!own) errors.push(`a request elsewhere: ${request.url()}`);
    });
    const read = page.waitForResponse((one) => one.url().endsWith("/api/state"));
    await page.goto(link);
    await read;
    return { page, context, errors };
}

/** Writes a state, and waits until it is read. */
export async function write(page, text) {
    const answer = page.waitForResponse(
        (one) => one.url().endsWith("/api/state") && one.request().postDataJSON()?.state === text,
    );
    await page.fill("#state", text);
    await answer;
}

export async function choose(page, puzzle) {
    const read = page.waitForResponse(
        (one) =>
            one.url().endsWith("/api/state") && one.request().postDataJSON().puzzle.name === puzzle,
    );
    await page.selectOption("#puzzle", puzzle);
    await read;
}

/** A picture of the page. Waits until pictures of the puzzle are drawn. */
export async function shoot(page, name) {
    mkdirSync(shots, { recursive: true });
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    if (!docs) return;
    // The pictures of the documentation are small.
    mkdirSync(docs, { recursive: true });
    const session = await page.context().newCDPSession(page);
    const size = await page.evaluate(() => [document.body.scrollWidth, document.body.scrollHeight]);
    const clip = { x: 0, y: 0, width: size[0], height: size[1], scale: 1 };
    const shot = { format: "webp", quality: 80, captureBeyondViewport: true, clip };
    const { data } = await session.send("Page.captureScreenshot", shot);
    writeFileSync(join(docs, `${name}.webp`), Buffer.from(data, "base64"));
}

export const SOLVED = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
