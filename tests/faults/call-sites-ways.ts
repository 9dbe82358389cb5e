import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { sweepJob } from "@/lib/orders/jobs";
import { decideRefundRequest, requestRefund } from "@/lib/orders/refunds/commands-requests";
import { makeJobsDue } from "../setup/queue";
import * as sale from "../setup/sale";
import { sleep } from "./shopper";
import type { Line } from "./table";

/** Goes through one way of the shop; calls `fail` when the trouble is to begin. Answers what is wrong at its end. */
export type Scenario = (planId: number, fail: () => void, line: Line) => Promise<string | null>;

/** A shopper, or the queue, tries again until it works; the time from the first failure counts as healing. */
export async function insist<T>(line: Line, work: () => Promise<T>): Promise<T> {
  let failedAt = 0;
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await work();
      if (failedAt) line.heals.push(performance.now() - failedAt);
      return result;
    } catch (error) {
      failedAt ||= performance.now();
      if (attempt > 8) throw error;
    }
  }
}

/** The queue, which puts off what failed: here its pause is over at once. */
export const worked = (line: Line) =>
  insist(line, async () => {
    await sale.waitForEvents();
    await makeJobsDue();
    await sale.runQueue();
    await sale.waitForEvents(); // events caused by jobs
    await sale.runQueue();
    // The queue records a failure after it has reported its end.
    for (let tries = 0; tries < 500 && (await jobs("locked_by is not null")); tries++) await sleep(20);
    if (await jobs("last_error is not null")) throw new Error("a job has failed");
  });

const jobs = async (which: string): Promise<boolean> =>
  (await db.execute(sql.raw(`select 1 from graphile_worker.jobs where ${which} limit 1`))).length > 0;

/** The buyer asks for the money of an order's line; who has seen the code is answered by staff. */
export async function giveBack(buyer: sale.Buyer, orderId: string): Promise<void> {
  const [line] = await db.execute<{ id: string }>(
    sql`select id from order_lines where order_id = ${orderId}`,
  );
  const wish = { order_id: orderId, order_product_id: line!.id };
  const { state } = await requestRefund(buyer.viewer, wish, "en");
  if (state !== "asked") return;
  const [asked] = await db.execute<{ id: string }>(
    sql`select id from refund_requests where order_line_id = ${line!.id} and state = 'asked'`,
  );
  await decideRefundRequest(asked!.id, { decision: "approved", by: "staff:trial" });
}

/** The pause before a refund's next try goes by. */
export async function nextRefundTry(orderId: string): Promise<void> {
  await db.execute(
    sql`update refunds set updated_at = shop_now() - interval '5 minutes' where order_id = ${orderId} and state = 'pending'`,
  );
  await sweepJob.run(undefined);
}
