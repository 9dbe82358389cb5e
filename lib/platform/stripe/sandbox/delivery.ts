import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { client, db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { errorSummary } from "@/lib/platform/serialize-error";
import { sandboxEventsHeld, sandboxReceiver } from "./faults";

/**
 * Posts the sandbox's notices to the shop's own webhook, signed, at least once, and some of them twice. When a
 * notice is due is stored, so a killed process loses none: the worker's tick sends what is left.
 */
const LANES = 6;
/** A notice that is in somebody's hand is due again by itself after this, should they die over it. */
export const LEASE_SECONDS = 30;
const ANSWER_MS = 15_000;
const MAX_ATTEMPTS = 60;
const LONGEST_PAUSE_SECONDS = 60;

export type Notice = { id: string; payload: unknown; attempts: number; deliveries: number };

let lanes = 0;
/** Somebody wants that what is due is looked for. */
let asked = false;
/** Notices that were written as being in our hand. */
const inHand: Notice[] = [];

/** In a rush the table holds what waits, and not our memory. */
const MOST_IN_HAND = 100;
export const hasHandFree = () => inHand.length < MOST_IN_HAND;

/** Sends a notice that was just written, without waiting for it. */
export function handOver(notice: Notice): void {
  inHand.push(notice);
  openLane();
}

/** Sends at once what is due, without waiting for it. */
export function startDelivery(): void {
  asked = true;
  openLane();
}

function openLane(): void {
  if (lanes >= LANES) return; // a lane that has nothing to send looks again
  lanes += 1;
  void lane(false)
    .catch((error: unknown) => log.warn({ err: error }, "sandbox events wait for the next tick"))
    .finally(() => {
      lanes -= 1;
    });
}

/** Sends what becomes due in `ms`; lost with the process, and then the tick does it. */
export function deliverIn(ms: number): void {
  setTimeout(startDelivery, ms).unref();
}

/** Sends all that is due and answers how many notices were sent. The worker calls it every few seconds. */
export async function deliverSandboxEvents(): Promise<number> {
  if (env().PAYMENT_MODE !== "sandbox" || sandboxEventsHeld()) return 0;
  const first = await claim();
  if (!first) return 0;
  const rest = Array.from({ length: LANES - 1 }, () => lane(true));
  await send(first);
  const sent = await Promise.all([lane(true), ...rest]);
  return sent.reduce((sum, count) => sum + count, 1);
}

/** How a notice is sent: once, twice in the same moment, or once more a second later. About one in five is doubled. */
export function copiesOf(eventId: string): { together: number; later: number } {
  const lot = (createHash("sha256").update(eventId).digest()[0] ?? 0) % 10;
  return { together: lot === 0 ? 2 : 1, later: lot === 1 ? 1 : 0 };
}

/** Sends what is in our hand, and what is due when that is wanted; ends when there is nothing left. */
async function lane(looks: boolean): Promise<number> {
  for (let sent = 0, looking = looks; ; ) {
    if (sandboxEventsHeld()) {
      inHand.length = 0; // they will be due again
      return sent;
    }
    looking ||= asked;
    asked = false;
    const notice = inHand.shift() ?? (looking ? await claim() : undefined);
    if (notice) {
      await send(notice);
      sent += 1;
    } else if (!asked && inHand.length === 0) return sent;
  }
}

/** Takes the longest due notice; it is due again by itself should this process die over it. */
async function claim(): Promise<Notice | undefined> {
  const [notice] = await client()<Notice[]>`
    update sandbox_events set attempts = attempts + 1, due_at = shop_now() + make_interval(secs => ${LEASE_SECONDS})
    where id = (
      select id from sandbox_events where due_at <= shop_now() order by due_at limit 1 for update skip locked
    ) returning id, payload, attempts, deliveries`;
  return notice;
}

async function send({ id, payload, attempts, deliveries }: Notice): Promise<void> {
  const body = JSON.stringify(payload);
  const { together, later } = copiesOf(id);
  const answers = await Promise.all(Array.from({ length: deliveries ? 1 : together }, () => post(body)));
  const failed = answers.find((answer) => answer !== "2xx");
  const accepted = answers.filter((answer) => answer === "2xx").length;
  const again = failed ? attempts < MAX_ATTEMPTS : deliveries + accepted < together + later;
  const pause = failed ? Math.min(2 ** (attempts - 1), LONGEST_PAUSE_SECONDS) : 1;
  await client()`
    update sandbox_events set deliveries = deliveries + ${accepted}, last_answer = ${failed ?? "2xx"},
      due_at = case when ${again}::boolean then shop_now() + make_interval(secs => ${pause}) end
    where id = ${id}`;
  if (again) deliverIn(pause * 1000 + 10);
  else if (failed) log.error({ event: id, attempts }, "sandbox event given up");
}

async function post(body: string): Promise<string> {
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload: body,
    secret: env().STRIPE_WEBHOOK_SECRET,
  });
  const receive = sandboxReceiver() ?? postToRoute;
  try {
    const status = await receive(body, signature);
    return status >= 200 && status < 300 ? "2xx" : `HTTP ${status}`;
  } catch (error) {
    return errorSummary(error);
  }
}

/** Forgets notices older than 30 days that nothing more is to be sent of, as Stripe does; for the sweeper. */
export async function forgetOldSandboxEvents(): Promise<void> {
  await db.execute(
    sql`delete from sandbox_events where due_at is null and created_at < shop_now() - interval '30 days'`,
  );
}

/** By hand, over connections that stay: `fetch` costs as much as what it asks for. */
const wire = new Agent({ keepAlive: true, maxSockets: 2 * LANES });

function postToRoute(body: string, signature: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "stripe-signature": signature,
    "user-agent": "Stripe/1.0 (sandbox)",
  };
  const url = `http://localhost:${env().PORT}/api/v1/payment/stripe/webhook`;
  return new Promise((done, fail) => {
    const signal = AbortSignal.timeout(ANSWER_MS);
    request(url, { method: "POST", agent: wire, headers, signal }, (answer) => {
      answer
        .on("error", fail)
        .on("end", () => done(answer.statusCode ?? 0))
        .resume();
    })
      .on("error", fail)
      .end(body);
  });
}
