// The interface of the server: openapi.json describes it.

export interface PuzzleChoice {
    name: string;
    metric?: string;
    goal?: string;
    moves?: string;
}
export interface Place {
    line?: number;
    column?: number;
    facelets?: number[];
    squares?: number[];
    colour?: string;
}
export interface Fault {
    message: string;
    place?: Place;
}
export interface About {
    version: string;
    threads: number;
    memory: number;
    puzzles: { name: string; aliases: string[]; title: string }[];
}
export interface PuzzleInfo {
    name: string;
    metric: string | null;
    board: [number, number] | null;
    face_stickers: number | null;
    notes: string[];
    near_optimal: boolean;
    scrambles: boolean;
    tables: boolean;
    gods_algorithm: boolean;
    kpuzzle: KPuzzleDefinition | null;
}
export interface Orbit {
    pieces: number[];
    orientation: number[];
    orientationMod?: number[];
}
export interface KPuzzleDefinition {
    name: string;
    orbits: { orbitName: string; numPieces: number; numOrientations: number }[];
    defaultPattern: Record<string, Orbit>;
    moves: Record<string, Record<string, { permutation: number[]; orientationDelta: number[] }>>;
    derivedMoves?: Record<string, string>;
}
export interface State {
    text: string;
    facts: Record<string, string>;
    solvable: boolean | null;
    pattern?: Record<string, Orbit> | null;
    seed?: number;
}
export interface Bounds {
    seconds: number;
    lower: number;
    upper: number | null;
}
export interface Answer {
    outcome?: string;
    plans?: string[][];
    costs?: number[];
    optimal?: boolean;
    complete?: boolean;
    heuristic?: string;
    states?: number;
    moves?: string[];
    antipodes?: string[];
    diameter?: number | null;
    mean?: number;
    tables?: { table: string; bytes: number }[];
}
export interface Job {
    job: number;
    kind: "search" | "scramble" | "count" | "build";
    phase: "queued" | "preparing" | "building" | "searching" | "done" | "stopped" | "failed";
    place: number | null;
    activity: string | null;
    fraction: number | null;
    lower_bound: number;
    upper_bound: number | null;
    plan: string[] | null;
    bounds: Bounds[];
    bound: number | null;
    generated: number;
    nodes_per_second: number | null;
    bound_seconds: number | null;
    remaining_seconds: number | null;
    seconds: number;
    layers: { depth: number; states: number }[];
    notes: string[];
    answer: Answer | null;
    error: Fault | null;
}
export interface Tables {
    folder: string;
    tables: {
        table: string;
        bytes?: number;
        entries?: number;
        encoding?: string;
        error?: string;
    }[];
    unfinished: number;
}

/** Why the server refused a request. */
export class Refusal extends Error {
    constructor(
        readonly status: number,
        readonly fault: Fault,
    ) {
        super(fault.message);
    }
}

/** Whether nothing more happens to a job. */
export function isOver(job: Job): boolean {
    return ["done", "stopped", "failed"].includes(job.phase);
}

type Listener = (job: Job) => void;
type JobKind = "searches" | "scrambles" | "counts" | "builds";

const TOKEN = "fewest-token";

/** The token of the link. It leaves the address, so that a shared address does not hold it. */
function takeToken(): string {
    const found = /(?:^#|&)token=([0-9a-f]+)/.exec(location.hash);
    if (found?.[1]) {
        localStorage.setItem(TOKEN, found[1]);
        const rest = location.hash.replace(/token=[0-9a-f]+&?/, "").replace(/^#$/, "");
        history.replaceState(null, "", location.pathname + rest);
    }
    return localStorage.getItem(TOKEN) ?? "";
}

export class Api {
    private readonly token = takeToken();
    private page = "";
    private readonly listeners = new Map<number, Listener>();
    /** Is told why there is no connection, or an empty text when there is one. */
    onconnection: (trouble: string) => void = () => {};

    async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
        const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
        if (body !== undefined) headers["content-type"] = "application/json";
        const text = body === undefined ? null : JSON.stringify(body);
        const answer = await fetch(`/api${path}`, { method, headers, body: text });
        if (answer.status === 204) return undefined as T;
        const value = await answer.json();
        if (!answer.ok) throw new Refusal(answer.status, value.error);
        return value as T;
    }

    /** Opens this page and its stream of events, now and whenever the connection is lost. */
    async open(): Promise<void> {
        this.page = (await this.ask<{ page: string }>("POST", "/pages")).page;
        void this.listen();
    }

    private async listen(): Promise<void> {
        for (;;) {
            const status = await this.stream().catch((error) =>
                error instanceof Refusal ? error.status : 0,
            );
            this.onconnection(
                status === 401
                    ? "The server was started anew: open the new link that it printed."
                    : "The server does not answer. Is it still running?",
            );
            // The server forgot this page, and ended its jobs.
            if (status === 404) await this.reopen().catch(() => {});
            else await new Promise((resume) => setTimeout(resume, 1000));
        }
    }

    private async reopen(): Promise<void> {
        this.page = (await this.ask<{ page: string }>("POST", "/pages")).page;
        for (const [id, listener] of [...this.listeners]) {
            const job = this.last.get(id);
            if (job && !isOver(job)) listener({ ...job, phase: "stopped", place: null });
        }
        this.last.clear();
    }

    /** Reads the stream to its end. */
    private async stream(): Promise<number> {
        const headers = { authorization: `Bearer ${this.token}` };
        const answer = await fetch(`/api/pages/${this.page}/events`, { headers });
        if (!answer.ok || !answer.body) {
            throw new Refusal(answer.status, { message: "no events" });
        }
        this.onconnection("");
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
            const { value, done } = await reader.read();
            if (done) return answer.status;
            const events = (rest + value).split("\n\n");
            rest = events.pop() ?? "";
            for (const event of events) this.tell(event);
        }
    }

    private tell(event: string): void {
        const lines = event.split("\n");
        const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
        const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
        if (!data) return;
        const value = JSON.parse(data);
        if (name === "job") {
            this.last.set(value.job, value);
            this.listeners.get(value.job)?.(value);
        } else if (name === "queue") {
            for (const { job, place } of value.waiting) {
                const known = this.last.get(job);
                if (known?.phase === "queued") this.listeners.get(job)?.({ ...known, place });
            }
        }
    }

    private readonly last = new Map<number, Job>();

    /** Starts a job. `listener` is told of each change. */
    async start(kind: JobKind, body: object, listener: Listener): Promise<number> {
        const job = await this.ask<Job>("POST", `/pages/${this.page}/${kind}`, body);
        const known = this.last.get(job.job);
        if (!known) this.last.set(job.job, job);
        this.listeners.set(job.job, (told) => {
            listener(told);
            if (isOver(told)) this.listeners.delete(told.job);
        });
        this.listeners.get(job.job)?.(known ?? job);
        return job.job;
    }

    /** Ends a job. What is proven by then is told. */
    stop(job: number): Promise<Job> {
        return this.ask("POST", `/pages/${this.page}/jobs/${job}/stop`);
    }

    /** Ends a job and forgets it. */
    forget(job: number): void {
        this.listeners.delete(job);
        this.last.delete(job);
        this.ask("DELETE", `/pages/${this.page}/jobs/${job}`).catch(() => {});
    }

    /** A job as a promise of its end. */
    finish(kind: JobKind, body: object): Promise<Job> {
        return new Promise((resolve, reject) => {
            const listener = (job: Job) => {
                if (isOver(job)) resolve(job);
            };
            this.start(kind, body, listener).catch(reject);
        });
    }
}
