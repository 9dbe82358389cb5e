import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { env } from "@/lib/platform/env";

export type Received = {
  id: string;
  type: string;
  data: Record<string, unknown>;
  body: string;
  headers: Record<string, string>;
  /** the receiver's own query */
  query: string;
};
type Respond = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

/**
 * A receiver of webhooks on this machine. It takes the place of the sandbox's own receiver
 * (lib/webhooks/sandbox-receiver.ts), which needs neither https nor a public address. `respond` handles each request;
 * 200 by default.
 */
export async function startReceiver() {
  const received: Received[] = [];
  const state: { respond: Respond } = { respond: (response) => response.end("thanks") };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
      const headers = request.headers as Record<string, string>;
      const query = new URL(request.url!, "http://receiver").search.slice(1);
      const message = { id: headers["webhook-id"]!, type, data, body, headers, query };
      received.push(message);
      state.respond(response, message, request);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  Object.assign(env(), { APP_URL: origin });
  return {
    port,
    received,
    state,
    /** A separate URL for each name, so that a test can tell its endpoints apart. */
    url: (name: string) => `${origin}/dev/webhook-receiver?${name}`,
    of: (name: string) => received.filter(({ query }) => query === name),
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
