// What was solved, kept in this browser.

import { button, h, moves } from "./dom";

export interface Entry {
    puzzle: string;
    state: string;
    plan: string[];
    lower: number;
    optimal: boolean;
    at: string;
}

const KEY = "fewest-history";
const MOST = 200;

function load(): Entry[] {
    try {
        const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        return Array.isArray(kept) ? kept : [];
    } catch {
        return [];
    }
}

export function remember(entry: Entry): void {
    const others = load().filter((one) => one.puzzle !== entry.puzzle || one.state !== entry.state);
    try {
        localStorage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, MOST)));
    } catch {
        // The browser keeps nothing more: the history is no reason to fail.
    }
}

/** The list of what was solved. `open` takes up an entry. */
export function historyView(open: (entry: Entry) => void): HTMLElement {
    const view = h("section", { class: "card", "aria-labelledby": "history-title" });
    const draw = () => {
        const entries = load();
        const rows = entries.map((entry) =>
            h(
                "tr",
                {},
                h("td", {}, entry.puzzle.split("\n")[0]?.slice(0, 24) ?? ""),
                h(
                    "td",
                    { class: "state" },
                    button(entry.state, () => open(entry), { class: "plan quiet" }),
                ),
                h("td", {}, moves(entry.plan.length)),
                h("td", {}, entry.optimal ? "proven" : `at least ${entry.lower}`),
                h("td", {}, new Date(entry.at).toLocaleString()),
            ),
        );
        const heads = ["Puzzle", "State", "Plan", "Proof", "When"].map((text) =>
            h("th", { scope: "col" }, text),
        );
        view.replaceChildren(
            h("h2", { id: "history-title" }, "History"),
            entries.length
                ? h(
                      "div",
                      {
                          class: "scroll",
                          tabindex: 0,
                          role: "region",
                          "aria-label": "Solved states",
                      },
                      h(
                          "table",
                          {},
                          h("thead", {}, h("tr", {}, ...heads)),
                          h("tbody", {}, ...rows),
                      ),
                  )
                : h(
                      "p",
                      { class: "hint" },
                      "Nothing solved yet. What you solve is kept in this browser only.",
                  ),
        );
        if (entries.length) {
            const clear = () => {
                localStorage.removeItem(KEY);
                draw();
            };
            view.append(button("Forget all", clear, { class: "quiet" }));
        }
    };
    draw();
    return view;
}
