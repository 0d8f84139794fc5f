// The table files: what exists, how large it is, building with progress, removing.

import { type Api, type Job, type JobHandle, type Tables, faultOf, isOver } from "./api";
import { button, h } from "./dom";
import { bytes, grouped, phaseText } from "./words";

export class TableManager {
    readonly element: HTMLElement;
    private readonly body = h("tbody");
    private readonly total = h("p", { class: "hint" });
    private readonly status = h("p", { class: "headline", role: "status" });
    private readonly bar = h("progress", { max: 1, hidden: true, "aria-label": "Table" });
    private readonly buildButton: HTMLButtonElement;
    private readonly stop: HTMLButtonElement;
    private name = "";
    private job: JobHandle | null = null;

    constructor(private readonly api: Api) {
        this.buildButton = button("Build", () => this.build(), {
            class: "primary",
            id: "build",
        });
        this.stop = button("Stop", () => this.job?.stop(), { hidden: true });
        const heads = ["Table", "Size", "Entries", ""].map((text) =>
            h("th", { scope: "col" }, text || h("span", { class: "visually-hidden" }, "Remove")),
        );
        this.element = h(
            "section",
            { class: "card", "aria-labelledby": "tables-title" },
            h("h2", { id: "tables-title" }, "Tables"),
            h(
                "p",
                { class: "hint" },
                "Searches look up how far parts of the puzzle are from solved. ",
                "These tables are built when they are first needed, and kept.",
            ),
            h("div", { class: "row" }, this.buildButton, this.stop),
            this.status,
            this.bar,
            this.total,
            h(
                "div",
                { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table files" },
                h("table", {}, h("thead", {}, h("tr", {}, ...heads)), this.body),
            ),
        );
    }

    use(name: string, title: string, possible: boolean): void {
        this.name = name;
        this.buildButton.textContent = `Build the tables of ${title}`;
        this.buildButton.disabled = !possible;
    }

    async refresh(): Promise<void> {
        try {
            const { folder, tables, unfinished } = await this.api.ask<Tables>("GET", "/tables");
            const sum = tables.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
            const rest = unfinished ? `, and ${bytes(unfinished)} of stopped builds` : "";
            this.total.textContent = `${tables.length} tables, ${bytes(sum)}${rest}, in ${folder}`;
            this.body.replaceChildren(...tables.map((table) => this.row(table)));
        } catch (error) {
            this.status.textContent = faultOf(error).error;
        }
    }

    private row(table: Tables["tables"][number]): HTMLTableRowElement {
        const remove = button("Remove", () => void this.remove(table.table), {
            class: "quiet",
            "aria-label": `Remove ${table.table}`,
        });
        return h(
            "tr",
            {},
            h(
                "td",
                { class: "state" },
                table.table,
                table.error ? h("span", { class: "error" }, ` ${table.error}`) : null,
            ),
            h("td", {}, table.bytes === undefined ? "" : bytes(table.bytes)),
            h("td", {}, table.entries === undefined ? "" : grouped(table.entries)),
            h("td", {}, remove),
        );
    }

    private async remove(table: string): Promise<void> {
        try {
            await this.api.ask("DELETE", `/tables/${encodeURIComponent(table)}`);
            this.status.textContent = `${table} is removed.`;
        } catch (error) {
            this.status.textContent = faultOf(error).error;
        }
        await this.refresh();
    }

    private build(): void {
        this.job?.forget();
        const body = { puzzle: { name: this.name } };
        this.job = this.api.start("builds", body, (job) => void this.told(job));
    }

    private async told(job: Job): Promise<void> {
        this.stop.hidden = isOver(job);
        this.bar.hidden = isOver(job);
        if (job.fraction === null) this.bar.removeAttribute("value");
        else this.bar.value = job.fraction;
        const built = job.answer?.tables?.map((table) => table.table).join(", ");
        this.status.textContent = built ? `Ready: ${built}` : phaseText(job);
        if (isOver(job)) await this.refresh();
    }
}
