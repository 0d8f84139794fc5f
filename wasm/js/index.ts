// What a page imports: a `Solver` whose work is done by a worker of its own.
import type { Reply, Request } from "./messages.js";
import type {
    Answer,
    CallOptions,
    Check,
    ErrorKind,
    Histogram,
    Layers,
    NamedPuzzle,
    Place,
    PuzzleInfo,
    PuzzleOptions,
    Shortened,
    SolveOptions,
    StateInfo,
} from "./types.js";

export type * from "./types.js";

/** The error of a call. The message says what was expected. */
export class FewestError extends Error {
    override name = "FewestError";
    constructor(
        readonly kind: ErrorKind,
        message: string,
        /** Where in the text of a state, a plan or a definition it is, if that is known. */
        readonly place?: Place,
    ) {
        super(message);
    }
}

/** A call that is not answered yet. */
interface Pending {
    request: Request;
    onProgress: CallOptions["onProgress"];
    resolve: (result: any) => void;
    reject: (reason: unknown) => void;
}

/** A worker that answers one call after the other. It starts with the first call. */
class Caller {
    /** The calls in their order. The worker, if there is one, works on the first. */
    #pending: Pending[] = [];
    #worker: Worker | undefined;

    call(request: Request, { signal, onProgress }: CallOptions = {}): Promise<any> {
        return new Promise((resolve, reject) => {
            if (signal?.aborted) return reject(signal.reason);
            const abort = () => this.#abort(pending, signal!.reason);
            const settled = <T>(settle: (value: T) => void) => {
                return (value: T) => {
                    signal?.removeEventListener("abort", abort);
                    settle(value);
                };
            };
            const pending = {
                request,
                onProgress,
                resolve: settled(resolve),
                reject: settled(reject),
            };
            signal?.addEventListener("abort", abort);
            if (this.#pending.push(pending) === 1) this.#start();
        });
    }

    /** Ends the worker, and all calls with this reason. */
    end(reason: unknown) {
        this.#stop();
        for (const { reject } of this.#pending.splice(0)) reject(reason);
    }

    #stop() {
        this.#worker?.terminate();
        this.#worker = undefined;
    }

    /** Gives the first call to the worker. */
    #start() {
        const first = this.#pending[0];
        if (!first) return;
        if (!this.#worker) {
            const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
            // A worker that was ended may have sent something before.
            const hear = (reply: Reply) => worker === this.#worker && this.#hear(reply);
            worker.onmessage = ({ data }: MessageEvent<Reply>) => hear(data);
            worker.onerror = ({ message }) => {
                message ||= "worker.js does not load";
                hear({ error: { kind: "defect", message } });
            };
            this.#worker = worker;
        }
        this.#worker.postMessage(first.request);
    }

    #hear(reply: Reply) {
        if ("progress" in reply) {
            this.#pending[0]?.onProgress?.(reply.progress);
            return;
        }
        const first = this.#pending.shift();
        if ("result" in reply) {
            first?.resolve(reply.result);
        } else {
            const { kind, message, place } = reply.error;
            // What a defect leaves of the module is of no use.
            if (kind === "defect") this.#stop();
            first?.reject(new FewestError(kind, message, place));
        }
        this.#start();
    }

    /** Ends one call. A search that runs can only end with its worker. */
    #abort(pending: Pending, reason: unknown) {
        const at = this.#pending.indexOf(pending);
        this.#pending.splice(at, 1);
        pending.reject(reason);
        if (at === 0) {
            this.#stop();
            this.#start();
        }
    }
}

/** The names of all puzzles. */
export async function puzzles(options?: CallOptions): Promise<NamedPuzzle[]> {
    const caller = new Caller();
    try {
        return await caller.call({ call: "", progress: false }, options);
    } finally {
        caller.end(undefined);
    }
}

/** A puzzle, with a worker that keeps its tables. Calls are answered in order. */
export class Solver {
    #caller = new Caller();
    #puzzle: Request["puzzle"];

    /**
     * @param puzzle Its name, such as `2x2x2`, or the text of a definition. A wrong name or option
     *     fails the first call.
     */
    constructor(puzzle: string, options: PuzzleOptions = {}) {
        this.#puzzle = { name: puzzle, options: JSON.stringify(options) };
    }

    #call(call: object, options: CallOptions = {}): Promise<any> {
        const progress = options.onProgress !== undefined;
        const request = { puzzle: this.#puzzle, call: JSON.stringify(call), progress };
        return this.#caller.call(request, options);
    }

    /** What the puzzle is and can do. */
    info(options?: CallOptions): Promise<PuzzleInfo> {
        return this.#call({ info: {} }, options);
    }

    /** Reads a state. Refuses one that cannot be solved. */
    read(state: string, options?: CallOptions): Promise<StateInfo> {
        return this.#call({ read: { state } }, options);
    }

    /** Random states, the same for the same seed. [default: one state, a random seed] */
    scramble({
        count = 1,
        seed = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER),
        ...options
    }: { count?: number; seed?: number } & CallOptions = {}): Promise<string[]> {
        return this.#call({ scramble: { count, seed } }, options);
    }

    /** Solves a state with the fewest moves, unless the options say otherwise. */
    solve(state: string, options: SolveOptions = {}): Promise<Answer> {
        const { signal, onProgress, ...search } = options;
        return this.#call({ solve: { state, options: search } }, options);
    }

    /** Whether a plan solves a state, by a replay that shares no code with the search. */
    check(state: string, plan: string, options?: CallOptions): Promise<Check> {
        return this.#call({ check: { state, plan } }, options);
    }

    /**
     * Makes a plan cheaper. Without a state it solves the one that it undoes. `others` are more
     * plans of this state: the answer costs no more than any of them, and may use parts of several.
     */
    shorten(
        plan: string,
        {
            state = null,
            others = [],
            ...options
        }: { state?: string | null; others?: string[] } & SolveOptions = {},
    ): Promise<Shortened> {
        const { signal, onProgress, ...limits } = options;
        const plans = [plan, ...others];
        return this.#call({ shorten: { plans, state, options: limits } }, options);
    }

    /** The moves that undo a sequence of moves. */
    invert(moves: string, options?: CallOptions): Promise<string[]> {
        return this.#call({ invert: { moves } }, options);
    }

    /** All states by their distance from the goal, and some of the farthest. [default: one] */
    godsAlgorithm({
        antipodes = 1,
        ...options
    }: { antipodes?: number } & CallOptions = {}): Promise<Layers> {
        return this.#call({ "gods-algorithm": { antipodes } }, options);
    }

    /** The values of the tables that a search would begin with. */
    histograms(options?: CallOptions): Promise<Histogram[]> {
        return this.#call({ histograms: {} }, options);
    }

    /** Ends the worker, and frees its tables. Calls that are not answered are rejected. */
    close() {
        this.#caller.end(new DOMException("the solver is closed", "AbortError"));
    }
}
