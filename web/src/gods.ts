// God's algorithm of a small puzzle: the states at every distance, as they are counted.

import { type Api, type Job, isOver } from "./api";
import { Histogram } from "./charts";
import { button, duration, grouped, h } from "./dom";

export class Gods {
    readonly element: HTMLElement;
    private readonly chart = new Histogram();
    private readonly status = h("p", { class: "headline", role: "status" });
    private readonly farthest = h("ul", { class: "farthest" });
    private readonly start: HTMLButtonElement;
    private readonly stop: HTMLButtonElement;
    private name = "";
    private job = 0;

    constructor(
        private readonly api: Api,
        private readonly open: (state: string) => void,
    ) {
        this.start = button("Count all states", () => void this.run(), {
            class: "primary",
            id: "count",
        });
        this.stop = button("Stop", () => void api.stop(this.job), { hidden: true });
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
        if (this.job) this.api.forget(this.job);
        this.job = 0;
        this.name = name;
        this.start.disabled = !possible;
        this.stop.hidden = true;
        this.status.textContent = possible
            ? ""
            : "This puzzle has too many states to count them all. Try 2x2x2, pyraminx or skewb.";
        this.farthest.replaceChildren();
        this.chart.draw([]);
    }

    private async run(): Promise<void> {
        if (this.job) this.api.forget(this.job);
        this.farthest.replaceChildren();
        try {
            const body = { puzzle: { name: this.name } };
            this.job = await this.api.start("counts", body, (job) => this.told(job));
        } catch (error) {
            this.status.textContent = error instanceof Error ? error.message : String(error);
        }
    }

    private told(job: Job): void {
        this.stop.hidden = isOver(job);
        this.chart.draw(job.layers);
        const states = job.layers.reduce((sum, layer) => sum + layer.states, 0);
        const counted = `${grouped(states)} states up to distance ${job.layers.length - 1}`;
        const answer = job.answer;
        if (job.phase === "failed") this.status.textContent = job.error?.message ?? "Refused";
        else if (job.phase === "queued")
            this.status.textContent = `Place ${job.place} in the queue`;
        else if (answer) {
            const all = `${grouped(states)} states, none farther than ${answer.diameter}`;
            const mean = `${answer.mean?.toFixed(3)} moves on average`;
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
        } else this.status.textContent = job.layers.length ? `${counted} …` : "Begins …";
    }
}
