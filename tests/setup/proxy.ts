import { connect, createServer, type Socket } from "node:net";

/**
 * Network faults. `drop` discards both directions, `half_open` only the responses (the request
 * takes effect), and `junk` replaces the responses by random bytes.
 */
export type NetworkFault = "none" | "latency" | "reset" | "drop" | "half_open" | "junk";

export type FaultProxy = {
  port: number;
  /**
   * Applies immediately, to open connections too. A return to `none` resets open connections, except after `latency`.
   */
  set(fault: NetworkFault, latencyMs?: number): void;
  /** Forwards to another port from now on, and resets open connections. */
  lead(port: number): void;
  close(): Promise<void>;
};

/** Default of `latency`, in each direction. */
const LATENCY_MS = 150;

/** A TCP proxy to a port of this machine. With `only`, faults affect only connections that have sent this text. */
export async function openProxy(targetPort: number, only?: string): Promise<FaultProxy> {
  let port = targetPort;
  let current: NetworkFault = "none";
  let latency = LATENCY_MS;
  const sockets = new Set<Socket>();
  const affected = new WeakSet<Socket>();
  const server = createServer((client) => {
    if (current === "reset" && !only) return client.resetAndDestroy();
    let isAffected = !only;
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        for (const other of [client, upstream]) other.destroy();
      });
    }
    const forward = (to: Socket, chunk: Buffer, isResponse: boolean) => {
      if (!isResponse && !isAffected && only) isAffected = chunk.includes(only);
      if (isAffected) affected.add(client);
      const fault = isAffected ? current : "none";
      if (fault === "drop" || (isResponse && fault === "half_open")) return;
      if (isResponse && fault === "junk") return void to.write(Buffer.alloc(chunk.length, "junk"));
      if (fault === "latency") setTimeout(() => to.writable && to.write(chunk), latency);
      else to.write(chunk);
    };
    client.on("data", (chunk) => forward(upstream, chunk, false));
    upstream.on("data", (chunk) => forward(client, chunk, true));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const resetConnections = () => {
    for (const socket of sockets) if (!only || affected.has(socket)) socket.resetAndDestroy();
  };
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    set(next, latencyMs = LATENCY_MS) {
      latency = latencyMs;
      if (next === "reset" || (next === "none" && current !== "latency")) resetConnections();
      current = next;
    },
    lead(next) {
      port = next;
      resetConnections();
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.resetAndDestroy();
      await closed;
    },
  };
}
