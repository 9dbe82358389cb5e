import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { findInboxRecord, getInboxRecord } from "@/lib/staff/inbox/get-record";
import { listInbox } from "@/lib/staff/inbox/list-inbox";
import { askAboutOrder, countQuestions, endQuestion, markItem } from "@/lib/staff/inbox/mark-item";
import { countSoldOut } from "@/lib/staff/inbox/sold-out";
import { grantRolesByOperator, revokeRolesByOperator } from "@/lib/staff/members/change-members-by-operator";
import { getErrorName } from "../setup/error-name";
import { MAX_READ } from "../setup/rows-of-plan";
import { mostRead } from "../setup/rows-read";
import { seenRefund } from "../setup/seen";

afterAll(closeDatabase);

let support: StaffUser;
let finance: StaffUser;
let admin: StaffUser;
beforeAll(async () => {
  support = await createStaff({ roles: ["support"] });
  finance = await createStaff({ roles: ["finance"] });
  admin = await createStaff();
});

const inbox = ({ viewer }: StaffUser, view: "open" | "later" = "open") => listInbox(viewer, { view }, "en");
const keys = async (person: StaffUser, view?: "open" | "later") =>
  (await inbox(person, view)).items.map(({ key }) => key);

/** A refund request of an amount with so many hours left; returns its key. */
async function createRequest(cents: number, hoursLeft: number, locale: Locale = "en"): Promise<string> {
  const plan = await createSinglePlan({ keys: 1, priceCents: cents });
  const order = await createOrder(await createSignedInUser({ locale }), plan.id, { status: "completed" });
  const id = newId("rrq");
  await db.execute(sql`
    insert into ledger_entries (transfer_id, account, amount_cents, order_id)
    values (${`pay:${id}`}, 'provider_cash', ${cents}, ${order.id}), (${`pay:${id}`}, 'sales', ${-cents}, ${order.id})`);
  await db.execute(sql`
    insert into refund_requests (id, order_line_id, user_id, amount_cents, state, answer_by)
    select ${id}, ${order.lineId}, o.user_id, ${cents}, 'asked', shop_now() + make_interval(hours => ${hoursLeft}) from orders o where o.id = ${order.id}`);
  return `refund_requests:${id}`;
}

