import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sandboxFetch } from "@/lib/platform/stripe/sandbox/api";
import { clearSandboxFaults, receiveSandboxEvents } from "@/lib/platform/stripe/sandbox/faults";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/sandbox";

/**
 * The sandbox behind real HTTP: what `STRIPE_API_BASE` of a shop in `PAYMENT_MODE=test` points to, so that its SDK and
 * its Elements talk to somebody. It works in this process, which must be in sandbox mode, over the database that the
 * shop has too; what it sends as notices goes to that shop.
 */
export class StripeServer {
  address = "";
  #server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { method = "GET", url = "/", headers } = request;
    const kept = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && name !== "connection" ? [[name, value] as [string, string]] : [],
    );
    const answer = await sandboxFetch(new URL(url, this.address), {
      method,
      headers: Object.fromEntries(kept.filter(([name]) => name !== "content-length" && name !== "host")),
      ...(method !== "GET" && body !== "" && { body }),
    }).catch((error: unknown) => new Response(String(error), { status: 500 }));
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });

  async start(port = 0): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(port, "127.0.0.1", done));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this.address;
  }

  /** Notices go to this shop from now on. */
  tell(shop: string): void {
    receiveSandboxEvents(async (body, signature) => {
      const answer = await fetch(`${shop}/api/v1/payment/stripe/webhook`, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        body,
      });
      return answer.status;
    });
  }

  /** A call of the provider's script in the browser; `key` says whose it is, as there. */
  async fromBrowser(url: string, form: string): Promise<{ status: number; body: string }> {
    const params = new URLSearchParams(form);
    params.delete("key");
    const answer = await sandboxFetch(url, { method: "POST", body: params });
    return { status: answer.status, body: await answer.text() };
  }

  /** What the bank's own window or page says about a payment that asks for authentication. */
  async bankSays(clientSecret: string, answer: "yes" | "no"): Promise<void> {
    await confirmSandboxIntent(clientSecret, answer === "yes" ? "succeeded" : "declined");
  }

  async stop(): Promise<void> {
    clearSandboxFaults();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
