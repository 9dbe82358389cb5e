import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { setClockAhead } from "./sale";

/**
 * Sets the shop's clock to noon of today (UTC), so that no day ends while a test runs. Returns a function that sets it so many
 * days later.
 */
export async function startAtNoon(): Promise<(daysLater: number) => Promise<void>> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from date_trunc('day', now(), 'UTC') + interval '12 hours' - now())::float8 as seconds`);
  const setDay = (daysLater: number) => setClockAhead(`${row!.seconds + daysLater * 86_400} seconds`);
  await setDay(0);
  return setDay;
}
