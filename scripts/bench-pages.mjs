// npm run bench:pages: measures every kind of page in a browser, and prints one table (docs/performance.md).
import { ensureBrowser } from "./browser.mjs";
import { buildWhenChanged } from "./build.mjs";
import { checkNode, ensureInstalled } from "./install.mjs";
import { endAll, run } from "./run.mjs";

checkNode();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => endAll().then(() => process.exit(130)));
if (!(await ensureInstalled()) || !(await buildWhenChanged()) || !(await ensureBrowser())) process.exit(1);
const args = ["--import", "tsx", "tests/bench/pages.ts", ...process.argv.slice(2)];
process.exit(await run(process.execPath, args, { group: true }));
