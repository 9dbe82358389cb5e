import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { POST as release } from "@/app/api/v1/admin/keys/withheld/[id]/release/route";
import { POST as revoke } from "@/app/api/v1/admin/keys/withheld/[id]/revoke/route";
import { GET as listWithheld } from "@/app/api/v1/admin/keys/withheld/route";
import { POST as close } from "@/app/api/v1/admin/shop/close/route";
import { POST as open } from "@/app/api/v1/admin/shop/open/route";
import { GET as getShop } from "@/app/api/v1/admin/shop/route";
import { POST as retryQueue } from "@/app/api/v1/admin/stuck/queues/retry/route";
import { GET as listQueues } from "@/app/api/v1/admin/stuck/queues/route";
import { GET as listStuck } from "@/app/api/v1/admin/stuck/route";
import { POST as addToCart } from "@/app/api/v1/cart/add/route";
import { client, db, transaction } from "@/db/client";
import { createKeys, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import type { ConsoleWithheldPlan } from "@/lib/delivery/console/contract-withheld";
import { listConsoleWithheld } from "@/lib/delivery/console/list-console-withheld";
import { moveKeys } from "@/lib/delivery/withheld/move-keys";
import type { Handler } from "@/lib/platform/api/declaration";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopKnownClosed } from "@/lib/platform/process-state";
import { isShopClosed, openShop } from "@/lib/platform/shop-closure";
import { clearQueue } from "../setup/queue";
import { MAX_READ } from "../setup/rows-of-plan";
import { mostRead } from "../setup/rows-read";
import * as sale from "../setup/sale";
import { collectStatements } from "../setup/sent-statements";
import { runStaffCommand } from "../setup/staff";
import { authHeaders, call } from "./call";

let admin: StaffUser;
let support: StaffUser;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  admin = await createStaff({ roles: ["admin"] });
  support = await createStaff({ roles: ["support"] });
});
afterEach(async () => {
  await openShop("staff:test");
});
afterAll(sale.closeSale);

const post = async (handler: Handler, path: string, body: object, by = admin, headers = {}) =>
  (await call(handler, path, { body, headers: { ...authHeaders(by), ...headers } })).body;
const get = async (handler: Handler, path: string, query = "", by = admin) =>
  (await call(handler, path, { query, headers: authHeaders(by) })).body;
const auditOf = async (subject: string, action: string) => [
  ...(await db.execute<{ actor: string; detail: object | null }>(
    sql`select actor, detail from audit_entries where subject = ${subject} and action = ${action} order by id desc`,
  )),
];

const CLOSE = "/admin/shop/close";
const OPEN = "/admin/shop/open";
const reason = "Moving the database.";

