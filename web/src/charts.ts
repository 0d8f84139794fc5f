// Charts as SVG: the closing bounds of a search, and the states at each distance.

import { type Bounds, type Job } from "./api";
import { svg } from "./dom";
import { short } from "./words";

const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 40;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 30;

/** A step of 1, 2 or 5 times a power of ten, for about `count` marks. */
function step(range: number, count: number): number {
    const rough = Math.max(range / count, 1e-9);
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
}

/** The least and the greatest value of the axis for these bounds. */
export function axis(points: Bounds[]): [number, number] {
    const values = points.flatMap(({ lower, upper }) => [lower, upper ?? lower]);
    const known = points.map((point) => point.lower).filter((lower) => lower > 0);
    return [known.length ? Math.max(0, Math.min(...known) - 2) : 0, Math.max(...values, 1) + 1];
}

/** The proven lower bound rises, the best plan shrinks, until they meet. */
export class BoundsChart {
    readonly element: SVGSVGElement;
    private readonly grid = svg("g", { class: "grid" });
    private readonly gap = svg("path", { class: "gap" });
    private readonly lower = svg("path", { class: "lower" });
    private readonly upper = svg("path", { class: "upper" });
    private readonly marks = svg("g", { class: "marks" });
    private readonly title = svg("title", {}, "No search yet");

    constructor() {
        this.element = svg(
            "svg",
            { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img" },
            this.title,
            this.grid,
            this.gap,
            this.lower,
            this.upper,
            this.marks,
        );
    }

    draw(job: Job): void {
        const points = job.bounds;
        const upper = job.upper_bound;
        const end = Math.max(job.seconds, points.at(-1)?.seconds ?? 0, 0.05);
        const [bottom, top] = axis(points);
        const x = (seconds: number) =>
            LEFT + ((WIDTH - LEFT - RIGHT) * Math.min(seconds, end)) / end;
        const y = (value: number) =>
            HEIGHT -
            BOTTOM -
            ((HEIGHT - TOP - BOTTOM) * (Math.max(value, bottom) - bottom)) / (top - bottom);
        this.drawGrid(x, y, [bottom, top], end);
        // A bound of 0 says nothing, and may lie below the axis.
        const below = stairs(points, (point) => point.lower || null, end, x, y);
        const above = stairs(points, (point) => point.upper, end, x, y);
        this.lower.setAttribute("d", line(below));
        this.upper.setAttribute("d", line(above));
        const from = above[0]?.[0] ?? 0;
        const inside = below.filter(([at]) => at >= from);
        const start = below.filter(([at]) => at <= from).at(-1);
        const polygon = [...above, ...inside.reverse()];
        if (start && above.length) polygon.push([from, start[1]]);
        this.gap.setAttribute("d", above.length ? `${line(polygon)}Z` : "");
        const met = upper !== null && job.lower_bound >= upper;
        this.marks.replaceChildren(
            ...(met ? [svg("circle", { class: "met", cx: x(end), cy: y(upper), r: 6 })] : []),
            ...(upper !== null && !met
                ? [label(x(end), y(upper) - 7, `best plan ${upper}`, "upper")]
                : []),
            ...(job.lower_bound > 0
                ? [
                      label(
                          x(end),
                          y(job.lower_bound) + 17,
                          met ? `proven: ${upper}` : `at least ${job.lower_bound}`,
                          "lower",
                      ),
                  ]
                : []),
        );
        const bounds = `Proven lower bound ${job.lower_bound}, best plan ${upper ?? "none"}`;
        this.title.textContent = `${bounds}, after ${end.toFixed(1)} seconds`;
    }

    private drawGrid(
        x: (seconds: number) => number,
        y: (value: number) => number,
        [bottom, top]: [number, number],
        end: number,
    ): void {
        const parts: Node[] = [];
        const rows = Math.max(1, step(top - bottom, 5));
        for (let value = Math.ceil(bottom / rows) * rows; value <= top; value += rows) {
            parts.push(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }));
            parts.push(svg("text", { x: LEFT - 7, y: y(value) + 4, "text-anchor": "end" }, value));
        }
        const columns = step(end, 5);
        for (let value = 0; value <= end * 1.001; value += columns) {
            const text = `${Number(value.toPrecision(4))}${value === 0 ? " s" : ""}`;
            parts.push(svg("text", { x: x(value), y: HEIGHT - 9, "text-anchor": "middle" }, text));
        }
        this.grid.replaceChildren(...parts);
    }
}

type Point = [number, number];

function stairs(
    points: Bounds[],
    value: (point: Bounds) => number | null,
    end: number,
    x: (seconds: number) => number,
    y: (value: number) => number,
): Point[] {
    const path: Point[] = [];
    for (const point of points) {
        const height = value(point);
        if (height === null) continue;
        const last = path.at(-1);
        if (last) path.push([x(point.seconds), last[1]]);
        path.push([x(point.seconds), y(height)]);
    }
    const last = path.at(-1);
    if (last) path.push([x(end), last[1]]);
    return path;
}

function line(points: Point[]): string {
    return points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

function label(x: number, y: number, text: string, kind: string): SVGTextElement {
    return svg("text", { x: x - 4, y, "text-anchor": "end", class: `label ${kind}` }, text);
}

/** The states at each distance. The bars have logarithmic heights, since counts grow so fast. */
export class Histogram {
    readonly element = svg("svg", {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        class: "chart",
        role: "img",
    });

    draw(layers: { depth: number; count: number }[]): void {
        const high = Math.max(...layers.map((layer) => Math.log10(layer.count + 1)), 1);
        const slot = (WIDTH - LEFT - RIGHT) / Math.max(layers.length, 8);
        const floor = HEIGHT - BOTTOM;
        const parts: Node[] = [svg("title", {}, `States at distances 0 to ${layers.length - 1}`)];
        for (let power = 0; power <= high; power += Math.ceil(high / 5)) {
            const y = floor - ((floor - TOP) * power) / high;
            const raised = [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
            const text = power < 3 ? String(10 ** power) : `10${raised}`;
            parts.push(svg("line", { class: "rule", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }));
            parts.push(svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text));
        }
        const every = Math.ceil(22 / slot);
        for (const { depth, count } of layers) {
            const height = ((floor - TOP) * Math.log10(count + 1)) / high;
            const x = LEFT + slot * (depth + 0.12);
            const bar = svg("rect", {
                class: "bar",
                x,
                y: floor - height,
                width: slot * 0.76,
                height,
                rx: 2,
            });
            bar.append(svg("title", {}, `${depth}: ${short(count)} states`));
            parts.push(bar);
            if (depth % every === 0) {
                const middle = x + slot * 0.38;
                parts.push(
                    svg("text", { x: middle, y: HEIGHT - 9, "text-anchor": "middle" }, depth),
                );
            }
        }
        this.element.replaceChildren(...parts);
    }
}
