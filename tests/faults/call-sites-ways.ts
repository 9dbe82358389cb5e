import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import * as sale from "../setup/sale";
import type { Line } from "./table";

/** Goes through one way of the shop; calls `fail` when the trouble is to begin. Answers what is wrong at its end. */
export type Scenario = (planId: number, fail: () => void, line: Line) => Promise<string | null>;

/** A shopper, or the queue, tries again until it works; the time from the first failure counts as healing. */
export async function insist<T>(line: Line, work: () => Promise<T>): Promise<T> {
  let failedAt = 0;
  for (let turn = 0; ; turn++) {
    try {
      const result = await work();
      if (failedAt) line.heals.push(performance.now() - failedAt);
      return result;
    } catch (error) {
      failedAt ||= performance.now();
      if (turn > 8) throw error;
    }
  }
}

/** The queue, which puts off what failed: here its pause is over at once. */
export const worked = (line: Line) =>
  insist(line, async () => {
    await sale.eventsArrived();
    await db.execute(
      sql`update graphile_worker._private_jobs set run_at = now(), last_error = null where last_error is not null`,
    );
    await sale.runQueue();
  });
