// npm run soak [-- --minutes=30] [--write]: runs mixed traffic against the production build and checks that memory
// use settles (docs/performance.md).
import { buildWhenChanged } from "./build.mjs";
import { checkNode, ensureInstalled } from "./install.mjs";
import { endAll, run } from "./run.mjs";

checkNode();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => endAll().then(() => process.exit(130)));
if (!(await ensureInstalled()) || !(await buildWhenChanged())) process.exit(1);
const args = ["--import", "tsx", "tests/bench/soak.ts", ...process.argv.slice(2)];
process.exit(await run(process.execPath, args, { group: true }));