it("an administrator closes the shop after previewing the effects, and opens it again", async () => {
  const buyer = await sale.createBuyer();
  const { id, plans } = await createProduct({ plans: [{ keys: 2 }] });
  const add = async () =>
    (
      await call(addToCart, "/cart/add", {
        body: { product_id: id, vip_id: plans[0]!.id },
        headers: authHeaders(buyer),
      })
    ).body.code;
  expect((await get(getShop, "/admin/shop")).data).toEqual({ open: true, closure: null });
  expect((await post(close, CLOSE, { reason, preview: true })).data).toEqual({
    effects: [{ kind: "shop_closed" }],
    result: null,
  });
  expect(await isShopClosed()).toBe(false);
  expect(await add()).toBe("200");

  const key = { "idempotency-key": newId("test") };
  const closed = await post(close, CLOSE, { reason }, admin, key);
  expect(closed.data.result).toMatchObject({ open: false, closure: { reason, by: admin.email } });
  expect((await post(close, CLOSE, { reason }, admin, key)).data).toEqual(closed.data); // the stored answer
  expect(await add()).toBe("50303");
  expect((await post(close, CLOSE, { reason: "Another reason." })).code).toBe("40976");
  expect((await get(getShop, "/admin/shop")).data.closure.reason).toBe(reason);
  expect((await runStaffCommand("shop", "status")).output).toContain(reason);
  expect((await runStaffCommand("shop", "close", "--reason", "other")).output).toContain("closed before");
  expect(await auditOf("shop", "shop_closed")).toEqual([{ actor: admin.id, detail: { reason } }]);
  // No worker runs, and the board says why.
  expect((await get(listStuck, "/admin/stuck", "kind=worker")).data.items).toMatchObject([
    { kind: "worker", why: "shop_closed" },
  ]);

  await clearQueue();
  await client()`select graphile_worker.add_job('waits')`;
  expect((await post(open, OPEN, { preview: true })).data).toEqual({
    effects: [{ kind: "shop_opened", count: 1 }],
    result: null,
  });
  expect(isShopKnownClosed()).toBe(true); // the preview opened nothing
  expect(await add()).toBe("50303");
  expect((await post(open, OPEN, {})).data.result).toEqual({ open: true, closure: null });
  expect(await add()).toBe("200");
  expect((await post(open, OPEN, {})).code).toBe("40976");
  expect(await auditOf("shop", "shop_opened")).toEqual([{ actor: admin.id, detail: null }]);
  await clearQueue();
});

it("closing and opening the shop require an administrator, a reason and a recent reauthentication", async () => {
  for (const [handler, path] of [
    [close, CLOSE],
    [open, OPEN],
  ] as const)
    expect((await post(handler, path, { reason }, support)).code).toBe("40300");
  expect((await get(getShop, "/admin/shop", "", support)).code).toBe("40300");
  expect((await post(close, CLOSE, { reason: "  " })).code).toBe("40000");
  const late = await createStaff({ roles: ["admin"] });
  await db.execute(sql`update sessions set staff_reauthenticated_at = shop_now() - interval '16 minutes'
    where id = ${late.viewer.sessionId}`);
  expect((await post(close, CLOSE, { reason }, late)).code).toBe("40312");
  expect(await isShopClosed()).toBe(false);
});

/** A plan whose codes are withheld, as the check after a restore leaves it. */
async function createWithheld(keys: number): Promise<number> {
  const { id: planId } = await createSinglePlan({ type: "month", keys });
  await transaction((tx) =>
    moveKeys(tx, { planId, state: "available" }, { state: "withheld", actor: "staff:test" }),
  );
  return planId;
}
const listedOf = async (planId: number): Promise<ConsoleWithheldPlan | undefined> => {
  const { data } = await get(listWithheld, "/admin/keys/withheld", "", support);
  return data.items.find(({ vip_id }: { vip_id: number }) => vip_id === planId);
};
/** Decides about the codes as they are listed now. */
const decide = async (handler: Handler, name: string, planId: number, body: object = {}, by = admin) =>
  decideAs(handler, name, planId, { version: (await listedOf(planId))?.version, ...body }, by);
const decideAs = async (handler: Handler, name: string, planId: number, body: object, by = admin) =>
  (
    await call(handler, `/admin/keys/withheld/${planId}/${name}`, {
      params: { id: String(planId) },
      body,
      headers: authHeaders(by),
    })
  ).body;

