import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGzip } from "node:zlib";

/** What a reader holds in memory. */
const CHUNK_BYTES = 64 * 1024;
/** A file up to this size stays in memory, so that robots.txt and small sitemaps need no disk. */
const MEMORY_BYTES = 64 * 1024;

/**
 * A complete file compressed with gzip, which any number of clients read: a small one in memory, a larger one in the
 * folder for temporary files. Its name is removed at once, so that the space is free again when the process ends, however
 * it ends.
 */
export class GeneratedFile {
  private readers = 0;
  private isReplaced = false;

  private constructor(
    private readonly content: Buffer | FileHandle,
    /** The number of compressed bytes. */
    readonly size: number,
  ) {}

  /** Writes the whole content. Rejects, and leaves nothing, when the content breaks off or the disk takes no more. */
  static async write(content: Readable): Promise<GeneratedFile> {
    const small: Buffer[] = [];
    let size = 0;
    let handle: FileHandle | undefined;
    let diskError: unknown;
    const store = async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) {
        size += chunk.length;
        small.push(chunk);
        if (size <= MEMORY_BYTES) continue;
        handle ??= await openWithoutName();
        await handle.appendFile(Buffer.concat(small.splice(0)));
      }
    };
    const storeOrTell = (compressed: AsyncIterable<Buffer>) =>
      store(compressed).catch((error: unknown) => {
        diskError = error;
        throw error;
      });
    try {
      await pipeline(content, createGzip(), storeOrTell);
    } catch (error) {
      await handle?.close();
      throw diskError ?? error; // the pipeline would tell only that it was aborted
    }
    return new GeneratedFile(handle ?? Buffer.concat(small), size);
  }

  /** Passes the compressed chunks to `use`, each when the one before has been taken. */
  async read(use: (chunks: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    this.readers += 1;
    try {
      await use(this.chunks());
    } finally {
      this.readers -= 1;
      await this.closeWhenUnused();
    }
  }

  /** Frees the space once the last reader has ended. A client that has just found the file may still begin to read. */
  async replace(): Promise<void> {
    await nextTurn();
    this.isReplaced = true;
    await this.closeWhenUnused();
  }

  private async *chunks(): AsyncGenerator<Buffer> {
    let position = 0;
    while (position < this.size) {
      const chunk = await this.readChunk(position, Math.min(CHUNK_BYTES, this.size - position));
      if (chunk.length === 0) throw new Error("The file is shorter than it was written.");
      position += chunk.length;
      yield chunk;
    }
  }

  private async readChunk(position: number, length: number): Promise<Buffer> {
    if (Buffer.isBuffer(this.content)) return this.content.subarray(position, position + length);
    const { buffer, bytesRead } = await this.content.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }

  private async closeWhenUnused(): Promise<void> {
    if (this.isReplaced && this.readers === 0 && !Buffer.isBuffer(this.content)) await this.content.close();
  }
}

async function openWithoutName(): Promise<FileHandle> {
  const path = join(tmpdir(), `passlane-${randomUUID()}`);
  const handle = await open(path, "wx+");
  await unlink(path);
  return handle;
}
