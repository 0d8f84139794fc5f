// The page of fewest: views, the choice of a puzzle, and what they share.

import { type About, Api, type PuzzleInfo, Refusal, faultOf } from "./api";
import { Batch } from "./batch";
import { button, field, h } from "./dom";
import { Gods } from "./gods";
import { historyView } from "./history";
import { type Link, readAddress } from "./share";
import { Solve } from "./solve";
import { TableManager } from "./tables";

const FIRST = [
    "3x3x3",
    "2x2x2",
    "8-puzzle",
    "15-puzzle",
    "24-puzzle",
    "pyraminx",
    "skewb",
    "4x4x4",
    "megaminx",
];
const VIEWS = {
    solve: "Solve",
    batch: "Batch",
    gods: "God’s algorithm",
    tables: "Tables",
    history: "History",
};
type ViewName = keyof typeof VIEWS;
const OWN = "own definition";

function element<T extends HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

class App {
    private readonly api = new Api();
    private readonly solve = new Solve(this.api);
    private readonly batch = new Batch(this.api);
    private readonly gods = new Gods(this.api, (state) => void this.open(this.name, { state }));
    private readonly tables = new TableManager(this.api);
    private readonly content = h("div", { id: "view" });
    private readonly picker = h("select", { id: "puzzle", onchange: () => this.pick() });
    private readonly own = h("textarea", {
        id: "own",
        rows: 6,
        spellcheck: "false",
        placeholder: "KPuzzle JSON, or lines of words (.tws)",
    });
    private readonly ownError = h("p", { class: "error", role: "alert" });
    private readonly ownField: HTMLElement;
    private readonly connection = h("p", { class: "banner", role: "status", hidden: true });
    private readonly buttons = new Map<ViewName, HTMLButtonElement>();
    /** The name that each alias stands for. */
    private readonly aliases = new Map<string, string>();
    private name = "3x3x3";

    constructor() {
        this.ownField = h(
            "section",
            { class: "card own", hidden: true, "aria-label": "Your own definition" },
            field("Definition", this.own),
            this.ownError,
            button("Use this definition", () => void this.open(this.own.value.trim(), {}), {
                id: "use-own",
            }),
        );
    }

    async start(): Promise<void> {
        for (const [name, title] of Object.entries(VIEWS) as [ViewName, string][]) {
            const tab = button(title, () => this.show(name));
            this.buttons.set(name, tab);
            element("views").append(tab);
        }
        theme(element<HTMLButtonElement>("theme"));
        addEventListener("hashchange", () => {
            const { puzzle, token, ...rest } = readAddress();
            // A link with a token is that of another start of the server.
            if (token) location.reload();
            else if (puzzle) void this.open(puzzle, rest);
        });
        const main = element("main");
        try {
            const about = await this.api.ask<About>("GET", "/about");
            this.fill(about);
            await this.api.open();
            element("about").textContent =
                `fewest ${about.version}, ${about.threads} threads on this machine`;
        } catch (error) {
            const token = error instanceof Refusal && error.status === 401;
            const told = token
                ? "Open the whole link that fewest serve printed: it holds the token."
                : "The server does not answer. Start fewest serve, and open the link that it prints.";
            main.replaceChildren(h("p", { class: "banner", role: "alert" }, told));
            return;
        }
        this.api.onconnection = (trouble) => {
            this.connection.hidden = trouble === "";
            this.connection.textContent = trouble;
        };
        const toolbar = h("div", { class: "toolbar" }, field("Puzzle", this.picker));
        main.replaceChildren(this.connection, toolbar, this.ownField, this.content);
        const link = readAddress();
        this.show((link.view as ViewName) in VIEWS ? (link.view as ViewName) : "solve");
        await this.open(link.puzzle ?? "3x3x3", link);
    }

    private fill(about: About): void {
        for (const { puzzle, aliases } of about.puzzles) {
            for (const alias of aliases) this.aliases.set(alias, puzzle);
        }
        const named = about.puzzles.filter(({ puzzle }) => !/[A-Z]{3}/.test(puzzle));
        const option = (name: string) => {
            const title = named.find(({ puzzle }) => puzzle === name)?.title ?? "";
            return h("option", { value: name, title }, name);
        };
        const others = named.map(({ puzzle }) => puzzle).filter((name) => !FIRST.includes(name));
        const boards = ["3x2-tiles", "2x5-tiles", "3x4-tiles", "6x6-tiles"];
        this.picker.append(
            h("optgroup", { label: "Most asked for" }, ...FIRST.map(option)),
            h("optgroup", { label: "Other boards" }, ...boards.map(option)),
            h("optgroup", { label: "Other puzzles" }, ...others.map(option)),
            h("optgroup", { label: "Your own" }, h("option", { value: OWN }, OWN)),
        );
    }

    private pick(): void {
        const own = this.picker.value === OWN;
        this.ownField.hidden = !own;
        if (own) this.own.focus();
        else void this.open(this.picker.value, {});
    }

    /** Takes up a puzzle, and a state of it if there is one. */
    private async open(given: string, link: Partial<Link>): Promise<void> {
        const name = this.aliases.get(given) ?? given;
        let info: PuzzleInfo;
        try {
            info = await this.api.ask<PuzzleInfo>("POST", "/puzzle", { puzzle: { name } });
        } catch (error) {
            this.ownField.hidden = false;
            this.picker.value = OWN;
            this.own.value = name;
            this.ownError.textContent = faultOf(error).error;
            return;
        }
        this.ownError.textContent = info.notes.join(" ");
        this.name = name;
        const known = [...this.picker.options].some((option) => option.value === name);
        this.picker.value = known ? name : OWN;
        this.ownField.hidden = known;
        if (!known) this.own.value = name;
        this.batch.use(name);
        this.gods.use(name, info.gods_algorithm);
        this.tables.use(name, info.puzzle, info.tables);
        if (link.state) this.show("solve");
        await this.solve.use(name, info, link);
    }

    private show(name: ViewName): void {
        this.buttons.forEach((tab, own) => {
            if (own === name) tab.setAttribute("aria-current", "page");
            else tab.removeAttribute("aria-current");
        });
        if (name === "tables") void this.tables.refresh();
        const views: Record<ViewName, () => HTMLElement> = {
            solve: () => this.solve.element,
            batch: () => this.batch.element,
            gods: () => this.gods.element,
            tables: () => this.tables.element,
            history: () => historyView((link) => void this.open(link.puzzle, link)),
        };
        this.content.replaceChildren(views[name]());
    }
}

/** Dark or light: as the system has it, until the user says otherwise. */
function theme(toggle: HTMLButtonElement): void {
    const key = "fewest-theme";
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const set = () => {
        const chosen = localStorage.getItem(key) ?? (dark.matches ? "dark" : "light");
        document.documentElement.dataset.theme = chosen;
        toggle.textContent = chosen === "dark" ? "Light" : "Dark";
        toggle.setAttribute("aria-label", chosen === "dark" ? "Light colours" : "Dark colours");
    };
    toggle.addEventListener("click", () => {
        localStorage.setItem(
            key,
            document.documentElement.dataset.theme === "dark" ? "light" : "dark",
        );
        set();
    });
    dark.addEventListener("change", set);
    set();
}

void new App().start();