it("withheld codes are listed, released to waiting orders first, or revoked", async () => {
  const planId = await createWithheld(3);
  const listed = () => listedOf(planId);
  expect(await listed()).toMatchObject({ vip_id: planId, withheld: 3, available: 0, waiting: 0 });
  expect((await decide(release, "release", planId, {}, support)).code).toBe("40300");
  const previewed = await decide(release, "release", planId, { preview: true });
  expect(previewed.data).toEqual({
    effects: [{ kind: "codes", change: "restocked", count: 3 }],
    result: null,
  });
  expect(await sale.countKeysByState(planId)).toEqual({ withheld: 3 });
  const released = await Promise.all([1, 2].map(() => decide(release, "release", planId)));
  expect(released.map(({ code }) => code).sort()).toEqual(["200", "40439"]);
  expect(await sale.countKeysByState(planId)).toEqual({ available: 3 });
  expect(await listed()).toBeUndefined();
  expect(await auditOf(`plan ${planId}`, "keys_restocked")).toEqual([
    { actor: admin.id, detail: { keys: 3 } },
  ]);
  expect((await decide(release, "release", planId, { preview: true })).code).toBe("40439");

  const bad = await createWithheld(2);
  expect((await decide(revoke, "revoke", bad, { preview: true })).data.effects).toEqual([
    { kind: "codes", change: "revoked", count: 2 },
  ]);
  const done = await decide(revoke, "revoke", bad);
  expect(done.data.result).toEqual({ vip_id: bad, state: "revoked", count: 2 });
  expect((await decide(revoke, "revoke", bad)).code).toBe("40439");
  expect(await sale.countKeysByState(bad)).toEqual({ revoked: 2 });
  expect((await runStaffCommand("stock", "withheld")).output).not.toMatch(new RegExp(`^${bad} `, "m"));
  await clearQueue();
});

it("withheld codes are decided only as they were listed", async () => {
  const planId = await createWithheld(2);
  const { version } = (await listedOf(planId))!;
  await createKeys(planId, 1);
  await transaction((tx) =>
    moveKeys(tx, { planId, state: "available" }, { state: "withheld", actor: "staff:test" }),
  );
  for (const seen of [{ version }, {}])
    for (const preview of [true, false])
      for (const [handler, name] of [
        [release, "release"],
        [revoke, "revoke"],
      ] as const)
        expect((await decideAs(handler, name, planId, { ...seen, preview })).code).toBe("40940");
  expect(await sale.countKeysByState(planId)).toEqual({ withheld: 3 });
  expect((await decide(revoke, "revoke", planId)).data.result).toMatchObject({ count: 3 });
});

it("plans with withheld codes are listed page by page, however many codes they have", async () => {
  const planIds: number[] = [];
  for (let n = 0; n < 7; n++) planIds.push((await createSinglePlan({ keys: 1 })).id);
  const [first, ...others] = planIds as [number, ...number[]];
  await createKeys(first, 3_000);
  await db.execute(
    sql`update keys set state = 'withheld' where plan_id in ${planIds} and state = 'available'`,
  );
  await db.execute(sql`analyze keys`);
  const size = { rows: 3, walked: null, counted: true };
  const seen: ConsoleWithheldPlan[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listConsoleWithheld({ cursor }, "en", size);
    expect(page.items.length).toBeLessThanOrEqual(size.rows);
    seen.push(...page.items);
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  const ours = seen.filter(({ vip_id }) => planIds.includes(vip_id));
  expect(ours.map(({ vip_id, withheld, waiting }) => [vip_id, withheld, waiting])).toEqual([
    [first, 100, 0],
    ...others.map((id) => [id, 1, 0]),
  ]);
  expect(await mostRead(() => listConsoleWithheld({}, "en"))).toBeLessThanOrEqual(MAX_READ);
  expect((await get(listWithheld, "/admin/keys/withheld", "cursor=x")).code).toBe("40000");
  const { data } = await get(listWithheld, "/admin/keys/withheld");
  expect([data.total, data.total_exact]).toEqual([seen.length, true]);
  await db.execute(sql`update keys set state = 'revoked' where plan_id in ${planIds}`);
});

it("releasing withheld codes names the orders that get them", async () => {
  const buyer = await sale.createBuyer();
  const { id: planId } = await createSinglePlan({ type: "month", keys: 2 });
  const orderId = await sale.orderPlan(buyer, planId);
  await sale.pay(buyer, orderId);
  await transaction((tx) =>
    moveKeys(tx, { planId, state: "available" }, { state: "withheld", actor: "staff:test" }),
  );
  await transaction((tx) =>
    moveKeys(tx, { planId, state: "reserved" }, { state: "withheld", actor: "staff:test" }),
  );
  await sale.processEvents();
  expect(await sale.getOrderStatus(orderId)).toBe("processing");
  const { data } = await decide(release, "release", planId, { preview: true });
  expect(data.effects).toEqual(
    expect.arrayContaining([
      { kind: "codes", change: "restocked", count: 2 },
      { kind: "codes", change: "assigned", count: 1 },
      { kind: "email", event: "keys", to: buyer.email },
    ]),
  );
  const { data: list } = await get(listWithheld, "/admin/keys/withheld");
  expect(list.items.find(({ vip_id }: { vip_id: number }) => vip_id === planId)).toMatchObject({
    withheld: 2,
    waiting: 1,
  });
  expect((await decide(release, "release", planId)).code).toBe("200");
  await sale.runQueue();
  expect(await sale.getOrderStatus(orderId)).toBe("completed");
  expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, available: 1 });
});

