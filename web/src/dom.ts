// Small helpers to make elements.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: Child[]): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(name.replace(/^on/, ""), value as EventListener);
        } else if (value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    for (const child of children) {
        if (child !== null && child !== undefined && child !== false) {
            element.append(typeof child === "number" ? String(child) : child);
        }
    }
}

/** An element of HTML. A function among the attributes is a listener: `onclick`. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    fill(element, attributes, children);
    return element;
}

/** An element of SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    const element = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
    fill(element, attributes, children);
    return element;
}

/** A button with a text. */
export function button(
    text: string,
    onclick: () => void,
    more: Attributes = {},
): HTMLButtonElement {
    return h("button", { type: "button", onclick, ...more }, text);
}

/** A field with its label above it. */
export function field(label: string, input: HTMLElement, hint = ""): HTMLElement {
    const id = input.id || `field-${Math.random().toString(36).slice(2)}`;
    input.id = id;
    const note = hint ? h("span", { class: "hint", id: `${id}-hint` }, hint) : null;
    if (note) input.setAttribute("aria-describedby", note.id);
    return h("div", { class: "field" }, h("label", { for: id }, label), input, note);
}

/** A number with thin spaces between thousands. */
export function grouped(value: number): string {
    return Math.round(value)
        .toString()
        .replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A large number in short: 3.2 million. */
export function short(value: number): string {
    const units: [number, string][] = [
        [1e12, "trillion"],
        [1e9, "billion"],
        [1e6, "million"],
    ];
    const unit = units.find(([size]) => value >= size);
    return unit ? `${(value / unit[0]).toFixed(1)} ${unit[1]}` : grouped(value);
}

/** Seconds for people. */
export function duration(seconds: number): string {
    if (seconds < 0.1) return `${Math.max(1, Math.round(1000 * seconds))} ms`;
    if (seconds < 10) return `${seconds.toFixed(1)} s`;
    if (seconds < 60) return `${Math.round(seconds)} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
    if (seconds < 172800)
        return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
    return seconds < 3e8 ? `${Math.round(seconds / 86400)} days` : "years";
}

/** Bytes for people. */
export function bytes(value: number): string {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
        value /= 1024;
        unit += 1;
    }
    return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** `1 move`, `2 moves`. */
export function moves(count: number): string {
    return `${count} move${count === 1 ? "" : "s"}`;
}

/** Calls a function after the last of several quick calls. */
export function settled(call: () => void, delay = 180): () => void {
    let timer = 0;
    return () => {
        clearTimeout(timer);
        timer = window.setTimeout(call, delay);
    };
}

/** Offers a text as a file. */
export function download(name: string, type: string, text: string): void {
    const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
