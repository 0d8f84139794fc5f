// The state to solve: written, drawn or drawn at random. Errors stand beside the field, and mark
// the place.

import { type Api, type Fault, type PuzzleChoice, type PuzzleInfo, faultOf } from "./api";
import { Board, squaresOf } from "./board";
import { button, field, h, settled } from "./dom";
import { Net } from "./net";
import type { Scene } from "./playback";

/** What a text of each kind of puzzle looks like. */
function example(info: PuzzleInfo): string {
    if (info.board) return "Numbers row by row, 0 is the blank: 1 2 3 …";
    const stickers = 6 * (info.face_stickers ?? 0);
    const name = stickers === 54 ? "superflip" : "solved";
    const moves = `Moves such as R U' F2, ${stickers} stickers, a KPattern`;
    if (stickers) return `${moves}, or a name such as ${name}`;
    return "Moves of the puzzle, or a state as KPattern JSON";
}

export class Editor {
    readonly element: HTMLElement;
    private readonly input = h("textarea", {
        id: "state",
        rows: 3,
        disabled: true,
        spellcheck: "false",
        autocapitalize: "off",
        "aria-describedby": "state-hint state-error",
        oninput: () => this.changed(),
        onkeydown: (event: KeyboardEvent) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void this.submit();
        },
    });
    private readonly hint = h("p", { class: "hint", id: "state-hint" });
    private readonly error = h("p", { class: "error", id: "state-error", role: "alert" });
    private readonly drawing = h("div", { class: "drawing" });
    private readonly scrambleButton = button("Scramble", () => void this.scramble(), {
        id: "scramble",
    });
    private net: Net | null = null;
    private board: Board | null = null;
    private info: PuzzleInfo | null = null;
    private name = "3x3x3";
    private version = 0;
    /** The request that is on its way, and whether it is the last and a state. */
    private asked: { key: string; read: Promise<boolean> } | null = null;
    /** Reads the state soon: its text or the settings have changed. */
    readonly changed = settled(() => void this.read());

    /**
     * `choose` gives the settings of a puzzle. `onread` is called with each state that was read,
     * and with null if there is none.
     */
    constructor(
        private readonly api: Api,
        private readonly choose: (name: string) => PuzzleChoice,
        private readonly onread: (scene: Scene | null) => void,
        private readonly onsubmit: () => void,
        submit: HTMLButtonElement,
    ) {
        const buttons = h(
            "div",
            { class: "row" },
            submit,
            this.scrambleButton,
            button("Solved", () => void this.write(this.solved()), { class: "quiet" }),
        );
        this.element = h(
            "div",
            { class: "editor" },
            field("State", this.input),
            this.hint,
            this.error,
            buttons,
            this.drawing,
        );
        this.input.setAttribute("aria-describedby", "state-hint state-error");
    }

    /** Takes another puzzle, and reads a state of it. */
    async use(name: string, info: PuzzleInfo, text: string | undefined): Promise<void> {
        this.name = name;
        this.info = info;
        this.asked = null;
        this.net = null;
        this.board = null;
        this.drawing.replaceChildren();
        this.hint.textContent = example(info);
        this.input.disabled = false;
        this.scrambleButton.hidden = !info.scrambles;
        if (info.board) {
            this.board = new Board(...info.board, (state) => this.write(state));
            this.drawing.append(this.board.element);
        } else if (info.face_stickers) {
            this.net = new Net(info.face_stickers, false, (stickers) => this.write(stickers));
            this.drawing.append(this.net.element);
        }
        await this.write(text ?? this.solved());
    }

    /** The solved state as text. */
    private solved(): string {
        const [rows, columns] = this.info?.board ?? [0, 0];
        const tiles = Array.from({ length: rows * columns }, (_, tile) => tile);
        if (this.choose(this.name).goal === "last") tiles.push(tiles.shift() ?? 0);
        return tiles.join(" ") || "solved";
    }

    get text(): string {
        return this.input.value.trim();
    }

    /** Writes a text into the field, and reads it. */
    async write(text: string): Promise<void> {
        this.input.value = text;
        await this.read();
    }

    /** Reads the text as it is now, and submits the state. */
    async submit(): Promise<void> {
        if (await this.read()) this.onsubmit();
    }

    /** Reads the text. Returns whether it is a state, and the last that was asked for. */
    private read(): Promise<boolean> {
        const { info } = this;
        if (!info) return Promise.resolve(false);
        const body = { puzzle: this.choose(this.name), state: this.text || this.solved() };
        const key = JSON.stringify(body);
        // A request that is on its way is not sent again.
        if (this.asked?.key === key) return this.asked.read;
        const asked = { key, read: this.ask(info, body) };
        this.asked = asked;
        void asked.read.finally(() => {
            if (this.asked === asked) this.asked = null;
        });
        return asked.read;
    }

    private async ask(
        info: PuzzleInfo,
        body: { puzzle: PuzzleChoice; state: string },
    ): Promise<boolean> {
        this.version += 1;
        const version = this.version;
        const text = body.state;
        try {
            const state = await this.api.ask<Scene["state"]>("POST", "/state", body);
            if (version !== this.version) return false;
            this.refuse(null);
            this.net?.set(state.state);
            this.board?.set(state.state.split(/\s+/).map(Number));
            this.onread({ info, text, state });
            return true;
        } catch (error) {
            if (version !== this.version) return false;
            this.drawWrong(text);
            this.refuse(faultOf(error));
            this.onread(null);
            return false;
        }
    }

    /** Shows a state that was refused, as far as it can be drawn. */
    private drawWrong(text: string): void {
        if (this.net) this.net.set(text.replace(/\s+/g, ""));
        const squares =
            this.board &&
            squaresOf(
                text,
                (this.info?.board ?? [0, 0]).reduce((a, b) => a * b),
            );
        if (squares) this.board?.set(squares);
    }

    private refuse(fault: Fault | null): void {
        const place = fault?.place;
        this.input.toggleAttribute("aria-invalid", fault !== null);
        if (fault) this.input.setAttribute("aria-invalid", "true");
        this.net?.mark(place?.facelets, place?.colour);
        this.board?.mark(place?.squares);
        const marked = fault && place?.column ? this.marked(place.line ?? 1, place.column) : null;
        this.error.replaceChildren(...(fault ? [marked ?? "", fault.error] : []));
    }

    /** The line of the text with the wrong word marked. */
    private marked(line: number, column: number): HTMLElement | null {
        const text = this.input.value.split("\n")[line - 1];
        if (text === undefined) return null;
        const letters = [...text];
        const end = letters.findIndex(
            (letter, at) => at >= column - 1 && at > column - 1 && letter === " ",
        );
        const stop = end < 0 ? letters.length : end;
        const part = (from: number, to: number) => letters.slice(Math.max(0, from), to).join("");
        return h(
            "code",
            { class: "place" },
            part(column - 25, column - 1),
            h("mark", {}, part(column - 1, stop) || " "),
            part(stop, stop + 25),
        );
    }

    private async scramble(): Promise<void> {
        const { info } = this;
        this.scrambleButton.disabled = true;
        try {
            const text = await (info?.kpuzzle ? this.randomMoves() : this.randomState());
            if (info === this.info) await this.write(text);
        } catch (error) {
            this.refuse(faultOf(error));
        }
        this.scrambleButton.disabled = false;
    }

    private async randomState(): Promise<string> {
        const body = { puzzle: { name: this.name } };
        return (await this.api.ask<Scene["state"]>("POST", "/scramble", body)).state;
    }

    /** Moves to a random state of a definition, whose states are hard to read. */
    private async randomMoves(): Promise<string> {
        const body = { puzzle: { name: this.name } };
        const handle = this.api.start("scrambles", body);
        const job = await handle.over;
        handle.forget();
        return job.answer?.moves?.join(" ") ?? (await this.randomState());
    }
}
