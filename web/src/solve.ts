// The first view: a state, the puzzle itself, and the search for its shortest plan.

import { type Api, type Job, type PuzzleInfo, Refusal, isOver } from "./api";
import { Board } from "./board";
import { button, h } from "./dom";
import { Editor } from "./editor";
import { remember } from "./history";
import { Options } from "./options";
import { type Loaded, Playback, type View } from "./playback";
import { Result } from "./result";
import { Rings } from "./rings";
import { type Shared, writeAddress } from "./share";

/** A search that goes on after another one, as one. Both bounds only ever get closer. */
function joined(before: Job | null, job: Job): Job {
    if (!before) return job;
    const lower = Math.max(before.lower_bound, job.lower_bound);
    const uppers = [before.upper_bound, job.upper_bound].filter((one) => one !== null);
    const upper = uppers.length ? Math.min(...uppers) : null;
    const later = job.bounds.map((point) => {
        const both = [before.upper_bound, point.upper].filter((one) => one !== null);
        return {
            seconds: before.seconds + point.seconds,
            lower: Math.max(before.lower_bound, point.lower),
            upper: both.length ? Math.min(...both) : null,
        };
    });
    const better = job.plan && (!before.plan || job.plan.length <= before.plan.length);
    return {
        ...job,
        lower_bound: lower,
        upper_bound: upper,
        plan: better ? job.plan : before.plan,
        bounds: [...before.bounds, ...later],
        seconds: before.seconds + job.seconds,
    };
}

export class Solve {
    readonly element: HTMLElement;
    private readonly playback = new Playback();
    private readonly options = new Options();
    private readonly editor: Editor;
    private readonly result: Result;
    private readonly solveButton: HTMLButtonElement;
    private readonly share: HTMLButtonElement;
    private name = "";
    private loaded: Loaded | null = null;
    private job = 0;
    private last: Job | null = null;
    private before: Job | null = null;
    private shown = "";
    /** Whether the picture is that of the puzzle. */
    private drawn = false;

    constructor(private readonly api: Api) {
        const start = () => void this.solve(null);
        this.solveButton = button("Solve", start, { class: "primary", id: "solve" });
        this.editor = new Editor(api, (loaded) => void this.read(loaded), start, this.solveButton);
        this.result = new Result(
            () => void api.stop(this.job),
            () => void this.solve(this.last),
            (plan) => void this.play(plan),
        );
        this.share = button("Copy link", () => void this.copy(), { class: "quiet", id: "share" });
        const left = h(
            "section",
            { class: "card", "aria-labelledby": "state-title" },
            h("h2", { id: "state-title" }, "State"),
            this.editor.element,
            this.options.element,
            h("div", { class: "row" }, this.share),
        );
        const right = h(
            "section",
            { class: "card show", "aria-labelledby": "puzzle-title" },
            h("h2", { id: "puzzle-title", class: "visually-hidden" }, "Puzzle"),
            this.playback.element,
        );
        this.element = h(
            "div",
            { class: "bench" },
            left,
            h("div", { class: "column" }, right, this.result.element),
        );
    }

    /** Takes a puzzle. `name`: its name, or the text of its definition. */
    async use(name: string, info: PuzzleInfo, shared: Partial<Shared>): Promise<void> {
        this.drop();
        this.name = name;
        this.drawn = false;
        this.options.use(info, shared);
        // The text is there before its picture, which may have to be loaded.
        const [view] = await Promise.all([
            this.view(name, info),
            this.editor.use({ name }, info, shared.state ?? "solved"),
        ]);
        if (name !== this.name) return;
        this.playback.use(view);
        this.drawn = true;
        if (this.loaded) await this.playback.load(this.loaded, this.last?.plan ?? []);
    }

    private async view(name: string, info: PuzzleInfo): Promise<View> {
        if (info.board) return new Board(...info.board);
        const player = await import("./player.js");
        if (player.isKnown(name)) return new player.Twisty(name);
        return new Rings(info.kpuzzle ?? { name, orbits: [], defaultPattern: {}, moves: {} });
    }

    /** Forgets the search of a state that is no longer there. */
    private drop(): void {
        if (this.job) this.api.forget(this.job);
        this.job = 0;
        this.last = null;
        this.before = null;
        this.shown = "";
        this.result.element.hidden = true;
    }

    private async read(loaded: Loaded | null): Promise<void> {
        this.solveButton.disabled = loaded === null;
        const [text, info] = [this.loaded?.text, this.loaded?.info];
        if (loaded && loaded.text === text && loaded.info === info) return;
        this.drop();
        this.loaded = loaded;
        if (!loaded) return;
        this.address();
        if (this.drawn) await this.playback.load(loaded, []);
    }

    private address(): void {
        const { goal, moves, metric } = this.options.choose(this.name);
        writeAddress({
            puzzle: this.name,
            state: this.loaded?.text ?? "",
            ...(goal ? { goal } : {}),
            ...(moves ? { moves } : {}),
            ...(metric ? { metric } : {}),
        });
    }

    private async copy(): Promise<void> {
        this.address();
        const text = this.share.textContent;
        try {
            await navigator.clipboard.writeText(location.href);
            this.share.textContent = "Copied";
        } catch {
            this.share.textContent = "The address holds it";
        }
        setTimeout(() => (this.share.textContent = text), 1500);
    }

    /** Searches. `before`: a stopped search of the same state that this one continues. */
    private async solve(before: Job | null): Promise<void> {
        const loaded = this.loaded;
        if (!loaded) return;
        this.drop();
        this.before = before;
        this.address();
        const request = {
            puzzle: this.options.choose(this.name),
            state: loaded.text,
            ...this.options.wishes(),
        };
        try {
            this.job = await this.api.start(
                "searches",
                request,
                (job) => void this.told(loaded, job),
            );
        } catch (error) {
            const message =
                error instanceof Refusal ? error.message : "The server does not answer.";
            this.result.draw(failed(message));
        }
    }

    private async told(loaded: Loaded, told: Job): Promise<void> {
        if (loaded !== this.loaded) return;
        const job = joined(this.before, told);
        this.last = job;
        this.result.draw(job);
        if (job.plan && job.plan.join(" ") !== this.shown) {
            const first = this.shown === "";
            this.shown = job.plan.join(" ");
            if (this.drawn) await this.playback.load(loaded, job.plan, first || isOver(job));
        }
        if (job.phase === "done" && job.plan) {
            remember({
                puzzle: this.name,
                state: loaded.text,
                plan: job.plan,
                lower: job.lower_bound,
                optimal: job.answer?.optimal ?? false,
                at: new Date().toISOString(),
            });
        }
    }

    private async play(plan: string[]): Promise<void> {
        if (this.loaded) await this.playback.load(this.loaded, plan, true);
    }
}

/** The status of a search that the server refused. */
function failed(message: string): Job {
    return {
        job: 0,
        kind: "search",
        phase: "failed",
        place: null,
        activity: null,
        fraction: null,
        lower_bound: 0,
        upper_bound: null,
        plan: null,
        bounds: [],
        bound: null,
        generated: 0,
        nodes_per_second: null,
        bound_seconds: null,
        remaining_seconds: null,
        seconds: 0,
        layers: [],
        notes: [],
        answer: null,
        error: { message },
    };
}
