import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POST as approveApplication } from "@/app/api/v1/admin/applications/[id]/approve/route";
import { POST as refuseApplication } from "@/app/api/v1/admin/applications/[id]/refuse/route";
import { GET as listApplications } from "@/app/api/v1/admin/applications/route";
import { GET as listAudit } from "@/app/api/v1/admin/audit/route";
import { GET as listCustomers } from "@/app/api/v1/admin/customers/route";
import { GET as getEvidence } from "@/app/api/v1/admin/disputes/[id]/evidence/route";
import { GET as listDisputes } from "@/app/api/v1/admin/disputes/route";
import { POST as withdrawBatch } from "@/app/api/v1/admin/keys/batches/[id]/withdraw/route";
import { POST as sendAgain } from "@/app/api/v1/admin/mails/[id]/again/route";
import { POST as dismiss } from "@/app/api/v1/admin/mails/[id]/dismiss/route";
import { GET as listMails } from "@/app/api/v1/admin/mails/route";
import { POST as replaceOfOrder } from "@/app/api/v1/admin/orders/[id]/replace/route";
import { POST as approve } from "@/app/api/v1/admin/replacements/[id]/approve/route";
import { POST as refuse } from "@/app/api/v1/admin/replacements/[id]/refuse/route";
import { GET as listReplacements } from "@/app/api/v1/admin/replacements/route";
import { POST as hide } from "@/app/api/v1/admin/reviews/[id]/hide/route";
import { POST as show } from "@/app/api/v1/admin/reviews/[id]/show/route";
import { GET as listReviews } from "@/app/api/v1/admin/reviews/route";
import { POST as retryStuck } from "@/app/api/v1/admin/stuck/retry/route";
import { GET as listStuck } from "@/app/api/v1/admin/stuck/route";
import { db } from "@/db/client";
import { createKeys, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createKeyBatch, createMerchant } from "@/db/factories/merchants";
import { createOrder } from "@/db/factories/orders";
import { setReviews } from "@/db/factories/reviews";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { MASKED_CODE } from "@/lib/delivery/rules";
import { withdrawBatch as withdrawKeyBatch } from "@/lib/merchants/key-files/withdraw-batch";
import { registerBusiness } from "@/lib/merchants/register-business";
import { countFailedMails } from "@/lib/notifications/console/list-console-mails";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import type { Handler } from "@/lib/platform/api/declaration";
import { Lane, RefusedPicture } from "@/lib/platform/drawing-process";
import { isComplete } from "@/tests/setup/rounds";
import { clearQueue } from "../setup/queue";
import * as sale from "../setup/sale";
import { disputeSandboxPayment } from "../setup/sandbox-bank";
import { seenKey, seenReplacement } from "../setup/seen";
import { clearSandboxFaults, failSandbox } from "../setup/stripe-faults";
import { authHeaders, type CallResult, call } from "./call";

let buyer: sale.Buyer;
let support: StaffUser;
let finance: StaffUser;
let admin: StaffUser;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
  support = await createStaff({ roles: ["support"] });
  finance = await createStaff({ roles: ["finance"] });
  admin = await createStaff({ roles: ["admin"] });
});
beforeEach(() => sale.setClockAhead("0"));
afterAll(sale.closeSale);

const post = (handler: Handler, path: string, id: string, body: object = {}, by: StaffUser = support) =>
  call(handler, path.replace("{id}", id), { params: { id }, body, headers: authHeaders(by) });
const get = (handler: Handler, path: string, query = "", by: StaffUser = support) =>
  call(handler, path, { query, headers: authHeaders(by) });
