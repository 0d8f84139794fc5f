// The worker of one `Solver`. A call blocks it until the answer is there.
import init, { Solver, puzzles } from "./fewest_wasm.js";
import type { Reply, Request } from "./messages.js";
import type { ErrorKind, Place } from "./types.js";

const KINDS: readonly string[] = ["refused", "memory", "limit", "failed"] satisfies ErrorKind[];

const loaded = init();
// A failure to load is told with the answer of the first call.
loaded.catch(() => {});
let solver: Solver | undefined;

const reply = (message: Reply) => postMessage(message);
const tell = (progress: string) => reply({ progress: JSON.parse(progress) });

function answer({ puzzle, call, progress }: Request): string {
    if (!puzzle) return puzzles();
    solver ??= new Solver(puzzle.name, puzzle.options);
    return solver.call(call, progress ? tell : undefined);
}

addEventListener("message", async ({ data }: MessageEvent<Request>) => {
    try {
        await loaded;
        reply({ result: JSON.parse(answer(data)) });
    } catch (thrown) {
        const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
        const kind = KINDS.includes(name) ? (name as ErrorKind) : "defect";
        const { place } = thrown as { place?: Place };
        reply({ error: { kind, message, place } });
    }
});
