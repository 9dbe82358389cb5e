import { randomBytes } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Bucket, openBucket } from "./bucket";

/**
 * Lines outside of the database that are on disk, or confirmed by a bucket, before `append` resolves. Every process
 * writes its own files (`<writer>.<number of its first line>.jsonl`), so that any number of them may share the place. A
 * new file starts each day, after 16 MB and after a failed write.
 */
export type AppendLog = {
  /** Appends values as JSON lines. Those of concurrent calls are written together. Rejects when they may not be durable. */
  append(values: readonly object[]): Promise<void>;
  /** Closes the file; the next append begins another one. */
  close(): Promise<void>;
};

/**
 * What a log holds: its values, and the gaps in the numbers of a writer's lines, which are lines that got lost. `files` were
 * read, `olderFiles` were left out.
 */
export type LogContent = { values: unknown[]; files: number; olderFiles: number; gaps: string[] };

export type LogPlace = { folder: string } | { bucket: string };

const MAX_BYTES = 16 * 2 ** 20;

/** Stores numbered lines of one writer durably. `isGone`: what it writes to was removed. */
type Sink = {
  write(text: string, firstNumber: number): Promise<void>;
  isGone(): Promise<boolean>;
  close(): Promise<void>;
};

export function openAppendLog(place: LogPlace): AppendLog {
  let waiting: Waiting[] = [];
  let isWriting = false;
  let writer: { sink: Sink; day: string; lines: number; bytes: number } | undefined;

  async function write(values: readonly object[]): Promise<void> {
    const day = new Date().toISOString().slice(0, 10);
    if (writer && (writer.day !== day || writer.bytes > MAX_BYTES || (await writer.sink.isGone())))
      await drop();
    writer ??= { sink: openSink(place, createWriterId()), day, lines: 0, bytes: 0 };
    const first = writer.lines + 1;
    const text = values.map((value, i) => `${JSON.stringify({ n: first + i, ...value })}\n`).join("");
    try {
      await writer.sink.write(text, first);
      writer.lines += values.length;
      writer.bytes += Buffer.byteLength(text);
    } catch (error) {
      await drop(); // a part of a line may have been written
      throw error;
    }
  }

  async function drop(): Promise<void> {
    const dropped = writer;
    writer = undefined;
    await dropped?.sink.close().catch(() => {});
  }

  async function writeWaiting(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await write(batch.flatMap(({ values }) => values));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  }

  return {
    append: (values) =>
      new Promise((resolve, reject) => {
        waiting.push({ values, resolve, reject });
        void writeWaiting();
      }),
    close: drop,
  };
}

type Waiting = { values: readonly object[]; resolve: () => void; reject: (error: unknown) => void };

const createTimePrefix = (time: Date) => time.toISOString().replace(/[-:]|\..*/g, "");

/** A writer starts a new file at its first write of another day; an hour allows for clocks that differ. */
const WRITER_LIFE_MS = 25 * 3_600_000;

/** The time first, so that files sort by age. */
const createWriterId = () =>
  [
    createTimePrefix(new Date()),
    hostname().replace(/[^\w-]/g, "_"),
    process.pid,
    randomBytes(4).toString("hex"),
  ].join("-");

const FILE_NAME = /^(.+)\.\d+\.jsonl$/;

const fileName = (writer: string, firstNumber: number) =>
  `${writer}.${String(firstNumber).padStart(9, "0")}.jsonl`;

const openSink = (place: LogPlace, writer: string): Sink =>
  "folder" in place ? folderSink(place.folder, writer) : bucketSink(openBucket(place.bucket), writer);

/** A bucket has no append: each write is an object. */
const bucketSink = (bucket: Bucket, writer: string): Sink => ({
  write: (text, firstNumber) =>
    bucket.put(fileName(writer, firstNumber), Buffer.from(text), { "content-type": "application/jsonl" }),
  isGone: async () => false,
  close: async () => {},
});

function folderSink(folder: string, writer: string): Sink {
  let file: FileHandle | undefined;
  return {
    async write(text, firstNumber) {
      if (!file) {
        await mkdir(folder, { recursive: true });
        file = await open(join(folder, fileName(writer, firstNumber)), "a", 0o640);
        await syncFolder(folder);
      }
      await file.appendFile(text);
      await file.datasync();
    },
    async isGone() {
      return file !== undefined && (await file.stat()).nlink === 0;
    },
    async close() {
      await file?.close();
    },
  };
}

/** Makes the names of new files durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads a log. A truncated line at the end of a file is a failed write, which no one relied on. With `since` the files
 * of writers all of whose lines are older are left out.
 * @throws Error when the place cannot be read
 */
export async function readAppendLog(place: LogPlace, since?: Date): Promise<LogContent> {
  const first = since ? createTimePrefix(new Date(since.getTime() - WRITER_LIFE_MS)) : "";
  const { found, olderFiles } = await listFiles(place, first);
  const content: LogContent = { values: [], files: 0, olderFiles, gaps: [] };
  const lastNumbers = new Map<string, number>();
  for await (const { name, writer, text } of readFiles(place, found)) {
    content.files += 1;
    const lines = text.split("\n").slice(0, -1);
    let last = lastNumbers.get(writer) ?? 0;
    for (const line of lines) {
      const value = parseLine(line);
      if (value?.n !== last + 1) content.gaps.push(`${name} after line ${last}`);
      last = value?.n ?? last + 1;
      if (value) content.values.push(value);
    }
    lastNumbers.set(writer, last);
  }
  return content;
}

function parseLine(line: string): { n: number } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return value && typeof value === "object" && "n" in value && typeof value.n === "number"
      ? { ...value, n: value.n }
      : undefined;
  } catch {
    return undefined;
  }
}

type LogFile = { name: string; writer: string };

const READS_AT_ONCE = 16;

/** The files of writers that began at `first` (the time of a name) or later, by name, and the number of the others. */
async function listFiles(place: LogPlace, first: string): Promise<{ found: LogFile[]; olderFiles: number }> {
  const found: LogFile[] = [];
  let olderFiles = 0;
  for await (const name of listNames(place)) {
    const writer = FILE_NAME.exec(name)?.[1];
    if (!writer) continue;
    if (writer < first) olderFiles += 1;
    else found.push({ name, writer });
  }
  return { found, olderFiles };
}

async function* readFiles(place: LogPlace, found: LogFile[]): AsyncGenerator<LogFile & { text: string }> {
  const read = openReader(place);
  for (let from = 0; from < found.length; from += READS_AT_ONCE) {
    const some = found.slice(from, from + READS_AT_ONCE);
    const texts = await Promise.all(some.map(({ name }) => read(name)));
    for (const [i, file] of some.entries()) {
      const text = texts[i];
      if (text !== undefined) yield { ...file, text };
    }
  }
}

async function* listNames(place: LogPlace): AsyncGenerator<string> {
  if ("folder" in place) yield* (await readdir(place.folder)).sort();
  else for await (const { key } of openBucket(place.bucket).list()) yield key;
}

function openReader(place: LogPlace): (name: string) => Promise<string | undefined> {
  if ("folder" in place) return (name) => readFile(join(place.folder, name), "utf8");
  const bucket = openBucket(place.bucket);
  return async (name) => (await bucket.get(name))?.toString("utf8");
}
