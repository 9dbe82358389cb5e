import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { ConsoleDeclarationsInput } from "@/lib/orders/console/contract-declarations";
import { closeDeclaration, sendDeclarationCode } from "@/lib/orders/console/decide-declarations";
import { listConsoleDeclarations } from "@/lib/orders/console/list-console-declarations";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { DeclareInput } from "@/lib/orders/withdrawal/contract";
import { declareWithdrawal } from "@/lib/orders/withdrawal/declare-withdrawal";
import { deleteOldDeclarations } from "@/lib/orders/withdrawal/delete-old-declarations";
import { getDeclarationReceipt } from "@/lib/orders/withdrawal/get-declaration-receipt";
import type { DeclaredWords } from "@/lib/orders/withdrawal/rules-declaration";
import { RECEIPTS_PER_ADDRESS } from "@/lib/orders/withdrawal/rules-declaration";
import { withdrawFromOrder } from "@/lib/orders/withdrawal/withdraw-from-order";
import type { Viewer } from "@/lib/platform/auth/session";
import { getInboxRecord } from "@/lib/staff/inbox/get-record";
import { listInbox } from "@/lib/staff/inbox/list-inbox";
import { uniqueEmail } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
const GUEST: Viewer = { kind: "guest", locale: "en" };
const IP = "203.0.113.9";
let buyer: sale.Buyer;
beforeEach(async () => {
  buyer = await sale.createBuyer();
});

const sellUnseen = async () =>
  sale.sellWithChoice(buyer, (await createSinglePlan({ type: "month", keys: 3 })).id, {
    immediate_delivery: false,
  });
const declare = (order: string, more: object = {}, who: Viewer = GUEST) =>
  declareWithdrawal(
    who,
    DeclareInput.parse({ name: "Anna Weber", order_id: order, email: buyer.email, ...more }),
    "en",
    IP,
  );
type Row = { words: DeclaredWords[]; times: number; order_id: string | null; proved: boolean };
const listDeclarations = async (email = buyer.email) => [
  ...(await db.execute<Row>(sql`
    select words, times, order_id, proved_at is not null as proved from withdrawal_declarations where email = ${email} order by declared_at`)),
];
const receiptsOf = async (email: string) =>
  ((await findMailboxMails(email)) ?? []).filter((mail) => mail.event === "withdrawal-declared");
const withdraw = (order: string, more: object = {}, who: Viewer = GUEST) =>
  withdrawFromOrder(who, { order_id: order, ...more }, "en", IP);

/** Proves the address with the newest mailed code, and withdraws. */
async function prove(order: string, email = buyer.email) {
  const [row] = await db.execute<{ id: string }>(
    sql`select id from verification_codes where email = ${email} and purpose = 'withdraw' order by created_at desc limit 1`,
  );
  const { token } = await withdraw(order, { email, code: deriveVerificationCode(row!.id) });
  return withdraw(order, { token, confirm: true });
}

