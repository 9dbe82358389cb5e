import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { DAILY_VOUCHER, INVITER_VOUCHER, NEW_USER_VOUCHER } from "@/lib/coupons/rules";
import { claimVoucher, expireCoupons } from "@/lib/coupons/vouchers/commands";
import { getFreeVouchers } from "@/lib/coupons/vouchers/queries";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
beforeAll(() => {
  sale.receiveEventsHere();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await db.execute(
    sql`update campaigns set enabled = true, monthly_budget_cents = 500000, promised_cents = (
      select coalesce(sum(c.promised_cents), 0) from coupons c where c.campaign_id = campaigns.id and c.promised_month = campaigns.budget_month)
      where id in ('daily', 'new_user')`,
  );
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const claim = (who: sale.Buyer, type: "daily" | "new_user" = "daily") =>
  refusal(claimVoucher(who.viewer, { type }, "en"));
const pass = async () => (await createProduct({ plans: [{ keys: 3, priceCents: 6000 }] })).plans[0]!.id;
/** 10:00 of a day to come, so that a day's end is not near. */
const atTen = (days: number) =>
  db.execute(sql`update shop_clock set shift =
    date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + make_interval(days => ${days}, hours => 10) - now()`);

describe("the campaigns that the shop runs by itself", () => {
  it("are what the rules and the legal texts say", async () => {
    const rows = await db.execute(sql`
      select id, amount_cents, minimum_cents, valid_hours, first_order_only, monthly_budget_cents > 0 as capped, enabled
      from campaigns where id in ('daily', 'new_user', 'inviter') order by id`);
    expect([...rows]).toEqual([
      {
        id: "daily",
        amount_cents: DAILY_VOUCHER.amountCents,
        minimum_cents: DAILY_VOUCHER.minimumCents,
        valid_hours: DAILY_VOUCHER.hours,
        first_order_only: false,
        capped: true,
        enabled: true,
      },
      {
        id: "inviter",
        amount_cents: INVITER_VOUCHER.amountCents,
        minimum_cents: INVITER_VOUCHER.minimumCents,
        valid_hours: INVITER_VOUCHER.days * 24,
        first_order_only: false,
        capped: true,
        enabled: true,
      },
      {
        id: "new_user",
        amount_cents: NEW_USER_VOUCHER.amountCents,
        minimum_cents: NEW_USER_VOUCHER.minimumCents,
        valid_hours: 720,
        first_order_only: true,
        capped: true,
        enabled: true,
      },
    ]);
  });
});

describe("the daily voucher", () => {
  it("is $5 for orders of $10 or more, valid 24 hours from claiming, once a day", async () => {
    const who = await sale.newBuyer();
    await atTen(1);
    const coupon = await claimVoucher(who.viewer, { type: "daily" }, "en");
    expect([coupon.amount, coupon.min_amount, coupon.state]).toEqual([5, 10, "valid"]);
    const [row] = await db.execute<{ hours: number }>(
      sql`select extract(epoch from expires_at - created_at)::float / 3600 as hours from coupons where code = ${coupon.coupon_code}`,
    );
    expect(row!.hours).toBeCloseTo(24, 3);
    expect(await claim(who)).toBe("already_claimed");
    await atTen(2);
    expect(await claim(who)).toBeNull();
  });

  it("has one winner among twenty tabs, and among the spellings of one mailbox", async () => {
    const who = await sale.newBuyer({ email: `once.${Date.now()}@gmail.com` });
    const answers = await Promise.all(Array.from({ length: 20 }, () => claim(who)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set([null, "already_claimed"]));
    const alias = await sale.newBuyer({ email: who.email.replace(".", "").replace("@", "+2@") });
    expect(await claim(alias)).toBe("already_claimed");
    expect((await getFreeVouchers(alias.viewer, "en")).items[0]).toMatchObject({
      state: "claimed",
      coupon: null,
    });
  });

  it("is had once by an account, whatever its address is by then", async () => {
    const who = await sale.newBuyer();
    expect([await claim(who), await claim(who, "new_user")]).toEqual([null, null]);
    const email = `moved-${Date.now()}@example.com`;
    await db.execute(sql`update users set email = ${email} where id = ${who.id}`);
    const moved = { ...who, viewer: { ...who.viewer, email } };
    expect([await claim(moved), await claim(moved, "new_user")]).toEqual([
      "already_claimed",
      "already_claimed",
    ]);
    const { items } = await getFreeVouchers(moved.viewer, "en");
    expect(items.map(({ state }) => state)).toEqual(["claimed", "claimed"]);
  });

  it("is for proved addresses that are kept", async () => {
    expect(await claim(await sale.newBuyer({ verified: false }))).toBe("email_unverified");
    const throwaway = await sale.newBuyer({ email: `a${Date.now()}@mailinator.com` });
    expect(await claim(throwaway)).toBe("throwaway_address");
  });

  it("ends with its switch and with its budget, to the cent, under a rush", async () => {
    const who = await sale.newBuyer();
    await db.execute(sql`update campaigns set enabled = false where id = 'daily'`);
    expect(await claim(who)).toBe("voucher_unavailable");
    expect((await getFreeVouchers(who.viewer, "en")).items[0]!.state).toBe("unavailable");
    await db.execute(
      sql`update campaigns set enabled = true, monthly_budget_cents = promised_cents + 3 * 500 where id = 'daily'`,
    );
    const people = await Promise.all(Array.from({ length: 30 }, () => sale.newBuyer()));
    const answers = await Promise.all(people.map((one) => claim(one)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(3);
    expect(answers.filter((answer) => answer === "voucher_unavailable")).toHaveLength(27);
  });

  it("gives its budget back when it expires unused, and starts a new one each month", async () => {
    const who = await sale.newBuyer();
    expect(await claim(who)).toBeNull();
    const promised = async () =>
      (await db.execute<{ n: number }>(sql`select promised_cents as n from campaigns where id = 'daily'`))[0]!
        .n;
    const before = await promised();
    await sale.setClockAhead("25 hours");
    expect(await expireCoupons()).toBeGreaterThan(0);
    expect(await promised()).toBeLessThan(before);
    await sale.setClockAhead("40 days");
    expect(await claim(who)).toBeNull();
    expect(await promised()).toBe(500);
  });
});

describe("the first-order voucher", () => {
  it("is $10 off a first order of $50 or more, once in a life", async () => {
    const who = await sale.newBuyer();
    const coupon = await claimVoucher(who.viewer, { type: "new_user" }, "ja");
    expect([coupon.amount, coupon.min_amount, coupon.first_order_only]).toEqual([10, 50, true]);
    expect(await claim(who, "new_user")).toBe("already_claimed");
    const id = await sale.sell(who, await pass(), 1, coupon.coupon_code);
    expect(await sale.statusOf(id)).toBe("completed");
    const [order] = await db.execute(sql`select total_cents from orders where id = ${id}`);
    expect(order).toEqual({ total_cents: 5000 });
  });

  it("is not for those who have paid before, nor for a mailbox that had it under another name", async () => {
    const old = await sale.newBuyer();
    await sale.sell(old, await pass());
    expect(await claim(old, "new_user")).toBe("coupon_first_order");
    expect((await getFreeVouchers(old.viewer, "en")).items[1]!.state).toBe("not_eligible");
    const who = await sale.newBuyer();
    expect(await claim(who, "new_user")).toBeNull();
    expect(await claim(await sale.newBuyer({ email: who.email.replace("@", "+x@") }), "new_user")).toBe(
      "already_claimed",
    );
  });
});

describe("what a guest sees", () => {
  it("is what everybody may have", async () => {
    const { items } = await getFreeVouchers({ kind: "guest", locale: "en" }, "en");
    expect(items.map(({ type, state, amount, coupon }) => [type, state, amount, coupon])).toEqual([
      ["daily", "available", 5, null],
      ["new_user", "available", 10, null],
    ]);
  });
});
