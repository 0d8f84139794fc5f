// What was solved, kept in this browser.

import type { PuzzleChoice } from "./api";
import { button, h } from "./dom";
import { amount, moves } from "./words";

export interface Entry {
    /** The state, its puzzle, and the goal, the moves and the metric of the search. */
    link: Omit<PuzzleChoice, "name"> & { puzzle: string; state: string };
    plan: string[];
    lower: number;
    /** Whether `lower` is a cost and no number of moves. */
    costs: boolean;
    optimal: boolean;
    at: string;
}

const KEY = "fewest-history";
const MOST = 200;

function load(): Entry[] {
    try {
        const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        // Entries of older pages have no link.
        return Array.isArray(kept) ? kept.filter((entry) => entry?.link) : [];
    } catch {
        return [];
    }
}

export function remember(entry: Entry): void {
    const key = JSON.stringify(entry.link);
    const others = load().filter(({ link }) => JSON.stringify(link) !== key);
    try {
        localStorage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, MOST)));
    } catch {
        // The browser keeps nothing more: the history is no reason to fail.
    }
}

/** The settings of a search that are not the usual ones. */
function settings({ goal, moves, metric }: Entry["link"]): string {
    const all = [goal && `goal ${goal}`, moves && `moves ${moves}`, metric];
    return all.filter(Boolean).join(", ");
}

/** The list of what was solved. `open` takes up an entry. */
export function historyView(open: (link: Entry["link"]) => void): HTMLElement {
    const view = h("section", { class: "card", "aria-labelledby": "history-title" });
    const draw = () => {
        const entries = load();
        const rows = entries.map(({ link, ...entry }) =>
            h(
                "tr",
                {},
                h("td", {}, link.puzzle.split("\n")[0]?.slice(0, 24) ?? ""),
                h(
                    "td",
                    { class: "state" },
                    button(link.state, () => open(link), { class: "plan quiet" }),
                    h("span", { class: "hint" }, settings(link)),
                ),
                h("td", {}, moves(entry.plan.length)),
                h(
                    "td",
                    {},
                    entry.optimal ? "proven" : `at least ${amount(entry.lower, entry.costs)}`,
                ),
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
