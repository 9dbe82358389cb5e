import { type Reason, reason } from "@/lib/platform/error-messages";

/** A line of a file, or why it could not be read. Numbers count from 1. */
export type Line =
  | { number: number; text: string; problem?: undefined }
  | { number: number; problem: Reason };

const NEWLINE = 10;

/**
 * Streams the lines of a byte stream, so that file size does not matter. A line above `limitBytes`, with a NUL or in
 * invalid UTF-8 is reported as a problem. Accepts LF, CRLF and a byte order mark.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      size += end - start;
      if (size <= limitBytes) parts.push(chunk.subarray(start, end));
      yield toLine(number, parts, size, limitBytes);
      parts = [];
      size = 0;
      start = end + 1;
      number += 1;
    }
    size += chunk.length - start;
    // The rest of a line that is too long is dropped.
    if (size <= limitBytes) parts.push(chunk.subarray(start));
    else parts = [];
  }
  if (size > 0) yield toLine(number, parts, size, limitBytes);
}

function toLine(number: number, parts: Buffer[], size: number, limitBytes: number): Line {
  if (size > limitBytes) return { number, problem: reason("line_long", { limit: limitBytes }) };
  const bytes = Buffer.concat(parts);
  // Postgres stores no NUL, and a file with many of them is in UTF-16.
  if (bytes.includes(0)) return { number, problem: reason("line_nul") };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { number, text: text.replace(/\r$/, "") };
  } catch {
    return { number, problem: reason("line_encoding") };
  }
}
