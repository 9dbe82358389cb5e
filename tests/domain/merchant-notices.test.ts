import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { type CreatedMerchant, createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { changeNotices, getNotices } from "@/lib/merchants/notices/change-notices";
import { notifyOfReview } from "@/lib/merchants/notices/notify-review";
import { sendDigests } from "@/lib/merchants/notices/send-digests";
import { listMerchantRecipients } from "@/lib/notifications/list-merchant-recipients";
import type { MerchantNotice } from "@/lib/notifications/rules";
import { createReview } from "@/lib/reviews/create-review";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

let merchant: CreatedMerchant;
let owner: Seller;
let member: Seller;
let productId: number;
let planId: number;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  merchant = await createMerchant();
  [owner, member] = [await createSeller(merchant), await createSeller(merchant, { role: "member" })];
  const product = await createProduct({ merchantId: merchant.id, plans: [{ type: "month", keys: 3 }] });
  [productId, planId] = [product.id, product.plans[0]!.id];
  await db.execute(sql`update merchants set support_email = 'help@seller.example' where id = ${merchant.id}`);
});

const recipients = async (notice: MerchantNotice) =>
  (await transaction((tx) => listMerchantRecipients(tx, productId, [], notice))).map(({ to }) => to).sort();
const mailsOf = (event: string) =>
  db.execute<{ to: string }>(
    sql`select to_address as to from mails where event = ${event} order by to_address`,
  );

describe("notices to a merchant", () => {
  it("go to owners, and questions to the support address, until a person chooses otherwise for themselves", async () => {
    expect(await recipients("questions")).toEqual([owner.email, "help@seller.example"].sort());
    expect(await recipients("reviews")).toEqual([owner.email]);
    expect(await getNotices(owner.member)).toMatchObject({ questions: true, digest: true });
    expect(await getNotices(member.member)).toMatchObject({ questions: false, digest: false });

    await changeNotices(owner.member, { questions: false, reviews: false });
    await changeNotices(member.member, { reviews: true });
    expect(await recipients("questions")).toEqual(["help@seller.example"]);
    expect(await recipients("reviews")).toEqual([member.email]);
    expect(await getNotices(owner.member)).toMatchObject({ questions: false, stock: true });
  });

  it("about a buyer's question go to the owners if nobody else gets them, because an unanswered one is decided by default", async () => {
    await db.execute(sql`update merchants set support_email = null where id = ${merchant.id}`);
    expect(await recipients("questions")).toEqual([owner.email]);
    await db.execute(
      sql`update merchants set support_email = 'help@seller.example' where id = ${merchant.id}`,
    );
  });

  it("cannot be changed with a token", async () => {
    const token = { ...owner.member, user: null, role: null };
    expect(await getErrorName(changeNotices(token, { digest: false }))).toBe("permission_missing");
  });

  it("announce a review once, without its author", async () => {
    const buyer = await sale.createBuyer();
    const orderId = await sale.sell(buyer, planId);
    const review = {
      order_id: orderId,
      product_id: productId,
      rating: 4,
      title: "Good",
      content: "It saves me time.",
    };
    const { review_id } = await createReview(buyer.viewer, review);
    await sale.runQueue();
    await notifyOfReview(review_id);
    expect(await mailsOf("merchant-review")).toEqual([{ to: member.email }]);
    const [mail] = await db.execute<{ text: string }>(sql`
      select state as text from mails where event = 'merchant-review'`);
    expect(mail!.text).toBe("sent");
  });

  it("summarize the previous day once, for those who chose it", async () => {
    await db.execute(sql`
      update merchant_sales set sold_at = (shop_now() at time zone 'UTC')::date - interval '6 hours' where merchant_id = ${merchant.id}`);
    await sendDigests();
    await sendDigests();
    expect(await mailsOf("merchant-digest")).toEqual([{ to: owner.email }]);
    await sale.runQueue();
    const [mail] = await db.execute(sql`select state from mails where event = 'merchant-digest'`);
    expect(mail).toEqual({ state: "sent" });
    await changeNotices(owner.member, { digest: false });
    await db.execute(sql`delete from mails where event = 'merchant-digest'`);
    await sendDigests();
    expect(await mailsOf("merchant-digest")).toEqual([]);
  });
});
