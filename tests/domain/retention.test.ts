import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { deleteInBatches, deleteOldPartitionRows } from "@/db/retention";
import { rateLimits } from "@/db/schema/requests";
import { deleteExpiredDataJob } from "@/lib/accounts/jobs";
import * as sale from "../setup/sale";

beforeAll(sale.receiveEventsInProcess);
afterAll(sale.closeSale);

const listIds = async (table: string) =>
  (await db.execute<{ id: string }>(sql.raw(`select id from ${table} order by id`))).map((row) => row.id);

describe("a stored webhook event", () => {
  it("contains the ids of its object, without secrets and email addresses", async () => {
    const buyer = await sale.createBuyer();
    const { plans } = await createProduct({ plans: [{ keys: 1 }] });
    const { intentId, clientSecret } = await sale.pay(buyer, await sale.orderPlan(buyer, plans[0]!.id));
    await sale.waitForEvents();
    const events = await db.execute<{ object_id: string; payload: object }>(
      sql`select object_id, payload from webhook_events where type = 'payment_intent.succeeded'`,
    );
    expect([...events]).toEqual([
      { object_id: intentId, payload: { id: intentId, object: "payment_intent", payment_intent: intentId } },
    ]);
    const eventRows = JSON.stringify([...(await db.execute(sql`select * from webhook_events`))]);
    for (const secret of [clientSecret, buyer.email]) expect(eventRows).not.toContain(secret);
  });
});

describe("the hourly deletion", () => {
  beforeAll(async () => {
    for (const table of ["webhook_events", "sandbox_events", "verification_codes", "sessions"])
      await db.execute(sql.raw(`delete from ${table}`));
  });

  it("deletes verification codes after two days", async () => {
    await db.execute(sql`insert into verification_codes (id, email, purpose, code_hash, created_at, expires_at)
      select 'vc_' || age, 'a@example.com', 'register', 'h', shop_now() - make_interval(hours => age), shop_now()
      from unnest(array[47, 49]) as age`);
    await deleteExpiredDataJob.run(undefined);
    expect(await listIds("verification_codes")).toEqual(["vc_47"]);
  });

  it("deletes sessions 90 days after they ended or expired", async () => {
    const { id } = await createUser();
    const insertSession = (name: string, expires: string, revoked: string | null) =>
      db.execute(sql`insert into sessions (id, user_id, refresh_hash, device, expires_at, revoked_at) values
        (${name}, ${id}, ${name}, 'd', shop_now() + ${expires}::interval, shop_now() + ${revoked}::interval)`);
    await insertSession("alive", "1 day", null);
    await insertSession("ended lately", "1 day", "-89 days");
    await insertSession("ended long ago", "1 day", "-91 days");
    await insertSession("expired lately", "-89 days", null);
    await insertSession("expired long ago", "-91 days", null);
    await deleteExpiredDataJob.run(undefined);
    expect(await listIds("sessions")).toEqual(["alive", "ended lately", "expired lately"]);
  });

  it("deletes webhook events after 90 days, and sent events of the sandbox after 30", async () => {
    await db.execute(sql`insert into webhook_events (id, type, object_id, livemode, payload, created_at)
      select 'evt_' || age, 't', 'o', false, '{}', shop_now() - make_interval(days => age) from unnest(array[89, 91]) as age`);
    await db.execute(sql`insert into sandbox_events (id, type, payload, due_at, created_at)
      select 'evt_' || age || due, 't', '{}', case when due then shop_now() + interval '1 hour' end, shop_now() - make_interval(days => age)
      from unnest(array[29, 31]) as age, unnest(array[true, false]) as due`);
    await deleteExpiredDataJob.run(undefined);
    expect(await listIds("webhook_events")).toEqual(["evt_89"]);
    expect((await listIds("sandbox_events")).sort()).toEqual(["evt_29false", "evt_29true", "evt_31true"]);
  });
});

describe("rows due for deletion", () => {
  /** The rows of each statement that deletes. */
  async function countDeleted(run: () => Promise<number>): Promise<{ total: number; batches: number[] }> {
    const execute = db.execute.bind(db);
    const batches: number[] = [];
    const counted = vi.spyOn(db, "execute").mockImplementation((async (query: SQL) => {
      const rows = await execute(query);
      if (toText(query).includes("delete from")) batches.push(rows.length);
      return rows;
    }) as unknown as typeof db.execute);
    try {
      return { total: await run(), batches };
    } finally {
      counted.mockRestore();
    }
  }
  const toText = (query: SQL) => new PgDialect().sqlToQuery(query).sql;

  it("are deleted in batches of 5,000, so that no transaction holds more", async () => {
    await db.execute(sql`insert into rate_limits (bucket, hits, ends_at)
      select 'due ' || n, 1, timestamptz '2020-01-01' + make_interval(secs => n) from generate_series(1, 10001) n`);
    const isDue = sql`ends_at < '2021-01-01'`;
    const deleted = await countDeleted(() => deleteInBatches(rateLimits, isDue, sql`ends_at`));
    expect(deleted).toEqual({ total: 10_001, batches: [5_000, 5_000, 1] });
  });

  it("are also deleted from partitioned tables", async () => {
    await db.execute(sql`delete from visits`);
    await db.execute(sql`insert into visits (path, locale, device_type, created_at)
      select '/', 'en', 'desktop', shop_now() - make_interval(days => 40, secs => n) from generate_series(1, 5001) n`);
    const deleted = await countDeleted(() => deleteOldPartitionRows("visits", 30));
    expect(deleted).toEqual({ total: 5_001, batches: [5_000, 1] });
  });
});
