// What a page and its worker send each other.
import type { ErrorKind, Place, Progress } from "./types.js";

/** One call. A worker takes the next one after it has answered. */
export interface Request {
    /** The puzzle with its options in JSON. Without it, the call asks for the names of all. */
    puzzle?: { name: string; options: string };
    /** The call in JSON, as src/call.rs reads it. */
    call: string;
    /** Whether the page wants progress. */
    progress: boolean;
}

/** Progress may come before the result or the error. */
export type Reply =
    | { progress: Progress }
    | { result: unknown }
    | { error: { kind: ErrorKind; message: string; place?: Place } };
