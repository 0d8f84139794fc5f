// Any puzzle: each orbit is a ring of slots with pieces. A mark on a piece shows how it is turned.

import type { KPuzzleDefinition, Orbit } from "./api";
import { h, svg } from "./dom";
import type { Scene, View } from "./playback";

type Pattern = Record<string, Orbit>;
type Move = Record<string, { permutation: number[]; orientationDelta: number[] }>;

/** The move with a name such as `U`, `U'` or `BL2'`. Undefined if the definition has none. */
function moveOf(
    definition: KPuzzleDefinition,
    name: string,
): { move: Move; amount: number } | undefined {
    const own = definition.moves[name];
    if (own) return { move: own, amount: 1 };
    const derived = definition.derivedMoves?.[name];
    if (derived && derived !== name) return moveOf(definition, derived);
    const parts = /^(.*?)(\d*)('?)$/.exec(name);
    const base = parts?.[1] === undefined ? undefined : definition.moves[parts[1]];
    if (!base || !parts) return undefined;
    return { move: base, amount: Number(parts[2] || 1) * (parts[3] ? -1 : 1) };
}

/** Where the piece of each slot comes from after a move, and how much it turned. */
function sources(move: Move[string], amount: number): { from: number[]; turn: number[] } {
    let from = move.permutation.map((_, at) => at);
    let turn = from.map(() => 0);
    for (let count = 0; count < Math.abs(amount); count += 1) {
        const [before, turned] = [from, turn];
        if (amount > 0) {
            from = move.permutation.map((source) => before[source] ?? 0);
            turn = move.permutation.map(
                (source, at) => (turned[source] ?? 0) + (move.orientationDelta[at] ?? 0),
            );
        } else {
            from = [...before];
            turn = [...turned];
            move.permutation.forEach((source, at) => {
                from[source] = before[at] ?? 0;
                turn[source] = (turned[at] ?? 0) - (move.orientationDelta[at] ?? 0);
            });
        }
    }
    return { from, turn };
}

interface Piece {
    element: SVGGElement;
    mark: SVGElement;
    number: SVGTextElement;
    circle: SVGCircleElement;
}

export class Rings implements View {
    readonly element = h("div", { class: "rings" });
    private readonly pieces = new Map<string, Piece[]>();
    private path: { pattern: Pattern; move: Move | null; amount: number }[] = [];

    constructor(private readonly definition: KPuzzleDefinition) {
        for (const { orbitName, numPieces } of definition.orbits) {
            this.element.append(this.makeRing(orbitName, numPieces));
        }
    }

    private makeRing(name: string, count: number): HTMLElement {
        // Neighbours do not overlap. Numbers that nobody can read are left out.
        const radius = Math.min(11, 130 / count);
        const ring = svg("svg", {
            viewBox: "-60 -60 120 120",
            role: "img",
            "aria-label": `${name}, a ring of ${count} pieces`,
        });
        ring.append(svg("circle", { r: 45, class: "track" }));
        const pieces: Piece[] = [];
        for (let at = 0; at < count; at += 1) {
            const circle = svg("circle", { r: radius });
            const mark = svg("rect", {
                x: -radius * 0.16,
                y: -radius,
                width: radius * 0.32,
                height: radius * 0.36,
                class: "turn",
            });
            const number = svg("text", {
                "text-anchor": "middle",
                dy: "0.36em",
                "font-size": radius * 0.95,
            });
            const element = svg("g", {}, circle, mark, number);
            pieces.push({ element, mark, number, circle });
            ring.append(element);
        }
        this.pieces.set(name, pieces);
        return h("figure", {}, ring, h("figcaption", {}, name.toLowerCase()));
    }

    load({ state }: Scene, plan: string[]): void {
        const start = state.pattern ?? this.definition.defaultPattern;
        this.path = [];
        let pattern: Pattern = start;
        for (const name of plan) {
            const found = moveOf(this.definition, name);
            this.path.push({ pattern, move: found?.move ?? null, amount: found?.amount ?? 0 });
            if (found) pattern = this.turned(pattern, found.move, found.amount);
        }
        this.path.push({ pattern, move: null, amount: 0 });
    }

    private turned(pattern: Pattern, move: Move, amount: number): Pattern {
        const result: Pattern = {};
        for (const { orbitName, numOrientations } of this.definition.orbits) {
            const orbit = pattern[orbitName];
            const own = move[orbitName];
            if (!orbit) continue;
            if (!own) {
                result[orbitName] = orbit;
                continue;
            }
            const { from, turn } = sources(own, amount);
            const turns = (at: number) => (orbit.orientation[from[at] ?? 0] ?? 0) + (turn[at] ?? 0);
            result[orbitName] = {
                pieces: from.map((source) => orbit.pieces[source] ?? 0),
                orientation: from.map(
                    (_, at) => ((turns(at) % numOrientations) + numOrientations) % numOrientations,
                ),
            };
        }
        return result;
    }

    show(position: number): void {
        const at = Math.min(Math.floor(position), this.path.length - 1);
        const step = this.path[at];
        if (!step) return;
        for (const { orbitName, numOrientations } of this.definition.orbits) {
            const orbit = step.pattern[orbitName];
            const pieces = this.pieces.get(orbitName) ?? [];
            if (!orbit) continue;
            const move = step.move?.[orbitName];
            const { from, turn } = move ? sources(move, step.amount) : { from: [], turn: [] };
            const kinds =
                Math.max(...(this.definition.defaultPattern[orbitName]?.pieces ?? [1])) + 1;
            pieces.forEach((piece, slot) => {
                const next = from.indexOf(slot);
                const part = move && next >= 0 ? position - at : 0;
                this.placePiece(piece, slot, next < 0 ? slot : next, part, pieces.length);
                const kind = orbit.pieces[slot] ?? 0;
                const turns =
                    (orbit.orientation[slot] ?? 0) +
                    part * shortest(turn[next] ?? 0, numOrientations);
                piece.circle.setAttribute("style", `fill:hsl(${(360 * kind) / kinds} 62% 58%)`);
                piece.number.textContent = pieces.length > 40 ? "" : String(kind + 1);
                piece.mark.setAttribute("transform", `rotate(${(360 * turns) / numOrientations})`);
                const known = numOrientations > 1 && orbit.orientationMod?.[slot] !== 1;
                piece.mark.style.display = known ? "" : "none";
            });
        }
    }

    private placePiece(
        piece: Piece,
        slot: number,
        next: number,
        part: number,
        count: number,
    ): void {
        let step = next - slot;
        if (step > count / 2) step -= count;
        if (step < -count / 2) step += count;
        const angle = (2 * Math.PI * (slot + part * step)) / count;
        // Pieces on the way pass inside the ring, so that they do not cover each other.
        const radius = 45 - (step === 0 ? 0 : 14 * Math.sin(Math.PI * part));
        const [x, y] = [radius * Math.sin(angle), -radius * Math.cos(angle)];
        piece.element.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    }
}

/** A turn by the shorter way round. */
function shortest(turn: number, count: number): number {
    const rest = ((turn % count) + count) % count;
    return rest > count / 2 ? rest - count : rest;
}
