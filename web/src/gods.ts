// God's algorithm of a small puzzle: the states at every distance, as they are counted.

import { type Api, type Job, type JobHandle, isOver } from "./api";
import { Histogram } from "./charts";
import { button, h } from "./dom";
import { duration, grouped, phaseText } from "./words";

export class Gods {
    readonly element: HTMLElement;
    private readonly chart = new Histogram();
    private readonly status = h("p", { class: "headline", role: "status" });
    private readonly farthest = h("ul", { class: "farthest" });
    private readonly start: HTMLButtonElement;
    private readonly stop: HTMLButtonElement;
    private name = "";
    private job: JobHandle | null = null;

    constructor(
        private readonly api: Api,
        private readonly open: (state: string) => void,
    ) {
        this.start = button("Count all states", () => this.run(), {
            class: "primary",
            id: "count",
        });
        this.stop = button("Stop", () => this.job?.stop(), { hidden: true });
        this.element = h(
            "section",
            { class: "card", "aria-labelledby": "gods-title" },
            h("h2", { id: "gods-title" }, "God’s algorithm"),
            h(
                "p",
                { class: "hint" },
                "How many states are 0, 1, 2, … moves away from the solved one, to the last. ",
                "The bars grow by powers of ten.",
            ),
            h("div", { class: "row" }, this.start, this.stop),
            this.status,
            this.chart.element,
            this.farthest,
        );
    }

    use(name: string, possible: boolean): void {
        this.job?.forget();
        this.job = null;
        this.name = name;
        this.start.disabled = !possible;
        this.stop.hidden = true;
        this.status.textContent = possible
            ? ""
            : "This puzzle has too many states to count them all. Try 2x2x2, pyraminx or skewb.";
        this.farthest.replaceChildren();
        this.chart.draw([]);
    }

    private run(): void {
        this.job?.forget();
        this.farthest.replaceChildren();
        const body = { puzzle: { name: this.name } };
        this.job = this.api.start("counts", body, (job) => this.told(job));
    }

    private told(job: Job): void {
        this.stop.hidden = isOver(job);
        this.chart.draw(job.layers);
        const states = job.layers.reduce((sum, layer) => sum + layer.count, 0);
        const answer = job.answer;
        const counted = `${grouped(states)} states up to distance ${job.layers.length - 1}`;
        if (!answer || answer.error) {
            const text = phaseText(job);
            this.status.textContent = job.layers.length ? `${text} ${counted}` : text;
        } else {
            const all = `${grouped(states)} states, none farther than ${answer.diameter}`;
            const mean = `${answer.mean?.toFixed(3)}${job.has_costs ? "" : " moves"} on average`;
            this.status.textContent = `${all}; ${mean} (${duration(job.seconds)})`;
            const items = (answer.antipodes ?? []).map((state) =>
                h(
                    "li",
                    {},
                    button(state, () => this.open(state), { class: "plan quiet" }),
                ),
            );
            this.farthest.replaceChildren(
                h("li", { class: "hint" }, "Among the farthest:"),
                ...items,
            );
        }
    }
}
