import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

/** Chromium compiles all functions of a script with this comment in the background. Other browsers ignore it. */
const HINT = "//# allFunctionsCalledOnLoad\n";
const TEXT = /\.(?:js|css|json|svg|txt|map)$/;
const SCRIPT = /[\\/]chunks[\\/].*\.js$/;
/** Smaller files fit into one packet uncompressed. */
const MIN_BYTES = 1024;

const zip = promisify(gzip);

/**
 * Adds the comment to each script of a build's static folder, then writes a `.gz` file for each text file at the
 * highest level, which nginx sends (deploy/nginx, docs/decisions/0022-prepare-browser-files-in-the-build.md).
 */
export async function prepareBrowserFiles(folder) {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(files.filter((file) => TEXT.test(file)).map((file) => prepare(join(folder, file))));
}

async function prepare(path) {
  let bytes = await readFile(path);
  if (SCRIPT.test(path) && !bytes.subarray(0, HINT.length).equals(Buffer.from(HINT))) {
    bytes = Buffer.concat([Buffer.from(HINT), bytes]);
    await writeFile(path, bytes);
  }
  if (bytes.length < MIN_BYTES) return;
  await writeFile(`${path}.gz`, await zip(bytes, { level: constants.Z_BEST_COMPRESSION }));
}