describe("a declaration of withdrawal", () => {
  it("stands as soon as it is sent, with a receipt that holds no name", async () => {
    const order = await sellUnseen();
    const declared = await declare(order, { passes: "the July pass" });
    expect(declared).toMatchObject({ proof: "code", times: 1, receipt_mailed: true });
    const [row] = await listDeclarations();
    expect(row).toMatchObject({ order_id: order, proved: false, times: 1 });
    expect(row!.words).toMatchObject([{ name: "Anna Weber", passes: "the July pass", language: "en" }]);
    await sale.runQueue();
    const [receipt] = await receiptsOf(buyer.email);
    expect(receipt!.text).toContain(order);
    expect(receipt!.text).not.toMatch(/Anna|July/);
    const { file, fileName } = await getDeclarationReceipt(declared.receipt, "en");
    expect([file.subarray(0, 4).toString(), fileName]).toEqual(["%PDF", `withdrawal-${order}.pdf`]);
    // It locks nothing and moves no money.
    expect(await sale.getOrderStatus(order)).toBe("shipped");
  });

  it("gets the same answer for an unknown order, and for an order of somebody else", async () => {
    const order = await sellUnseen();
    const shape = ({
      declaration_id,
      receipt,
      declared_at,
      received_at,
      ...rest
    }: Awaited<ReturnType<typeof declare>>) => [
      rest,
      typeof declaration_id,
      typeof receipt,
      declared_at === received_at,
    ];
    const own = shape(await declare(order));
    const otherAddress = uniqueEmail();
    expect(shape(await declare(order, { email: otherAddress }))).toEqual(own);
    expect(shape(await declare("PL-2611-9999", { email: uniqueEmail() }))).toEqual(own);
    expect(await listDeclarations(otherAddress)).toMatchObject([{ order_id: null, proved: false }]);
    await sale.runQueue();
    const codes = ((await findMailboxMails(otherAddress)) ?? []).map((mail) => mail.event);
    expect(codes).toEqual(["withdrawal-declared"]);
  });

  /** Declares in time, and proves it days after the end of the time. */
  async function proveAfterTime(order: string): Promise<void> {
    await sale.setClockAhead("14 days 23 hours");
    await declare(order);
    await sale.setClockAhead("18 days");
    expect(await withdraw(order, {}, buyer.viewer)).toMatchObject({ refund_amount: 10 });
    await declare(order); // another code: the first has expired
    expect(await prove(order)).toMatchObject({ step: "done", refund_amount: 10 });
  }

  it("counts on its own day for the time limit, whenever it is proved", async () => {
    const order = await sellUnseen();
    await proveAfterTime(order);
    expect(await listDeclarations()).toMatchObject([{ times: 2, proved: true }]);
    const late = await sellUnseen();
    await sale.setClockAhead("33 days 1 hour");
    await declare(late);
    expect(await prove(late)).toMatchObject({ step: "done", refund_amount: 0 });
  });

  it("counts by the first one since the payment when one came before it", async () => {
    const order = await sale.orderPlan(buyer, (await createSinglePlan({ type: "month", keys: 1 })).id);
    await declare(order);
    await sale.pay(buyer, order, "succeeded", { immediate_delivery: false });
    await sale.processEvents();
    await proveAfterTime(order);
    expect(await listDeclarations()).toMatchObject([{ times: 3, proved: true }]);
  });

  it("does not refund a code that is shown before the proof", async () => {
    const order = await sellUnseen();
    await declare(order);
    const [line] = (await getOrder(buyer.viewer, order, "en")).order_products;
    await revealKey(buyer.viewer, { library_id: line!.keys[0]!.library_id });
    expect(await prove(order)).toMatchObject({ step: "done", refund_amount: 0 });
  });

  it("moves money once, however often it is declared and proved", async () => {
    const order = await sellUnseen();
    await declare(order);
    expect(await prove(order)).toMatchObject({ refund_amount: 10 });
    await sale.runQueue();
    await db.execute(sql`update verification_codes set created_at = created_at - interval '2 minutes'`);
    expect(await declare(order)).toMatchObject({ times: 1 });
    expect(await prove(order)).toMatchObject({ step: "done", refund_amount: 10 });
    await sale.runQueue();
    const [sum] = await db.execute<{ cents: number; refunds: number }>(
      sql`select sum(amount_cents)::int as cents, count(*)::int as refunds from refunds where order_id = ${order}`,
    );
    expect(sum).toEqual({ cents: 1000, refunds: 1 });
    expect(await listDeclarations()).toMatchObject([{ proved: true }, { proved: true }]);
  });

  it("is recorded with the owner's withdrawal when nothing was declared before", async () => {
    const order = await sellUnseen();
    await withdraw(order, { confirm: true }, buyer.viewer);
    expect(await listDeclarations()).toMatchObject([
      { order_id: order, proved: true, words: [{ name: null }] },
    ]);
  });

  it("is not mailed a fourth time a day, and recorded all the same", async () => {
    const email = uniqueEmail();
    const mailed: boolean[] = [];
    for (let n = 0; n <= RECEIPTS_PER_ADDRESS; n++)
      mailed.push((await declare("PL-2611-9999", { email })).receipt_mailed);
    expect(mailed).toEqual([true, true, true, false]);
    expect(await listDeclarations(email)).toMatchObject([{ times: RECEIPTS_PER_ADDRESS + 1 }]);
  });

  it("cannot be changed or deleted in the database", async () => {
    await declare("PL-2611-9998");
    const attempt = (statement: ReturnType<typeof sql>) =>
      db.execute(statement).then(
        () => "changed",
        (error: { cause?: { constraint_name?: string } }) => error.cause?.constraint_name,
      );
    const where = sql`where email = ${buyer.email}`;
    expect(await attempt(sql`update withdrawal_declarations set words = '[]' ${where}`)).toBe(
      "declaration_kept",
    );
    expect(await attempt(sql`update withdrawal_declarations set declared_at = shop_now() ${where}`)).toBe(
      "declaration_kept",
    );
    expect(await attempt(sql`delete from withdrawal_declarations ${where}`)).toBe("declaration_kept");
    await deleteOldDeclarations();
    expect(await listDeclarations()).toHaveLength(1);
    await sale.setClockAhead("3 years 1 day");
    await deleteOldDeclarations();
    expect(await listDeclarations()).toHaveLength(0);
  });

  it("has a receipt for its own link only", async () => {
    expect(await getErrorName(getDeclarationReceipt("made-up", "en"))).toBe("link_invalid");
  });
});

