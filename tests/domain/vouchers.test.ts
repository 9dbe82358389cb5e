import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { couponClaims } from "@/db/schema/coupons";
import { claimVoucher } from "@/lib/coupons/claim-voucher";
import { expireCoupons } from "@/lib/coupons/expire-coupons";
import { getFreeVouchers } from "@/lib/coupons/get-free-vouchers";
import { deleteOldClaimsJob } from "@/lib/coupons/jobs";
import { CLAIMS_PER_DAY, DAILY_VOUCHER, INVITER_VOUCHER, NEW_USER_VOUCHER } from "@/lib/coupons/rules";
import { LOCALES } from "@/lib/platform/i18n/locales";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";
import { auditSale } from "../setup/audit";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

beforeAll(() => {
  sale.receiveEventsInProcess();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await db.execute(
    sql`update campaigns set enabled = true, monthly_budget_cents = 500000, promised_cents = (
      select coalesce(sum(c.promised_cents), 0) from coupons c where c.campaign_id = campaigns.id and c.promised_month = campaigns.budget_month)
      where id in ('daily', 'new_user')`,
  );
  await db.execute(sql`delete from coupon_claims`);
  await db.execute(
    sql`update campaigns set promised_today_cents = 0, daily_budget_cents = null where id = 'new_user'`,
  );
  await db.execute(
    sql`update campaigns set promised_today_cents = 0, daily_budget_cents = ${DAILY_VOUCHER.dailyBudgetCents} where id = 'daily'`,
  );
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.closeSale);

const messages = { en, zh, ja };
const claim = (user: sale.Buyer, type: "daily" | "new_user" = "daily") =>
  getErrorName(claimVoucher(user.viewer, { type }, "en"));
const createTestPlan = async () => (await createSinglePlan({ keys: 3, priceCents: 6000 })).id;
/** Sets the shop's clock to 10:00 of a later day, so that midnight is not near. */
const setClockToTen = (days: number) =>
  db.execute(sql`update shop_clock set shift =
    date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + make_interval(days => ${days}, hours => 10) - now()`);

describe("a budget", () => {
  it("does not restart a month when the clock goes back, as after a failover at the turn of the month", async () => {
    const before = new Date();
    const daysToNextMonth = new Date(before.getUTCFullYear(), before.getUTCMonth() + 1, 0).getUTCDate();
    await setClockToTen(daysToNextMonth);
    expect(await claim(await sale.createBuyer())).toBeNull();
    await sale.setClockAhead("0");
    expect(await claim(await sale.createBuyer())).toBeNull();
    const [row] = await db.execute<{ promised: number; months: number }>(sql`
      select promised_cents as promised,
        (select count(distinct promised_month)::int from coupons where promised_month >= budget_month) as months
      from campaigns where id = 'daily'`);
    expect(row).toEqual({ promised: 2 * DAILY_VOUCHER.amountCents!, months: 1 });
  });
});

describe("the built-in campaigns", () => {
  it("have the names shown on the page of free coupons", async () => {
    const titles = await db.execute<{ id: string; title: Record<string, string> }>(
      sql`select id, title from campaigns where id in ('daily', 'new_user') order by id`,
    );
    expect([...titles]).toEqual(
      (["daily", "new_user"] as const).map((id) => ({
        id,
        title: Object.fromEntries(
          LOCALES.map((locale) => [locale, messages[locale].coupons.vouchers[id].title]),
        ),
      })),
    );
  });

  it("match the rules and the legal texts", async () => {
    const rows = await db.execute(sql`
      select id, amount_cents, minimum_cents, valid_hours, first_order_only, monthly_budget_cents > 0 as capped,
        daily_budget_cents, free, enabled
      from campaigns where id in ('daily', 'new_user', 'inviter') order by id`);
    expect(DAILY_VOUCHER.minimumCents).toBe(0); // the specification names none
    expect([...rows]).toEqual([
      {
        id: "daily",
        amount_cents: DAILY_VOUCHER.amountCents,
        minimum_cents: DAILY_VOUCHER.minimumCents,
        valid_hours: DAILY_VOUCHER.hours,
        first_order_only: false,
        capped: true,
        daily_budget_cents: DAILY_VOUCHER.dailyBudgetCents,
        free: false,
        enabled: true,
      },
      {
        id: "inviter",
        amount_cents: INVITER_VOUCHER.amountCents,
        minimum_cents: INVITER_VOUCHER.minimumCents,
        valid_hours: INVITER_VOUCHER.days * 24,
        first_order_only: false,
        capped: true,
        daily_budget_cents: null,
        free: false,
        enabled: true,
      },
      {
        id: "new_user",
        amount_cents: NEW_USER_VOUCHER.amountCents,
        minimum_cents: NEW_USER_VOUCHER.minimumCents,
        valid_hours: 720,
        first_order_only: true,
        capped: true,
        daily_budget_cents: null,
        free: false,
        enabled: true,
      },
    ]);
  });
});

describe("the daily voucher", () => {
  it("is $5 for any order, valid 24 hours from claiming, once a day", async () => {
    const user = await sale.createBuyer();
    await setClockToTen(1);
    const coupon = await claimVoucher(user.viewer, { type: "daily" }, "en");
    expect([coupon.amount, coupon.min_amount, coupon.state]).toEqual([5, 0, "valid"]);
    const [row] = await db.execute<{ hours: number }>(
      sql`select extract(epoch from expires_at - created_at)::float / 3600 as hours from coupons where code = ${coupon.coupon_code}`,
    );
    expect(row!.hours).toBeCloseTo(24, 3);
    expect(await claim(user)).toBe("already_claimed");
    await setClockToTen(2);
    expect(await claim(user)).toBeNull();
  });

  it("can be claimed once from twenty tabs, and once for each email identity", async () => {
    const user = await sale.createBuyer({ email: `once.${Date.now()}@gmail.com` });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => claim(user)));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set([null, "already_claimed"]));
    const aliasUser = await sale.createBuyer({ email: user.email.replace(".", "").replace("@", "+2@") });
    expect(await claim(aliasUser)).toBe("already_claimed");
    expect((await getFreeVouchers(aliasUser.viewer, "en")).items[0]).toMatchObject({
      state: "claimed",
      coupon: null,
    });
  });

  it("can be claimed once by an account, also after its email changes", async () => {
    const user = await sale.createBuyer();
    expect([await claim(user), await claim(user, "new_user")]).toEqual([null, null]);
    const email = `moved-${Date.now()}@example.com`;
    await db.execute(sql`update users set email = ${email} where id = ${user.id}`);
    const movedUser = { ...user, viewer: { ...user.viewer, email } };
    expect([await claim(movedUser), await claim(movedUser, "new_user")]).toEqual([
      "already_claimed",
      "already_claimed",
    ]);
    const { items } = await getFreeVouchers(movedUser.viewer, "en");
    expect(items.map(({ state }) => state)).toEqual(["claimed", "claimed"]);
  });

  it("requires a verified, non-disposable email", async () => {
    expect(await claim(await sale.createBuyer({ verified: false }))).toBe("email_unverified");
    const disposable = await sale.createBuyer({ email: `a${Date.now()}@mailinator.com` });
    expect(await claim(disposable)).toBe("throwaway_address");
  });

  it("is unavailable when disabled or when its budget is spent, even for concurrent claims", async () => {
    const user = await sale.createBuyer();
    await db.execute(sql`update campaigns set enabled = false where id = 'daily'`);
    expect(await claim(user)).toBe("voucher_unavailable");
    expect((await getFreeVouchers(user.viewer, "en")).items[0]!.state).toBe("unavailable");
    await db.execute(
      sql`update campaigns set enabled = true, monthly_budget_cents = promised_cents + 3 * 500 where id = 'daily'`,
    );
    const users = await Promise.all(Array.from({ length: 30 }, () => sale.createBuyer()));
    const outcomes = await Promise.all(users.map((user) => claim(user)));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "voucher_unavailable")).toHaveLength(27);
  });

  it("returns its budget when it expires unused, and gets a new budget each month", async () => {
    const user = await sale.createBuyer();
    expect(await claim(user)).toBeNull();
    const getPromisedCents = async () =>
      (await db.execute<{ n: number }>(sql`select promised_cents as n from campaigns where id = 'daily'`))[0]!
        .n;
    const before = await getPromisedCents();
    await sale.setClockAhead("25 hours");
    expect(await expireCoupons()).toBeGreaterThan(0);
    expect(await getPromisedCents()).toBeLessThan(before);
    // Later than the next month, whose budget the first test has begun.
    await sale.setClockAhead("70 days");
    expect(await claim(user)).toBeNull();
    expect(await getPromisedCents()).toBe(500);
  });
});

