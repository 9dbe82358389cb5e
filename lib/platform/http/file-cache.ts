import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { log } from "@/lib/platform/log";

export type FinishedFile = { status: number; headers: Record<string, string>; body: Buffer };
type Kept = { lines: string[]; body: Buffer };

const MOST_BYTES = 512 * 1024;

/** Files that never change under their names, bounded by bytes, with their header lines made once. */
export class FileMemory {
  private readonly files: LRUCache<string, Kept>;
  private readonly reading = new Set<string>();

  constructor(maxBytes: number) {
    this.files = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ body }, name) => body.length + name.length + 1024,
    });
  }

  /** Sends a file that is kept; false: it is not. */
  answer(name: string, request: IncomingMessage, response: ServerResponse): boolean {
    const file = this.files.get(name);
    if (!file) return false;
    response.writeHead(200, file.lines);
    response.end(request.method === "HEAD" ? undefined : file.body);
    return true;
  }

  /** Keeps a file for those who ask next; one that is not there, or is large, is not kept. */
  keep(name: string, { status, headers, body }: FinishedFile): void {
    if (status === 200 && body.length <= MOST_BYTES)
      this.files.set(name, { lines: Object.entries(headers).flat(), body });
  }

  /** Reads a file to keep it, once at a time. */
  read(name: string, read: () => Promise<FinishedFile>): void {
    if (this.reading.has(name) || this.files.has(name)) return;
    this.reading.add(name);
    read()
      .then((file) => this.keep(name, file))
      .catch((error) => log.warn({ err: error, file: name }, "a file was not kept"))
      .finally(() => this.reading.delete(name));
  }
}