const codes = (answers: CallResult[]) => answers.map(({ body }) => body.code).sort();
const countAudit = async (action: string, subject: string) => {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from audit_entries where action = ${action} and subject = ${subject}`,
  );
  return row!.n;
};

async function sellKeys(keys: number, quantity = 1) {
  const plan = await createSinglePlan({ type: "month", keys });
  const orderId = await sale.sell(buyer, plan.id, quantity);
  const rows = await db.execute<{ id: string; line: string }>(sql`
    select k.id, k.order_line_id as line from keys k where plan_id = ${plan.id} and state = 'assigned' order by slot`);
  return { planId: plan.id, orderId, keyIds: rows.map(({ id }) => id), lineId: rows[0]!.line };
}

async function askReplacement(keyId: string, reason = "The vendor says it is used."): Promise<string> {
  await requestReplacement(buyer.viewer, { library_id: keyId, reason });
  const [row] = await db.execute<{ id: string }>(
    sql`select id from replacement_requests where key_id = ${keyId} and state = 'asked'`,
  );
  return row!.id;
}

async function openDispute(
  orderId: string,
  status: Parameters<typeof disputeSandboxPayment>[1] = "needs_response",
) {
  const [row] = await db.execute<{ id: string }>(
    sql`select transaction_id as id from orders where id = ${orderId}`,
  );
  const id = await disputeSandboxPayment(row!.id, status);
  await sale.processEvents();
  return id!;
}

const APPROVE = "/admin/replacements/{id}/approve";
const REFUSE = "/admin/replacements/{id}/refuse";

/** A decision as the console sends it. */
const decide = async (
  handler: Handler,
  path: string,
  id: string,
  body: object = {},
  by: StaffUser = support,
) => post(handler, path, id, { ...(await seenReplacement(id)), ...body }, by);

describe("replacement requests", () => {
  it("are listed by age with what helps to decide, and with codes masked", async () => {
    const { keyIds, orderId, planId } = await sellKeys(2);
    const { code } = await revealKey(buyer.viewer, { library_id: keyIds[0]! });
    const first = await askReplacement(keyIds[0]!, `My code ${code.toLowerCase()}, bought today, fails.`);
    const { keyIds: others } = await sellKeys(2);
    const second = await askReplacement(others[0]!);
    const { body } = await get(listReplacements, "/admin/replacements");
    const items: Record<string, unknown>[] = body.data.items.filter(
      ({ email }: { email: string }) => email === buyer.email,
    );
    expect(items.map(({ request_id }) => request_id)).toEqual([first, second]);
    expect(items[0]).toMatchObject({
      order_id: orderId,
      vip_id: planId,
      key_id: keyIds[0],
      reason: `My code ${MASKED_CODE}, bought today, fails.`,
      stock: 1,
      earlier: 0,
      shown: 2,
      blocked_by: null,
    });
    expect(items[1]).toMatchObject({ earlier: 1, earlier_approved: 0 });
    for (const id of [first, second])
      expect((await decide(refuse, REFUSE, id, { reason: "It works." })).body.code).toBe("200");
    const decided = await get(
      listReplacements,
      "/admin/replacements",
      `state=refused&customer_id=${buyer.id}`,
    );
    expect(decided.body.data.items).toMatchObject([
      { request_id: second, decided_by: support.email },
      { request_id: first },
    ]);
    expect((await get(listReplacements, "/admin/replacements", "cursor=x")).body.code).toBe("40000");
    await sale.runQueue();
  });

  it("get one decision when two people decide at the same time, and the slower person learns of it", async () => {
    for (let round = 0; round < 4; round++) {
      const { keyIds, planId } = await sellKeys(3);
      const id = await askReplacement(keyIds[0]!);
      const seen = await seenReplacement(id);
      const answers = await Promise.all([
        post(approve, APPROVE, id, seen),
        post(approve, APPROVE, id, seen, finance),
        post(refuse, REFUSE, id, { reason: "It works.", ...seen }, admin),
      ]);
      expect(codes(answers)).toEqual(["200", "40990", "40990"]);
      const [row] = await db.execute<{ state: string; by: string }>(
        sql`select state, decided_by as by from replacement_requests where id = ${id}`,
      );
      const winner = [support, finance, admin][answers.findIndex(({ body }) => body.code === "200")]!;
      expect(row).toEqual({ state: winner === admin ? "refused" : "approved", by: winner.id });
      const states = await sale.countKeysByState(planId);
      expect(states).toEqual(
        winner === admin ? { assigned: 1, available: 2 } : { assigned: 1, revoked: 1, available: 1 },
      );
      await sale.runQueue();
    }
  });

  it("preview what an approval will do, and then do exactly that", async () => {
    const { keyIds, planId } = await sellKeys(2);
    const id = await askReplacement(keyIds[0]!);
    const { body } = await decide(approve, APPROVE, id, { preview: true });
    expect(body.data).toEqual({
      effects: [
        { kind: "codes", change: "reserved", count: 1 },
        { kind: "codes", change: "assigned", count: 1 },
        { kind: "codes", change: "revoked", count: 1 },
        { kind: "email", event: "keys", to: buyer.email },
      ],
      result: null,
    });
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, available: 1 });
    const before = (await findMailboxMails(buyer.email))!.length;
    expect((await decide(approve, APPROVE, id)).body.data.result.state).toBe("approved");
    await sale.runQueue();
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, revoked: 1 });
    expect((await findMailboxMails(buyer.email))!.length).toBe(before + 1);
  });

  it("are decided only as they were listed: not if the code has been shown since", async () => {
    const { keyIds, orderId } = await sellKeys(2);
    const id = await askReplacement(keyIds[0]!);
    const seen = await seenReplacement(id);
    await revealKey(buyer.viewer, { library_id: keyIds[0]! });
    for (const version of [seen.version, undefined]) {
      expect((await post(approve, APPROVE, id, { version })).body.code).toBe("40940");
      expect((await post(refuse, REFUSE, id, { version, reason: "It works." })).body.code).toBe("40940");
    }
    expect((await seenReplacement(id)).version).toBeDefined();
    for (const action of ["replacement_approved", "replacement_refused"])
      expect(await countAudit(action, orderId)).toBe(0);
    expect((await decide(refuse, REFUSE, id, { reason: "It works." })).body.code).toBe("200");
    expect(await countAudit("replacement_refused", orderId)).toBe(1);
    await sale.runQueue();
  });

  it("name what blocks an approval: no code, a refund, a dispute", async () => {
    const { keyIds, planId, orderId, lineId } = await sellKeys(1);
    const id = await askReplacement(keyIds[0]!);
    const blockedBy = async () => {
      const { body } = await get(listReplacements, "/admin/replacements", `customer_id=${buyer.id}`);
      return body.data.items.find((item: { request_id: string }) => item.request_id === id).blocked_by;
    };
    expect(await blockedBy()).toBe("no_stock");
    expect((await decide(approve, APPROVE, id)).body.code).toBe("40991");
    await createKeys(planId, 1);
    await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: lineId }, "en");
    expect(await blockedBy()).toBe("refund_requested");
    expect((await decide(approve, APPROVE, id)).body.code).toBe("40992");
    await openDispute(orderId);
    expect(await blockedBy()).toBe("disputed");
    expect((await decide(approve, APPROVE, id, { preview: true })).body.code).toBe("40992");
    expect((await decide(approve, APPROVE, "rpl_none")).body.code).toBe("40490");
    expect((await decide(refuse, REFUSE, "rpl_none", { reason: "x" })).body.code).toBe("40490");
    expect((await decide(refuse, REFUSE, id, { reason: "Disputed." })).body.code).toBe("200");
    await clearQueue();
  });

  it("never mail an activation code as a reason", async () => {
    const { keyIds } = await sellKeys(2);
    const { code } = await revealKey(buyer.viewer, { library_id: keyIds[0]! });
    const id = await askReplacement(keyIds[0]!);
    expect((await decide(refuse, REFUSE, id, { reason: `${code} works.` })).body.message).toContain("code");
    expect((await decide(refuse, REFUSE, id, { reason: " " })).status).toBe(400);
    expect((await decide(refuse, REFUSE, id, { reason: "It works." })).body.code).toBe("200");
    await sale.runQueue();
  });
});

const REPLACE = "/admin/orders/{id}/replace";
const REASON = "The customer sent a picture: already used.";

describe("a replacement requested by staff", () => {
  it("waits in the same queue, and is decided by someone else", async () => {
    const { keyIds, orderId, planId } = await sellKeys(2);
    const [keyId] = keyIds as [string];
    const body = { key_id: keyId, reason: REASON, ...(await seenKey(orderId, keyId)) };
    for (const version of ["0123456789abcdef", undefined])
      expect((await post(replaceOfOrder, REPLACE, orderId, { ...body, version })).body.code).toBe("40940");
    const previewed = await post(replaceOfOrder, REPLACE, orderId, { ...body, preview: true });
    expect(previewed.body.data).toEqual({ effects: [{ kind: "replacement_asked" }], result: null });
    expect(await countAudit("replacement.requested", orderId)).toBe(0);
    const asked = await Promise.all(
      [support, finance, support].map((by) => post(replaceOfOrder, REPLACE, orderId, body, by)),
    );
    expect(codes(asked)).toEqual(["200", "40931", "40931"]);
    const { request_id: id } = asked.find((answer) => answer.body.code === "200")!.body.data.result;
    const [row] = await db.execute<{ user_id: string; asked_by: string }>(
      sql`select user_id, asked_by from replacement_requests where id = ${id}`,
    );
    const asking = asked[0]!.body.code === "200" || asked[2]!.body.code === "200" ? support : finance;
    const other = asking === support ? finance : support;
    expect(row).toEqual({ user_id: buyer.id, asked_by: asking.id });
    const itemFor = async (by: StaffUser) => {
      const list = await get(listReplacements, "/admin/replacements", `customer_id=${buyer.id}`, by);
      return list.body.data.items.find((item: { request_id: string }) => item.request_id === id);
    };
    expect(await itemFor(asking)).toMatchObject({ asked_by: asking.email, blocked_by: "own_request" });
    expect(await itemFor(other)).toMatchObject({ reason: REASON, blocked_by: null, batch_id: null });
    for (const preview of [true, false]) {
      expect((await decide(approve, APPROVE, id, { preview }, asking)).body.code).toBe("40987");
      expect((await decide(refuse, REFUSE, id, { reason: "No.", preview }, asking)).body.code).toBe("40987");
    }
    const byHand = db.execute(
      sql`update replacement_requests set state = 'refused', decided_by = asked_by, decided_at = shop_now() where id = ${id}`,
    );
    await expect(byHand).rejects.toThrow();
    expect((await decide(approve, APPROVE, id, {}, other)).body.data.result.state).toBe("approved");
    await sale.runQueue();
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, revoked: 1 });
    expect(await countAudit("replacement.requested", orderId)).toBe(1);
  });

  it("follows the rules of the buyer's own request", async () => {
    const { keyIds, orderId, lineId } = await sellKeys(2);
    const [keyId] = keyIds as [string];
    const ask = async (more: object, order = orderId) =>
      (await post(replaceOfOrder, REPLACE, order, { key_id: keyId, reason: REASON, ...more })).body.code;
    expect(await ask({}, "ord_none")).toBe("40402");
    const { orderId: otherOrder } = await sellKeys(1);
    expect(await ask({}, otherOrder)).toBe("40407");
    expect(await ask({ key_id: "key_none" })).toBe("40407");
    expect(await ask({ reason: " " })).toBe("40000");
    const { code } = await revealKey(buyer.viewer, { library_id: keyId });
    const quoting = await post(replaceOfOrder, REPLACE, orderId, { key_id: keyId, reason: `${code} fails` });
    expect([quoting.status, quoting.body.message]).toEqual([400, expect.stringContaining("code")]);
    await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: lineId }, "en");
    expect(await ask({})).toBe("40913");
    await clearQueue();
  });

  it("is not decided by the owner of the code", async () => {
    const own = await createStaff({ roles: ["support"] });
    const plan = await createSinglePlan({ type: "month", keys: 2 });
    const orderId = await sale.sell(own, plan.id);
    const [key] = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${plan.id} and state = 'assigned'`,
    );
    const body = { key_id: key!.id, reason: REASON, ...(await seenKey(orderId, key!.id)) };
    const { request_id: id } = (await post(replaceOfOrder, REPLACE, orderId, body)).body.data.result;
    expect((await decide(approve, APPROVE, id, {}, own)).body.code).toBe("40987");
    expect((await decide(refuse, REFUSE, id, { reason: "No." }, finance)).body.code).toBe("200");
    await sale.runQueue();
  });
});

