import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { GET as confirm } from "@/app/api/v1/subscription/confirm/route";
import { POST as subscribe } from "@/app/api/v1/subscription/create/route";
import { POST as unsubscribe } from "@/app/api/v1/subscription/unsubscribe/route";
import { closeDatabase, db } from "@/db/client";
import { confirmToken } from "@/lib/notifications/subscriptions/subscribe";
import { unsubscribeToken } from "@/lib/notifications/subscriptions/unsubscribe";
import { newId } from "@/lib/platform/crypto/ids";
import { call } from "./call";

afterAll(closeDatabase);

it("a subscription is requested, confirmed and ended over the API", async () => {
  const email = `${newId("sub")}@example.com`.toLowerCase();
  const listStates = async () =>
    (await db.execute(sql`select state from subscriptions where email = ${email}`)).map((row) => row.state);
  const requested = await call(subscribe, "/subscription/create", { body: { email } });
  expect([requested.status, requested.body.data, await listStates()]).toEqual([
    200,
    { sent: true },
    ["pending"],
  ]);
  const [row] = await db.execute<{ id: string; asked: string }>(
    sql`select id, (extract(epoch from requested_at) * 1000)::bigint::text as asked from subscriptions where email = ${email}`,
  );
  const token = confirmToken(row!.id, Number(row!.asked));
  const confirmed = await call(confirm, "/subscription/confirm", { query: `token=${token}` });
  expect([confirmed.status, confirmed.body.data]).toEqual([200, { topic: "discounts", email }]);
  expect(await listStates()).toEqual(["confirmed"]);
  const body = { token: unsubscribeToken(email, "discounts") };
  const ended = await call(unsubscribe, "/subscription/unsubscribe", { body });
  expect([ended.status, ended.body.data]).toEqual([200, { state: "ended", topics: ["discounts"] }]);
  expect(await listStates()).toEqual(["ended"]);
});
