import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { closeDatabase, db, transaction } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { queueMail } from "@/lib/notifications/queue-mail";
import { enqueueAssign } from "@/lib/orders/fulfilment/enqueue-assign";
import { env } from "@/lib/platform/env";
import { runJobs } from "@/lib/platform/jobs/worker";
import { allJobs } from "@/scripts/work";

const MAILS = 560;
const ORDERS = 10;

/** A mail provider that answers after `answerMs`, or never. */
let answerMs = 500;
let [accepted, mostRunning] = [0, 0];
const running = new Set<ServerResponse>();
const provider = createServer(async (request, response) => {
  running.add(response);
  response.once("close", () => running.delete(response));
  mostRunning = Math.max(mostRunning, running.size);
  request.resume();
  await wait(answerMs, undefined, { ref: false });
  if (!running.has(response)) return;
  accepted += 1;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ id: `m${accepted}` }));
});
await new Promise<void>((done) => provider.listen(0, "127.0.0.1", done));
Object.assign(env(), {
  MAIL_MODE: "resend",
  RESEND_API_KEY: "re_tests",
  RESEND_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
});

afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await closeDatabase();
});

async function queueMails(prefix: string): Promise<void> {
  await transaction(async (tx) => {
    for (let n = 0; n < MAILS; n += 1) {
      const to = `${prefix}-${n}@example.com`;
      await queueMail(tx, {
        event: "unsubscribe-link",
        to,
        locale: "en",
        refs: { email: to },
        dedupeKey: to,
      });
    }
  });
}

/** Queues the keys of paid orders behind the emails, and waits until all are assigned. */
async function assignOrders(): Promise<void> {
  const { id: plan } = await createSinglePlan({ keys: ORDERS });
  const buyer = await createSignedInUser();
  const orders: string[] = [];
  for (let n = 0; n < ORDERS; n += 1) orders.push((await createOrder(buyer, plan, { status: "paid" })).id);
  await transaction(async (tx) => {
    for (const id of orders) await enqueueAssign(tx, id);
  });
  const countAssigned = async () => {
    const [row] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from keys where plan_id = ${plan} and state = 'assigned'`,
    );
    return row!.n;
  };
  await expect.poll(countAssigned, { timeout: 40_000, interval: 20 }).toBe(ORDERS);
}

// Emails, not milliseconds, are counted, because a busy machine delays both alike.
it.each([
  ["answers after 500 ms", 500, MAILS / 4],
  ["does not answer", 120_000, 0],
])("keys are assigned before the 560 earlier emails while the mail provider %s", async (_name, ms, most) => {
  answerMs = ms;
  await queueMails(`pools-${ms}`);
  const worker = await runJobs(allJobs, 500);
  try {
    await expect.poll(() => running.size, { timeout: 40_000, interval: 10 }).toBe(4);
    const before = accepted;
    await assignOrders();
    console.log(`${ORDERS} orders: keys after ${accepted - before} of ${MAILS} emails`);
    expect(accepted - before).toBeLessThanOrEqual(most);
    expect(mostRunning).toBe(4);
    expect(worker.isRunning()).toBe(true);
  } finally {
    provider.closeAllConnections();
    await worker.stop();
  }
});