describe("a bad batch", () => {
  const WITHDRAW = "/admin/keys/batches/{id}/withdraw";
  const withdraw = (batchId: string, body: object, by: StaffUser = admin) =>
    post(withdrawBatch, WITHDRAW, batchId, body, by);

  it("loses its unsold codes for good after its numbers were shown", async () => {
    const merchant = await createMerchant();
    const product = await createProduct({ merchantId: merchant.id, plans: [{ type: "month" }] });
    const planId = product.plans[0]!.id;
    const batch = await createKeyBatch(merchant, planId, 5);
    await sale.sell(buyer, planId, 2);
    await sale.orderPlan(buyer, planId);
    const sold = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} and state = 'assigned' order by slot`,
    );
    const [id, second] = [await askReplacement(sold[0]!.id), await askReplacement(sold[1]!.id)];
    const { body } = await get(listReplacements, "/admin/replacements", `customer_id=${buyer.id}`);
    const item = body.data.items.find(({ request_id }: { request_id: string }) => request_id === id);
    expect(item).toMatchObject({ batch_id: batch.id, batch_name: "keys.csv", batch_requests: 2 });
    // Refused requests are not counted, and a decided one shows no number.
    expect((await decide(refuse, REFUSE, second, { reason: "It works." })).body.code).toBe("200");
    const decided = await get(
      listReplacements,
      "/admin/replacements",
      `state=refused&customer_id=${buyer.id}`,
    );
    expect(
      decided.body.data.items.find(({ request_id }: { request_id: string }) => request_id === second),
    ).toMatchObject({ batch_id: batch.id, batch_name: "keys.csv", batch_requests: null });
    const about = { request_id: id };
    expect((await withdraw(batch.id, about, support)).body.code).toBe("40300");
    const previewed = await withdraw(batch.id, { ...about, preview: true });
    const numbers = { batch_id: batch.id, withdrawn: 2, reserved: 1, undo_until: null };
    expect(previewed.body.data).toEqual({ ...numbers, preview: true });
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 2, reserved: 1, available: 2 });
    expect(await countAudit("key_batch.withdrawn", batch.id)).toBe(0);
    const { data } = (await withdraw(batch.id, about)).body;
    expect(data).toEqual({ ...numbers, preview: false });
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 2, reserved: 1, revoked: 2 });
    expect((await withdraw(batch.id, about)).body.data.withdrawn).toBe(0);
    const entries = await db.execute(
      sql`select actor, action, detail from audit_entries where subject = ${batch.id}`,
    );
    const detail = { requestId: id, withdrawn: 2 };
    expect([...entries]).toEqual([{ actor: admin.id, action: "key_batch.withdrawn", detail }]);
    await db.execute(sql`update key_batches set state = 'running', ended_at = null where id = ${batch.id}`);
    for (const preview of [true, false])
      expect((await withdraw(batch.id, { ...about, preview })).body.code).toBe("40963");
    await clearQueue();
  });

  it("keeps its codes when the audit log cannot be written", async () => {
    const merchant = await createMerchant();
    const product = await createProduct({ merchantId: merchant.id, plans: [{ type: "month" }] });
    const planId = product.plans[0]!.id;
    const batch = await createKeyBatch(merchant, planId, 3);
    await sale.sell(buyer, planId);
    const [sold] = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} and state = 'assigned'`,
    );
    const about = { request_id: await askReplacement(sold!.id), preview: false };
    await db.execute(sql`
      create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'the audit log is full'; end $$`);
    await db.execute(sql`
      create trigger refuse_entry before insert on audit_entries for each row
      when (new.action = 'key_batch.withdrawn') execute function refuse_entry()`);
    try {
      await expect(withdrawKeyBatch(admin.viewer, batch.id, about)).rejects.toThrow();
    } finally {
      await db.execute(sql`drop function refuse_entry cascade`);
    }
    expect(await sale.countKeysByState(planId)).toEqual({ assigned: 1, available: 2 });
    const [written] = await db.execute<{ n: number }>(sql`
      select (select count(*) from audit_entries where subject = ${batch.id} and action = 'key_batch.withdrawn')::int
        + (select count(*) from key_events e join keys k on k.id = e.key_id where k.batch_id = ${batch.id} and e.event = 'revoked')::int as n`);
    expect(written!.n).toBe(0);
    expect(await withdrawKeyBatch(admin.viewer, batch.id, about)).toMatchObject({
      withdrawn: 2,
      reserved: 0,
    });
    await clearQueue();
  });

  it("is withdrawn only from a request about one of its own codes", async () => {
    const merchant = await createMerchant();
    const product = await createProduct({ merchantId: merchant.id, plans: [{ type: "month" }] });
    const batch = await createKeyBatch(merchant, product.plans[0]!.id, 1);
    const { keyIds } = await sellKeys(1);
    const other = await askReplacement(keyIds[0]!);
    for (const preview of [true, false]) {
      for (const request_id of ["rpl_none", other])
        expect((await withdraw(batch.id, { request_id, preview })).body.code).toBe("40490");
      expect((await withdraw("kb_none", { preview })).body.code).toBe("40437");
    }
    expect(await sale.countKeysByState(product.plans[0]!.id)).toEqual({ available: 1 });
    await clearQueue();
  });
});

