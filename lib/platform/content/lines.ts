import { detectEncoding, ENCODING_BYTES } from "@/lib/platform/content/encoding";
import { type Reason, reason } from "@/lib/platform/error-messages";

/** A line of a file, or why it could not be read. Numbers count from 1. */
export type Line =
  | { number: number; text: string; problem?: undefined }
  | { number: number; problem: Reason };

const NEWLINE = 10;
const RETURN = 13;

/**
 * Streams the lines of a byte stream, so that file size does not matter. A line above `limitBytes`, with a NUL or in
 * invalid UTF-8 is reported as a problem. Accepts LF, CRLF and CR, a byte order mark, and UTF-16.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 1;
  let followsReturn = false;
  for await (const chunk of toUtf8(chunks)) {
    let start = 0;
    let [newline, back] = [chunk.indexOf(NEWLINE), chunk.indexOf(RETURN)];
    for (;;) {
      // The second half of CRLF ends no line.
      if (followsReturn && start < chunk.length) {
        if (chunk[start] === NEWLINE) start += 1;
        followsReturn = false;
      }
      if (newline >= 0 && newline < start) newline = chunk.indexOf(NEWLINE, start);
      if (back >= 0 && back < start) back = chunk.indexOf(RETURN, start);
      const ends = [newline, back].filter((end) => end >= 0);
      if (ends.length === 0) break;
      const end = Math.min(...ends);
      size += end - start;
      if (size <= limitBytes) parts.push(chunk.subarray(start, end));
      yield toLine(number, parts, size, limitBytes);
      parts = [];
      size = 0;
      start = end + 1;
      number += 1;
      followsReturn = chunk[end] === RETURN;
    }
    size += chunk.length - start;
    // The rest of a line that is too long is dropped.
    if (size <= limitBytes) parts.push(chunk.subarray(start));
    else parts = [];
  }
  if (size > 0) yield toLine(number, parts, size, limitBytes);
}

/** A byte stream in UTF-8: one in UTF-16 is converted. */
async function* toUtf8(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  const convert = (chunk: Buffer) => (decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk);
  for await (const chunk of chunks) {
    if (!start) {
      yield convert(chunk);
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < ENCODING_BYTES) continue;
    const encoding = detectEncoding(start);
    if (encoding !== "utf-8") decoder = new TextDecoder(encoding);
    yield convert(start);
    start = undefined;
  }
  if (start) yield start;
  if (decoder) yield Buffer.from(decoder.decode());
}

function toLine(number: number, parts: Buffer[], size: number, limitBytes: number): Line {
  if (size > limitBytes) return { number, problem: reason("line_long", { limit: limitBytes }) };
  const bytes = Buffer.concat(parts);
  // Postgres stores no NUL.
  if (bytes.includes(0)) return { number, problem: reason("line_nul") };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { number, text };
  } catch {
    return { number, problem: reason("line_encoding") };
  }
}
