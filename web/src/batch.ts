// Many states, one a line: each is solved in turn, and the table is offered as CSV.

import { type Api, type Job, isOver } from "./api";
import { button, download, duration, field, h } from "./dom";

interface Row {
    state: string;
    job: Job | null;
    fault: string;
    cells: HTMLTableCellElement[];
}

function quoted(text: string | number): string {
    return /[",\n]/.test(String(text)) ? `"${String(text).replace(/"/g, '""')}"` : String(text);
}

export class Batch {
    readonly element: HTMLElement;
    private readonly input = h("textarea", {
        id: "batch",
        rows: 8,
        spellcheck: "false",
        placeholder: "One state a line",
    });
    private readonly near = h("input", { type: "checkbox", id: "near" });
    private readonly body = h("tbody");
    private readonly summary = h("p", { class: "hint", role: "status" });
    private readonly csv = button("Download CSV", () => this.save(), { hidden: true });
    private readonly stopButton = button("Stop", () => this.stop(), { hidden: true });
    private readonly scroll: HTMLElement;
    private rows: Row[] = [];
    private jobs: number[] = [];
    private puzzle = "";

    constructor(private readonly api: Api) {
        const heads = ["No.", "State", "Moves", "Plan", "Outcome", "Time"].map((text) =>
            h("th", { scope: "col" }, text),
        );
        this.scroll = h(
            "div",
            { class: "scroll", tabindex: 0, role: "region", "aria-label": "Results", hidden: true },
            h("table", {}, h("thead", {}, h("tr", {}, ...heads)), this.body),
        );
        this.element = h(
            "section",
            { class: "card", "aria-labelledby": "batch-title" },
            h("h2", { id: "batch-title" }, "Batch"),
            field("States", this.input),
            h(
                "p",
                {},
                this.near,
                " ",
                h("label", { for: "near" }, "Near-optimal plans at once, without a proof (3x3x3)"),
            ),
            h(
                "div",
                { class: "row" },
                button("Solve all", () => void this.run(), { class: "primary" }),
                this.stopButton,
                this.csv,
            ),
            this.summary,
            this.scroll,
        );
    }

    use(name: string): void {
        this.puzzle = name;
    }

    private stop(): void {
        for (const job of this.jobs) void this.api.stop(job).catch(() => {});
    }

    private async run(): Promise<void> {
        this.jobs.forEach((job) => this.api.forget(job));
        this.jobs = [];
        const states = this.input.value
            .split("\n")
            .map((line) => line.trim())
            .filter((line) => line);
        this.rows = states.map((state) => ({ state, job: null, fault: "", cells: [] }));
        this.body.replaceChildren(...this.rows.map((row, at) => this.makeRow(row, at)));
        this.scroll.hidden = states.length === 0;
        this.csv.hidden = states.length === 0;
        this.stopButton.hidden = states.length === 0;
        for (const row of this.rows) {
            const body = {
                puzzle: { name: this.puzzle },
                state: row.state,
                near_optimal: this.near.checked,
            };
            const told = (job: Job) => {
                row.job = job;
                this.drawRow(row);
            };
            try {
                this.jobs.push(await this.api.start("searches", body, told));
            } catch (error) {
                row.fault = error instanceof Error ? error.message : String(error);
                this.drawRow(row);
            }
        }
    }

    private makeRow(row: Row, at: number): HTMLTableRowElement {
        row.cells = Array.from({ length: 6 }, () => h("td"));
        const [number, state] = row.cells;
        if (number) number.textContent = String(at + 1);
        if (state) {
            state.className = "state";
            state.textContent = row.state;
        }
        return h("tr", {}, ...row.cells);
    }

    private drawRow(row: Row): void {
        const { job, cells } = row;
        const fault = row.fault || job?.error?.message;
        const waiting = job?.phase === "queued" && job.place ? `place ${job.place}` : job?.phase;
        const proof =
            job?.phase === "done" ? (job.answer?.optimal ? "proven" : "not proven") : waiting;
        const texts = [
            job?.plan?.length ?? "",
            job?.plan?.join(" ") ?? "",
            fault ?? proof ?? "",
            job && isOver(job) ? duration(job.seconds) : "",
        ];
        texts.forEach((text, at) => {
            const cell = cells[at + 2];
            if (cell) cell.textContent = String(text);
        });
        cells[4]?.classList.toggle("error", fault !== undefined && fault !== "");
        const over = this.rows.filter(({ job, fault }) => fault || (job && isOver(job)));
        const lengths = this.rows.flatMap(({ job }) =>
            job?.phase === "done" && job.plan ? [job.plan.length] : [],
        );
        const mean = lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
        const told = lengths.length ? `, ${mean.toFixed(2)} moves on average` : "";
        this.summary.textContent = `${over.length} of ${this.rows.length} done${told}`;
        this.stopButton.hidden = over.length === this.rows.length;
    }

    private save(): void {
        const head = "number,state,outcome,length,lower_bound,plan,seconds";
        const lines = this.rows.map(({ state, job, fault }, at) => {
            const outcome =
                fault || job?.error?.message || job?.answer?.outcome || job?.phase || "";
            const plan = job?.plan ?? [];
            const values = [
                at + 1,
                state,
                outcome,
                job?.plan ? plan.length : "",
                job?.lower_bound ?? "",
                plan.join(" "),
                job?.seconds.toFixed(3) ?? "",
            ];
            return values.map(quoted).join(",");
        });
        download("fewest.csv", "text/csv", [head, ...lines, ""].join("\n"));
    }
}
