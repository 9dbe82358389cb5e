import { env } from "@/lib/platform/env";

/**
 * How the shop and the sandbox reach each other. The Stripe client sends its requests through `fetch` (default:
 * `sandboxFetch`), and the sandbox posts its webhook events through `deliver` (default: HTTP to the webhook route).
 */
export type SandboxTransport = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Resolves with the HTTP status of the receiver. */
  deliver: (body: string, signatureHeader: string) => Promise<number>;
};

let replaced: Partial<SandboxTransport> = {};

/**
 * Replaces one or both directions in this process; `{}` restores the defaults. Tests use it to make calls fail and to
 * receive events without a server (tests/setup/stripe-faults.ts). Throws outside the sandbox.
 */
export function replaceSandboxTransport(transport: Partial<SandboxTransport>): void {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Only the sandbox has a replaceable transport.");
  replaced = transport;
}

export const sandboxTransport = (): Partial<SandboxTransport> => replaced;