it("the failed jobs of a queue are retried after a preview of their number", async () => {
  const queue = `job-${newId("q")}`.toLowerCase();
  for (let n = 0; n < 2; n++) {
    const [job] = await client()<
      { id: string }[]
    >`select (graphile_worker.add_job(${queue}, max_attempts => 3)).id::text as id`;
    await client()`select graphile_worker.permanently_fail_jobs(array[${job!.id}::bigint], 'Error')`;
  }
  const listed = async () => {
    const { data } = await get(listQueues, "/admin/stuck/queues", "", support);
    return data.items.find((item: { queue: string }) => item.queue === queue);
  };
  expect(await listed()).toEqual({
    queue,
    waiting: 0,
    later: 0,
    active: 0,
    failed: 2,
    oldest_at: expect.stringMatching(/Z$/),
  });
  const catalogue = await createStaff({ roles: ["catalogue"] });
  const PATH = "/admin/stuck/queues/retry";
  expect((await post(retryQueue, PATH, { queue }, catalogue)).code).toBe("40300");
  expect((await post(retryQueue, PATH, { queue, preview: true }, support)).data).toEqual({
    effects: [{ kind: "jobs_retried", count: 2 }],
    result: null,
  });
  expect(await listed()).toMatchObject({ failed: 2 });
  expect((await post(retryQueue, PATH, { queue }, support)).data.result).toEqual({ queue, retried: 2 });
  expect(await listed()).toMatchObject({ failed: 0, waiting: 2 });
  expect((await post(retryQueue, PATH, { queue }, support)).data.result).toEqual({ queue, retried: 0 });
  expect(await auditOf(queue, "jobs.retried")).toEqual([{ actor: support.id, detail: { jobs: 2 } }]);
  await clearQueue();
});

it("many failed jobs are retried in batches within the time of one job", async () => {
  const queue = `job-${newId("q")}`.toLowerCase();
  await client()`select count(graphile_worker.add_job(${queue}, max_attempts => 3)) from generate_series(1, 2300)`;
  await client()`select count(j) from graphile_worker.permanently_fail_jobs(
    array(select id from graphile_worker.jobs where task_identifier = ${queue}), 'Error') j`;
  expect(retryQueue.declaration.takesLong).toBe(true);
  const statements = await collectStatements(async () => {
    const { data } = await post(retryQueue, "/admin/stuck/queues/retry", { queue }, support);
    expect(data.result).toEqual({ queue, retried: 2300 });
  });
  const parts = statements.filter(({ text }) => text.includes("reschedule_jobs("));
  expect(parts.map(({ values }) => String(values[0]).split(",").length)).toEqual([1000, 1000, 300]);
  expect(await auditOf(queue, "jobs.retried")).toEqual([{ actor: support.id, detail: { jobs: 2300 } }]);
  await clearQueue();
});
