// Numbers, times and phases in words.

import type { Job } from "./api";

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
    if (seconds < 0.0995) return `${Math.max(1, Math.round(1000 * seconds))} ms`;
    if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
    // Rounded before it is split: 119.7 seconds are 2 minutes.
    const whole = Math.round(seconds);
    if (whole < 60) return `${whole} s`;
    if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
    const minutes = Math.round(seconds / 60);
    if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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

/** A bound: `3 moves`, or `cost 3` where some moves cost other than 1. */
export function amount(bound: number, costs: boolean): string {
    return costs ? `cost ${bound}` : moves(bound);
}

/** What a job does, or how it ended. All views tell it in these words. */
export function phaseText(job: Job): string {
    const doing = (what: string) => `${what}${job.activity ? `: ${job.activity}` : ""} …`;
    switch (job.phase) {
        case "queued":
            return job.place === null ? "Waits" : `Place ${job.place} in the queue`;
        case "preparing":
            return doing("Prepares");
        case "building":
            return doing("Builds a table");
        case "searching":
            return doing(job.kind === "count" ? "Counts" : "Searches");
        case "done":
            return "Done";
        case "stopped":
            return "Stopped";
        case "failed":
            return job.answer?.error ?? "Refused";
    }
}