describe("disputes", () => {
  it("are listed by the day the evidence is due", async () => {
    const { orderId } = await sellKeys(1);
    const id = await openDispute(orderId);
    const { orderId: laterOrder } = await sellKeys(1);
    const later = await openDispute(laterOrder);
    await db.execute(
      sql`update disputes set evidence_due_at = evidence_due_at + interval '1 day' where id = ${later}`,
    );
    const { body } = await get(listDisputes, "/admin/disputes");
    const items: { dispute_id: string }[] = body.data.items;
    const ids = items.map(({ dispute_id }) => dispute_id);
    expect(ids.indexOf(id)).toBeLessThan(ids.indexOf(later));
    const [row] = await db.execute<{ days: number }>(
      sql`select round(extract(epoch from evidence_due_at - created_at) / 86400)::int as days from disputes where id = ${id}`,
    );
    expect(row!.days).toBe(9);
    expect(items.find(({ dispute_id }) => dispute_id === id)).toMatchObject({
      order_id: orderId,
      status: "needs_response",
      reason: "product_not_received",
      is_open: true,
      email: buyer.email,
    });
    await openDispute(orderId, "won");
    const closed = await get(listDisputes, "/admin/disputes", "state=closed");
    expect(closed.body.data.items[0]).toMatchObject({ dispute_id: id, is_open: false, status: "won" });
    expect((await get(listDisputes, "/admin/disputes", "cursor=x")).body.code).toBe("40000");
  });

  it("have an evidence file, every download of which is recorded", async () => {
    const { orderId } = await sellKeys(1);
    const id = await openDispute(orderId);
    const languages = isComplete ? ["en", "zh", "ja"] : ["en"];
    for (const language of languages) {
      const request = new Request(`http://localhost:3000/api/v1/admin/disputes/${id}/evidence`, {
        headers: { host: "localhost:3000", ...authHeaders(finance, language) },
      });
      const response = await getEvidence(request, { params: Promise.resolve({ id }) });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/pdf"]);
      expect(response.headers.get("content-disposition")).toMatch(
        /^attachment; filename="evidence-PL-[\w.-]+\.pdf"$/,
      );
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe("%PDF-");
    }
    vi.spyOn(Lane.prototype, "draw").mockRejectedValueOnce(new RefusedPicture("complex"));
    const busy = await call(getEvidence, `/admin/disputes/${id}/evidence`, {
      params: { id },
      headers: authHeaders(finance),
    });
    expect([busy.status, busy.body.code]).toEqual([503, "50306"]);
    expect(await countAudit("dispute.evidence", id)).toBe(languages.length);
    const unknown = await call(getEvidence, "/admin/disputes/du_none/evidence", {
      params: { id: "du_none" },
      headers: authHeaders(finance),
    });
    expect(unknown.body.code).toBe("40491");
  });
});

