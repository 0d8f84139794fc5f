// Prints the licences of the packages that the bundle holds, from the bundler's own account.
import { readFileSync, readdirSync } from "node:fs";

/** What the files of a package do not say. */
const NOTES = {
    cubing: `Used under the Mozilla Public License 2.0, which is at https://mozilla.org/MPL/2.0/.
The unchanged source is the npm package of this name and version, and is kept at
https://github.com/cubing/cubing.js.`,
};

const account = JSON.parse(readFileSync("node_modules/.bundle.json", "utf8"));
const inputs = Object.values(account.outputs).flatMap((output) =>
    Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
);
const names = inputs.map(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
const packages = [...new Set(names)].filter((name) => name !== undefined).sort();

console.log("The page of fewest is under the MIT licence or the Apache License 2.0, as you like.");
console.log(`Its file player.js holds these packages: ${packages.join(", ")}.`);
for (const name of packages) {
    const folder = `node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = NOTES[name] ?? (file && readFileSync(`${folder}/${file}`, "utf8").trim());
    if (!text)
        throw new Error(`${name} ${version} has no licence text: add a note to licences.mjs`);
    console.log(`\n== ${name} ${version}: ${license}\n\n${text}`);
}