describe("the inbox of staff", () => {
  it("has the least time left first, with amount, pass, buyer and reason", async () => {
    const [calm, urgent] = [await createRequest(1_000, 40), await createRequest(1_000, 3)];
    const { items } = await inbox(support);
    const found = items.filter(({ key }) => [calm, urgent].includes(key));
    expect(found.map(({ key }) => key)).toEqual([urgent, calm]);
    expect(found[0]).toMatchObject({
      queue: "refund_requests",
      amount: 10,
      reason: "merchant_silent",
      subject: expect.stringMatching(/ · /),
      path: "/console/refunds",
    });
    expect(found[0]!.who).not.toBe("");
  });

  it("names the language of the shopper who reads why a refund is refused, as the list of refunds does", async () => {
    const key = await createRequest(1_000, 30, "ja");
    expect((await getInboxRecord(support.viewer, key, "en")).reader).toBe("ja");
    const { items } = await listConsoleRefunds(ConsoleRefundsInput.parse({}), "en");
    expect(items.find(({ refund_id }) => key.endsWith(refund_id))?.reader).toBe("ja");
  });

  it("decides with the version that its record shows", async () => {
    const key = await createRequest(2_000, 20);
    const record = await getInboxRecord(support.viewer, key, "en");
    const [approve, refuse] = record.actions;
    const { version } = await seenRefund(key.split(":")[1]!);
    expect(approve).toMatchObject({ name: "approve_refund", body: { version }, preview: true, note: null });
    expect(refuse).toMatchObject({ note: { field: "reason", required: true }, danger: true });
    expect(record.facts.find(({ name }) => name === "amount")).toMatchObject({
      kind: "money",
      value: "2000",
    });
    expect(await getErrorName(getInboxRecord(support.viewer, "refund_requests:rrq_none", "en"))).toBe(
      "item_unknown",
    );
  });

  it("holds only queues that one may see", async () => {
    await db.execute(sql`
      insert into merchant_applications (id, email, product_url, phone_num, locale)
      values ('app_inbox', 'a@example.com', 'https://a.example', '1', 'en')`);
    expect(await keys(admin)).toContain("applications:app_inbox");
    expect(await keys(support)).not.toContain("applications:app_inbox");
    expect(await findInboxRecord(support.viewer, "stopped_merchants:x", "en")).toBeNull();
    const mark = { key: "applications:app_inbox", mark: { kind: "snooze", hours: 4 } } as const;
    expect(await getErrorName(markItem(support.viewer, mark))).toBe("permission_missing");
  });

  it("leaves out what was put off until its time, or is a colleague's, and has it again when it is taken back", async () => {
    const key = await createRequest(3_000, 30);
    await markItem(support.viewer, { key, mark: { kind: "snooze", hours: 4 } });
    expect(await keys(support)).not.toContain(key);
    expect(await keys(support, "later")).toContain(key);
    await db.execute(sql`update inbox_marks set snoozed_until = shop_now() where key = ${key}`);
    expect(await keys(support)).toContain(key);
    await markItem(support.viewer, { key, mark: { kind: "assign", user_id: finance.id } });
    expect(await keys(support)).not.toContain(key);
    const { items } = await inbox(finance);
    expect(items.find((item) => item.key === key)).toMatchObject({ mine: true, assigned_to: finance.email });
    await markItem(finance.viewer, { key, mark: { kind: "release" } });
    expect(await keys(support)).toContain(key);
    const nobody = { key, mark: { kind: "assign", user_id: "usr_none" } } as const;
    expect(await getErrorName(markItem(support.viewer, nobody))).toBe("member_unknown");
    const noQuestion = { key: "asked:ord_none", mark: { kind: "snooze", hours: 24 } } as const;
    expect(await getErrorName(markItem(support.viewer, noQuestion))).toBe("order_unknown");
  });

  it("hands a thing over to a role with a note", async () => {
    const key = await createRequest(9_000, 30);
    const mark = { kind: "hand_over", role: "finance", note: "Above what I may decide." } as const;
    await markItem(support.viewer, { key, mark });
    expect(await keys(support)).not.toContain(key);
    expect((await inbox(finance)).items.find((item) => item.key === key)).toMatchObject({
      handed_to: "finance",
      note: mark.note,
      marked_by: support.email,
    });
  });

  it("shows everyone of the queue again what was given to a colleague who left, or lost the role for it", async () => {
    const [left, moved] = [
      await createStaff({ roles: ["finance"] }),
      await createStaff({ roles: ["finance"] }),
    ];
    const [ofLeft, ofMoved] = [await createRequest(4_000, 30), await createRequest(4_000, 30)];
    await markItem(support.viewer, { key: ofLeft, mark: { kind: "assign", user_id: left.id } });
    await markItem(support.viewer, { key: ofMoved, mark: { kind: "assign", user_id: moved.id } });
    expect(await keys(support)).not.toContain(ofLeft);
    await revokeRolesByOperator(left.email, "staff:test");
    await grantRolesByOperator(moved.email, ["catalogue"], "staff:test");
    const open = (await inbox(support)).items.filter(({ key }) => [ofLeft, ofMoved].includes(key));
    expect(open.map(({ assigned_to }) => assigned_to)).toEqual([null, null]);
  });

  it("gives nothing to a person or a role that would not see it", async () => {
    const key = await createRequest(4_000, 30);
    const catalogue = await createStaff({ roles: ["catalogue"] });
    const toPerson = { key, mark: { kind: "assign", user_id: catalogue.id } } as const;
    expect(await getErrorName(markItem(support.viewer, toPerson))).toBe("member_unknown");
    const toRole = {
      key,
      mark: { kind: "hand_over", role: "catalogue", note: "Look at this, please." },
    } as const;
    expect(await getErrorName(markItem(support.viewer, toRole))).toBe("member_unknown");
    expect(await keys(support)).toContain(key);
  });

  it("keeps a question with the role that was asked, although somebody of another role would take it", async () => {
    const plan = await createSinglePlan({ keys: 1 });
    const order = await createOrder(await createSignedInUser(), plan.id, { status: "completed" });
    const { key } = await askAboutOrder(support.viewer, order.id, {
      role: "finance",
      note: "Above my limit.",
    });
    const toOther = { key, mark: { kind: "assign", user_id: support.id } } as const;
    expect(await getErrorName(markItem(finance.viewer, toOther))).toBe("member_unknown");
    expect(
      await getErrorName(
        askAboutOrder(support.viewer, order.id, { role: "catalogue", note: "What is this pass?" }),
      ),
    ).toBe("member_unknown");
    expect(await keys(finance)).toContain(key);
    await endQuestion(finance.viewer, order.id);
  });

  it("asks a role about an order until somebody of it, or who asked, ends the question", async () => {
    const plan = await createSinglePlan({ keys: 1 });
    const order = await createOrder(await createSignedInUser(), plan.id, { status: "completed" });
    const note = "A gesture of $40, above my limit.";
    const { key } = await askAboutOrder(support.viewer, order.id, { role: "finance", note });
    expect(await keys(finance)).toContain(key);
    expect((await countQuestions(finance.viewer)).count).toBe(1);
    expect(await keys(support)).not.toContain(key);
    expect((await getInboxRecord(finance.viewer, key, "en")).quote).toBe(note);
    const colleague = await createStaff({ roles: ["support"] });
    expect(await getErrorName(endQuestion(colleague.viewer, order.id))).toBe("order_unknown");
    await endQuestion(finance.viewer, order.id);
    expect(await keys(finance)).not.toContain(key);
    const log = await db.execute(
      sql`select action from audit_entries where subject = ${order.id} order by id`,
    );
    expect(log.map(({ action }) => action)).toEqual(["inbox.asked", "inbox.answered"]);
  });

  it("has plans that are sold out while people wait for them", async () => {
    const product = await createProduct({ plans: [{}, { type: "month", keys: 1 }] });
    const before = await countSoldOut();
    for (const { id } of product.plans)
      await db.execute(sql`
        insert into wait_list (id, user_id, plan_id, email, locale)
        values (${newId("wait")}, ${(await createSignedInUser()).id}, ${id}, 'w@example.com', 'en')`);
    expect((await countSoldOut()).count).toBe(before.count + 1);
    const catalogue = await createStaff({ roles: ["catalogue"] });
    const { items } = await inbox(catalogue);
    const [sold] = items.filter(({ queue }) => queue === "sold_out");
    expect(sold).toMatchObject({ key: `sold_out:${product.plans[0]!.id}`, reason: "people_wait", count: 1 });
    expect((await getInboxRecord(catalogue.viewer, sold!.key, "en")).facts).not.toEqual([]);
  });

  it("reads at most 2,100 rows a statement, however much waits", async () => {
    const buyer = await createSignedInUser();
    const plan = await createSinglePlan({ keys: 1 });
    const order = await createOrder(buyer, plan.id, { status: "completed" });
    await db.execute(sql`
      insert into refund_requests (id, order_line_id, user_id, amount_cents, state, answer_by)
      select 'rrq_many' || n, ${order.lineId}, ${buyer.id}, 100, 'refused', shop_now() + make_interval(mins => n)
      from generate_series(1, 3000) n`);
    await db.execute(sql`
      insert into conversations (id, email, locale, waiting_since)
      select 'cnv_inbox' || n, 'm' || n || '@example.com', 'en', shop_now() - make_interval(mins => n) from generate_series(1, 3000) n`);
    await db.execute(sql`
      insert into mails (id, event, to_address, locale, refs, dedupe_key, state, failed_at)
      select 'mail_inbox' || n, 'welcome', 'a@example.com', 'en', '{}', 'mail_inbox' || n, 'failed', shop_now() from generate_series(1, 3000) n`);
    await db.execute(sql`
      insert into users (id, email, username, invite_code, locale)
      select 'usr_inbox' || n, 'inbox' || n || '@example.com', 'W', 'inbox' || n, 'en' from generate_series(1, 3000) n`);
    await db.execute(sql`
      insert into wait_list (id, user_id, plan_id, email, locale)
      select 'wait_inbox' || n, 'usr_inbox' || n, ${plan.id}, 'w@example.com', 'en' from generate_series(1, 3000) n`);
    await db.execute(sql`analyze refund_requests, conversations, mails, wait_list`);
    expect(await mostRead(() => inbox(admin))).toBeLessThanOrEqual(MAX_READ);
    expect((await inbox(admin)).more).toBe(true);
  });
});
