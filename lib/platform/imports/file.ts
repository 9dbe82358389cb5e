import { createHash } from "node:crypto";
import { MAX_REPORT_LINES } from "./rules";

export type FileStream = AsyncIterable<Buffer>;

const NEWLINE = 10;
const RETURN = 13;

/** Counts lines that end in LF, CRLF or CR, in UTF-8 and in UTF-16, where a NUL stands before or after each letter. */
function countLines() {
  let lines = 0;
  let last = 0;
  /** a CR whose LF may follow */
  let hasReturn = false;
  let isOpen = false;
  return {
    add(chunk: Buffer) {
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        const isHalf = byte === 0 && (last === RETURN || last === NEWLINE);
        last = byte;
        if (isHalf) continue;
        if (byte === NEWLINE || hasReturn) lines += 1;
        isOpen = byte !== NEWLINE && byte !== RETURN;
        hasReturn = byte === RETURN;
      }
    },
    count: () => lines + (hasReturn || isOpen ? 1 : 0),
  };
}

/** A file that passes by: its hash and its lines, and the rest of it where an importer stops early. */
export function watchFile(file: FileStream) {
  const chunks = file[Symbol.asyncIterator]();
  const hash = createHash("sha256");
  const lines = countLines();
  async function next(): Promise<Buffer | undefined> {
    const { value, done } = await chunks.next();
    if (done) return undefined;
    hash.update(value);
    lines.add(value);
    return value;
  }
  return {
    async *content(): AsyncGenerator<Buffer> {
      for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
    },
    async end() {
      while (await next());
      return { sha256: hash.digest("hex"), lines: lines.count() };
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

/** Collects the refused lines. An importer reports some when it reads them, and some when it writes their batch. */
export function openReport<Line extends { line: number }>() {
  const lines: Line[] = [];
  const onRefused = (line: Line) => {
    if (lines.length < MAX_REPORT_LINES) lines.push(line);
  };
  return { onRefused, report: () => lines.sort((a, b) => a.line - b.line) };
}