describe("declarations of withdrawal in the staff console", () => {
  let staff: StaffUser;
  beforeEach(async () => {
    staff = await createStaff({ roles: ["support"] });
  });
  const record = (id: string) => getInboxRecord(staff.viewer, `declarations:${id}`, "en");
  const action = async (id: string, name: string) => {
    const found = (await record(id)).actions.find((one) => one.name === name);
    return { version: String(found!.body.version) };
  };

  it("wait with the statutory deadline until they are proved, with codes masked", async () => {
    const order = await sellUnseen();
    const { declaration_id: id } = await declare(order, { passes: "all of them" });
    const { items } = await listConsoleDeclarations(ConsoleDeclarationsInput.parse({}));
    const row = items.find(({ declaration_id }) => declaration_id === id)!;
    expect(row).toMatchObject({ name: "Anna Weber", passes: "all of them", times: 1, state: "open" });
    expect(row.order_number).toMatch(/^PL-/);
    expect(Date.parse(row.due_at) - Date.parse(row.declared_at)).toBe(14 * 86_400_000);
    expect((await listInbox(staff.viewer, { view: "open" }, "en")).items).toContainEqual(
      expect.objectContaining({ key: `declarations:${id}`, reason: "not_proved", due_at: row.due_at }),
    );
    await withdraw(order, { confirm: true }, buyer.viewer);
    expect(await getErrorName(record(id))).toBe("item_unknown");
    const proved = await listConsoleDeclarations(ConsoleDeclarationsInput.parse({ state: "proved" }));
    expect(proved.items.map(({ declaration_id }) => declaration_id)).toContain(id);
  });

  it("are closed once with a reason, after which a further one begins another", async () => {
    const { declaration_id: id } = await declare("PL-2611-9996");
    const seen = await action(id, "close");
    expect(await getErrorName(sendDeclarationCode(staff.viewer, id, seen, IP))).toBe("order_unknown");
    expect(
      await getErrorName(closeDeclaration(staff.viewer, id, { note: "No such order.", version: "old" })),
    ).toBe("revision_conflict");
    await closeDeclaration(staff.viewer, id, { note: "No such order.", ...seen });
    expect(await getErrorName(closeDeclaration(staff.viewer, id, { note: "Again.", ...seen }))).toBe(
      "declaration_ended",
    );
    const again = await declare("PL-2611-9996");
    expect(again).toMatchObject({ times: 1 });
    expect(again.declaration_id).not.toBe(id);
  });

  it("have their code mailed again to an address of the order", async () => {
    const order = await sellUnseen();
    const { declaration_id: id } = await declare(order);
    await db.execute(sql`update verification_codes set created_at = created_at - interval '2 minutes'`);
    await sendDeclarationCode(staff.viewer, id, await action(id, "send_code"), IP);
    expect(await prove(order)).toMatchObject({ refund_amount: 10 });
    expect(await getErrorName(sendDeclarationCode(staff.viewer, id, {}, IP))).toBe("declaration_ended");
    expect(await getErrorName(sendDeclarationCode(staff.viewer, "wdc_none", {}, IP))).toBe(
      "declaration_unknown",
    );
  });
});
