// What a search is asked for beside the state: metric, goal, allowed moves, several plans, a limit.

import type { PuzzleChoice, PuzzleInfo } from "./api";
import { button, field, h } from "./dom";
import { Net } from "./net";
import type { Link } from "./share";

const CUBE_GOALS = [
    "cross:D",
    "cross:any",
    "layer:D",
    "f2l:D",
    "oll:U",
    "pll:U",
    "eo:FB",
    "dr:UD",
    "corners",
    "edges",
];
const SMALL_GOALS = ["face:U", "layer:U", "oll:U", "pll:U"];

function number(id: string, least: number, most: number): HTMLInputElement {
    return h("input", { type: "number", id, min: least, max: most, inputmode: "numeric" });
}

export class Options {
    readonly element: HTMLDetailsElement;
    private readonly metric = h(
        "select",
        { id: "metric" },
        h("option", { value: "htm" }, "half turns (htm)"),
        h("option", { value: "qtm" }, "quarter turns (qtm)"),
    );
    private readonly moves = h("input", {
        id: "moves",
        placeholder: "all",
        spellcheck: "false",
        autocapitalize: "off",
    });
    private readonly goal = h("input", {
        id: "goal",
        placeholder: "solved",
        list: "goals",
        spellcheck: "false",
        autocapitalize: "off",
    });
    private readonly goals = h("datalist", { id: "goals" });
    private readonly plans = number("plans", 1, 1000);
    private readonly slack = number("slack", 0, 20);
    private readonly limit = number("limit", 1, 86400);
    private readonly metricField: HTMLElement;
    private readonly drawing = h("div", { class: "goal-drawing" });

    /** `onchange` is called when a setting has changed that says what a state is. */
    constructor(private readonly onchange: () => void) {
        for (const input of [this.goal, this.moves, this.metric]) {
            input.addEventListener("input", onchange);
        }
        this.metricField = field("Metric", this.metric);
        this.element = h(
            "details",
            { class: "options" },
            h("summary", {}, "Options: goal, allowed moves, more plans"),
            h(
                "div",
                { class: "grid" },
                field(
                    "Goal",
                    this.goal,
                    "A name, or a state. For cubes, stickers with . where any colour will do",
                ),
                this.goals,
                field("Allowed moves", this.moves, "Such as U,R,F"),
                this.metricField,
                field("Plans", this.plans, "How many to list"),
                field("Slack", this.slack, "Moves above the fewest"),
                field("Limit in seconds", this.limit),
            ),
            this.drawing,
        );
        this.limit.placeholder = "none";
        this.plans.placeholder = "1";
        this.slack.placeholder = "0";
    }

    use(info: PuzzleInfo, link: Partial<Link>): void {
        this.metricField.hidden = info.metric === null;
        this.metric.value = link.metric ?? info.metric ?? "htm";
        this.goal.value = link.goal ?? "";
        this.moves.value = link.moves ?? "";
        this.plans.value = "";
        this.slack.value = "";
        const names = info.board
            ? ["last"]
            : info.face_stickers === 9
              ? CUBE_GOALS
              : info.face_stickers
                ? SMALL_GOALS
                : [];
        this.goals.replaceChildren(...names.map((value) => h("option", { value })));
        this.drawing.replaceChildren();
        const face = info.face_stickers;
        if (!face) return;
        const open = button(
            "Draw the goal",
            () => {
                const draw = (stickers: string) => {
                    this.goal.value = stickers;
                    this.onchange();
                };
                const net = new Net(face, true, draw);
                const clear = button(
                    "Solved cube",
                    () => {
                        draw("");
                        net.set(net.solved());
                    },
                    { class: "quiet" },
                );
                this.drawing.replaceChildren(
                    h("p", { class: "hint" }, "Click the stickers that may have any colour."),
                    net.element,
                    clear,
                );
            },
            { class: "quiet" },
        );
        this.drawing.append(open);
    }

    /** The settings that differ from the puzzle's own. */
    choose(name: string): PuzzleChoice {
        const choice: PuzzleChoice = { name };
        const [goal, moves] = [this.goal.value.trim(), this.moves.value.trim()];
        if (goal && goal !== "solved") choice.goal = goal;
        if (moves) choice.moves = moves;
        if (!this.metricField.hidden && this.metric.value === "qtm") choice.metric = "qtm";
        return choice;
    }

    /** Plans, slack and limit of a search. */
    wishes(): { plans?: number; slack?: number; limit_time?: number } {
        const value = (input: HTMLInputElement) =>
            input.value === "" ? undefined : Math.max(0, Number(input.value));
        const slack = value(this.slack);
        // A slack asks for all plans up to that length.
        const plans = value(this.plans) ?? (slack ? 100 : undefined);
        const limit = value(this.limit);
        return {
            ...(plans ? { plans: Math.round(plans) } : {}),
            ...(slack ? { slack: Math.round(slack) } : {}),
            ...(limit ? { limit_time: limit } : {}),
        };
    }
}