const AGAIN = "/admin/mails/{id}/again";
const findMail = async (orderId: string, event = "keys") => {
  const [mail] = await db.execute<{ id: string; state: string }>(sql`
    select id, state from mails where event = ${event} and refs->>'orderId' = ${orderId} order by created_at desc, id limit 1`);
  return mail!;
};

it("a failed email that can never be sent is dismissed once, with a reason", async () => {
  const DISMISS = "/admin/mails/{id}/dismiss";
  const { orderId } = await sellKeys(1);
  const { id } = await findMail(orderId);
  const reason = "The address does not exist.";
  expect((await post(dismiss, DISMISS, id, { reason })).body.code).toBe("40940"); // it has not failed
  await db.execute(
    sql`update mails set state = 'failed', failed_at = shop_now(), sent_at = null where id = ${id}`,
  );
  const before = await countFailedMails();
  expect((await post(dismiss, DISMISS, id, {})).body.code).toBe("40000");
  expect((await post(dismiss, DISMISS, id, { reason, preview: true })).body.code).toBe("200");
  expect((await countFailedMails()).count).toBe(before.count);
  const answers = await Promise.all(
    [support, finance].map((by) => post(dismiss, DISMISS, id, { reason }, by)),
  );
  expect(codes(answers).sort()).toEqual(["200", "40940"]);
  expect((await countFailedMails()).count).toBe(before.count - 1);
  expect(await countAudit("mail.dismissed", id)).toBe(1);
  expect((await post(dismiss, DISMISS, "mail_none", { reason })).status).toBe(404);
});

