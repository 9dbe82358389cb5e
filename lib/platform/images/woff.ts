import { inflateSync } from "node:zlib";

const WOFF = 0x774f4646; // "wOFF"
const HEADER_BYTES = 12;
const RECORD_BYTES = 16;

type Table = { record: Buffer; data: Buffer };

/**
 * Unpacks a web font (WOFF 1) into the plain font that it was made of. The readers of fonts inflate with a small inflater
 * of their own, which refuses some sound files (萱 of Noto Sans SC stands in one).
 * @throws Error the file is not a font, or is damaged
 */
export function unpackWoff(file: Buffer): Buffer {
  if (file.readUInt32BE(0) !== WOFF) throw new Error("no WOFF file");
  const tables = Array.from({ length: file.readUInt16BE(12) }, (_, index) =>
    readTable(file, 44 + index * 20),
  );
  const size = tables.reduce((sum, { data }) => sum + padded(data.length), 0);
  const font = Buffer.alloc(HEADER_BYTES + tables.length * RECORD_BYTES + size);
  font.writeUInt32BE(file.readUInt32BE(4), 0); // the kind of outlines
  font.writeUInt16BE(tables.length, 4);
  const power = Math.floor(Math.log2(tables.length));
  font.writeUInt16BE(2 ** power * 16, 6);
  font.writeUInt16BE(power, 8);
  font.writeUInt16BE(tables.length * 16 - 2 ** power * 16, 10);
  let offset = HEADER_BYTES + tables.length * RECORD_BYTES;
  for (const [index, { record, data }] of tables.entries()) {
    const at = HEADER_BYTES + index * RECORD_BYTES;
    record.copy(font, at, 0, 4); // its tag
    record.copy(font, at + 4, 16, 20); // its checksum
    font.writeUInt32BE(offset, at + 8);
    font.writeUInt32BE(data.length, at + 12);
    data.copy(font, offset);
    offset += padded(data.length);
  }
  return font;
}

/** Tables begin at multiples of four bytes. */
const padded = (length: number) => Math.ceil(length / 4) * 4;

function readTable(file: Buffer, at: number): Table {
  const [offset, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(at + field)) as [
    number,
    number,
    number,
  ];
  const bytes = file.subarray(offset, offset + packed);
  const data = packed < length ? inflateSync(bytes) : bytes;
  if (data.length !== length) throw new Error("a table of the font is damaged");
  return { record: file.subarray(at, at + 20), data };
}
