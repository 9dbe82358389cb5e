import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { confirmSandboxIntent, settleDueSandboxIntents } from "@/lib/platform/stripe/sandbox/confirm";
import { deliverSandboxEvents } from "@/lib/platform/stripe/sandbox/events";
import { clearSandboxFaults, dropSandboxEvents, failSandbox, faultyFetch } from "@/tests/setup/stripe-faults";

/**
 * The payment provider as a process: the sandbox over HTTP, for servers with PAYMENT_MODE=test and STRIPE_API_BASE. It
 * sends webhook events to PORT, the port of the load balancer. `/control/…` confirms a payment as a browser does, and plans faults.
 */
const port = Number(process.env.PROVIDER_PORT);

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

async function control(path: string, body: string): Promise<unknown> {
  const input = body ? JSON.parse(body) : {};
  if (path === "/control/confirm") {
    const confirmed = await confirmSandboxIntent(input.client_secret, input.outcome);
    return confirmed && { status: confirmed.intent.status };
  }
  if (path === "/control/drop-events") return dropSandboxEvents();
  if (path === "/control/clear") return clearSandboxFaults();
  if (path === "/control/fail") return failSandbox(input.operation, input.fault, input.times);
  throw new Error(`no ${path}`);
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? "/";
  const body = await readBody(request);
  if (path === "/up") return void response.end("up");
  if (path.startsWith("/control/")) {
    const result = await control(path, body);
    return void response.end(JSON.stringify(result ?? null));
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string" && name !== "content-length" && name !== "connection")
      headers.set(name, value);
  const method = request.method ?? "GET";
  const result = await faultyFetch(`http://provider${path}`, {
    method,
    headers,
    body: method === "GET" || method === "DELETE" ? undefined : body,
  });
  response.writeHead(result.status, Object.fromEntries(result.headers));
  response.end(await result.text());
}

const server = createServer((request, response) => {
  respond(request, response).catch(async (error: Error) => {
    if (error.name === "AbortError") await sleep(10_000); // longer than the timeout of the Stripe client
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
