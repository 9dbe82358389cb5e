import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Chromium compiles all functions of a script with this comment in the background. Other browsers ignore it. */
const HINT = "//# allFunctionsCalledOnLoad\n";

/** Adds the comment to each script of a folder (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
export async function hintFolder(folder) {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(files.filter((file) => file.endsWith(".js")).map((file) => addHint(join(folder, file))));
}

async function addHint(path) {
  const text = await readFile(path, "utf8");
  if (!text.startsWith(HINT)) await writeFile(path, HINT + text);
}
