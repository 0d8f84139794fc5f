// Cubes and twisty puzzles in three dimensions, by the TwistyPlayer of cubing.js.

import { cube2x2x2, cube3x3x3 } from "cubing/puzzles";
import { KTransformation, type KPuzzle } from "cubing/kpuzzle";
import { TwistyPlayer } from "cubing/twisty";
import type { Scene, View } from "./playback";

/** Slots in the order of cubing.js, and the numbers of their stickers on a 3x3x3. */
const CORNERS = "U9R1F3 U3B1R3 U1L1B3 U7F1L3 D3F9R7 D1L9F7 D7B9L7 D9R9B7".split(" ");
const EDGES = "U8F2 U6R2 U2B2 U4L2 D2F8 D6R8 D8B8 D4L8 F6R4 F4L6 B4R6 B6L4".split(" ");
const FACES = "URFDLB";
/** The sticker of a 2x2x2 for a corner sticker of a 3x3x3. */
const SMALL: Record<number, number> = { 1: 1, 3: 2, 7: 3, 9: 4 };

/** Faces and places of a slot's stickers. */
function stickers(slot: string, face: number): { faces: string; places: number[] } {
    const pairs = slot.match(/[A-Z]\d/g) ?? [];
    const places = pairs.map((pair) => {
        const number = Number(pair[1]);
        const inside = face === 9 ? number : (SMALL[number] ?? 1);
        return FACES.indexOf(pair[0] ?? "U") * face + inside - 1;
    });
    return { faces: pairs.map((pair) => pair[0]).join(""), places };
}

/** The pieces of an orbit, read from stickers. */
function orbit(facelets: string, slots: string[], face: number) {
    const all = slots.map((slot) => stickers(slot, face));
    const found = all.map(({ places }) => {
        const seen = places.map((place) => facelets[place]).join("");
        for (let turn = 0; turn < seen.length; turn += 1) {
            const upright = seen.slice(turn) + seen.slice(0, turn);
            const piece = all.findIndex(({ faces }) => faces === upright);
            if (piece >= 0) return { piece, turn };
        }
        return { piece: 0, turn: 0 };
    });
    return {
        permutation: found.map(({ piece }) => piece),
        orientationDelta: found.map(({ turn }) => turn),
    };
}

/** What leads from the solved cube to these stickers. */
export function transformation(kpuzzle: KPuzzle, facelets: string): KTransformation {
    const face = facelets.length / 6;
    const corners = orbit(facelets, CORNERS, face);
    const data = { ...kpuzzle.identityTransformation().transformationData, CORNERS: corners };
    if (face === 9) Object.assign(data, { EDGES: orbit(facelets, EDGES, face) });
    return new KTransformation(kpuzzle, data);
}

/** Our names of puzzles, and those of cubing.js, where both name the moves alike. */
const PUZZLES = {
    "2x2x2": "2x2x2",
    "3x3x3": "3x3x3",
    "4x4x4": "4x4x4",
    "5x5x5": "5x5x5",
    "6x6x6": "6x6x6",
    "7x7x7": "7x7x7",
    pyraminx: "pyraminx",
    "pyraminx-tips": "pyraminx",
    fto: "fto",
} as const;

export function isKnown(name: string): name is keyof typeof PUZZLES {
    return name in PUZZLES;
}

// cubing.js keeps its kinds of numbers apart.
type Indexer = Awaited<ReturnType<TwistyPlayer["experimentalModel"]["indexer"]["get"]>>;
type LeafIndex = Parameters<Indexer["indexToMoveStartTimestamp"]>[0];
type Timestamp = ReturnType<Indexer["indexToMoveStartTimestamp"]>;

/** Whether a text is moves: the other texts of a definition have words that no move has. */
function areMoves(text: string): boolean {
    return !/CPOS|[{:]/.test(text) && text !== "solved";
}

export class Twisty implements View {
    readonly element: HTMLElement;
    private readonly player: TwistyPlayer;
    private starts: number[] = [0];
    private duration = 0;

    constructor(name: keyof typeof PUZZLES) {
        this.player = new TwistyPlayer({
            puzzle: PUZZLES[name],
            controlPanel: "none",
            background: "none",
            viewerLink: "none",
            hintFacelets: "none",
            experimentalDragInput: "auto",
            cameraLatitude: 28,
            cameraLongitude: 32,
        });
        this.element = document.createElement("div");
        this.element.className = "twisty";
        this.element.setAttribute("role", "img");
        this.element.setAttribute("aria-label", `The ${name} in three dimensions`);
        this.element.append(this.player);
    }

    async load({ info, text, state }: Scene, plan: string[]): Promise<void> {
        const model = this.player.experimentalModel;
        this.player.alg = plan.join(" ");
        // Other puzzles have no picture of a state without moves from or to the solved one.
        const known = info.face_stickers !== null || areMoves(text) || text === "solved";
        this.element.classList.toggle("unknown", !known && plan.length === 0);
        if (info.face_stickers) {
            const kpuzzle = await (info.face_stickers === 9 ? cube3x3x3 : cube2x2x2).kpuzzle();
            this.player.experimentalSetupAnchor = "start";
            model.setupTransformation.set(transformation(kpuzzle, state.state));
        } else if (areMoves(text)) {
            this.player.experimentalSetupAnchor = "start";
            this.player.experimentalSetupAlg = text;
        } else {
            // The state has no moves of its own. The plan leads to the solved puzzle.
            this.player.experimentalSetupAnchor = "end";
            this.player.experimentalSetupAlg = "";
        }
        const indexer = await model.indexer.get();
        this.starts = plan.map((_, at) => indexer.indexToMoveStartTimestamp(at as LeafIndex));
        this.duration = indexer.algDuration();
    }

    show(position: number): void {
        const at = Math.floor(position);
        const start = this.starts[at] ?? this.duration;
        const end = this.starts[at + 1] ?? this.duration;
        const now = start + (position - at) * (end - start);
        this.player.experimentalModel.timestampRequest.set(now as Timestamp);
    }
}
