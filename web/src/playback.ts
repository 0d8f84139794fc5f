// Plays a plan: buttons, speed, and the moves as a list. The picture of the puzzle is a View.

import type { PuzzleInfo, State } from "./api";
import { button, h, svg } from "./dom";
import { moves } from "./words";

/** Pictures of the buttons, as paths of 24 by 24. */
const ICONS = {
    start: "M6 5v14M19 5 9 12l10 7z",
    back: "M16 5 6 12l10 7z",
    play: "M7 4.500 19.500 12 7 19.500z",
    pause: "M8 5v14M16 5v14",
    on: "M8 5l10 7-10 7z",
    end: "M18 5v14M5 5l10 7-10 7z",
};

function iconButton(
    icon: keyof typeof ICONS,
    name: string,
    onclick: () => void,
): HTMLButtonElement {
    const element = button("", onclick, { "aria-label": name, title: name });
    element.append(
        svg(
            "svg",
            { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
            svg("path", { d: ICONS[icon] }),
        ),
    );
    return element;
}

/** What a picture shows: a state, and the text that the user wrote for it. */
export interface Scene {
    info: PuzzleInfo;
    text: string;
    state: State;
}

/** A picture of a puzzle. */
export interface View {
    readonly element: HTMLElement;
    /** Shows a state, and prepares a plan that begins there. */
    load(scene: Scene, plan: string[]): void | Promise<void>;
    /** Shows the state after so many moves. A part of a number is a part of a move. */
    show(position: number): void;
}

export class Playback {
    readonly element: HTMLElement;
    private readonly stage = h("div", { class: "stage" });
    private readonly list = h("ol", { class: "moves", "aria-label": "Moves of the plan" });
    private readonly toggle: HTMLButtonElement;
    private readonly speed = h("input", {
        type: "range",
        min: 0.5,
        max: 8,
        step: 0.5,
        value: 2,
        id: "speed",
    });
    private readonly controls: HTMLElement;
    private readonly status = h("p", { class: "visually-hidden", role: "status" });
    private view: View | null = null;
    private plan: string[] = [];
    private position = 0;
    private target: number | null = null;
    private frame = 0;
    private version = 0;

    constructor() {
        this.toggle = iconButton("play", "Play", () =>
            this.target === null ? this.play() : this.pause(),
        );
        this.controls = h(
            "div",
            { class: "controls", role: "group", "aria-label": "Player", hidden: true },
            iconButton("start", "To the start", () => this.jump(0)),
            iconButton("back", "One move back", () => this.run(Math.ceil(this.position) - 1)),
            this.toggle,
            iconButton("on", "One move on", () => this.run(Math.floor(this.position) + 1)),
            iconButton("end", "To the end", () => this.jump(this.plan.length)),
            h("label", { class: "speed", for: "speed" }, "Speed", this.speed),
        );
        this.element = h(
            "div",
            { class: "playback" },
            this.stage,
            this.controls,
            this.list,
            this.status,
        );
    }

    /** Takes another picture. */
    use(view: View): void {
        this.pause();
        this.view = view;
        this.stage.replaceChildren(view.element);
    }

    /** Shows a state, and the start of a plan. */
    async load(scene: Scene, plan: string[], play = false): Promise<void> {
        this.version += 1;
        const version = this.version;
        this.pause();
        this.plan = plan;
        this.stage.classList.remove("faded");
        this.controls.hidden = plan.length === 0;
        this.list.replaceChildren(
            ...plan.map((move, at) =>
                h(
                    "li",
                    {},
                    button(move, () => this.jump(at + 1)),
                ),
            ),
        );
        await this.view?.load(scene, plan);
        if (version !== this.version) return;
        this.jump(0);
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (play && plan.length && !calm) this.play();
    }

    /** Takes away the plan. `unknown`: the state is not known either, so its picture fades. */
    clear(unknown: boolean): void {
        this.version += 1;
        this.plan = [];
        this.controls.hidden = true;
        this.list.replaceChildren();
        this.stage.classList.toggle("faded", unknown);
        this.jump(0);
    }

    play(): void {
        if (this.position >= this.plan.length) this.jump(0);
        this.run(this.plan.length);
    }

    pause(): void {
        cancelAnimationFrame(this.frame);
        this.target = null;
        this.say("play", "Play");
    }

    /** What the button in the middle does next. */
    private say(icon: keyof typeof ICONS, name: string): void {
        this.toggle.setAttribute("aria-label", name);
        this.toggle.title = name;
        this.toggle.querySelector("path")?.setAttribute("d", ICONS[icon]);
    }

    private jump(position: number): void {
        this.pause();
        this.move(position);
    }

    private move(position: number): void {
        this.position = Math.max(0, Math.min(position, this.plan.length));
        this.view?.show(this.position);
        const done = Math.floor(this.position + 1e-6);
        [...this.list.children].forEach((item, at) => {
            const now =
                this.target === null
                    ? at === done - 1
                    : at === Math.min(done, this.plan.length - 1);
            item.classList.toggle("done", at < done);
            item.classList.toggle("now", now);
            if (now) item.firstElementChild?.setAttribute("aria-current", "step");
            else item.firstElementChild?.removeAttribute("aria-current");
        });
    }

    /** Turns until a position is reached. */
    private run(to: number): void {
        this.pause();
        const target = Math.max(0, Math.min(to, this.plan.length));
        if (target === this.position) return;
        this.target = target;
        this.say("pause", "Pause");
        let before = performance.now();
        const step = (now: number) => {
            const way = ((now - before) / 1000) * Number(this.speed.value);
            before = now;
            const next =
                this.position < target
                    ? Math.min(target, this.position + way)
                    : Math.max(target, this.position - way);
            this.move(next);
            if (next === target) {
                this.jump(target);
                const solved = target === this.plan.length;
                this.status.textContent = solved ? "The end of the plan" : `After ${moves(target)}`;
            } else {
                this.frame = requestAnimationFrame(step);
            }
        };
        this.frame = requestAnimationFrame(step);
    }
}
