import { createHash } from "node:crypto";
import { MAX_REPORT_LINES } from "./rules";

export type FileStream = AsyncIterable<Buffer>;

const NEWLINE = 10;

/** A file that passes by: its hash and its lines, and the rest of it where an importer stops early. */
export function watchFile(file: FileStream) {
  const chunks = file[Symbol.asyncIterator]();
  const hash = createHash("sha256");
  let lines = 0;
  let endsInLine = false;
  async function next(): Promise<Buffer | undefined> {
    const { value, done } = await chunks.next();
    if (done) return undefined;
    hash.update(value);
    for (let at = value.indexOf(NEWLINE); at >= 0; at = value.indexOf(NEWLINE, at + 1)) lines += 1;
    if (value.length > 0) endsInLine = value.at(-1) !== NEWLINE;
    return value;
  }
  return {
    async *content(): AsyncGenerator<Buffer> {
      for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
    },
    async end() {
      while (await next());
      return { sha256: hash.digest("hex"), lines: lines + (endsInLine ? 1 : 0) };
    },
  };
}

export async function* inMemory(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

export async function collectFile(file: FileStream): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return chunks;
}

/** Collects the refused lines. An importer tells some when it reads them, and some when it writes their batch. */
export function openReport<Line extends { line: number }>() {
  const lines: Line[] = [];
  const onRefused = (line: Line) => {
    if (lines.length < MAX_REPORT_LINES) lines.push(line);
  };
  return { onRefused, report: () => lines.sort((a, b) => a.line - b.line) };
}