describe("resending an email", () => {
  it("sends it once with the same codes, however many people press", async () => {
    const { orderId, keyIds } = await sellKeys(2, 2);
    const { id } = await findMail(orderId);
    const texts = async () => (await findMailboxMails(buyer.email))!.filter(({ event }) => event === "keys");
    const before = await texts();
    const preview = await post(sendAgain, AGAIN, id, { preview: true });
    expect(preview.body.data.effects).toEqual([{ kind: "email", event: "keys", to: buyer.email }]);
    const answers = await Promise.all(
      [support, finance, admin, support].map((by) => post(sendAgain, AGAIN, id, {}, by)),
    );
    expect(codes(answers)).toEqual(["200", "40993", "40993", "40993"]);
    expect(await countAudit("mail.again", id)).toBe(1);
    await sale.runQueue();
    const after = await texts();
    expect(after).toHaveLength(before.length + 1);
    const codesOf = (text: string) => text.match(/TEST-[0-9A-F-]+/g)!.sort();
    expect(codesOf(after[0]!.text)).toEqual(codesOf(before[0]!.text));
    expect(codesOf(after[0]!.text)).toHaveLength(2);
    expect(keyIds).toHaveLength(2);
  });

  it("is limited to three times an hour", async () => {
    const { orderId } = await sellKeys(1);
    const { id } = await findMail(orderId);
    for (let press = 0; press < 3; press++) {
      expect((await post(sendAgain, AGAIN, id)).body.code).toBe("200");
      await sale.runQueue();
    }
    expect((await post(sendAgain, AGAIN, id)).body.code).toBe("429");
  });

  it("is refused for codes of a disputed or refunded order", async () => {
    const { orderId, lineId } = await sellKeys(1);
    const { id } = await findMail(orderId);
    await requestRefund(buyer.viewer, { order_id: orderId, order_product_id: lineId }, "en");
    expect((await post(sendAgain, AGAIN, id)).body.code).toBe("40913");
    const { orderId: disputed } = await sellKeys(1);
    await openDispute(disputed);
    expect((await post(sendAgain, AGAIN, (await findMail(disputed)).id)).body.code).toBe("40913");
    await db.execute(sql`update keys set state = 'quarantined' where order_line_id = ${lineId}`);
    expect((await post(sendAgain, AGAIN, id)).body.code).toBe("40988");
    await clearQueue();
  });

  it("is refused for a replaced code, which is no longer the buyer's", async () => {
    const { orderId, keyIds } = await sellKeys(2);
    const { id } = await findMail(orderId);
    expect((await decide(approve, APPROVE, await askReplacement(keyIds[0]!))).body.code).toBe("200");
    await sale.runQueue();
    const { body } = await post(sendAgain, AGAIN, id, { preview: true });
    expect(body).toMatchObject({ code: "40988", message: expect.stringContaining("no longer the buyer's") });
    expect((await post(sendAgain, AGAIN, id)).body.code).toBe("40988");
  });

  it("queues a failed email again, as the first one with its codes", async () => {
    const { id: planId } = await createSinglePlan({ keys: 1 });
    const orderId = await sale.sellWithoutMails(buyer, planId);
    const { id } = await findMail(orderId);
    expect((await post(sendAgain, AGAIN, id)).body.code).toBe("40993");
    await clearQueue();
    await db.execute(
      sql`update mails set state = 'failed', attempts = 12, last_error = 'no', failed_at = shop_now() where id = ${id}`,
    );
    const answers = await Promise.all([support, admin].map((by) => post(sendAgain, AGAIN, id, {}, by)));
    expect(codes(answers)).toEqual(["200", "40993"]);
    await sale.runQueue();
    expect(await findMail(orderId)).toEqual({ id, state: "sent" });
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });

  it("uses the order's current address", async () => {
    const { orderId } = await sellKeys(1);
    const { id } = await findMail(orderId);
    await db.execute(sql`update orders set send_email = 'moved@example.com' where id = ${orderId}`);
    const { body } = await post(sendAgain, AGAIN, id);
    expect(body.data.result).toMatchObject({ to_address: "moved@example.com", state: "queued" });
    await sale.runQueue();
  });

  it("is refused when the buyer chose to keep the codes in the library", async () => {
    const { id: planId } = await createSinglePlan({ keys: 1 });
    const orderId = await sale.sellWithChoice(buyer, planId, { immediate_delivery: false });
    const { id } = await findMail(orderId);
    // An email that names the codes, as if it was written before the choice.
    await db.execute(sql`
      update mails set refs = jsonb_build_object('orderId', ${orderId}::text, 'keyIds', refs->>'kept') where id = ${id}`);
    expect((await post(sendAgain, AGAIN, id)).body.code).toBe("40912");
  });

  it("is refused for emails that only the recipient can request, obsolete ones and unknown ones", async () => {
    const insert = async (event: string, state: string, refs: object = {}) => {
      const id = `mail_${event}_${state}`;
      await db.execute(sql`
        insert into mails (id, event, to_address, locale, refs, dedupe_key, state)
        values (${id}, ${event}, 'reader@example.com', 'en', ${JSON.stringify(refs)}::jsonb, ${id}, ${state})`);
      return id;
    };
    for (const [event, state] of [
      ["verification-code", "sent"],
      ["discount-alert", "failed"],
      ["refund", "dropped"],
    ] as const)
      expect((await post(sendAgain, AGAIN, await insert(event, state))).body.code, event).toBe("40994");
    expect((await post(sendAgain, AGAIN, "mail_none")).body.code).toBe("40492");
    const { orderId } = await sellKeys(1);
    await openDispute(orderId);
    const gift = await insert("gift", "sent", { giftId: "gift_x", serial: 1, orderId });
    expect((await post(sendAgain, AGAIN, gift)).body.code).toBe("40953");
  });
});

