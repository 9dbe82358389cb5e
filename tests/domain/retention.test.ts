import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { deleteExpiredDataJob } from "@/lib/accounts/jobs";
import * as sale from "../setup/sale";

beforeAll(sale.receiveEventsHere);
afterAll(sale.endSale);

const ids = async (table: string) =>
  (await db.execute<{ id: string }>(sql.raw(`select id from ${table} order by id`))).map((row) => row.id);

describe("what is kept of a notice", () => {
  it("is what it was about, without secrets and addresses", async () => {
    const buyer = await sale.newBuyer();
    const { plans } = await createProduct({ plans: [{ keys: 1 }] });
    const { intentId, clientSecret } = await sale.pay(buyer, await sale.orderOf(buyer, plans[0]!.id));
    await sale.eventsArrived();
    const kept = await db.execute<{ object_id: string; payload: object }>(
      sql`select object_id, payload from webhook_events where type = 'payment_intent.succeeded'`,
    );
    expect([...kept]).toEqual([
      { object_id: intentId, payload: { id: intentId, object: "payment_intent", payment_intent: intentId } },
    ]);
    const all = JSON.stringify([...(await db.execute(sql`select * from webhook_events`))]);
    for (const secret of [clientSecret, buyer.email]) expect(all).not.toContain(secret);
  });
});

describe("what is forgotten hourly", () => {
  beforeAll(async () => {
    for (const table of ["webhook_events", "sandbox_events", "verification_codes", "sessions"])
      await db.execute(sql.raw(`delete from ${table}`));
  });

  it("codes after two days", async () => {
    await db.execute(sql`insert into verification_codes (id, email, purpose, code_hash, created_at, expires_at)
      select 'vc_' || age, 'a@example.com', 'register', 'h', shop_now() - make_interval(hours => age), shop_now()
      from unnest(array[47, 49]) as age`);
    await deleteExpiredDataJob.run(undefined);
    expect(await ids("verification_codes")).toEqual(["vc_47"]);
  });

  it("sessions that ended or lapsed 90 days ago", async () => {
    const { id } = await createUser();
    const session = (name: string, expires: string, revoked: string | null) =>
      db.execute(sql`insert into sessions (id, user_id, refresh_hash, device, expires_at, revoked_at) values
        (${name}, ${id}, ${name}, 'd', shop_now() + ${expires}::interval, shop_now() + ${revoked}::interval)`);
    await session("alive", "1 day", null);
    await session("ended lately", "1 day", "-89 days");
    await session("ended long ago", "1 day", "-91 days");
    await session("lapsed lately", "-89 days", null);
    await session("lapsed long ago", "-91 days", null);
    await deleteExpiredDataJob.run(undefined);
    expect(await ids("sessions")).toEqual(["alive", "ended lately", "lapsed lately"]);
  });

  it("notices after 90 days, those of the sandbox after 30 when they are sent", async () => {
    await db.execute(sql`insert into webhook_events (id, type, object_id, livemode, payload, created_at)
      select 'evt_' || age, 't', 'o', false, '{}', shop_now() - make_interval(days => age) from unnest(array[89, 91]) as age`);
    await db.execute(sql`insert into sandbox_events (id, type, payload, due_at, created_at)
      select 'evt_' || age || due, 't', '{}', case when due then shop_now() + interval '1 hour' end, shop_now() - make_interval(days => age)
      from unnest(array[29, 31]) as age, unnest(array[true, false]) as due`);
    await deleteExpiredDataJob.run(undefined);
    expect(await ids("webhook_events")).toEqual(["evt_89"]);
    expect((await ids("sandbox_events")).sort()).toEqual(["evt_29false", "evt_29true", "evt_31true"]);
  });
});
