import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { approveRefund } from "@/lib/orders/console/decide-refunds";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { getMailContent } from "@/lib/orders/console/get-mail-content";
import { addNote } from "@/lib/staff/notes/add-note";
import { findMentionMail } from "@/lib/staff/notes/find-mention-mail";
import { askRefund } from "../setup/refunds";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });

let support: StaffUser;
let finance: StaffUser;
let planId: number;
beforeAll(async () => {
  [support, finance] = [await createStaff({ roles: ["support"] }), await createStaff({ roles: ["finance"] })];
  planId = (await createSinglePlan({ type: "year", priceCents: 15_900, keys: 20 })).id;
});

const sell = async () => {
  const buyer = await sale.createBuyer();
  const orderId = await sale.sell(buyer, planId);
  await sale.runQueue();
  return { buyer, orderId };
};

it("an order says what its buyer asks with the version that decides it, and nothing once it is decided", async () => {
  const { orderId, requestId: refundId } = await askRefund(await sale.createBuyer(), planId);
  const { requests } = await getConsoleOrder(orderId, "en", finance.viewer);
  const [asked] = requests.refunds;
  expect(asked).toMatchObject({ refund_id: refundId, amount: 159, disputed: false });
  expect(requests.replacements).toEqual([]);
  await approveRefund(finance.viewer, refundId, { version: asked!.version, overrule: false });
  expect((await getConsoleOrder(orderId, "en", finance.viewer)).requests.refunds).toEqual([]);
});

it("an order shows a refused code with the buyer's words, and that its own asker does not decide", async () => {
  const { buyer, orderId } = await sell();
  const other = await sell();
  const [key] = (await getConsoleOrder(orderId, "en")).keys;
  await requestReplacement(buyer.viewer, { library_id: key!.key_id, reason: "Licence already in use" });
  const [request] = (await getConsoleOrder(orderId, "en", support.viewer)).requests.replacements;
  expect(request).toMatchObject({ key_id: key!.key_id, reason: "Licence already in use", blocked_by: null });
  expect((await getConsoleOrder(other.orderId, "en", support.viewer)).requests.replacements).toEqual([]);
});

it("an order shows the five newest other orders of its buyer with what went back", async () => {
  const { buyer, orderId } = await sell();
  for (let i = 0; i < 6; i += 1) await sale.sell(buyer, planId);
  await sale.runQueue();
  const { customer } = await getConsoleOrder(orderId, "en");
  expect(customer.other_orders).toHaveLength(5);
  const { order_number } = await getConsoleOrder(orderId, "en");
  expect(customer.other_orders.map((each) => each.order_number)).not.toContain(order_number);
  expect(customer.other_orders[0]).toMatchObject({ final_amount: 159, refunded: 0 });
});

it("what an email says is shown with its codes masked, unopened, and not for one with a secret", async () => {
  const { orderId } = await sell();
  const { mails, keys } = await getConsoleOrder(orderId, "en");
  const opened = () =>
    db.execute(sql`select opened_at from keys where id = ${keys[0]!.key_id}`).then(([row]) => row);
  const before = await opened();
  const delivery = mails.find(({ event }) => event === "keys")!;
  const content = await getMailContent(delivery.mail_id);
  expect(content.missing).toBeNull();
  expect(content.text).toContain("••••-••••-••••");
  expect(await opened()).toEqual(before);
  await db.execute(sql`update mails set event = 'verification-code' where id = ${delivery.mail_id}`);
  expect(await getMailContent(delivery.mail_id)).toEqual({ missing: "private", subject: "", text: "" });
  await expect(getMailContent("mail_none")).rejects.toMatchObject({ name: "ShopError" });
});

it("a note mails the colleagues whom it names once, never its author", async () => {
  const { orderId } = await sell();
  const name = (person: StaffUser) => `@${person.email.split("@")[0]}`;
  const text = `${name(finance)} and ${name(support)}, ${name(finance)}: paid twice?`;
  const { note_id } = await addNote(support.viewer, "order", orderId, text);
  const sent = await db.execute<{ to_address: string }>(
    sql`select to_address from mails where event = 'staff-mention' and refs->>'noteId' = ${note_id}`,
  );
  expect(sent.map(({ to_address }) => to_address)).toEqual([finance.email]);
  const { order_number } = await getConsoleOrder(orderId, "en");
  expect(await findMentionMail(note_id)).toEqual({
    by: support.email,
    text,
    about: order_number,
    path: `/console/orders/${order_number}`,
  });
  expect(await findMentionMail("note_none")).toBeNull();
});
