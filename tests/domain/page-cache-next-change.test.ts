import { afterAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { findNextChange } from "@/lib/platform/page-cache/next-change";

afterAll(closeDatabase);

/** Minutes until the next change. */
const minutesLeft = async () => ((await findNextChange())! - performance.now()) / 60_000;

it("cached pages are valid until the next day, deal or key expiry begins, whichever is first", async () => {
  const untilMidnight = async () => {
    const [clock] = await client()<{ minutes: number }[]>`
      select extract(epoch from date_trunc('day', shop_now() + interval '1 day', 'UTC') - shop_now())::float / 60 as minutes`;
    return clock!.minutes;
  };
  expect(await minutesLeft()).toBeCloseTo(await untilMidnight(), 0);
  const plan = await createSinglePlan({ keys: 1, deal: {} });
  await client()`update deals set ends_at = shop_now() + interval '20 minutes' where plan_id = ${plan.id}`;
  expect(await minutesLeft()).toBeCloseTo(Math.min(20, await untilMidnight()), 0);
  await client()`update keys set redeem_by = shop_now() + interval '14 days 10 minutes' where plan_id = ${plan.id}`;
  expect(await minutesLeft()).toBeCloseTo(Math.min(10, await untilMidnight()), 0);
});
