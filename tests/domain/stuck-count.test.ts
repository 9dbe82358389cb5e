import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createKeys, createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { SendMail } from "@/lib/notifications/contract";
import { enqueue } from "@/lib/platform/jobs/queue";
import { runJobs } from "@/lib/platform/jobs/worker";
import { SealAllAudit } from "@/lib/staff/contract-jobs";
import { listStuck } from "@/lib/staff/stuck/list-stuck";
import { COUNTED_KINDS, type StuckKind } from "@/lib/staff/stuck/rules";
import { getToday } from "@/lib/staff/today/get-today";
import { allJobs } from "@/scripts/work";

let buyer: { id: string; email: string };
let support: StaffUser;
let planId: number;
beforeAll(async () => {
  buyer = await createSignedInUser();
  support = await createStaff({ roles: ["support"] });
  planId = (await createSinglePlan({ keys: 20 })).id;
});
afterAll(closeDatabase);

const listKind = async (kind: StuckKind) => (await listStuck({ kind }, "en")).items;

const HOUR_AGO = sql`shop_now() - interval '1 hour'`;

/** The newest entries of an append-only log, an hour ago and without a seal. */
const addUnsealed = (table: string, columns: string, values: string) =>
  db.execute(
    sql.raw(`insert into ${table} (${columns}, created_at) select ${values}, shop_now() - interval '1 hour'`),
  );

/** One thing of each kind that has been stuck for an hour; each puts one more row on the board. */
const STUCK: Record<Exclude<StuckKind, "mail_failed">, () => Promise<unknown>> = {
  worker: async () => {
    // It is on the board while no worker runs, since the oldest job that is due.
    await enqueue(db, SendMail, { mailId: "mail_none" }, { jobKey: "worker-test" });
  },
  payment_event: () =>
    db.execute(sql`
      insert into webhook_events (id, type, object_id, livemode, payload, created_at)
      values ('evt_today', 'payment_intent.succeeded', 'pi_today', false, '{"payment_intent":"pi_today"}', ${HOUR_AGO})`),
  order: async () => {
    const { id } = await createOrder(buyer, planId, { status: "paid" });
    await db.execute(sql`update orders set paid_at = ${HOUR_AGO} where id = ${id}`);
  },
  stock: async () => {
    const { id: plan } = await createSinglePlan({ keys: 0 });
    const { id, lineId } = await createOrder(buyer, plan, { status: "processing" });
    await db.execute(sql`update orders set paid_at = shop_now() - interval '2 hours' where id = ${id}`);
    await db.execute(
      sql`update order_lines set state = 'waiting', deliver_by = shop_now() + interval '1 day' where id = ${lineId}`,
    );
    await createKeys(plan, 1);
    await db.execute(sql`update keys set created_at = ${HOUR_AGO} where plan_id = ${plan}`);
    await db.execute(sql`alter table key_events disable trigger all`);
    await db.execute(sql`
      update key_events set created_at = ${HOUR_AGO} where key_id in (select id from keys where plan_id = ${plan})`);
    await db.execute(sql`alter table key_events enable trigger all`);
  },
  overdue: async () => {
    const { lineId } = await createOrder(buyer, (await createSinglePlan({ keys: 0 })).id, {
      status: "processing",
    });
    await db.execute(
      sql`update order_lines set state = 'waiting', deliver_by = ${HOUR_AGO} where id = ${lineId}`,
    );
  },
  hold: async () => {
    const { id } = await createOrder(buyer, planId);
    await db.execute(sql`update orders set hold_ends_at = ${HOUR_AGO} where id = ${id}`);
  },
  refund: async () => {
    const { id, lineId } = await createOrder(buyer, planId, { status: "completed" });
    await db.execute(sql`
      insert into refunds (id, order_id, order_line_id, amount_cents, reason, created_at, updated_at)
      values ('ref_today', ${id}, ${lineId}, 1, 'withdrawn', ${HOUR_AGO}, ${HOUR_AGO})`);
  },
  mail_queued: () =>
    db.execute(sql`
      insert into mails (id, event, to_address, locale, refs, dedupe_key, created_at)
      values ('mail_today', 'welcome', 'a@example.com', 'en', '{}', 'mail_today', ${HOUR_AGO})`),
  job: async () => {
    const schema = allJobs.find(({ name }) => name === "sweep-mails")!.schema;
    await enqueue(db, { name: "sweep-mails", schema }, {}, { jobKey: "today-test", maxAttempts: 1 });
    await db.execute(sql`
      select graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs where key = 'today-test'), 'it broke')`);
  },
  reconciliation: () =>
    db.execute(sql`
      insert into reconciliation_reports (day, checked, differences, created_at) values ('2091-01-01', 1,
        '[{"object":"payment","id":"pi_today","kind":"amount","ours":"1","theirs":"2","repaired":false}]', ${HOUR_AGO})`),
  audit_seals: () =>
    addUnsealed("audit_entries", "actor, action, subject", "'system', 'test.entry', 'today'"),
  custody_seals: () =>
    addUnsealed("key_events", "key_id, event, actor", "(select min(id) from keys), 'revealed', 'test'"),
};

/** Kinds with one row for all that is late. */
const ONE_ROW: readonly StuckKind[] = ["worker", "audit_seals", "custody_seals"];

describe("stuck work on the Today page", () => {
  const countToday = async () =>
    (await getToday(support.viewer, { days: 7 })).queues.find(({ queue }) => queue === "stuck")!;
  const listCounted = async () =>
    (await listStuck({}, "en")).items.filter(({ kind }) => COUNTED_KINDS.some((counted) => counted === kind));

  it.each(Object.keys(STUCK) as (keyof typeof STUCK)[])(
    "is counted as the board lists it: %s",
    async (kind) => {
      const before = (await listKind(kind)).length;
      await STUCK[kind]();
      expect(await listKind(kind)).toHaveLength(ONE_ROW.includes(kind) ? 1 : before + 1);
      const listed = await listCounted();
      expect(listed.map((item) => item.kind)).toContain(kind);
      const oldest = listed.map(({ since }) => since).sort()[0];
      expect(await countToday()).toMatchObject({ count: listed.length, more: false, oldest_at: oldest });
    },
  );

  it("counts no running worker and no failed emails, which have their own queue", async () => {
    const before = await countToday();
    await db.execute(sql`
      insert into mails (id, event, to_address, locale, refs, dedupe_key, state, created_at, failed_at)
      values ('mail_today_failed', 'welcome', 'a@example.com', 'en', '{}', 'mail_today_failed', 'failed', ${HOUR_AGO}, ${HOUR_AGO})`);
    expect(await listKind("mail_failed")).toHaveLength(1);
    expect((await countToday()).count).toBe(before.count);
    const worker = await runJobs(allJobs.filter(({ name }) => name === SealAllAudit.name));
    try {
      expect((await countToday()).count).toBe(before.count - 1);
    } finally {
      await worker.stop();
    }
  });
});
