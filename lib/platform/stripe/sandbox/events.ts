import { createHash } from "node:crypto";
import { request } from "node:http";
import { and, isNull, sql } from "drizzle-orm";
import Stripe from "stripe";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { sandboxEvents } from "@/db/schema/sandbox";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { errorSummary } from "@/lib/platform/serialize-error";
import { thinEventSecret } from "@/lib/platform/stripe/webhook";
import { stripeId } from "./http";
import { eventObject, type SandboxEvent } from "./objects";
import { sandboxTransport } from "./transport";

/**
 * The webhook events of the sandbox. An event is stored in the transaction of the change it is about, and posted to the
 * shop's webhook route after the commit: signed, at least once, some deliberately twice. Events that a killed process
 * leaves behind are sent by the worker's tick.
 */
const CONCURRENCY = 6;
/** A claimed event becomes due again after this time, in case the process that claimed it dies. */
const LEASE_SECONDS = 30;
const RESPONSE_TIMEOUT_MS = 15_000;
const MAX_ATTEMPTS = 60;
const MAX_BACKOFF_SECONDS = 60;
const THIN_EVENT = "v2.core.event";

type ClaimedEvent = Pick<typeof sandboxEvents.$inferSelect, "id" | "payload" | "attempts" | "deliveries">;

/** The transactions that stored an event. */
const recorded = new WeakSet<Tx>();

/** Stores an event that is due immediately. Its `created` is the database's time. */
export async function recordEvent(tx: Tx, event: SandboxEvent): Promise<void> {
  recorded.add(tx);
  const id = stripeId("evt");
  const payload = JSON.stringify(eventObject(id, event));
  await tx.insert(sandboxEvents).values({
    id,
    type: event.type,
    payload: sql`${payload}::jsonb || jsonb_build_object('created', floor(extract(epoch from shop_now()))::bigint)`,
    dueAt: shopNow,
  });
}

/** Stores a thin event about an account, which names it and not its state. */
export async function recordThinEvent(tx: Tx, type: string, accountId: string): Promise<void> {
  recorded.add(tx);
  const id = stripeId("evt");
  const related = { id: accountId, type: "v2.core.account", url: `/v2/core/accounts/${accountId}` };
  const payload = { id, object: THIN_EVENT, type, livemode: false, related_object: related };
  await tx.insert(sandboxEvents).values({
    id,
    type,
    payload: sql`${JSON.stringify(payload)}::jsonb || jsonb_build_object('created', shop_now())`,
    dueAt: shopNow,
  });
}

/** Commits a change of the sandbox together with its events, then sends them without waiting. */
export async function commitAndDeliver<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
  const { result, hasEvents } = await transaction(async (tx) => ({
    result: await change(tx),
    hasEvents: recorded.has(tx),
  }));
  if (hasEvents) startDelivery();
  return result;
}

let senders = 0;
/** Counts the calls of `startDelivery`: a sender that finds nothing looks again if this has changed meanwhile. */
let wakeUps = 0;

function startDelivery(): void {
  wakeUps += 1;
  if (senders >= CONCURRENCY) return;
  sendDueEvents().catch((error: unknown) =>
    log.warn({ err: error }, "sandbox events wait for the next tick"),
  );
}

/** Sends all due events and returns how many were sent. The worker calls it every few seconds. */
export async function deliverSandboxEvents(): Promise<number> {
  return env().PAYMENT_MODE === "sandbox" ? sendDueEvents() : 0;
}

async function sendDueEvents(): Promise<number> {
  senders += 1;
  try {
    for (let sent = 0; ; ) {
      const seen = wakeUps;
      const event = await claimDueEvent();
      if (event) {
        await send(event);
        sent += 1;
      } else if (seen === wakeUps) return sent;
    }
  } finally {
    senders -= 1;
  }
}

/** Claims the event that has been due for longest. */
async function claimDueEvent(): Promise<ClaimedEvent | undefined> {
  const [event] = await db.execute<ClaimedEvent>(sql`
    update sandbox_events set attempts = attempts + 1, due_at = ${inSeconds(LEASE_SECONDS)}
    where id = (select id from sandbox_events where due_at <= shop_now() order by due_at limit 1 for update skip locked)
    returning id, payload, attempts, deliveries`);
  return event;
}

const inSeconds = (seconds: number) => sql<Date>`shop_now() + make_interval(secs => ${seconds})`;

/**
 * How many copies of an event are sent: two at the same moment for one event in ten, and a second one later for
 * another one in ten.
 */
export function plannedCopies(eventId: string): { together: number; later: number } {
  const bucket = (createHash("sha256").update(eventId).digest()[0] ?? 0) % 10;
  return { together: bucket === 0 ? 2 : 1, later: bucket === 1 ? 1 : 0 };
}

async function send({ id, payload, attempts, deliveries }: ClaimedEvent): Promise<void> {
  const body = JSON.stringify(payload);
  const { together, later } = plannedCopies(id);
  const results = await Promise.all(Array.from({ length: deliveries ? 1 : together }, () => post(body)));
  const failed = results.find((result) => result !== "2xx");
  const accepted = results.filter((result) => result === "2xx").length;
  const sendAgain = failed ? attempts < MAX_ATTEMPTS : deliveries + accepted < together + later;
  const pauseSeconds = failed ? Math.min(2 ** (attempts - 1), MAX_BACKOFF_SECONDS) : 1;
  await db.execute(sql`
    update sandbox_events set deliveries = deliveries + ${accepted}, last_response = ${failed ?? "2xx"},
      due_at = ${sendAgain ? inSeconds(pauseSeconds) : null} where id = ${id}`);
  if (sendAgain) setTimeout(startDelivery, pauseSeconds * 1000 + 10).unref();
  else if (failed) log.error({ event: id, attempts }, "sandbox event: delivery failed permanently");
}

/** Posts a signed event: `2xx`, another HTTP status, or why there was no response. */
async function post(body: string): Promise<string> {
  const isThin = JSON.parse(body).object === THIN_EVENT;
  const secret = isThin ? thinEventSecret() : env().STRIPE_WEBHOOK_SECRET;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  const deliver = sandboxTransport().deliver ?? postTo(isThin ? "connect-webhook" : "webhook");
  try {
    const status = await deliver(body, signature);
    return status >= 200 && status < 300 ? "2xx" : `HTTP ${status}`;
  } catch (error) {
    return errorSummary(error);
  }
}

/** Uses node:http, because Next replaces the global `fetch` by one that caches. */
const postTo =
  (route: string) =>
  (body: string, signature: string): Promise<number> => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "stripe-signature": signature,
      "user-agent": "Stripe/1.0 (sandbox)",
    };
    const url = `http://localhost:${env().PORT}/api/v1/payment/stripe/${route}`;
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    return new Promise((resolve, reject) => {
      request(url, { method: "POST", headers, signal }, (response) => {
        response
          .on("error", reject)
          .on("end", () => resolve(response.statusCode ?? 0))
          .resume();
      })
        .on("error", reject)
        .end(body);
    });
  };

/** Deletes events older than 30 days of which nothing more is to be sent, as Stripe does. */
export async function deleteExpiredSandboxEvents(): Promise<void> {
  const isOld = sql`${sandboxEvents.createdAt} < shop_now() - interval '30 days'`;
  await db.delete(sandboxEvents).where(and(isNull(sandboxEvents.dueAt), isOld));
}
