import { sandboxFetch } from "@/lib/platform/stripe/sandbox/api";
import { failRefund } from "@/lib/platform/stripe/sandbox/dashboard";
import { readRequest, writeResponse } from "@/lib/platform/stripe/sandbox/http";
import { runOnce } from "@/lib/platform/stripe/sandbox/idempotency";
import { createRefund } from "@/lib/platform/stripe/sandbox/refunds";
import { replaceSandboxTransport, type SandboxTransport } from "@/lib/platform/stripe/sandbox/transport";

/** Makes the payment sandbox of this process fail as Stripe and the network do. */
const OPERATIONS = {
  create_intent: /^POST \/v1\/payment_intents$/,
  list_intents: /^GET \/v1\/payment_intents$/,
  retrieve_intent: /^GET \/v1\/payment_intents\/[^/]+$/,
  update_intent: /^POST \/v1\/payment_intents\/[^/]+$/,
  cancel_intent: /^POST \/v1\/payment_intents\/[^/]+\/cancel$/,
  create_refund: /^POST \/v1\/refunds$/,
  list_refunds: /^GET \/v1\/refunds$/,
  retrieve_refund: /^GET \/v1\/refunds\/[^/]+$/,
  list_disputes: /^GET \/v1\/disputes$/,
  retrieve_dispute: /^GET \/v1\/disputes\/[^/]+$/,
  list_fraud_warnings: /^GET \/v1\/radar\/early_fraud_warnings$/,
  retrieve_fraud_warning: /^GET \/v1\/radar\/early_fraud_warnings\/[^/]+$/,
  list_reviews: /^GET \/v1\/reviews$/,
  retrieve_review: /^GET \/v1\/reviews\/[^/]+$/,
  create_customer: /^POST \/v1\/customers$/,
  delete_customer: /^DELETE \/v1\/customers\/[^/]+$/,
  list_cards: /^GET \/v1\/customers\/[^/]+\/payment_methods$/,
  retrieve_card: /^GET \/v1\/customers\/[^/]+\/payment_methods\/[^/]+$/,
  detach_card: /^POST \/v1\/payment_methods\/[^/]+\/detach$/,
  create_setup: /^POST \/v1\/setup_intents$/,
  create_transfer: /^POST \/v1\/transfers$/,
  reverse_transfer: /^POST \/v1\/transfers\/[^/]+\/reversals$/,
  list_transfers: /^GET \/v1\/transfers$/,
  retrieve_account: /^GET \/v2\/core\/accounts\/[^/]+$/,
  retrieve_setup: /^GET \/v1\/setup_intents\/[^/]+$/,
} satisfies Record<string, RegExp>;

export type SandboxOperation = keyof typeof OPERATIONS;

export type SandboxFault = {
  /** Before the sandbox runs the call, or after it has run it and before it responds. */
  when: "before" | "after";
  /** `502` has no `error` in its JSON, as from a proxy; `junk` is JSON of another shape; `currency`: the account takes another one. */
  as: "500" | "502" | "timeout" | "reset" | "junk" | "not_json" | "not_object" | "currency";
  /** The id of the only object whose requests fail. */
  of?: string;
};

type PlannedFault = SandboxFault & { operation: SandboxOperation; left: number };

let faults: PlannedFault[] = [];
let returnReasons: string[] = [];
let deliver: SandboxTransport["deliver"] | undefined;

const install = () => replaceSandboxTransport({ fetch: faultyFetch, deliver });

/**
 * The next `times` requests of an operation fail. The Stripe client retries twice, so a caller notices three or more.
 */
export function failSandbox(operation: SandboxOperation, fault: SandboxFault, times = 1): void {
  faults.push({ ...fault, operation, left: times });
  install();
}

/** The bank returns the next `times` refunds right after they were created. */
export function returnSandboxRefunds(times = 1, reason = "expired_or_canceled_card"): void {
  returnReasons.push(...Array.from({ length: times }, () => reason));
  install();
}

/** Webhook events go to `receiver` instead of the webhook route. */
export function receiveSandboxEvents(receiver: SandboxTransport["deliver"]): void {
  deliver = receiver;
  install();
}

/** Every webhook event is lost: the sandbox believes that it was delivered. */
export const dropSandboxEvents = (): void => receiveSandboxEvents(async () => 200);

export function clearSandboxFaults(): void {
  faults = [];
  returnReasons = [];
  deliver = undefined;
  replaceSandboxTransport({});
}

/** The sandbox with the planned faults. */
export async function faultyFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const call = `${init.method ?? "GET"} ${new URL(url).pathname}`;
  const fault = faults.find(
    ({ operation, left, of = "" }) =>
      left > 0 && OPERATIONS[operation].test(call) && `${call} ${init.body ?? ""}`.includes(of),
  );
  if (fault) fault.left -= 1;
  if (fault?.when === "before") return brokenResponse(fault);
  const isReturned = returnReasons.length > 0 && OPERATIONS.create_refund.test(call);
  const response = await (isReturned ? createReturnedRefund(url, init) : sandboxFetch(url, init));
  return fault ? brokenResponse(fault) : response;
}

async function createReturnedRefund(url: string, init: RequestInit): Promise<Response> {
  const response = await runOnce(await readRequest(url, init), async (tx, params) => {
    const reason = returnReasons.shift();
    const refund = await createRefund(tx, params, "pending");
    if (reason) await failRefund(tx, refund.id, reason);
    return refund;
  });
  return writeResponse(response);
}

/** The response of a fault, or the error that the network gives. */
function brokenResponse({ as }: SandboxFault): Response {
  switch (as) {
    case "500":
      return Response.json({ error: { type: "api_error", message: "Planned fault." } }, { status: 500 });
    case "502":
      return Response.json({ message: "Bad gateway" }, { status: 502 });
    case "currency":
      return Response.json(
        {
          error: {
            type: "invalid_request_error",
            code: "invalid_currency",
            message: "Cannot send usd to this account.",
          },
        },
        { status: 400 },
      );
    case "junk":
      return Response.json({ hello: "world" });
    case "not_json":
      return new Response("<html>Maintenance</html>");
    case "not_object":
      return Response.json("maintenance");
    case "timeout":
      throw new DOMException("Planned timeout", "AbortError");
    case "reset":
      throw Object.assign(new Error("Planned reset"), { code: "ECONNRESET" });
  }
}
