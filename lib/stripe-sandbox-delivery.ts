import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import Stripe from "stripe";
import { db } from "@/db/client";
import { env } from "./env";
import { log } from "./log";
import { reasonOf } from "./reason";
import { sandboxEventsHeld, sandboxReceiver } from "./stripe-sandbox-faults";

/**
 * Posts the sandbox's notices to the shop's own webhook, signed, at least once, and some of them twice. When a
 * notice is due is stored, so a killed process loses none: the worker's tick sends what is left.
 */
const LANES = 6;
const LEASE_SECONDS = 30;
const ANSWER_MS = 15_000;
const MAX_ATTEMPTS = 60;
const LONGEST_PAUSE_SECONDS = 60;

type Due = { id: string; payload: unknown; attempts: number; deliveries: number };

let lanes = 0;
let asked = false;

/** Sends at once what is due, without waiting for it. */
export function startDelivery(): void {
  asked = true;
  if (lanes >= LANES) return; // a lane that finds nothing looks again when it was asked meanwhile
  lanes += 1;
  void lane()
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
  const rest = Array.from({ length: LANES - 1 }, lane);
  await send(first);
  const sent = await Promise.all([lane(), ...rest]);
  return sent.reduce((sum, count) => sum + count, 1);
}

/** How a notice is sent: once, twice in the same moment, or once more a second later. About one in five is doubled. */
export function copiesOf(eventId: string): { together: number; later: number } {
  const lot = (createHash("sha256").update(eventId).digest()[0] ?? 0) % 10;
  return { together: lot === 0 ? 2 : 1, later: lot === 1 ? 1 : 0 };
}

async function lane(): Promise<number> {
  for (let sent = 0; ; ) {
    if (sandboxEventsHeld()) return sent;
    asked = false;
    const event = await claim();
    if (event) {
      await send(event);
      sent += 1;
    } else if (!asked) return sent;
  }
}

/** Takes the longest due notice; it is due again by itself should this process die over it. */
async function claim(): Promise<Due | undefined> {
  const [event] = await db.execute<Due>(sql`
    update sandbox_events set attempts = attempts + 1, due_at = shop_now() + make_interval(secs => ${LEASE_SECONDS})
    where id = (
      select id from sandbox_events where due_at <= shop_now() order by due_at limit 1 for update skip locked
    ) returning id, payload, attempts, deliveries`);
  return event;
}

async function send({ id, payload, attempts, deliveries }: Due): Promise<void> {
  const body = JSON.stringify(payload);
  const { together, later } = copiesOf(id);
  const answers = await Promise.all(Array.from({ length: deliveries ? 1 : together }, () => post(body)));
  const failed = answers.find((answer) => answer !== "2xx");
  const accepted = answers.filter((answer) => answer === "2xx").length;
  const again = failed ? attempts < MAX_ATTEMPTS : deliveries + accepted < together + later;
  const pause = failed ? Math.min(2 ** (attempts - 1), LONGEST_PAUSE_SECONDS) : 1;
  await db.execute(sql`
    update sandbox_events set deliveries = deliveries + ${accepted}, last_answer = ${failed ?? "2xx"},
      due_at = case when ${again}::boolean then shop_now() + make_interval(secs => ${pause}) end
    where id = ${id}`);
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
    return reasonOf(error);
  }
}

/** Forgets notices older than 30 days that nothing more is to be sent of, as Stripe does; for the sweeper. */
export async function forgetOldSandboxEvents(): Promise<void> {
  await db.execute(
    sql`delete from sandbox_events where due_at is null and created_at < shop_now() - interval '30 days'`,
  );
}

async function postToRoute(body: string, signature: string): Promise<number> {
  const answer = await fetch(`http://localhost:${env().PORT}/api/v1/payment/stripe/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "stripe-signature": signature,
      "user-agent": "Stripe/1.0 (sandbox)",
    },
    body,
    redirect: "manual",
    cache: "no-store",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await answer.arrayBuffer();
  return answer.status;
}
