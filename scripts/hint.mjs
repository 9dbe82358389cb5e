import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Chromium compiles all functions of such a script beside the page instead of each at its first call; others pass it by. */
const HINT = "//# allFunctionsCalledOnLoad\n";

/** Puts the hint before each script of a folder (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
export async function hintFolder(folder) {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(files.filter((file) => file.endsWith(".js")).map((file) => hint(join(folder, file))));
}

async function hint(path) {
  const text = await readFile(path, "utf8");
  if (!text.startsWith(HINT)) await writeFile(path, HINT + text);
}
