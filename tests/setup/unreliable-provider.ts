import { setTimeout as sleep } from "node:timers/promises";
import {
  clientSecretOf,
  type Params,
  parseForm,
  readRequest,
  respond,
  SandboxError,
  stripeId,
  writeResponse,
} from "@/lib/platform/stripe/sandbox/http";
import { replaceSandboxTransport } from "@/lib/platform/stripe/sandbox/transport";
import { deliverEvent } from "./webhook-events";

/**
 * The tests' own payment provider, with books in memory. It ignores idempotency keys. With a fault rate it also fails
 * before and after a call, runs a call twice or after the client has given up, answers with wrong amounts, receives
 * and refunds less than asked, and loses, repeats and delays webhook events.
 */
export class UnreliableProvider {
  readonly intents = new Map<string, Intent>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  /** How often each kind of fault occurred. */
  readonly faults = new Map<string, number>();
  calls = 0;
  #random: () => number;
  #faultRate: number;
  #delayMs: number;
  #background = new Set<Promise<unknown>>();

  /** @param options.delayMs how long every call takes before its effect, and again before its response */
  constructor({ random = Math.random, faultRate = 0, delayMs = 0 } = {}) {
    this.#random = random;
    this.#faultRate = faultRate;
    this.#delayMs = delayMs;
  }

  /** The Stripe client of this process calls this provider, until `clearSandboxFaults`. */
  install(): void {
    replaceSandboxTransport({ fetch: (url, init) => this.fetch(url, init) });
  }

  /** No faults from now on. What the books hold stays. */
  calm(): void {
    this.#faultRate = 0;
  }