/** A buyer with a mailbox under this domain. */
const createBuyerAt = (domain: string) =>
  sale.createBuyer({ email: `u${crypto.randomUUID().slice(0, 8)}@${domain}` });
const claimFrom = (user: sale.Buyer, origin: { ip?: string; device?: string }) =>
  getErrorName(claimVoucher(user.viewer, { type: "daily" }, "en", origin));

describe("the claims of a day", () => {
  it("stop at the daily budget, and continue the next day", async () => {
    await setClockToTen(3);
    await db.execute(sql`update campaigns set daily_budget_cents = 2 * 500 where id = 'daily'`);
    const users = await Promise.all([1, 2, 3, 4].map((n) => createBuyerAt(`day${n}-budget.example`)));
    const outcomes = await Promise.all(users.map((user) => claim(user)));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === "voucher_unavailable")).toHaveLength(2);
    expect((await getFreeVouchers({ kind: "guest", locale: "en" }, "en")).items[0]!.state).toBe(
      "unavailable",
    );
    await setClockToTen(4);
    expect((await getFreeVouchers({ kind: "guest", locale: "en" }, "en")).items[0]!.state).toBe("available");
    expect(await claim(users[outcomes.indexOf("voucher_unavailable")]!)).toBeNull();
  });

  it("are limited per registered mail domain, subdomains included, but not per mail provider", async () => {
    const { mailDomain: limit } = CLAIMS_PER_DAY;
    const users = await Promise.all(
      Array.from({ length: limit + 1 }, (_, n) => createBuyerAt(`box${n}.catchall.example`)),
    );
    const outcomes = await Promise.all(users.map((user) => claim(user)));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(limit);
    expect(outcomes.filter((outcome) => outcome === "claims_full")).toHaveLength(1);
    const others = await Promise.all(Array.from({ length: limit + 1 }, () => createBuyerAt("gmail.com")));
    expect(await Promise.all(others.map((user) => claim(user)))).toEqual(others.map(() => null));
  });

  it("are limited per device and per address group", async () => {
    const createUsers = (count: number) =>
      Promise.all(Array.from({ length: count }, () => createBuyerAt("gmail.com")));
    const { device, addressGroup } = CLAIMS_PER_DAY;
    for (const user of await createUsers(device)) expect(await claimFrom(user, { device: "one" })).toBeNull();
    const [last] = await createUsers(1);
    expect(await claimFrom(last!, { device: "one" })).toBe("claims_full");
    expect(await claimFrom(last!, { device: "two" })).toBeNull();
    const users = await createUsers(addressGroup + 1);
    // Addresses of one /64 are one group.
    const outcomes: (string | null)[] = [];
    for (const [n, user] of users.entries())
      outcomes.push(await claimFrom(user, { ip: `2001:db8:7:7::${n + 1}` }));
    expect(outcomes).toEqual([...users.slice(1).map(() => null), "claims_full"]);
    expect(await claimFrom(users.at(-1)!, { ip: "2001:db8:7:8::1" })).toBeNull();
  });

  it("leave no trace of device and network two days later", async () => {
    expect(
      await claimFrom(await createBuyerAt("gmail.com"), { device: "traced", ip: "192.0.2.1" }),
    ).toBeNull();
    await deleteOldClaimsJob.run(undefined);
    expect(await db.$count(couponClaims)).toBe(1);
    await sale.setClockAhead("49 hours");
    await deleteOldClaimsJob.run(undefined);
    expect(await db.$count(couponClaims)).toBe(0);
  });
});

