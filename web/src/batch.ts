// Many states, one a line: each is solved in turn, and the table is offered as CSV.

import { type Api, type Job, type JobHandle, isOver } from "./api";
import { button, download, field, h } from "./dom";
import { duration, phaseText } from "./words";

/** How many states of a batch are at the server, running or in its queue. */
const AT_ONCE = 20;

interface Row {
    state: string;
    /** `null` before the server has it. */
    job: Job | null;
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
    /** The jobs that are not over. */
    private readonly open = new Set<JobHandle>();
    /** The number of this run. A run that is not the last one starts no more jobs. */
    private turn = 0;
    /** Rows that are over, those with a plan, and the moves of all these plans. */
    private done = { rows: 0, plans: 0, moves: 0 };
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
                h("label", { for: "near" }, "Near-optimal plans at once, without a proof"),
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
        this.turn += 1;
        this.stopButton.hidden = true;
        for (const job of this.open) job.stop();
    }

    private async run(): Promise<void> {
        this.turn += 1;
        const turn = this.turn;
        for (const job of this.open) job.forget();
        this.open.clear();
        const states = this.input.value
            .split("\n")
            .map((line) => line.trim())
            .filter((line) => line);
        this.rows = states.map((state) => ({ state, job: null, cells: [] }));
        this.done = { rows: 0, plans: 0, moves: 0 };
        this.body.replaceChildren(...this.rows.map((row, at) => this.makeRow(row, at)));
        this.scroll.hidden = states.length === 0;
        this.csv.hidden = states.length === 0;
        this.stopButton.hidden = states.length === 0;
        this.summarize();
        const near = this.near.checked ? { near_optimal: true } : {};
        const settings = { puzzle: { name: this.puzzle }, ...near };
        // All workers take their rows from one list.
        const rows = this.rows.values();
        const worker = async () => {
            for (const row of rows) {
                await this.solve(row, settings);
                if (turn !== this.turn) return;
            }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
        if (turn === this.turn) this.stopButton.hidden = true;
        for (const row of rows) this.drawRow(row);
    }

    private async solve(row: Row, settings: object): Promise<void> {
        const handle = this.api.start("searches", { ...settings, state: row.state }, (job) => {
            row.job = job;
            this.drawRow(row);
        });
        this.open.add(handle);
        const job = await handle.over;
        this.open.delete(handle);
        this.done.rows += 1;
        if (job.phase === "done" && job.plan) {
            this.done.plans += 1;
            this.done.moves += job.plan.length;
        }
        this.summarize();
    }

    private summarize(): void {
        const { rows, plans, moves } = this.done;
        const mean = plans ? `, ${(moves / plans).toFixed(2)} moves on average` : "";
        this.summary.textContent = `${rows} of ${this.rows.length} done${mean}`;
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

    private drawRow({ job, cells }: Row): void {
        const outcome = cells[4];
        if (!job) {
            // The batch was stopped before.
            if (outcome) outcome.textContent = "Not started";
            return;
        }
        const proof = job.answer?.optimal ? "proven" : "not proven";
        const texts = [
            job.plan?.length ?? "",
            job.plan?.join(" ") ?? "",
            job.phase === "done" ? proof : phaseText(job),
            isOver(job) ? duration(job.seconds) : "",
        ];
        texts.forEach((text, at) => {
            const cell = cells[at + 2];
            if (cell) cell.textContent = String(text);
        });
        outcome?.classList.toggle("error", job.phase === "failed");
    }

    private save(): void {
        const head = "number,state,outcome,length,lower_bound,plan,seconds";
        const lines = this.rows.map(({ state, job }, at) => {
            const outcome =
                job?.answer?.error || job?.answer?.outcome || job?.phase || "not started";
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
