// npm run bench: measures every figure of docs/performance.md#bars that needs no browser, and prints one table.
import { buildWhenChanged } from "./build.mjs";
import { checkNode, ensureInstalled } from "./install.mjs";
import { endAll, run } from "./run.mjs";

checkNode();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => endAll().then(() => process.exit(130)));
if (!(await ensureInstalled()) || !(await buildWhenChanged())) process.exit(1);
const args = ["--import", "tsx", "tests/bench/main.ts", ...process.argv.slice(2)];
process.exit(await run(process.execPath, args, { group: true }));
