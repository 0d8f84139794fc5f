// What an address holds: puzzle, state, goal. It holds no token, so it can be given to others.

export interface Link {
    view: string;
    puzzle: string;
    state: string;
    goal: string;
    moves: string;
    metric: string;
    /** Only the printed link holds it. */
    token: string;
}

const KEYS = ["puzzle", "state", "goal", "moves", "metric"] as const;

export function readAddress(): Partial<Link> {
    const words = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries([...words].filter(([, value]) => value));
}

export function writeAddress(link: Partial<Link>): void {
    const words = new URLSearchParams();
    if (link.view && link.view !== "solve") words.set("view", link.view);
    for (const key of KEYS) {
        const value = link[key];
        if (value) words.set(key, value);
    }
    history.replaceState(null, "", `#${words}`);
}
