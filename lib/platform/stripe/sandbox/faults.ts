import { env } from "@/lib/platform/env";

/**
 * Trouble on order, for tests. Everything here is of this process only and refused outside the sandbox.
 */
export type SandboxOperation =
  | "create_intent"
  | "retrieve_intent"
  | "cancel_intent"
  | "create_refund"
  | "retrieve_refund"
  | "update_intent"
  | "confirm_intent"
  | "retrieve_dispute"
  | "list_intents"
  | "list_refunds"
  | "list_disputes"
  | "create_customer"
  | "delete_customer"
  | "create_setup"
  | "retrieve_setup"
  | "list_cards"
  | "retrieve_card"
  | "detach_card";

export type SandboxFault = {
  /** Before the emulator does what it was asked, or after it has done it and before anyone hears of it. */
  when: "before" | "after";
  /** `500` and `502` (the latter without `error`, as from a proxy), no answer in time, a cut connection, nonsense. */
  as: "500" | "502" | "timeout" | "reset" | "junk" | "not_json" | "not_object";
};

/** Takes a notice in place of the webhook route; answers with an HTTP status. */
export type SandboxReceiver = (rawBody: string, signatureHeader: string) => Promise<number>;

type Planned = SandboxFault & { operation: SandboxOperation; left: number };
type State = { planned: Planned[]; receiver?: SandboxReceiver; held: boolean; refusals: string[] };

// On globalThis: Next bundles the routes apart from the server entry and the worker.
const holder = globalThis as typeof globalThis & { passlaneSandboxFaults?: State };

function state(): State {
  holder.passlaneSandboxFaults ??= { planned: [], held: false, refusals: [] };
  return holder.passlaneSandboxFaults;
}

function sandboxOnly() {
  if (env().PAYMENT_MODE !== "sandbox") throw new Error("Faults can be planned in the payment sandbox only.");
}

/** The next `times` requests of an operation go wrong. The client retries twice: 3 is the least that a caller notices. */
export function failSandbox(operation: SandboxOperation, fault: SandboxFault, times = 1): void {
  sandboxOnly();
  state().planned.push({ ...fault, operation, left: times });
}

/** Notices go to `receiver` instead of over HTTP to the webhook route. */
export function receiveSandboxEvents(receiver: SandboxReceiver): void {
  sandboxOnly();
  state().receiver = receiver;
}

/** Every notice stays where it is, as when webhooks are lost, until `clearSandboxFaults`. */
export function holdSandboxEvents(): void {
  sandboxOnly();
  state().held = true;
}

/** The bank sends the next `times` refunds back, for this reason, right after they were taken. */
export function refuseSandboxRefunds(times = 1, reason = "expired_or_canceled_card"): void {
  sandboxOnly();
  state().refusals.push(...Array.from({ length: times }, () => reason));
}

/** Why the refund that is being made will come back, used up by asking; null when it will not. */
export const takeRefundFailure = (): string | null => state().refusals.shift() ?? null;

export function clearSandboxFaults(): void {
  holder.passlaneSandboxFaults = undefined;
}

/** The planned fault of this request, used up by asking. */
export function takeFault(operation: SandboxOperation): SandboxFault | null {
  const planned = state().planned.find((fault) => fault.operation === operation && fault.left > 0);
  if (!planned) return null;
  planned.left -= 1;
  return planned;
}

export const sandboxReceiver = () => state().receiver;
export const sandboxEventsHeld = () => state().held;

/** The answer of a fault, or the failure that the network would give. */
export function brokenAnswer({ as }: SandboxFault): Response {
  switch (as) {
    case "500":
      return Response.json({ error: { type: "api_error", message: "Planned fault." } }, { status: 500 });
    case "502":
      return Response.json({ message: "Bad gateway" }, { status: 502 });
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
