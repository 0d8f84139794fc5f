// A server and a browser for the tests of the package.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };

/** Serves the package, the script of the book's live examples, and a page with this body. */
async function serve(body) {
    const folders = {
        "/fewest-wasm/": join(target, "wasm/package"),
        "/book/": join(root, "docs/book"),
    };
    const server = createServer(({ url }, response) => {
        const folder = Object.keys(folders).find((start) => url.startsWith(start));
        const file = folder && join(folders[folder], url.slice(folder.length));
        if (file && existsSync(file)) {
            response.setHeader("content-type", TYPES[extname(file)]);
            createReadStream(file).pipe(response);
        } else {
            response.statusCode = url === "/" ? 200 : 404;
            response.setHeader("content-type", "text/html; charset=utf-8");
            response.end(
                url === "/" ? `<!doctype html><link rel="icon" href="data:,">${body}` : "",
            );
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
}

/** Opens a page with this body in Chromium. Returns the page, and what ends everything. */
export async function open(body = "") {
    const server = await serve(body);
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--no-first-run", "--disable-background-networking"],
    });
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const end = async () => {
        await browser.close();
        server.close();
    };
    return { page, end };
}
