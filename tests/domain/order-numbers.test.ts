import { readdirSync, readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { queueHeldMail } from "@/lib/orders/cancellation/mail-unpaid-orders";
import { findOrderForStaff } from "@/lib/orders/console/find-order-for-staff";
import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { findOwnOrder, getOrder, resolveOrderId } from "@/lib/orders/find-order";
import { sweepJob } from "@/lib/orders/jobs";
import { listOpenOrders } from "@/lib/orders/list-orders";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

const readNumber = async (orderId: string) => {
  const [row] = await db.execute<{ number: string }>(
    sql`select order_number as number from orders where id = ${orderId}`,
  );
  return row!.number;
};
const month = async () => {
  const [row] = await db.execute<{ month: string }>(
    sql`select to_char(shop_now() at time zone 'UTC', 'YYMM') as month`,
  );
  return row!.month;
};

describe("order numbers", () => {
  it("contain year and month and count up, without waiting for other orders", async () => {
    const { id: planId } = await createSinglePlan({ keys: 8 });
    const people = await Promise.all(Array.from({ length: 4 }, sale.createBuyer));
    const ids = await Promise.all(people.map((person) => sale.orderPlan(person, planId)));
    const numbers = await Promise.all(ids.map(readNumber));
    const prefix = `PL-${await month()}-`;
    for (const number of numbers) expect(number).toMatch(new RegExp(`^${prefix}\\d{4,}$`));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it("start at 1 each month, grow past four digits, and skip what was rolled back", async () => {
    const next = (at: string) =>
      db
        .execute<{ number: string }>(sql`select next_order_number(${at}::timestamptz) as number`)
        .then(([row]) => row!.number);
    expect(await next("2031-01-31T23:59:59Z")).toBe("PL-3101-0001");
    expect(await next("2031-02-01T00:00:00Z")).toBe("PL-3102-0001");
    await transaction(async (tx) => {
      await tx.execute(sql`select next_order_number('2031-02-02')`);
      throw new Error("rolled back");
    }).catch(() => {});
    expect(await next("2031-02-03T00:00:00Z")).toBe("PL-3102-0003");
    await db.execute(sql`update order_number_months set start = start - 10000 where month = '3102'`);
    expect(await next("2031-02-04T00:00:00Z")).toBe("PL-3102-10004");
  });

  it("do not wait for other orders once the sweeper has started their month", async () => {
    await sale.setClockAhead("4000 days");
    const [next] = await db.execute<{ month: string; secondsLeft: number }>(sql`
      select to_char(date_trunc('month', shop_now()) + interval '1 month', 'YYMM') as month,
        extract(epoch from date_trunc('month', shop_now()) + interval '1 month' - shop_now())::int as "secondsLeft"`);
    await sale.setClockAhead(`${4000 * 86_400 + next!.secondsLeft - 60} seconds`);
    await sweepJob.run(undefined);
    await sale.setClockAhead("0");
    const number = sql`select next_order_number(to_date(${next!.month}, 'YYMM')::timestamptz + interval '1 day') as number`;
    await transaction(async (tx) => {
      await tx.execute(number);
      const [other] = await transaction(async (another) => {
        await another.execute(sql`set local lock_timeout = '1s'`);
        return another.execute<{ number: string }>(number);
      });
      expect(other!.number).toBe(`PL-${next!.month}-0002`);
    });
  });

  it("are given to existing orders by the migration in order of their dates", async () => {
    const folder = "db/migrations";
    const file = readdirSync(folder).find((name) => name.endsWith("_storefront.sql"))!;
    const statements = readFileSync(`${folder}/${file}`, "utf8").split("--> statement-breakpoint");
    const numbering = statements.filter((text) =>
      /^\s*(UPDATE "orders"|SELECT setval|INSERT INTO)/.test(text),
    );
    expect(numbering).toHaveLength(3);
    const { id: planId } = await createSinglePlan({ keys: 8 });
    const people = await Promise.all(Array.from({ length: 3 }, sale.createBuyer));
    for (const person of people) await sale.orderPlan(person, planId);
    const rollback = new Error("rolled back");
    const migrated = transaction(async (tx) => {
      await tx.execute(sql`update orders set order_number = null`);
      await tx.execute(sql`delete from order_number_months`);
      for (const text of numbering) await tx.execute(sql.raw(text));
      const rows = await tx.execute<{ number: string; month: string; running: number }>(sql`
        select order_number as number, to_char(created_at at time zone 'UTC', 'YYMM') as month, row_number() over (
          partition by to_char(created_at at time zone 'UTC', 'YYMM') order by created_at, id)::int as running from orders`);
      for (const { number, month, running } of rows)
        expect(number).toBe(`PL-${month}-${String(running).padStart(4, "0")}`);
      const count = rows.filter((row) => row.month === rows[0]!.month).length;
      const [next] = await tx.execute<{ number: string }>(
        sql`select next_order_number(min(created_at)) as number from orders`,
      );
      expect(next!.number).toBe(`PL-${rows[0]!.month}-${String(count + 1).padStart(4, "0")}`);
      throw rollback;
    });
    await expect(migrated).rejects.toBe(rollback);
    // A sequence is not rolled back with its transaction.
    await db.execute(sql`select setval('order_numbers', (select last_value + 100000 from order_numbers))`);
  });

  it("find only the owner's order", async () => {
    const { id: planId } = await createSinglePlan({ keys: 2 });
    const id = await sale.orderPlan(buyer, planId);
    const number = await readNumber(id);
    expect((await getOrder(buyer.viewer, number, "en")).order_id).toBe(id);
    expect(await findOwnOrder(buyer.viewer, number)).toEqual({ email: buyer.email });
    expect(await resolveOrderId(` ${number.toLowerCase()}`)).toBe(id);
    expect(await resolveOrderId("ord_unknown")).toBe("ord_unknown");
    for (const text of [number.toLowerCase(), id])
      expect(await findOrderForStaff(text, "en")).toMatchObject({ order_number: number });
    const other = await sale.createBuyer();
    expect(await findOwnOrder(other.viewer, number)).toBeNull();
  });
});

describe("an order and its buyer's place", () => {
  const order = async (person: sale.Buyer, timeZone?: string) => {
    await sale.forgetHolds(person);
    const { id: planId } = await createSinglePlan({ keys: 2 });
    const line = await createCartLine(person.id, planId);
    return placeOrder(person.viewer, { cart_record_ids: [line] }, "en", { timeZone });
  };

  it("has its number and the buyer's time zone in its emails", async () => {
    const person = await sale.createBuyer();
    const placed = await order(person, "Asia/Tokyo");
    expect(placed.order_number).toBe(await readNumber(placed.order_id));
    await queueHeldMail(placed.order_id);
    await sale.runQueue();
    const mail = (await findMailboxMails(person.email))!.find(({ event }) => event === "order-placed")!;
    expect(mail.text).toContain(placed.order_number);
    expect(mail.text).toContain("GMT+9");
  });

  it("takes the country from the default billing address, or asks once", async () => {
    const person = await sale.createBuyer();
    const first = await order(person, "Asia/Tokyo");
    expect(await getOrder(person.viewer, first.order_id, "en")).toMatchObject({
      country: null,
      withdrawal_applies: false,
    });
    const chosen = await chooseDelivery(person.viewer, { order_id: first.order_id, country: "DE" });
    expect(chosen).toMatchObject({ country: "DE", withdrawal_applies: true, immediate_delivery: null });
    const second = await order(person, "Asia/Tokyo");
    expect(await getOrder(person.viewer, second.order_id, "en")).toMatchObject({
      country: "DE",
      withdrawal_applies: true,
    });
    const billed = await sale.createBuyer();
    await db.execute(sql`
      insert into billing_addresses (id, user_id, full_name, line1, city, country, is_default)
      values (${`adr_${billed.id}`}, ${billed.id}, 'Mara', '1 Harbour Street', 'Osaka', 'JP', true)`);
    const third = await order(billed, "Europe/Paris");
    expect(await getOrder(billed.viewer, third.order_id, "en")).toMatchObject({
      country: "JP",
      withdrawal_applies: false,
    });
  });
});

describe("a paid pre-order", () => {
  const sellPreOrder = async (person: sale.Buyer) => {
    const { id: planId } = await createSinglePlan({ type: "day", keys: 0, availability: "pre_order" });
    const orderId = await sale.sell(person, planId);
    return { planId, orderId, line: (await getOrder(person.viewer, orderId, "en")).order_products[0]! };
  };

  it("waits in the library and is cancelled with an instant refund, even for a day pass", async () => {
    const person = await sale.createBuyer();
    const { orderId, line } = await sellPreOrder(person);
    expect(line).toMatchObject({
      state: "waiting",
      pre_order: true,
      can_refund: true,
      refund_at_once: true,
      refund: { refundable: true, until: null, reason: "before_delivery" },
    });
    const open = await listOpenOrders(person.viewer, "en");
    expect(open.map(({ order_id }) => order_id)).toEqual([orderId]);
    const request = { order_id: orderId, order_product_id: line.order_product_id };
    expect(await requestRefund(person.viewer, request, "en")).toMatchObject({
      state: "approved",
      refund_amount: line.total,
    });
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("refunded");
    expect(await listOpenOrders(person.viewer, "en")).toEqual([]);
  });
});

describe("what only one plan includes", () => {
  it("is part of that plan in the detail, in the reader's language, else in English", async () => {
    const { id, plans } = await createProduct({ plans: [{ type: "month" }, { type: "year" }] });
    await db.execute(sql`
      update plans set includes = '{"en": ["Shared projects"], "ja": ["プロジェクトの共有"]}' where id = ${plans[1]!.id}`);
    const read = async (locale: "en" | "zh" | "ja") =>
      (await findProductPage({ id, locale }))!.vip_options.map(({ includes }) => includes);
    expect(await read("en")).toEqual([[], ["Shared projects"]]);
    expect(await read("ja")).toEqual([[], ["プロジェクトの共有"]]);
    expect(await read("zh")).toEqual([[], ["Shared projects"]]);
  });
});
