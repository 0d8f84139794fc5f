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
    move?: number;
}
/** Why something is refused, with the keys of the command line. */
export interface Fault {
    error: string;
    place?: Place;
}
export interface About {
    version: string;
    threads: number;
    memory: number;
    puzzles: { puzzle: string; aliases: string[]; title: string }[];
}
export interface PuzzleInfo {
    puzzle: string;
    metric: string | null;
    board: [number, number] | null;
    face_stickers: number | null;
    notes: string[];
    has_costs: boolean;
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
    state: string;
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
export interface Answer extends Partial<Fault> {
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
    /** Whether some moves cost other than 1. Both bounds are costs. */
    has_costs: boolean;
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
    layers: { depth: number; count: number }[];
    notes: string[];
    /** With an `error`, if the job has failed. */
    answer: Answer | null;
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

/** Why a request has no answer: the server refused it, or is gone. */
export class Refusal extends Error {
    constructor(
        /** The status of the answer. 0: there is none. */
        readonly status: number,
        readonly fault: Fault,
    ) {
        super(fault.error);
    }
}

const GONE = new Refusal(0, {
    error: "The server does not answer. Is fewest serve still running?",
});

/** What is wrong, for people. */
export function faultOf(error: unknown): Fault {
    if (error instanceof Refusal) return error.fault;
    return { error: error instanceof Error ? error.message : String(error) };
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

/** A fetch fails in this way if nobody answers, or the answer breaks off. */
function gone(): never {
    throw GONE;
}

/** The status of a job that the server never took. */
function refused(error: unknown): Job {
    return {
        job: 0,
        kind: "search",
        phase: "failed",
        place: null,
        activity: null,
        fraction: null,
        has_costs: false,
        lower_bound: 0,
        upper_bound: null,
        plan: null,
        bounds: [],
        bound: null,
        generated: 0,
        nodes_per_second: null,
        bound_seconds: null,
        remaining_seconds: null,
        seconds: 0,
        layers: [],
        notes: [],
        answer: { outcome: "refused", ...faultOf(error) },
    };
}

/** A job that a view asked for. It can be ended before the server has answered. */
export class JobHandle {
    private id = 0;
    private wish: "go on" | "stop" | "forget" = "go on";
    private end: (job: Job) => void = () => {};
    /** The last status. Never there if the job is forgotten before. */
    readonly over = new Promise<Job>((resolve) => (this.end = resolve));

    constructor(
        private readonly api: Api,
        private readonly listener: Listener,
    ) {}

    /** Ends the job. What is proven by then is told. */
    stop(): void {
        this.wish = "stop";
        if (this.id) this.api.end(this.id);
    }

    /** Ends the job, and tells nothing more of it. */
    forget(): void {
        this.wish = "forget";
        if (this.id) this.api.forget(this.id);
    }

    /** Notes the number that the server gave to the job. */
    took(id: number): void {
        this.id = id;
        if (this.wish === "stop") this.stop();
        if (this.wish === "forget") this.forget();
    }

    tell(job: Job): void {
        if (this.wish === "forget") return;
        this.listener(job);
        if (isOver(job)) this.end(job);
    }
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
        const answer = await fetch(`/api${path}`, { method, headers, body: text }).catch(gone);
        if (answer.status === 204) return undefined as T;
        const value = await answer.json().catch(gone);
        if (!answer.ok) throw new Refusal(answer.status, value);
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
                    : GONE.message,
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
        const answer = await fetch(`/api/pages/${this.page}/events`, { headers }).catch(gone);
        if (!answer.ok || !answer.body) {
            throw new Refusal(answer.status, { error: "no events" });
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

    /** Starts a job. `listener` is told of each change, and of a refusal as a failed job. */
    start(kind: JobKind, body: object, listener: Listener = () => {}): JobHandle {
        const handle = new JobHandle(this, listener);
        this.ask<Job>("POST", `/pages/${this.page}/${kind}`, body).then(
            (job) => this.follow(job, handle),
            (error) => handle.tell(refused(error)),
        );
        return handle;
    }

    private follow(job: Job, handle: JobHandle): void {
        const known = this.last.get(job.job) ?? job;
        this.last.set(job.job, known);
        const listener = (told: Job) => {
            if (isOver(told)) this.listeners.delete(told.job);
            handle.tell(told);
        };
        this.listeners.set(job.job, listener);
        handle.took(job.job);
        listener(known);
    }

    /** Ends a job of this page. A server that is gone is told elsewhere. */
    end(job: number): void {
        this.ask("POST", `/pages/${this.page}/jobs/${job}/stop`).catch(() => {});
    }

    /** Ends a job of this page and forgets it. */
    forget(job: number): void {
        this.listeners.delete(job);
        this.last.delete(job);
        this.ask("DELETE", `/pages/${this.page}/jobs/${job}`).catch(() => {});
    }
}