  /** Waits for late calls and webhook events. */
  async settle(): Promise<void> {
    while (this.#background.size > 0) await Promise.allSettled(this.#background);
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    this.calls += 1;
    const request = await readRequest(url, init);
    const fault = this.#chooseFault(request.method === "POST" ? WRITE_FAULTS : READ_FAULTS);
    await sleep(this.#delayMs);
    if (fault === "error before") return serverError();
    if (fault === "reset before") throw connectionReset();
    const run = () =>
      respond(async () =>
        this.#route(request.method, request.url, parseForm(request.body || request.url.search)),
      );
    if (fault === "late") {
      this.#later(run, 20 + this.#random() * 200);
      throw connectionReset();
    }
    const response = await run();
    if (fault === "double") await run();
    await sleep(this.#delayMs);
    if (fault === "error after") return serverError();
    if (fault === "reset after") throw connectionReset();
    if (fault === "lie") return writeResponse({ ...response, body: this.#falsify(response.body) });
    return writeResponse(response);
  }

  /** The payer confirms an intent. `share`: the part of the amount that arrives; `lagMs`: it is shown as 0 until then. */
  pay(intentId: string, { share = 1, lagMs = 0 } = {}): boolean {
    const intent = this.intents.get(intentId);
    if (!intent?.status.startsWith("requires_")) return false;
    intent.status = "succeeded";
    intent.received = Math.round(intent.amount * share);
    intent.shownFrom = Date.now() + lagMs;
    this.#emit("payment_intent.succeeded", intentObject(intent));
    return true;
  }

  /** The payer's bank opens a dispute of all that is left of a paid intent. Returns its id; null for an unpaid one. */
  openDispute(intentId: string): string | null {
    const intent = this.intents.get(intentId);
    if (intent?.status !== "succeeded" || this.#disputeOf(intentId)) return null;
    const dispute: Dispute = {
      id: stripeId("du"),
      intentId,
      amount: this.#leftOf(intent),
      status: "needs_response",
      created: seconds(),
    };
    this.disputes.set(dispute.id, dispute);
    this.#emit("charge.dispute.created", disputeObject(dispute));
    return dispute.id;
  }

  decideDispute(id: string, status: "won" | "lost"): void {
    const dispute = this.disputes.get(id)!;
    dispute.status = status;
    this.#emit("charge.dispute.closed", disputeObject(dispute));
  }

  /** The bank returns a refund that has succeeded. */
  returnRefund(id: string): void {
    const refund = this.refunds.get(id)!;
    refund.status = "failed";
    this.#emit("refund.failed", refundObject(refund));
  }

  intentsOf(orderId: string): Intent[] {
    return [...this.intents.values()].filter((intent) => intent.metadata.order_id === orderId);
  }

  /** What the provider holds for an order, in cents: received, less refunds and lost disputes. */
  cashOf(orderId: string): number {
    return this.intentsOf(orderId).reduce((sum, intent) => sum + this.#cashOf(intent), 0);
  }

  #cashOf(intent: Intent): number {
    const dispute = this.#disputeOf(intent.id);
    return intent.received - this.#refundedOf(intent) - (dispute?.status === "lost" ? dispute.amount : 0);
  }

  #refundedOf({ id }: Intent): number {
    return [...this.refunds.values()]
      .filter((refund) => refund.intentId === id && refund.status !== "failed")
      .reduce((sum, refund) => sum + refund.amount, 0);
  }

  /** What can still be refunded or disputed. */
  #leftOf = (intent: Intent) => intent.received - this.#refundedOf(intent);

  #disputeOf = (intentId: string) =>
    [...this.disputes.values()].find((dispute) => dispute.intentId === intentId);

  #route(method: string, url: URL, params: Params): object {
    const [, , resource = "", id = "", verb = ""] = url.pathname.split("/");
    const call = `${method} ${resource}${id && "/id"}${verb && `/${verb}`}`;
    switch (call) {
      case "POST payment_intents":
        return this.#createIntent(params);
      case "GET payment_intents":
        return list([...this.intents.values()].map(intentObject), params);
      case "GET payment_intents/id":
      case "POST payment_intents/id":
        return intentObject(found(this.intents.get(id)));
      case "POST payment_intents/id/cancel":
        return this.#cancelIntent(id);
      case "POST refunds":
        return this.#createRefund(params);
      case "GET refunds": {
        const refunds = [...this.refunds.values()];
        const intentId = params.payment_intent;
        return list(
          refunds.filter((refund) => !intentId || refund.intentId === intentId).map(refundObject),
          params,
        );
      }
      case "GET refunds/id":
        return refundObject(found(this.refunds.get(id)));
      case "GET disputes":
        return list([...this.disputes.values()].map(disputeObject), params);
      case "GET disputes/id":
        return disputeObject(found(this.disputes.get(id)));
      case "GET radar/id":
      case "GET reviews":
        return list([], params);
      default:
        throw new SandboxError(404, { message: `no ${call}` });
    }
  }

  #createIntent({ amount, currency, metadata }: Params): object {
    const id = stripeId("pi");
    const intent: Intent = {
      id,
      secret: clientSecretOf(id),
      status: "requires_payment_method",
      amount: Number(amount),
      received: 0,
      shownFrom: 0,
      currency: String(currency),
      metadata: metadata as Record<string, string>,
      created: seconds(),
    };
    this.intents.set(id, intent);
    return intentObject(intent);
  }

  #cancelIntent(id: string): object {
    const intent = found(this.intents.get(id));
    if (!intent.status.startsWith("requires_"))
      throw new SandboxError(400, { code: "payment_intent_unexpected_state", message: intent.status });
    intent.status = "canceled";
    this.#emit("payment_intent.canceled", intentObject(intent));
    return intentObject(intent);
  }

  #createRefund({ payment_intent, amount, metadata }: Params): object {
    const intent = found(this.intents.get(String(payment_intent)));
    const asked = Number(amount);
    const status = this.#disputeOf(intent.id)?.status;
    if (status && status !== "won")
      throw new SandboxError(400, { code: "charge_disputed", message: "charged back" });
    const left = this.#leftOf(intent);
    if (left === 0) throw new SandboxError(400, { code: "charge_already_refunded", message: "refunded" });
    if (asked > left) throw new SandboxError(400, { param: "amount", message: `only ${left} are left` });
    const refund: Refund = {
      id: stripeId("re"),
      intentId: intent.id,
      amount: this.#occurs("short refund") ? Math.ceil(asked / 2) : asked,
      status: this.#occurs("slow refund") ? "pending" : "succeeded",
      metadata: metadata as Record<string, string>,
      created: seconds(),
    };
    this.refunds.set(refund.id, refund);
    this.#emit("refund.created", refundObject(refund));
    if (refund.status === "pending")
      this.#later(async () => {
        refund.status = "succeeded";
        this.#emit("refund.updated", refundObject(refund));
      }, 200);
    return refundObject(refund);
  }

  /** A response with another amount; the books keep the true one. */
  #falsify(body: unknown): unknown {
    const text = JSON.stringify(body);
    // A different factor each time, because a repeated amount could look like the true one.
    const factor = 2 * this.#random();
    const received = this.#random() < 0.5 ? 0 : factor;
    return JSON.parse(text, (key, value) => {
      if (key === "amount_received" && value > 0) return Math.round(value * received);
      return key === "amount" && /"object":"(refund|dispute)"/.test(text)
        ? Math.round(value * factor)
        : value;
    });
  }

  #chooseFault<T extends string>(kinds: readonly T[]): T | null {
    if (this.#random() >= this.#faultRate) return null;
    const kind = kinds[Math.floor(this.#random() * kinds.length)]!;
    this.#count(kind);
    return kind;
  }

  #occurs(kind: string): boolean {
    const occurs = this.#random() < this.#faultRate / 2;
    if (occurs) this.#count(kind);
    return occurs;
  }

  #count = (kind: string) => this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);

  /** Sends a webhook event without waiting: lost, twice or late at the fault rate. */
  #emit(type: string, object: object): void {
    const payload = {
      id: stripeId("evt"),
      object: "event",
      type,
      livemode: false,
      created: seconds(),
      data: { object },
    };
    const fault = this.#chooseFault(EVENT_FAULTS);
    if (fault === "lost event") return;
    const delayMs = fault === "late event" ? 300 * this.#random() : 0;
    for (let copy = 0; copy < (fault === "double event" ? 2 : 1); copy += 1)
      this.#later(() => deliverEvent(payload), delayMs);
  }

  #later(run: () => Promise<unknown>, delayMs: number): void {
    const task = sleep(delayMs)
      .then(run)
      .catch(() => {})
      .finally(() => this.#background.delete(task));
    this.#background.add(task);
  }
}

