import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(?:js|css|json|svg|txt|map)$/;
/** Smaller files fit into one packet uncompressed. */
const MIN_BYTES = 1024;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Writes a `.br` and a `.gz` file for each text file of a folder, at the highest levels (sent by
 * lib/platform/http/static-files.ts).
 */
export async function compressFolder(folder) {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(files.filter((file) => TEXT.test(file)).map((file) => compress(join(folder, file))));
}

async function compress(path) {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${path}.br`, await brotli(bytes, { params }));
  await writeFile(`${path}.gz`, await zip(bytes, { level: constants.Z_BEST_COMPRESSION }));
}
