// Runs a measurement or the fault trials against an up-to-date build (npm run bench, bench:pages, soak and faults;
// docs/performance.md, docs/faults.md). `--browser`: it needs a browser.

import { buildWhenChanged } from "../build.mjs";
import { checkNode, ensureInstalled } from "../start/install.mjs";
import { endAll, run } from "../start/run.mjs";
import { ensureBrowser } from "./browser.mjs";

checkNode();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => endAll().then(() => process.exit(130)));
const needsBrowser = process.argv[2] === "--browser";
const command = process.argv.slice(needsBrowser ? 3 : 2);
if (!(await ensureInstalled()) || !(await buildWhenChanged())) process.exit(1);
if (needsBrowser && !(await ensureBrowser())) process.exit(1);
process.exit(await run(process.execPath, ["--import", "tsx", ...command], { group: true }));
