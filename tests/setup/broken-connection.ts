import { Socket } from "node:net";
import { closeDatabaseAtOnce } from "@/db/client";
import { env } from "@/lib/platform/env";

export type Break = { at: number; when: "before" | "after" };

const { write } = Socket.prototype;

/** How often queries that wait for a connection are given up, in milliseconds. */
const GIVE_UP_MS = 10;

/**
 * Runs work whose database connections break at the n-th write, before or after it is sent, and stay broken until the
 * work has failed. This leaves the database as a process killed there would (lab/faults/kill-at-write.mjs kills one).
 * Returns whether the work made that many writes.
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
