/** The encodings of text files that spreadsheets and editors write. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** Bytes at the beginning of a file that mark its encoding. */
export const ENCODING_BYTES = 4;

/** The encoding of a file by its first bytes: a byte order mark, or Latin letters with a NUL in between. */
export function detectEncoding(bytes: Uint8Array): TextEncoding {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (bytes.length < ENCODING_BYTES) return "utf-8";
  if (a && !b && c && !d) return "utf-16le";
  if (!a && b && !c && d) return "utf-16be";
  return "utf-8";
}

/** The text of a file, without its byte order mark. */
export const decodeText = (bytes: Uint8Array): string => new TextDecoder(detectEncoding(bytes)).decode(bytes);

/** The ends of lines of Windows, Unix and old Macs. */
export const LINE_END = /\r\n|\n|\r/;
