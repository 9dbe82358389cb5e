import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { POST as sendReport } from "@/app/send-report/route";
import { db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { editProducts } from "@/lib/catalog/console/edit-products";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { env } from "@/lib/platform/env";
import { getInboxRecord } from "@/lib/staff/inbox/get-record";
import { listInbox } from "@/lib/staff/inbox/list-inbox";
import { previewEffects } from "@/lib/staff/preview/preview-effects";
import { decideAppeal, decideReport } from "@/lib/staff/reports/decide-report";
import { ConsoleReportsInput, ReportInput } from "@/lib/support/reports/contract";
import { deleteOldReports } from "@/lib/support/reports/delete-reports";
import { fileAppeal } from "@/lib/support/reports/file-appeal";
import { fileReport } from "@/lib/support/reports/file-report";
import { appealToken, findAppeal, findReceipt } from "@/lib/support/reports/find-report";
import { listConsoleReports } from "@/lib/support/reports/list-console-reports";
import { uniqueEmail } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

afterEach(() => sale.setClockAhead("0"));
afterAll(sale.closeSale);
const GUEST = { kind: "guest", locale: "en" } as const;
const IP = "203.0.113.77";
const REASONS = "It names another person's address, which our terms forbid.";

let product: { id: number; slug: string };
let staff: StaffUser;
let colleague: StaffUser;
let catalogue: StaffUser;
let admin: StaffUser;
let reviews = 0;
beforeAll(async () => {
  const created = await createProduct({ plans: [{ keys: 1 }] });
  const [row] = await db.execute<{ id: number; slug: string; plan: number }>(sql`
    select p.id, p.slug, v.id as plan from products p join plans v on v.product_id = p.id where p.id = ${created.id}`);
  product = row!;
  staff = await createStaff({ roles: ["support"] });
  colleague = await createStaff({ roles: ["support"] });
  catalogue = await createStaff({ roles: ["catalogue"] });
  admin = await createStaff({ roles: ["admin"] });
});

/** Creates a published review by a new author. */
async function createReview(): Promise<{ id: string; author: SignedInUser }> {
  const writer = await createSignedInUser();
  const [plan] = await db.execute<{ id: number }>(
    sql`select id from plans where product_id = ${product.id} limit 1`,
  );
  const order = await createOrder(writer, plan!.id, { status: "completed" });
  const id = `rev_report_${++reviews}`;
  await db.execute(sql`
    insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
    values (${id}, ${product.id}, ${order.id}, ${writer.id}, 1, 'A bad one', 'He lives at 1 Example Street.', 'en')`);
  return { id, author: writer };
}
const report = (target: string, more: object = {}) =>
  fileReport(
    GUEST,
    ReportInput.parse({
      kind: "review",
      target,
      reason: "personal_data",
      message: "It names an address.",
      ...more,
    }),
    "en",
    IP,
  );
/** Creates a product and reports it. */
async function reportProduct() {
  const { id } = await createProduct({ plans: [{ keys: 1 }] });
  const [row] = await db.execute<{ slug: string }>(sql`select slug from products where id = ${id}`);
  const { reference } = await report(row!.slug, { kind: "product", reason: "misleading" });
  return { id, reference };
}
const isPublished = async (id: number) =>
  (await db.execute<{ published: boolean }>(sql`select published from products where id = ${id}`))[0]!
    .published;
const eventsOf = async (email: string) => ((await findMailboxMails(email)) ?? []).map(({ event }) => event);
const stateOf = async (id: string) =>
  (await db.execute<{ state: string }>(sql`select state from reviews where id = ${id}`))[0]!.state;
const rowOf = async (id: string, state = "open", viewer = staff.viewer) =>
  (await listConsoleReports(viewer, ConsoleReportsInput.parse({ state }))).items.find(
    ({ report_id }) => report_id === id,
  )!;
const decide = async (id: string, outcome: "restricted" | "kept", viewer = staff.viewer) =>
  decideReport(viewer, id, { outcome, statement: REASONS, version: (await rowOf(id)).version }, "en");
const answerAppeal = async (id: string, outcome: "upheld" | "reversed", viewer = colleague.viewer) => {
  const { version } = await rowOf(id, "appealed");
  return decideAppeal(viewer, id, { outcome, statement: "A colleague looked at it again.", version }, "en");
};
const object = (reference: string, party: "reporter" | "affected", message = "That is not what it says.") =>
  fileAppeal({ token: appealToken(reference, party), message });

describe("a report", () => {
  it("is recorded with a receipt on the page and by email that repeats nothing the reporter typed", async () => {
    const { id } = await createReview();
    const email = uniqueEmail();
    const received = await report(id, { email });
    expect(received).toMatchObject({ receipt_mailed: true });
    expect(await findReceipt(received.receipt)).toMatchObject({ id: received.reference, name: "A bad one" });
    expect(await findReceipt("made-up")).toBeNull();
    await sale.runQueue();
    const [mail] = (await findMailboxMails(email))!;
    expect(mail!.event).toBe("report-received");
    expect(mail!.text).toContain(received.reference);
    expect(mail!.text).not.toContain("It names an address.");
    const row = await rowOf(received.reference);
    expect(row).toMatchObject({
      kind: "review",
      target_name: "A bad one",
      shown: true,
      text: "It names an address.",
    });
    const { items } = await listInbox(staff.viewer, { view: "open" }, "en");
    expect(items).toContainEqual(
      expect.objectContaining({ key: `reports:${received.reference}`, subject: "A bad one", who: email }),
    );
  });

  it("needs no address, and is discarded with the same response when its hidden field is filled in", async () => {
    const { id } = await createReview();
    expect(await report(id)).toMatchObject({ receipt_mailed: false });
    const ignored = await report(id, { website: "spam" });
    expect(ignored.reference).toMatch(/^rpt_/);
    expect(await findReceipt(ignored.receipt)).toBeNull();
  });

  it("can only name a product, review or seller that shoppers can see", async () => {
    const [seller] = await db.execute<{ handle: string; slug: string }>(sql`
      select m.handle, p.slug from products p join merchants m on m.id = p.merchant_id where p.id = ${product.id}`);
    await db.execute(sql`update merchants set state = 'active' where handle = ${seller!.handle}`);
    expect(await report(product.slug, { kind: "product" })).toMatchObject({ reference: expect.any(String) });
    expect(await report(seller!.handle, { kind: "seller" })).toMatchObject({ reference: expect.any(String) });
    for (const kind of ["product", "review", "seller"])
      expect(await getErrorName(report("none-such", { kind }))).toBe("report_target_unknown");
    const { id } = await createReview();
    await db.execute(sql`update reviews set state = 'hidden', hidden_at = shop_now() where id = ${id}`);
    expect(await getErrorName(report(id))).toBe("report_target_unknown");
  });
});

describe("the form without script", () => {
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    sendReport(
      new Request(`${env().APP_URL}/send-report`, {
        method: "POST",
        headers: { origin: env().APP_URL, "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(fields),
      }),
    );
  const FORM = {
    target_lang: "ja",
    surface: "mobile",
    kind: "review",
    reason: "other",
    message: "It is not about the app.",
  };

  it("redirects to the receipt in the page's language and on its surface", async () => {
    const { id } = await createReview();
    const answer = await send({ ...FORM, target: id, email: "" });
    expect(answer.status).toBe(303);
    const address = new URL(answer.headers.get("location")!, env().APP_URL);
    expect(address.pathname).toBe("/ja/mobile/report");
    expect(await findReceipt(address.searchParams.get("receipt")!)).toMatchObject({ reason: "other" });
  });

  it.each([
    ["a short text", { message: "Bad." }, 400, "10文字以上"],
    ["a wrong address", { email: "nobody" }, 400, "メールアドレス"],
    ["something that is gone", { target: "none-such" }, 404, "掲載"],
  ])("responds to %s with a page in the reader's language", async (_, fields, status, words) => {
    const { id } = await createReview();
    const answer = await send({ ...FORM, target: id, ...fields });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(words);
  });

  it("rejects a form from another site, and more than ten an hour", async () => {
    const { id } = await createReview();
    expect((await send({ ...FORM, target: id }, { origin: "https://elsewhere.example" })).status).toBe(403);
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await send({ ...FORM, target: id })).status);
    expect(statuses.filter((status) => status === 303).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("a decision", () => {
  it("hides a review, sends the reasons to both parties, and is made once", async () => {
    const { id, author: writer } = await createReview();
    const email = uniqueEmail();
    const { reference } = await report(id, { email });
    const { version } = await rowOf(reference);
    const input = { outcome: "restricted" as const, statement: REASONS };
    expect(
      await getErrorName(decideReport(staff.viewer, reference, { ...input, version: "old" }, "en")),
    ).toBe("revision_conflict");
    await decideReport(staff.viewer, reference, { ...input, version }, "en");
    expect(await stateOf(id)).toBe("hidden");
    const now = { ...input, version: (await rowOf(reference, "decided")).version };
    expect(await getErrorName(decideReport(staff.viewer, reference, now, "en"))).toBe("report_decided");
    await sale.runQueue();
    expect(await eventsOf(email)).toContain("report-decided");
    const [statement] = (await findMailboxMails(writer.email))!.filter(
      ({ event }) => event === "report-decided",
    );
    expect(statement!.text).toContain(REASONS);
    expect(statement!.text).toContain("/report?appeal=");
    expect(statement!.text).not.toContain(email);
  });

  it("to keep the review notifies the reporter only", async () => {
    const { id, author: writer } = await createReview();
    const email = uniqueEmail();
    const { reference } = await report(id, { email });
    await decide(reference, "kept");
    await sale.runQueue();
    expect(await stateOf(id)).toBe("published");
    expect(await eventsOf(email)).toContain("report-decided");
    expect(await eventsOf(writer.email)).not.toContain("report-decided");
  });

  it("to restrict a product requires the permission to unlist it, unless it is already off the shop", async () => {
    const { id, reference } = await reportProduct();
    expect(await getErrorName(decide(reference, "restricted"))).toBe("report_right_missing");
    expect(await rowOf(reference)).toMatchObject({ changes_shop: true, may_change: false });
    const blocked = await getInboxRecord(staff.viewer, `reports:${reference}`, "en");
    expect(blocked.blocked_by).toBe("report_right_missing");
    await db.execute(sql`update products set published = false where id = ${id}`);
    await decide(reference, "restricted");
    expect(await rowOf(reference, "decided")).toMatchObject({
      outcome: "restricted",
      decided_by: staff.email,
      changes_shop: false,
    });
  });

  it("says beforehand that it unlists a product, and does so with a revision and an entry of the audit log", async () => {
    const { id, reference } = await reportProduct();
    const { version } = await rowOf(reference, "open", catalogue.viewer);
    const input = { outcome: "restricted" as const, statement: REASONS, version };
    const effects = await previewEffects(() => decideReport(catalogue.viewer, reference, input, "en"));
    expect(effects).toContainEqual({ kind: "products_off", count: 1 });
    expect(await isPublished(id)).toBe(true);
    await decideReport(catalogue.viewer, reference, input, "en");
    expect(await isPublished(id)).toBe(false);
    const [entry] = await db.execute<{ note: string }>(sql`
      select detail->>'note' as note from audit_entries where action = 'product.changed' and subject = ${`product:${id}`}
        and actor = ${catalogue.id}`);
    expect(entry?.note).toBe(`report ${reference}`);
    await object(reference, "affected");
    expect(await getErrorName(answerAppeal(reference, "reversed"))).toBe("report_right_missing");
    await answerAppeal(reference, "reversed", admin.viewer);
    expect(await isPublished(id)).toBe(true);
  });

  it("is not undone by an objection if someone has listed the product and unlisted it again since", async () => {
    const { id, reference } = await reportProduct();
    await decide(reference, "restricted", catalogue.viewer);
    for (const action of ["list", "unlist"] as const)
      await editProducts({ userId: admin.id, locale: "en" }, { product_ids: [id], action });
    await object(reference, "affected");
    await answerAppeal(reference, "reversed");
    expect(await isPublished(id)).toBe(false);
  });

  it("that restricts a seller suspends it after a reauthentication, and a reversal returns it to the state of before", async () => {
    const [seller] = await db.execute<{ id: string; handle: string }>(sql`
      insert into merchants (id, handle, name, state) values ('mer_reported', 'reported-seller', 'Reported', 'paused')
      returning id, handle`);
    const { reference } = await report(seller!.handle, { kind: "seller", reason: "illegal" });
    const stateOfSeller = async () =>
      (await db.execute<{ state: string }>(sql`select state from merchants where id = ${seller!.id}`))[0]!
        .state;
    expect(await getErrorName(decide(reference, "restricted", catalogue.viewer))).toBe(
      "report_right_missing",
    );
    const stale = { ...admin.viewer, staff: { ...admin.viewer.staff, reauthenticated: false } };
    expect(await getErrorName(decide(reference, "restricted", stale))).toBe("reauthentication_required");
    await decide(reference, "restricted", admin.viewer);
    expect(await stateOfSeller()).toBe("suspended");
    await object(reference, "affected");
    const other = await createStaff({ roles: ["admin"] });
    await answerAppeal(reference, "reversed", other.viewer);
    expect(await stateOfSeller()).toBe("paused");
  });
});

describe("an objection", () => {
  async function decided(outcome: "restricted" | "kept") {
    const { id, author: writer } = await createReview();
    const email = uniqueEmail();
    const { reference } = await report(id, { email });
    await decide(reference, outcome);
    return { id, reference, email, writer };
  }

  it("is decided by another staff member, and a reversal publishes the review again", async () => {
    const { id, reference, email, writer } = await decided("restricted");
    await object(reference, "affected");
    expect(await getErrorName(object(reference, "affected"))).toBe("appeal_closed");
    expect(await getErrorName(answerAppeal(reference, "reversed", staff.viewer))).toBe("own_decision");
    const { items } = await listInbox(staff.viewer, { view: "open" }, "en");
    expect(items.map(({ key }) => key)).not.toContain(`reports:${reference}`);
    await answerAppeal(reference, "reversed");
    expect(await stateOf(id)).toBe("published");
    await sale.runQueue();
    for (const side of [email, writer.email]) expect(await eventsOf(side)).toContain("report-appeal");
  });

  it("by the reporter can hide a review that was kept, and changes nothing when it is rejected", async () => {
    const first = await decided("kept");
    await object(first.reference, "reporter");
    await answerAppeal(first.reference, "reversed");
    expect(await stateOf(first.id)).toBe("hidden");
    const second = await decided("restricted");
    await object(second.reference, "affected");
    await answerAppeal(second.reference, "upheld");
    expect(await stateOf(second.id)).toBe("hidden");
    const { version } = await rowOf(second.reference, "decided");
    const again = { outcome: "upheld" as const, statement: REASONS, version };
    expect(await getErrorName(decideAppeal(colleague.viewer, second.reference, again, "en"))).toBe(
      "report_decided",
    );
  });

  const mailOf = async (email: string, event: string) =>
    ((await findMailboxMails(email)) ?? []).filter((mail) => mail.event === event);

  it("that restricts what was kept sends the affected side the reasons and the link to object", async () => {
    const { id, reference, email, writer } = await decided("kept");
    await object(reference, "reporter");
    await answerAppeal(reference, "reversed");
    await sale.runQueue();
    const [restricted] = await mailOf(writer.email, "report-decided");
    expect(restricted!.text).toContain("A colleague looked at it again.");
    expect(restricted!.text).toContain("/report?appeal=");
    expect(await eventsOf(email)).toContain("report-appeal");
    expect(await findAppeal(appealToken(reference, "affected"))).toMatchObject({
      outcome: "restricted",
      statement: "A colleague looked at it again.",
      open: true,
    });
    // The objection to it is somebody else's to decide, and publishes the review again.
    await object(reference, "affected");
    expect(await getErrorName(answerAppeal(reference, "reversed"))).toBe("own_decision");
    await answerAppeal(reference, "reversed", admin.viewer);
    expect(await stateOf(id)).toBe("published");
  });

  it("offers the reporter to object to a reversal for six months from then", async () => {
    const { reference, email } = await decided("restricted");
    await object(reference, "affected");
    await sale.setClockAhead("5 months");
    await answerAppeal(reference, "reversed");
    await sale.runQueue();
    const [reversed] = await mailOf(email, "report-appeal");
    expect(reversed!.text).toContain("/report?appeal=");
    await sale.setClockAhead("10 months");
    await deleteOldReports();
    expect(await findAppeal(appealToken(reference, "reporter"))).toMatchObject({
      outcome: "kept",
      open: true,
    });
  });

  it("that changes nothing on the shop says so", async () => {
    const { id, reference, writer } = await decided("restricted");
    await object(reference, "affected");
    await db.execute(sql`update reviews set hidden_at = hidden_at + interval '1 hour' where id = ${id}`);
    await answerAppeal(reference, "reversed");
    expect(await stateOf(id)).toBe("hidden");
    await sale.runQueue();
    const [mail] = await mailOf(writer.email, "report-appeal");
    expect(mail!.text).toContain("Nothing changes on the shop");
  });

  it("that was made before another one reversed the decision does not turn it round again", async () => {
    const { id, reference } = await decided("restricted");
    await object(reference, "affected");
    await object(reference, "reporter", "It should be deleted for good.");
    await answerAppeal(reference, "reversed");
    expect(await stateOf(id)).toBe("published");
    await answerAppeal(reference, "reversed", admin.viewer);
    expect(await stateOf(id)).toBe("published");
  });

  it("requires the secret of its party's link, and is accepted for six months", async () => {
    const { reference } = await decided("restricted");
    expect(await getErrorName(fileAppeal({ token: "made-up", message: "That is not so." }))).toBe(
      "link_invalid",
    );
    expect(await findAppeal(appealToken(reference, "affected"))).toMatchObject({
      open: true,
      sent: false,
      statement: REASONS,
    });
    await sale.setClockAhead("6 months 1 day");
    expect(await findAppeal(appealToken(reference, "affected"))).toMatchObject({ open: false });
    expect(await getErrorName(object(reference, "affected"))).toBe("appeal_closed");
  });

  it("keeps its report, which is otherwise deleted 90 days after the objection period", async () => {
    const [old, waiting] = [await decided("restricted"), await decided("restricted")];
    await object(waiting.reference, "affected");
    const kept = async () =>
      (
        await db.execute<{ id: string }>(
          sql`select id from content_reports where id in ${[old.reference, waiting.reference]}`,
        )
      ).map(({ id }) => id);
    await sale.setClockAhead("6 months 80 days");
    await deleteOldReports();
    expect(await kept()).toHaveLength(2);
    await sale.setClockAhead("6 months 100 days");
    await deleteOldReports();
    expect(await kept()).toEqual([waiting.reference]);
  });
});
