import { Socket } from "node:net";
import { closeDatabaseAtOnce } from "@/db/client";
import { env } from "@/lib/platform/env";

export type Break = { at: number; when: "before" | "after" };

const { write } = Socket.prototype;

/** Queries that wait for a connection are given up so often. */
const GIVE_UP_MS = 10;

/**
 * Does a piece of work whose connections to the database break at their n-th write, before or after it is sent, and stay broken until the
 * work has given up: the database is left as by a process that is killed there (lab/faults/kill-at-write.mjs kills one). Returns whether
 * the work had so many writes.
 */
export async function breakConnection({ at, when }: Break, work: () => Promise<unknown>): Promise<boolean> {
  const port = Number(new URL(env().DATABASE_URL).port);
  let writes = 0;
  let givingUp: NodeJS.Timeout | undefined;
  Socket.prototype.write = function (this: Socket, ...args: Parameters<typeof write>) {
    if (this.remotePort !== port) return write.apply(this, args);
    writes += 1;
    if (writes < at) return write.apply(this, args);
    givingUp ??= setInterval(() => void closeDatabaseAtOnce(), GIVE_UP_MS);
    // The kernel has the bytes when the call returns, and no answer can have been read yet.
    if (writes === at && when === "after") write.apply(this, args);
    this.destroy();
    return false;
  } as typeof write;
  try {
    await work().catch((error: unknown) => {
      if (writes < at) throw error;
    });
  } finally {
    Socket.prototype.write = write;
    clearInterval(givingUp);
  }
  return writes >= at;
}
