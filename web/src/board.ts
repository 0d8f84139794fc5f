// A board of sliding tiles: drawn by drags, and played.

import { h } from "./dom";
import type { Scene, View } from "./playback";

const SIZE = 100;

/** Colours of the tiles by their row in the goal, as a gradient of hues. */
function hue(tile: number, tiles: number): number {
    return 205 + (130 * tile) / tiles;
}

export class Board implements View {
    readonly element: HTMLElement;
    private readonly tiles: HTMLElement[] = [];
    private squares: number[] = [];
    private start: number[] = [];
    private path: number[][] = [];
    private picked = -1;
    private readonly editable: boolean;

    /** `onchange` is called after two tiles were swapped. Without it the board only shows. */
    constructor(
        private readonly rows: number,
        private readonly columns: number,
        private readonly onchange?: (state: string) => void,
    ) {
        this.editable = onchange !== undefined;
        this.element = h("div", {
            class: "board",
            style: `aspect-ratio:${columns}/${rows};--rows:${rows};--columns:${columns}`,
            role: "group",
            "aria-label": this.editable
                ? "Tiles. Drag a tile onto another place, or press Enter on one and then on another"
                : "Tiles",
        });
        for (let tile = 0; tile < rows * columns; tile += 1) this.tiles.push(this.makeTile(tile));
        this.element.append(...this.tiles);
        this.set(Array.from({ length: rows * columns }, (_, at) => at));
    }

    private makeTile(tile: number): HTMLElement {
        const colour = `--hue:${hue(tile, this.rows * this.columns)}`;
        const kind = tile === 0 ? "tile blank" : "tile";
        if (!this.editable) return h("div", { class: kind, style: colour }, tile || "");
        const element = h("button", { type: "button", class: kind, style: colour }, tile || "");
        element.setAttribute("aria-label", tile ? `tile ${tile}` : "blank");
        element.addEventListener("click", () => this.pick(this.squares.indexOf(tile)));
        element.addEventListener("pointerdown", (event) => this.drag(event, tile, element));
        return element;
    }

    /** Picks a square, or swaps it with the one that was picked before. */
    private pick(square: number): void {
        if (this.picked < 0) {
            this.picked = square;
        } else {
            const before = this.picked;
            this.picked = -1;
            if (before !== square) this.swap(before, square);
        }
        this.tiles.forEach((element, tile) => {
            element.classList.toggle("picked", this.squares.indexOf(tile) === this.picked);
        });
    }

    private swap(one: number, other: number): void {
        const squares = [...this.squares];
        [squares[one], squares[other]] = [squares[other] ?? 0, squares[one] ?? 0];
        this.set(squares);
        this.onchange?.(squares.join(" "));
    }

    private drag(event: PointerEvent, tile: number, element: HTMLElement): void {
        const from = this.squares.indexOf(tile);
        const { clientX, clientY } = event;
        let moved = false;
        const move = (at: PointerEvent) => {
            const [x, y] = [at.clientX - clientX, at.clientY - clientY];
            moved ||= Math.hypot(x, y) > 8;
            if (moved) {
                element.classList.add("dragged");
                element.style.translate = `${x}px ${y}px`;
            }
        };
        const end = (at: PointerEvent) => {
            removeEventListener("pointermove", move);
            removeEventListener("pointerup", end);
            removeEventListener("pointercancel", end);
            element.classList.remove("dragged");
            element.style.translate = "";
            if (!moved || at.type === "pointercancel") return;
            // The click that follows a drag picks nothing.
            element.addEventListener("click", (click) => click.stopImmediatePropagation(), {
                capture: true,
                once: true,
            });
            const box = this.element.getBoundingClientRect();
            const column = Math.floor(((at.clientX - box.left) / box.width) * this.columns);
            const row = Math.floor(((at.clientY - box.top) / box.height) * this.rows);
            const inside = column >= 0 && column < this.columns && row >= 0 && row < this.rows;
            if (inside) this.swap(from, row * this.columns + column);
        };
        addEventListener("pointermove", move);
        addEventListener("pointerup", end);
        addEventListener("pointercancel", end);
    }

    /** Shows these tiles, row by row. */
    set(squares: number[]): void {
        this.squares = squares;
        this.place(squares, squares, 0);
    }

    /** Marks squares, numbered from 1. */
    mark(squares: number[] = []): void {
        this.tiles.forEach((element, tile) => {
            element.classList.toggle("wrong", squares.includes(this.squares.indexOf(tile) + 1));
        });
    }

    /** Places the tiles between two boards, at a part of the way. */
    private place(from: number[], to: number[], part: number): void {
        this.tiles.forEach((element, tile) => {
            const [a, b] = [from.indexOf(tile), to.indexOf(tile)];
            element.hidden = a < 0;
            const mixed = (way: (square: number) => number) => way(a) + part * (way(b) - way(a));
            const x = mixed((square) => square % this.columns) * SIZE;
            const y = mixed((square) => Math.floor(square / this.columns)) * SIZE;
            element.style.transform = `translate(${x}%, ${y}%)`;
            element.style.order = String(a);
        });
    }

    load({ state }: Scene, plan: string[]): void {
        this.start = state.state.split(/\s+/).map(Number);
        this.path = [this.start];
        const steps: Record<string, number> = {
            up: -this.columns,
            down: this.columns,
            left: -1,
            right: 1,
        };
        for (const move of plan) {
            const squares = [...(this.path.at(-1) ?? [])];
            const blank = squares.indexOf(0);
            const other = blank + (steps[move] ?? 0);
            [squares[blank], squares[other]] = [squares[other] ?? 0, 0];
            this.path.push(squares);
        }
    }

    show(position: number): void {
        const at = Math.min(Math.floor(position), this.path.length - 1);
        const from = this.path[at] ?? this.start;
        this.place(from, this.path[at + 1] ?? from, position - at);
    }
}

/** The numbers of a text, if it is a board of this size. */
export function squaresOf(text: string, count: number): number[] | null {
    const numbers = text
        .trim()
        .split(/[\s,]+/)
        .map((word) => (word === "_" ? 0 : Number(word)));
    const whole = numbers.length === count && numbers.every((one) => Number.isInteger(one));
    return whole ? numbers : null;
}
