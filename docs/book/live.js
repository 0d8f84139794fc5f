// Live examples of the book: a form in place of each `<div class="live">`, solved in this browser.
// `data-puzzle` names the puzzle; without it, the nearest definition above is taken. `data-state`
// is the state that the form begins with, `data-options` are options of the solver in JSON, and
// `data-search` those of the search. .ci/book puts the package beside the book.
const examples = document.querySelectorAll("div.live");
const module = import("../fewest-wasm/index.js").catch(() => undefined);

/** The code block above an element that holds a definition. */
function definitionAbove(element) {
    const above = (block) =>
        block.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING &&
        block.textContent.includes("MoveTransformation");
    return [...document.querySelectorAll("pre code")].filter(above).at(-1)?.textContent;
}

function add(parent, tag, properties) {
    return parent.appendChild(Object.assign(document.createElement(tag), properties));
}

function told(answer) {
    const { plan, length, optimal, outcome, lower_bound, seconds, table_seconds } = answer;
    const found = plan ? `${plan.join(" ")}\n${length} moves` : outcome;
    const proven = optimal ? "optimal" : `proven: at least ${lower_bound}`;
    const nodes = `${answer.generated.toLocaleString("en")} nodes`;
    const times = `${seconds.toFixed(2)} s, tables ${table_seconds.toFixed(2)} s`;
    return `${found}, ${proven}; ${nodes}, ${times}`;
}

function progressTold(one) {
    if (one.plan) return `${one.plan.join(" ")}\n${one.length} moves, not proven optimal`;
    if (one.progress === "search") {
        return `bound ${one.bound}, ${one.generated.toLocaleString("en")} nodes`;
    }
    return one.table ? `table ${one.table}` : undefined;
}

function example(element, fewest) {
    if (!fewest) {
        const code = "wasm/build && .ci/book && python3 -m http.server -d target/book";
        element.textContent = `This example runs in a browser after: ${code}`;
        return;
    }
    const { puzzle, state, options, search } = element.dataset;
    const solver = new fewest.Solver(
        puzzle ?? definitionAbove(element),
        JSON.parse(options ?? "{}"),
    );
    const form = add(element, "form", {});
    const input = add(form, "input", { value: state, ariaLabel: "state", spellcheck: false });
    const solve = add(form, "button", { textContent: "Solve" });
    const scramble = add(form, "button", { textContent: "Random state", type: "button" });
    const stop = add(form, "button", { textContent: "Stop", type: "button", disabled: true });
    const output = add(element, "pre", {}).appendChild(document.createElement("code"));
    let running;

    async function run(work) {
        running = new AbortController();
        [solve.disabled, scramble.disabled, stop.disabled] = [true, true, false];
        try {
            await work(running.signal);
        } catch (error) {
            output.textContent = error.name === "AbortError" ? "stopped" : error.message;
        }
        [solve.disabled, scramble.disabled, stop.disabled] = [false, false, true];
    }
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        output.textContent = "..";
        run(async (signal) => {
            const onProgress = (one) => (output.textContent = progressTold(one) ?? "..");
            const limits = { ...JSON.parse(search ?? "{}"), signal, onProgress };
            output.textContent = told(await solver.solve(input.value, limits));
        });
    });
    scramble.addEventListener("click", () =>
        run(async (signal) => {
            output.textContent = "";
            [input.value] = await solver.scramble({ signal });
        }),
    );
    stop.addEventListener("click", () => running?.abort());
}

const fewest = await module;
for (const element of examples) example(element, fewest);
