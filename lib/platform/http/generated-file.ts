import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createGzip } from "node:zlib";

/** What a reader holds in memory. */
const CHUNK_BYTES = 64 * 1024;

/**
 * A file compressed with gzip in the folder for temporary files, which any number of clients read, also while it is
 * written. Its name is removed at once, so that the space is free again when the process ends, however it ends.
 */
export class GeneratedFile {
  /** The number of compressed bytes so far. */
  size = 0;
  isComplete = false;
  private failure: unknown;
  private readers = 0;
  private isReplaced = false;
  private readonly events = new EventEmitter().setMaxListeners(0);

  private constructor(private readonly handle: FileHandle) {}

  static async create(): Promise<GeneratedFile> {
    const path = join(tmpdir(), `passlane-${randomUUID()}`);
    const handle = await open(path, "wx+");
    await unlink(path);
    return new GeneratedFile(handle);
  }

  /** Writes the whole content. Readers fail with it. */
  async write(content: Readable): Promise<void> {
    try {
      await pipeline(content, createGzip(), async (compressed: AsyncIterable<Buffer>) => {
        for await (const chunk of compressed) {
          await this.handle.appendFile(chunk);
          this.size += chunk.length;
          this.events.emit("progress");
        }
      });
      this.isComplete = true;
    } catch (error) {
      this.failure = error;
      await this.replace();
      throw error;
    } finally {
      this.events.emit("progress");
    }
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
    for (;;) {
      if (position < this.size) {
        const length = Math.min(CHUNK_BYTES, this.size - position);
        const { buffer, bytesRead } = await this.handle.read(Buffer.allocUnsafe(length), 0, length, position);
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      } else if (this.failure) throw this.failure;
      else if (this.isComplete) return;
      else await once(this.events, "progress");
    }
  }

  private async closeWhenUnused(): Promise<void> {
    if (this.isReplaced && this.readers === 0) await this.handle.close();
  }
}
