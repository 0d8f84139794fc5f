// What the worker takes from the module that wasm-bindgen makes of src/lib.rs.

export default function init(): Promise<unknown>;

export function puzzles(): string;

export class Solver {
    constructor(puzzle: string, options: string);
    call(call: string, onProgress?: (progress: string) => void): string;
}