describe("reviews", () => {
  it("are hidden by one person and restored by another, each once", async () => {
    const product = await createProduct();
    await setReviews(product.slug, [5, 1]);
    const query = `product_id=${product.id}`;
    const { body } = await get(listReviews, "/admin/reviews", query);
    expect(body.data.items).toMatchObject([
      { rating: 1, title: "Review 2", state: "published" },
      { rating: 5, title: "Review 1" },
    ]);
    const { review_id: id, email } = body.data.items[0];
    let seen: { version?: string } = {};
    const hideBy = (by: StaffUser) =>
      post(hide, "/admin/reviews/{id}/hide", id, { reason: "Insults.", ...seen }, by);
    const isRefused = async (handler: Handler, path: string) => {
      for (const version of ["0000", undefined]) {
        const answer = await post(handler, path, id, { ...(handler === hide && { reason: "x" }), version });
        expect(answer.body.code).toBe("40940");
      }
    };
    await isRefused(hide, "/admin/reviews/{id}/hide");
    seen = { version: body.data.items[0].version };
    // Its author rewrites it before it is decided.
    await db.execute(sql`update reviews set content = 'Rewritten' where id = ${id}`);
    expect((await hideBy(support)).body.code).toBe("40940");
    seen = { version: (await get(listReviews, "/admin/reviews", query)).body.data.items[0].version };
    expect(codes(await Promise.all([hideBy(support), hideBy(admin)]))).toEqual(["200", "40995"]);
    const hidden = await get(listReviews, "/admin/reviews", `${query}&state=hidden&rating=1&email=${email}`);
    expect(hidden.body.data.items).toMatchObject([{ review_id: id, hidden_reason: "Insults." }]);
    await isRefused(show, "/admin/reviews/{id}/show");
    seen = { version: hidden.body.data.items[0].version };
    const showBy = (by: StaffUser) => post(show, "/admin/reviews/{id}/show", id, seen, by);
    expect(codes(await Promise.all([showBy(support), showBy(admin)]))).toEqual(["200", "40995"]);
    expect((await get(listReviews, "/admin/reviews", `${query}&state=hidden`)).body.data.items).toEqual([]);
    expect([await countAudit("review_hidden", id), await countAudit("review_shown", id)]).toEqual([1, 1]);
    expect((await post(hide, "/admin/reviews/{id}/hide", "rev_none", { reason: "x" })).body.code).toBe(
      "40493",
    );
    expect((await post(show, "/admin/reviews/{id}/show", "rev_none")).body.code).toBe("40493");
    expect((await get(listReviews, "/admin/reviews", "cursor=x")).body.code).toBe("40000");
    expect((await get(listReviews, "/admin/reviews", "email=nobody")).body.errors).toMatchObject([
      { path: "email" },
    ]);
  });

  it("stay hidden when a rule hides them", async () => {
    const product = await createProduct();
    await setReviews(product.slug, [4]);
    const [row] = await db.execute<{ id: string }>(sql`
      update reviews set state = 'hidden', hidden_at = shop_now(), hidden_reason = 'rule:refunded'
      where product_id = ${product.id} returning id`);
    const { body } = await get(listReviews, "/admin/reviews", `product_id=${product.id}&state=hidden`);
    const { version } = body.data.items[0];
    const answer = await post(show, "/admin/reviews/{id}/show", row!.id, { version });
    expect([answer.body.code, answer.body.message]).toEqual([
      "40995",
      expect.stringContaining("A rule keeps"),
    ]);
  });

  it("contain no activation code, nor does the reason for hiding one", async () => {
    const { keyIds, orderId } = await sellKeys(1);
    const { code } = await revealKey(buyer.viewer, { library_id: keyIds[0]! });
    const [row] = await db.execute<{ id: string; product: number }>(sql`
      insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
      select 'rev_code', l.product_id, l.order_id, ${buyer.id}, 1, 'Broken', ${`Try ${code}!`}, 'en'
      from order_lines l where l.order_id = ${orderId} returning id, product_id as product`);
    const { body } = await get(listReviews, "/admin/reviews", `product_id=${row!.product}`);
    expect(body.data.items).toMatchObject([{ content: `Try ${MASKED_CODE}!` }]);
    const answer = await post(hide, "/admin/reviews/{id}/hide", "rev_code", { reason: `Shows ${code}` });
    expect([answer.status, answer.body.code]).toEqual([400, "40000"]);
  });
});

