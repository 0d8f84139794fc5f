// The first view: a state, the puzzle itself, and the search for its shortest plan.

import { type Api, type Job, type JobHandle, type PuzzleInfo, isOver } from "./api";
import { Board } from "./board";
import { button, h } from "./dom";
import { Editor } from "./editor";
import { type Entry, remember } from "./history";
import { Options } from "./options";
import { type Scene, Playback, type View } from "./playback";
import { Result } from "./result";
import { Rings } from "./rings";
import { type Link, writeAddress } from "./share";

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
    private readonly options = new Options(() => this.editor.changed());
    private readonly editor: Editor;
    private readonly result: Result;
    private readonly solveButton: HTMLButtonElement;
    private readonly share: HTMLButtonElement;
    private name = "";
    private scene: Scene | null = null;
    private job: JobHandle | null = null;
    private last: Job | null = null;
    private before: Job | null = null;
    private shown = "";
    /** The settings with which the state was read. */
    private settings = "";
    /** Whether the picture is that of the puzzle. */
    private drawn = false;

    constructor(private readonly api: Api) {
        const submit = () => void this.editor.submit();
        this.solveButton = button("Solve", submit, { class: "primary", id: "solve" });
        this.editor = new Editor(
            api,
            (name) => this.options.choose(name),
            (scene) => void this.read(scene),
            () => this.solve(null),
            this.solveButton,
        );
        this.result = new Result(
            () => this.job?.stop(),
            () => this.solve(this.last),
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
    async use(name: string, info: PuzzleInfo, link: Partial<Link>): Promise<void> {
        this.drop();
        this.name = name;
        this.drawn = false;
        this.options.use(info, link);
        // The text is there before its picture, which may have to be loaded.
        const [view] = await Promise.all([
            this.view(name, info),
            this.editor.use(name, info, link.state),
        ]);
        if (name !== this.name) return;
        this.playback.use(view);
        this.drawn = true;
        if (this.scene) await this.playback.load(this.scene, this.last?.plan ?? []);
    }

    private async view(name: string, info: PuzzleInfo): Promise<View> {
        if (info.board) return new Board(...info.board);
        const player = await import("./player.js");
        if (player.isKnown(name)) return new player.Twisty(name);
        return new Rings(info.kpuzzle ?? { name, orbits: [], defaultPattern: {}, moves: {} });
    }

    /** Forgets the search of a state that is no longer there, and its plan. */
    private drop(): void {
        this.job?.forget();
        this.job = null;
        this.last = null;
        this.before = null;
        this.shown = "";
        this.result.element.hidden = true;
        this.playback.clear(this.scene === null);
    }

    private async read(scene: Scene | null): Promise<void> {
        this.solveButton.disabled = scene === null;
        const [text, info] = [this.scene?.text, this.scene?.info];
        const settings = JSON.stringify(this.options.choose(this.name));
        const same = scene && scene.text === text && scene.info === info;
        if (same && settings === this.settings) return;
        this.settings = settings;
        this.scene = scene;
        this.drop();
        if (!scene) return;
        writeAddress(this.link());
        if (this.drawn) await this.playback.load(scene, []);
    }

    /** What the address, a search and the history need to know: the state and its settings. */
    private link(): Entry["link"] {
        const { name, ...settings } = this.options.choose(this.name);
        return { puzzle: name, state: this.scene?.text ?? "", ...settings };
    }

    private async copy(): Promise<void> {
        writeAddress(this.link());
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
    private solve(before: Job | null): void {
        const scene = this.scene;
        if (!scene) return;
        this.drop();
        this.before = before;
        const link = this.link();
        writeAddress(link);
        const request = {
            puzzle: this.options.choose(this.name),
            state: scene.text,
            ...this.options.wishes(),
        };
        const told = (job: Job) => void this.told(scene, link, job);
        this.job = this.api.start("searches", request, told);
    }

    private async told(scene: Scene, link: Entry["link"], told: Job): Promise<void> {
        const job = joined(this.before, told);
        this.last = job;
        this.result.draw(job);
        if (job.plan && job.plan.join(" ") !== this.shown) {
            const first = this.shown === "";
            this.shown = job.plan.join(" ");
            if (this.drawn) await this.playback.load(scene, job.plan, first || isOver(job));
        }
        if (job.phase === "done" && job.plan) {
            remember({
                link,
                plan: job.plan,
                lower: job.lower_bound,
                costs: job.has_costs,
                optimal: job.answer?.optimal ?? false,
                at: new Date().toISOString(),
            });
        }
    }

    private async play(plan: string[]): Promise<void> {
        if (this.scene) await this.playback.load(this.scene, plan, true);
    }
}
