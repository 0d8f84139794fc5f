// The stickers of a cube, unfolded: drawn by clicks or keys.

import { h } from "./dom";

export const FACES = "URFDLB";
const COLOURS: Record<string, string> = {
    U: "white",
    R: "red",
    F: "green",
    D: "yellow",
    L: "orange",
    B: "blue",
    ".": "any colour",
};
/** Column and row of each face in the net, in faces. */
const PLACES: Record<string, [number, number]> = {
    U: [1, 0],
    R: [2, 1],
    F: [1, 1],
    D: [1, 2],
    L: [0, 1],
    B: [3, 1],
};

export class Net {
    readonly element: HTMLElement;
    private readonly cells: HTMLButtonElement[] = [];
    private stickers: string[];
    private colour = "U";
    private readonly side: number;
    private readonly palette: HTMLInputElement[] = [];

    /** `face`: stickers of one face. `open`: stickers may be of any colour, for a goal. */
    constructor(
        readonly face: number,
        private readonly open: boolean,
        private readonly onpaint: (stickers: string) => void,
    ) {
        this.side = Math.sqrt(face);
        this.stickers = [...this.solved()];
        const grid = h("div", {
            class: `net side-${this.side}`,
            role: "group",
            "aria-label":
                "Stickers of the cube. Arrow keys move, Enter paints, letters choose a colour",
            onkeydown: (event: KeyboardEvent) => this.key(event),
        });
        for (let at = 0; at < 6 * face; at += 1) {
            const [column, row] = this.position(at);
            const cell = h("button", {
                type: "button",
                class: "sticker",
                style: `grid-column:${column + 1};grid-row:${row + 1}`,
                tabindex: at === 0 ? 0 : -1,
                onclick: () => this.paint(at),
                onfocus: () => this.rove(at),
                onpointerenter: (event: PointerEvent) => {
                    if (event.buttons === 1) this.paint(at);
                },
            });
            this.cells.push(cell);
            grid.append(cell);
        }
        this.element = h("div", { class: "net-editor" }, grid, this.makePalette());
        this.draw();
    }

    solved(): string {
        return [...FACES].map((face) => face.repeat(this.face)).join("");
    }

    /** Column and row of a sticker in the net. */
    private position(at: number): [number, number] {
        const [column, row] = PLACES[FACES[Math.floor(at / this.face)] ?? "U"] ?? [0, 0];
        const inside = at % this.face;
        return [
            column * this.side + (inside % this.side),
            row * this.side + Math.floor(inside / this.side),
        ];
    }

    private makePalette(): HTMLElement {
        const letters = this.open ? `${FACES}.` : FACES;
        const group = h("fieldset", { class: "palette" }, h("legend", {}, "Colour"));
        const name = `palette-${Math.random()}`;
        for (const letter of letters) {
            const input = h("input", {
                type: "radio",
                name,
                value: letter,
                checked: letter === (this.open ? "." : "U"),
                "aria-label": COLOURS[letter],
                onchange: () => (this.colour = letter),
            });
            this.palette.push(input);
            group.append(
                h(
                    "label",
                    {
                        class: `swatch c-${letter === "." ? "any" : letter}`,
                        title: COLOURS[letter],
                    },
                    input,
                ),
            );
        }
        if (this.open) this.colour = ".";
        return group;
    }

    private rove(at: number): void {
        this.cells.forEach((cell, own) => (cell.tabIndex = own === at ? 0 : -1));
    }

    private key(event: KeyboardEvent): void {
        const at = this.cells.indexOf(event.target as HTMLButtonElement);
        const steps: Record<string, [number, number]> = {
            ArrowLeft: [-1, 0],
            ArrowRight: [1, 0],
            ArrowUp: [0, -1],
            ArrowDown: [0, 1],
        };
        const step = steps[event.key];
        if (step && at >= 0) {
            event.preventDefault();
            const [column, row] = this.position(at);
            for (let distance = 1; distance < 4 * this.side; distance += 1) {
                const wanted = [column + step[0] * distance, row + step[1] * distance];
                const next = this.cells.findIndex((_, own) => {
                    const [x, y] = this.position(own);
                    return x === wanted[0] && y === wanted[1];
                });
                if (next >= 0) {
                    this.cells[next]?.focus();
                    return;
                }
            }
        }
        const chosen = this.palette.find((input) => input.value === event.key.toUpperCase());
        if (chosen) {
            chosen.checked = true;
            this.colour = chosen.value;
            if (at >= 0) this.paint(at);
        }
    }

    private paint(at: number): void {
        // The centres of a cube never move, so they name the colours.
        const centre = this.side === 3 && at % 9 === 4 && !this.open;
        if (centre || this.stickers[at] === this.colour) return;
        this.stickers[at] = this.colour;
        this.draw();
        this.onpaint(this.text());
    }

    text(): string {
        return this.stickers.join("");
    }

    /** Shows these stickers. */
    set(stickers: string): void {
        if (stickers.length === 6 * this.face && [...stickers].every((one) => one in COLOURS)) {
            this.stickers = [...stickers];
            this.draw();
        }
    }

    /** Marks stickers, numbered from 1, and those of a colour. */
    mark(facelets: number[] = [], colour = ""): void {
        this.cells.forEach((cell, at) => {
            const marked = facelets.includes(at + 1) || this.stickers[at] === colour;
            cell.classList.toggle("wrong", marked);
            if (marked) cell.setAttribute("aria-invalid", "true");
            else cell.removeAttribute("aria-invalid");
        });
    }

    private draw(): void {
        this.cells.forEach((cell, at) => {
            const colour = this.stickers[at] ?? ".";
            cell.className = `sticker c-${colour === "." ? "any" : colour}`;
            const face = FACES[Math.floor(at / this.face)];
            cell.setAttribute("aria-label", `${face}${(at % this.face) + 1}: ${COLOURS[colour]}`);
        });
    }
}
