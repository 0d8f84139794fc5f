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
