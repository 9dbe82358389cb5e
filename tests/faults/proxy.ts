import { connect, createServer, type Socket } from "node:net";

/**
 * What a network does to a connection. `drop` discards both directions, `half_open` only the responses (the request
 * takes effect), and `junk` replaces the responses by random bytes.
 */
export type Trouble = "none" | "latency" | "reset" | "drop" | "half_open" | "junk";

export type FaultProxy = {
  port: number;
  /** Applies at once, to open connections too. Returning to `none` cuts those that were tampered with. */
  set(trouble: Trouble): void;
  close(): Promise<void>;
};

const LATENCY_MS = 150;

/** A TCP proxy to a port of this machine. With `only` the trouble affects the connections that have sent this text. */
export async function openProxy(targetPort: number, only?: string): Promise<FaultProxy> {
  let current: Trouble = "none";
  const open = new Set<Socket>();
  const affected = new WeakSet<Socket>();
  const server = createServer((near) => {
    if (current === "reset" && !only) return near.resetAndDestroy();
    let isAffected = !only;
    const far = connect(targetPort, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        for (const other of [near, far]) other.destroy();
      });
    }
    const pass = (to: Socket, chunk: Buffer, back: boolean) => {
      if (!back && !isAffected && only) isAffected = chunk.includes(only);
      if (isAffected) affected.add(near);
      const trouble = isAffected ? current : "none";
      if (trouble === "drop" || (back && trouble === "half_open")) return;
      if (back && trouble === "junk") return void to.write(Buffer.alloc(chunk.length, "junk"));
      if (trouble === "latency") setTimeout(() => to.writable && to.write(chunk), LATENCY_MS);
      else to.write(chunk);
    };
    near.on("data", (chunk) => pass(far, chunk, false));
    far.on("data", (chunk) => pass(near, chunk, true));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const cut = () => {
    for (const socket of open) if (!only || affected.has(socket)) socket.resetAndDestroy();
  };
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    set(next) {
      if (next === "reset" || (next === "none" && current !== "latency")) cut();
      current = next;
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of open) socket.resetAndDestroy();
      await closed;
    },
  };
}
