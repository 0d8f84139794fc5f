// A search while it runs, and its result: both bounds as closing curves, figures, and all plans.

import { type Job, isOver } from "./api";
import { BoundsChart } from "./charts";
import { button, h } from "./dom";
import { amount, duration, moves, phaseText, short } from "./words";

export class Result {
    readonly element: HTMLElement;
    private readonly headline = h("p", { class: "headline", role: "status" });
    private readonly figures = h("dl", { class: "figures" });
    private readonly chart = new BoundsChart();
    private readonly bar = h("progress", { max: 1, hidden: true, "aria-label": "Table" });
    private readonly stop: HTMLButtonElement;
    private readonly again: HTMLButtonElement;
    private readonly plans = h("div", { class: "plans" });
    private answered: unknown = null;
    private job: Job | null = null;
    /** When the job was told last, and when its table began. */
    private told = 0;
    private begun = 0;

    constructor(
        onstop: () => void,
        oncontinue: () => void,
        private readonly onplan: (plan: string[]) => void,
    ) {
        this.stop = button("Stop", onstop, { id: "stop", hidden: true });
        this.again = button("Continue", oncontinue, { id: "continue", hidden: true });
        this.element = h(
            "section",
            { class: "card result", "aria-label": "Search", hidden: true },
            h(
                "div",
                { class: "row spread" },
                this.headline,
                h("div", { class: "row" }, this.stop, this.again),
            ),
            this.bar,
            this.chart.element,
            h(
                "p",
                { class: "legend" },
                h("span", { class: "key upper" }, "best plan"),
                h("span", { class: "key lower" }, "proven lower bound"),
            ),
            this.figures,
            this.plans,
        );
        // A job that builds a table tells little, but its time goes on.
        setInterval(() => this.job && !isOver(this.job) && this.drawFigures(this.job), 500);
    }

    /** Shows what is known of a job. */
    draw(job: Job): void {
        this.told = performance.now();
        if (job.phase !== "building" || job.activity !== this.job?.activity) this.begun = this.told;
        this.job = job;
        this.element.hidden = false;
        const over = isOver(job);
        this.stop.hidden = over;
        this.again.hidden = job.phase !== "stopped";
        const headline = this.say(job);
        if (this.headline.textContent !== headline) this.headline.textContent = headline;
        this.element.dataset.phase = job.phase;
        this.bar.hidden = job.phase !== "building";
        if (job.fraction === null) this.bar.removeAttribute("value");
        else this.bar.value = job.fraction;
        // A search that is over at once has no curves worth a look.
        this.element.classList.toggle("brief", over && job.seconds < 0.3);
        this.chart.draw(job);
        this.drawFigures(job);
        this.drawPlans(job);
    }

    private drawFigures(job: Job): void {
        const [over, now] = [isOver(job), performance.now()];
        const rows: [string, string][] = [["at least", `${job.lower_bound}`]];
        if (job.upper_bound !== null) rows.push(["at most", `${job.upper_bound}`]);
        if (job.nodes_per_second) rows.push(["nodes a second", short(job.nodes_per_second)]);
        if (job.generated) rows.push(["nodes", short(job.generated)]);
        rows.push(["time", duration(job.seconds + (over ? 0 : (now - this.told) / 1000))]);
        const done = job.phase === "building" ? (job.fraction ?? 0) : 0;
        if (done > 0.02) {
            const seconds = ((now - this.begun) / 1000) * (1 / done - 1);
            rows.push(["table takes about", duration(seconds)]);
        }
        const left = job.remaining_seconds ?? job.bound_seconds;
        if (left !== null && !over) {
            rows.push([
                job.remaining_seconds === null ? `bound ${job.bound} takes` : "proof takes about",
                duration(left),
            ]);
        }
        this.figures.replaceChildren(
            ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        );
    }

    private say(job: Job): string {
        const upper = job.upper_bound;
        const costs = job.has_costs;
        if (job.answer?.outcome === "unsolvable") return "No plan exists with these moves";
        if (job.phase === "done" && upper !== null) {
            const length = costs && job.plan ? `${moves(job.plan.length)}, ` : "";
            const proof = `proven, none is ${costs ? "cheaper" : "shorter"}`;
            const found = `${length}${amount(upper, costs)}`;
            return job.answer?.optimal ? `${found}: ${proof}` : `${found}, not proven optimal`;
        }
        if (job.phase === "stopped") {
            const most = upper === null ? "" : `, at most ${upper}`;
            return `Stopped: at least ${amount(job.lower_bound, costs)}${most}`;
        }
        const found = upper === null ? "" : ` The best plan has ${amount(upper, costs)}.`;
        return isOver(job) || job.phase === "queued" ? phaseText(job) : `${phaseText(job)}${found}`;
    }

    private drawPlans(job: Job): void {
        const plans = job.answer?.plans ?? [];
        if (this.answered === job.answer) return;
        this.answered = job.answer;
        this.plans.replaceChildren();
        if (plans.length < 2) return;
        const items = plans.map((plan, at) => {
            const cost = h("span", { class: "count" }, job.answer?.costs?.[at] ?? plan.length);
            return h(
                "li",
                {},
                cost,
                button(plan.join(" "), () => this.onplan(plan), { class: "plan quiet" }),
            );
        });
        const all = job.answer?.complete ? "" : " (the search was stopped before the last)";
        this.plans.append(h("h3", {}, `${plans.length} plans${all}`), h("ul", {}, ...items));
    }
}