const WRITE_FAULTS = [
  "error before",
  "error after",
  "reset before",
  "reset after",
  "late",
  "double",
  "lie",
] as const;
const READ_FAULTS = ["error before", "reset before", "lie", "lie"] as const;
const EVENT_FAULTS = ["lost event", "double event", "late event"] as const;

type Intent = {
  id: string;
  secret: string;
  status: "requires_payment_method" | "succeeded" | "canceled";
  amount: number;
  received: number;
  /** Until this time in milliseconds the received amount is shown as 0. */
  shownFrom: number;
  currency: string;
  metadata: Record<string, string>;
  created: number;
};
type Refund = {
  id: string;
  intentId: string;
  amount: number;
  status: "pending" | "succeeded" | "failed";
  metadata: Record<string, string>;
  created: number;
};
type Dispute = {
  id: string;
  intentId: string;
  amount: number;
  status: "needs_response" | "won" | "lost";
  created: number;
};

const seconds = () => Math.floor(Date.now() / 1000);

const intentObject = (intent: Intent) => ({
  id: intent.id,
  object: "payment_intent",
  amount: intent.amount,
  amount_received: Date.now() < intent.shownFrom ? 0 : intent.received,
  client_secret: intent.secret,
  created: intent.created,
  currency: intent.currency,
  customer: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  metadata: intent.metadata,
  status: intent.status,
});

const refundObject = (refund: Refund) => ({
  id: refund.id,
  object: "refund",
  amount: refund.amount,
  created: refund.created,
  currency: "usd",
  metadata: refund.metadata,
  payment_intent: refund.intentId,
  status: refund.status,
  ...(refund.status === "failed" && { failure_reason: "expired_or_canceled_card" }),
});

const disputeObject = (dispute: Dispute) => ({
  id: dispute.id,
  object: "dispute",
  amount: dispute.amount,
  created: dispute.created,
  currency: "usd",
  livemode: false,
  payment_intent: dispute.intentId,
  reason: "product_not_received",
  status: dispute.status,
});

function found<T>(object: T | undefined): T {
  if (!object) throw new SandboxError(404, { code: "resource_missing", message: "No such object" });
  return object;
}

/** One page of a list, the newest first. */
function list(objects: { id: string; created: number }[], params: Params): object {
  const since = Number((params.created as { gte?: string } | undefined)?.gte ?? 0);
  const newest = objects.filter(({ created }) => created >= since).reverse();
  const start = newest.findIndex(({ id }) => id === params.starting_after) + 1;
  const limit = Number(params.limit ?? 10);
  return {
    object: "list",
    data: newest.slice(start, start + limit),
    has_more: newest.length > start + limit,
  };
}

const serverError = () =>
  Response.json({ error: { type: "api_error", message: "Planned fault." } }, { status: 500 });
const connectionReset = () => Object.assign(new Error("Planned reset"), { code: "ECONNRESET" });
