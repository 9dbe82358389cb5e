import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sandboxFetch } from "@/lib/platform/stripe/sandbox/api";
import { deliverSandboxEvents } from "@/lib/platform/stripe/sandbox/delivery";
import { clearSandboxFaults, failSandbox, holdSandboxEvents } from "@/lib/platform/stripe/sandbox/faults";
import { confirmSandboxIntent, settleDueSandboxIntents } from "@/lib/platform/stripe/sandbox/sandbox";

/**
 * The payment provider as a server of its own: the sandbox behind HTTP, for shops in PAYMENT_MODE=test with
 * STRIPE_API_BASE. It sends its notices to PORT, the load balancer's. `/control/…` is what a card holder's browser
 * does at the provider, and trouble on order. Started by the stand as a process.
 */
const port = Number(process.env.PROVIDER_PORT);

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function control(path: string, body: string): Promise<unknown> {
  const asked = body ? JSON.parse(body) : {};
  if (path === "/control/confirm") return confirmSandboxIntent(asked.client_secret, asked.outcome);
  if (path === "/control/hold") return holdSandboxEvents();
  if (path === "/control/clear") return clearSandboxFaults();
  if (path === "/control/fail") return failSandbox(asked.operation, asked.fault, asked.times);
  throw new Error(`no ${path}`);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? "/";
  const body = await bodyOf(request);
  if (path === "/up") return void response.end("up");
  if (path.startsWith("/control/")) {
    const said = await control(path, body);
    return void response.end(JSON.stringify(said ?? null));
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string" && name !== "content-length" && name !== "connection")
      headers.set(name, value);
  const method = request.method ?? "GET";
  const given = await sandboxFetch(`http://provider${path}`, {
    method,
    headers,
    body: method === "GET" || method === "DELETE" ? undefined : body,
  });
  response.writeHead(given.status, Object.fromEntries(given.headers));
  response.end(await given.text());
}

const server = createServer((request, response) => {
  answer(request, response).catch(async (error: Error) => {
    if (error.name === "AbortError") await sleep(10_000); // longer than anybody waits
    if (/Planned/.test(error.message)) return request.socket.destroy();
    response.writeHead(500, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { type: "api_error", message: "The provider is broken." } }));
  });
});
server.listen(port, "127.0.0.1");

for (;;) {
  await settleDueSandboxIntents()
    .then(deliverSandboxEvents)
    .catch(() => {});
  await sleep(500);
}
