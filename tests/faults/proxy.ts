import { connect, createServer, type Socket } from "node:net";

/**
 * What a network does to a connection. `drop` swallows both ways, `half_open` only what comes back (so that things
 * happen of which nobody hears), `junk` answers nonsense in place of what comes back.
 */
export type Trouble = "none" | "latency" | "reset" | "drop" | "half_open" | "junk";

export type FaultProxy = {
  port: number;
  /** Applies at once, to open connections too. Returning to `none` cuts those that were tampered with. */
  set(trouble: Trouble): void;
  close(): Promise<void>;
};

const LATENCY_MS = 150;

/** A TCP proxy before a dependency on this machine; trouble is for those connections only that begin with these words. */
export async function openProxy(targetPort: number, only?: string): Promise<FaultProxy> {
  let expected: Trouble = "none";
  const open = new Set<Socket>();
  const meantOnes = new WeakSet<Socket>();
  const server = createServer((near) => {
    if (expected === "reset" && !only) return near.resetAndDestroy();
    let meant = !only;
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
      if (!back && !meant && only) meant = chunk.includes(only);
      if (meant) meantOnes.add(near);
      const trouble = meant ? expected : "none";
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
    for (const socket of open) if (!only || meantOnes.has(socket)) socket.resetAndDestroy();
  };
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    set(next) {
      if (next === "reset" || (next === "none" && expected !== "latency")) cut();
      expected = next;
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of open) socket.resetAndDestroy();
      await closed;
    },
  };
}