describe("applications", () => {
  const apply = async (email: string) =>
    (
      await registerBusiness(
        { email, productUrl: `https://${email.split("@")[0]}-tools.example/app`, phoneNum: "+14155550123" },
        {},
        "en",
      )
    ).application_id;
  const seenOf = async (email: string) => {
    const { body } = await get(listApplications, "/admin/applications", `email=${email}`, admin);
    return { version: body.data.items[0].version };
  };
  const APPROVE_APPLICATION = "/admin/applications/{id}/approve";
  const REFUSE_APPLICATION = "/admin/applications/{id}/refuse";

  it("are decided once, with a note that is mailed", async () => {
    const email = "maker@example.com";
    const id = await apply(email);
    const seen = await seenOf(email);
    const preview = await post(
      refuseApplication,
      REFUSE_APPLICATION,
      id,
      { ...seen, note: "No games.", preview: true },
      admin,
    );
    expect(preview.body.data.effects).toEqual([{ kind: "email", event: "application-refused", to: email }]);
    const second = await createStaff();
    for (const [handler, path] of [
      [approveApplication, APPROVE_APPLICATION],
      [refuseApplication, REFUSE_APPLICATION],
    ] as const) {
      const address = `${path.length}@example.com`;
      const other = await apply(address);
      const input = { ...(await seenOf(address)), note: "Thanks." };
      // Nothing is decided that was not shown.
      for (const version of [undefined, seen.version])
        expect((await post(handler, path, other, { ...input, version }, admin)).body.code).toBe("40940");
      expect((await seenOf(address)).version).toBe(input.version);
      expect((await post(handler, path, other, input, admin)).body.code).toBe("200");
    }
    const answers = await Promise.all([
      post(approveApplication, APPROVE_APPLICATION, id, { ...seen, note: "Welcome." }, admin),
      post(refuseApplication, REFUSE_APPLICATION, id, { ...seen, note: "No games." }, second),
    ]);
    expect(codes(answers)).toEqual(["200", "40996"]);
    await sale.runQueue();
    const mails = (await findMailboxMails(email))!.filter(({ event }) => event.startsWith("application-"));
    const approved = answers[0]!.body.code === "200";
    expect(mails.map(({ event }) => event)).toContain(
      approved ? "application-approved" : "application-refused",
    );
    expect(mails.some(({ text }) => text.includes(approved ? "Welcome." : "No games."))).toBe(true);
    expect(mails).toHaveLength(2);
    for (const [handler, path] of [
      [approveApplication, APPROVE_APPLICATION],
      [refuseApplication, REFUSE_APPLICATION],
    ] as const) {
      expect((await post(handler, path, "mer_none", { note: "x" }, admin)).body.code).toBe("40494");
      expect((await post(handler, path, id, { note: "x" }, admin)).body.code).toBe("40996");
    }
    expect((await post(refuseApplication, REFUSE_APPLICATION, id, {}, admin)).status).toBe(400);
  });
});

describe("stuck work", () => {
  it("is listed for every staff member, and retried by those with the permission", async () => {
    const { body } = await get(listStuck, "/admin/stuck", "kind=worker");
    expect(body.data).toMatchObject({ items: [{ kind: "worker" }], more: [] });
    const catalogue = await createStaff({ roles: ["catalogue"] });
    const order = await createOrder(buyer, (await createSinglePlan({ keys: 1 })).id, { holdMinutes: -10 });
    const input = { kind: "hold", id: order.id };
    const answer = (by: StaffUser, more: object = {}) =>
      call(retryStuck, "/admin/stuck/retry", { body: { ...input, ...more }, headers: authHeaders(by) });
    expect((await answer(catalogue)).body.code).toBe("40300");
    expect((await answer(support, { preview: true })).body.data.effects).toMatchObject([
      { kind: "retry", outcome: "done" },
      { kind: "order_status", status: "cancelled" },
    ]);
    const outcomes = await Promise.all([support, finance, support].map((by) => answer(by)));
    expect(outcomes.map(({ body }) => body.code)).toEqual(["200", "200", "200"]);
    expect(await sale.getOrderStatus(order.id)).toBe("cancelled");
    expect((await answer(support)).body.data.result.outcome).toBe("gone");
  });

  it("reports the provider's failure when a payment must be cancelled first", async () => {
    const orderId = await sale.orderPlan(buyer, (await createSinglePlan({ keys: 1 })).id);
    await sale.openPayment(buyer, orderId);
    await db.execute(
      sql`update orders set hold_ends_at = shop_now() - interval '10 minutes' where id = ${orderId}`,
    );
    failSandbox("retrieve_intent", { when: "before", as: "junk" });
    failSandbox("cancel_intent", { when: "before", as: "junk" });
    const { body } = await call(retryStuck, "/admin/stuck/retry", {
      body: { kind: "hold", id: orderId },
      headers: authHeaders(support),
    });
    clearSandboxFaults();
    expect(body.code).toBe("50302");
  });
});

it.each([
  [listApplications, "/admin/applications"],
  [listAudit, "/admin/audit"],
  [listCustomers, "/admin/customers"],
  [listMails, "/admin/mails"],
] as const)("a list refuses a cursor that it did not give: %#", async (handler, path) => {
  const { body } = await get(handler as Handler, path, "cursor=nonsense", await createStaff());
  expect([path, body.code]).toEqual([path, "40000"]);
});