describe("the first-order voucher", () => {
  it("is $10 off a first order of $50 or more, once for each account", async () => {
    const user = await sale.createBuyer();
    const coupon = await claimVoucher(user.viewer, { type: "new_user" }, "ja");
    expect([coupon.amount, coupon.min_amount, coupon.first_order_only]).toEqual([10, 50, true]);
    expect(await claim(user, "new_user")).toBe("already_claimed");
    const id = await sale.sell(user, await createTestPlan(), 1, coupon.coupon_code);
    expect(await sale.getOrderStatus(id)).toBe("completed");
    const [order] = await db.execute(sql`select total_cents from orders where id = ${id}`);
    expect(order).toEqual({ total_cents: 5000 });
  });

  it("is rejected after a paid order, and for an email identity that had it", async () => {
    const payingUser = await sale.createBuyer();
    await sale.sell(payingUser, await createTestPlan());
    expect(await claim(payingUser, "new_user")).toBe("coupon_first_order");
    expect((await getFreeVouchers(payingUser.viewer, "en")).items[1]!.state).toBe("not_eligible");
    const user = await sale.createBuyer();
    expect(await claim(user, "new_user")).toBeNull();
    expect(await claim(await sale.createBuyer({ email: user.email.replace("@", "+x@") }), "new_user")).toBe(
      "already_claimed",
    );
  });
});

describe("a guest's free vouchers", () => {
  it("are shown as available", async () => {
    const { items } = await getFreeVouchers({ kind: "guest", locale: "en" }, "en");
    expect(items.map(({ type, state, amount, coupon }) => [type, state, amount, coupon])).toEqual([
      ["daily", "available", 5, null],
      ["new_user", "available", 10, null],
    ]);
  });
});
