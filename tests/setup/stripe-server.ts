import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { clearSandboxFaults, faultyFetch, receiveSandboxEvents } from "./stripe-faults";

/**
 * The payment sandbox over real HTTP, for the SDK and the Elements of a shop with `PAYMENT_MODE=test` and
 * `STRIPE_API_BASE`. It runs in this process, which must be in sandbox mode, on the shop's database.
 */
export class StripeServer {
  address = "";
  #server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { method = "GET", url = "/", headers } = request;
    const forwarded = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && name !== "connection" ? [[name, value] as [string, string]] : [],
    );
    const result = await faultyFetch(new URL(url, this.address).href, {
      method,
      headers: Object.fromEntries(forwarded.filter(([name]) => name !== "content-length" && name !== "host")),
      ...(method !== "GET" && body !== "" && { body }),
    }).catch((error: unknown) => new Response(String(error), { status: 500 }));
    response.writeHead(result.status, { "content-type": "application/json" });
    response.end(await result.text());
  });

  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this.address;
  }

  /** Sends webhook events to this shop from now on. */
  sendEventsTo(shop: string): void {
    receiveSandboxEvents(async (body, signature) => {
      const response = await fetch(`${shop}/api/v1/payment/stripe/webhook`, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": signature },
        body,
      });
      return response.status;
    });
  }

  /** A call of Stripe's script in the browser, which sends the publishable key as `key`. */
  async fromBrowser(url: string, form: string): Promise<{ status: number; body: string }> {
    const params = new URLSearchParams(form);
    params.delete("key");
    const response = await faultyFetch(url, { method: "POST", body: params });
    return { status: response.status, body: await response.text() };
  }

  /** The bank approves or refuses a payment that requires authentication. */
  async authenticate(clientSecret: string, response: "yes" | "no"): Promise<void> {
    await confirmSandboxIntent(clientSecret, response === "yes" ? "succeeded" : "declined");
  }

  async stop(): Promise<void> {
    clearSandboxFaults();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
