import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createKeys, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createMerchant } from "@/db/factories/merchants";
import { registerDirectly } from "@/lib/accounts/registration/register";
import { assignWaitingOrders } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { openRefund } from "@/lib/orders/refunds/open-refund";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import { newId } from "@/lib/platform/crypto/ids";
import { ConsoleReferralsInput } from "@/lib/referrals/console/contract";
import { listConsoleReferrals } from "@/lib/referrals/console/list-console-referrals";
import { getInvitation } from "@/lib/referrals/get-invitation";
import { deleteOldClicks, recordInviteClick } from "@/lib/referrals/record-invite-click";
import { decideReferrals } from "@/lib/referrals/rewards/decide-referrals";
import { getReferrals } from "@/lib/referrals/rewards/get-referrals";
import { refuseReferral } from "@/lib/referrals/rewards/refuse-referral";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";

let inviter: sale.Buyer;
let ip = 0;
beforeAll(() => {
  sale.receiveEventsInProcess();
});
beforeEach(async () => {
  inviter = await sale.createBuyer();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await db.execute(sql`update campaigns set enabled = true where id = 'inviter'`);
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.closeSale);

const GUEST = { kind: "guest", locale: "en" } as const;
const PASSWORD = "correct horse battery";
let lastFriend = 0;

/** Registers a friend with the invitation; the email is verified by default. */
async function registerFriend(
  input: { email?: string; ip?: string; verified?: boolean } = {},
): Promise<sale.Buyer> {
  lastFriend += 1;
  ip += 1;
  const email = input.email ?? `friend-${Date.now()}-${lastFriend}@example.com`;
  const client = { device: "Test", ip: input.ip ?? `10.${(ip >> 8) & 255}.${ip & 255}.7` };
  const { response } = await registerDirectly(
    GUEST,
    { user_email: email, user_password: PASSWORD, username: "Kim", invited_account: inviter.inviteCode },
    client,
  );
  if (input.verified !== false)
    await db.execute(sql`update users set email_verified_at = shop_now() where id = ${response.user_id}`);
  const viewer = {
    kind: "user",
    userId: response.user_id,
    email,
    emailVerified: input.verified !== false,
    username: "Kim",
    role: "user",
    sessionId: "none",
    locale: "en",
  } as const;
  return { id: response.user_id, email, viewer } as unknown as sale.Buyer;
}

const createTestPlan = async (priceCents = 2000) => (await createSinglePlan({ keys: 5, priceCents })).id;
const getInfo = (user = inviter) => getReferrals(user.viewer, { page: 1, size: 10 }, "en");
const getReferral = async (friend: sale.Buyer) =>
  (
    await db.execute<{ state: string; reason: string | null }>(
      sql`select state, reason from referrals where friend_id = ${friend.id}`,
    )
  )[0];

describe("an invitation", () => {
  it("earns $5 once the refund window of the friend's first paid order has passed", async () => {
    const friend = await registerFriend();
    expect(await getReferral(friend)).toEqual({ state: "registered", reason: null });
    await sale.sell(friend, await createTestPlan());
    expect((await getInfo()).counts).toMatchObject({ registered: 0, pending: 1, paid: 0 });
    await sale.setClockAhead("14 days 23 hours");
    expect(await decideReferrals()).toBe(0);
    await sale.setClockAhead("15 days 1 minute");
    expect(await decideReferrals()).toBe(1);
    expect(await decideReferrals()).toBe(0);
    const info = await getInfo();
    expect(info.counts).toMatchObject({ pending: 0, paid: 1 });
    expect([info.earned, info.items[0]!.friend, info.items[0]!.state]).toEqual([5, "K***", "paid"]);
    const [coupon] = await db.execute(
      sql`select user_id, amount_cents, state from coupons where code = ${info.items[0]!.coupon_code}`,
    );
    expect(coupon).toEqual({ user_id: inviter.id, amount_cents: 500, state: "open" });
    await sale.runQueue();
    const mails = await db.execute(
      sql`select state from mails where event = 'referral-reward' and to_address = ${inviter.email}`,
    );
    expect([...mails]).toEqual([{ state: "sent" }]);
  });

  it("earns once, also for concurrent decisions, for the first paid order; free passes do not count", async () => {
    const friend = await registerFriend();
    const free = await sale.orderPlan(friend, await createTestPlan(0));
    await completeFreeOrder(friend.viewer, { order_id: free });
    expect(await getReferral(friend)).toMatchObject({ state: "registered" });
    await sale.sell(friend, await createTestPlan());
    await sale.sell(friend, await createTestPlan());
    await sale.setClockAhead("16 days");
    await Promise.all(Array.from({ length: 8 }, () => decideReferrals()));
    const coupons = await db.execute(sql`select 1 from coupons where user_id = ${inviter.id}`);
    expect(coupons).toHaveLength(1);
  });

  it("earns nothing from an order paid by a coupon, but from a later one paid with money", async () => {
    const friend = await registerFriend();
    const coupon = await createCoupon({ userId: friend.id, amountCents: 500 });
    const cheap = await sale.sell(friend, await createTestPlan(550), 1, coupon);
    expect(await sale.getOrderStatus(cheap)).toBe("completed");
    expect(await getReferral(friend)).toEqual({ state: "registered", reason: null });
    await sale.setClockAhead("16 days");
    expect(await decideReferrals()).toBe(0);
    await sale.sell(friend, await createTestPlan(500));
    expect(await getReferral(friend)).toEqual({ state: "pending", reason: null });
    await sale.setClockAhead("32 days");
    expect(await decideReferrals()).toBe(1);
    expect(await getReferral(friend)).toEqual({ state: "paid", reason: null });
  });

  it.each(["friend", "inviter"] as const)(
    "earns nothing while the %s belongs to the merchant of the pass, but from a later order",
    async (who) => {
      const friend = await registerFriend();
      const merchant = await createMerchant();
      const member = who === "friend" ? friend : inviter;
      await db.execute(sql`
      insert into merchant_members (id, merchant_id, user_id, role)
      values (${newId("mem")}, ${merchant.id}, ${member.id}, 'owner')`);
      const own = await createProduct({ merchantId: merchant.id, plans: [{ type: "month", keys: 1 }] });
      await sale.sell(friend, own.plans[0]!.id);
      await sale.setClockAhead("16 days");
      await decideReferrals();
      expect(await getReferral(friend)).toEqual({ state: "registered", reason: null });
      expect(await db.execute(sql`select 1 from coupons where user_id = ${inviter.id}`)).toHaveLength(0);
      await sale.sell(friend, await createTestPlan());
      await sale.setClockAhead("32 days");
      expect(await decideReferrals()).toBe(1);
      expect(await getReferral(friend)).toEqual({ state: "paid", reason: null });
    },
  );

  it("waits for another order when the pending one earns too little", async () => {
    const friend = await registerFriend();
    await sale.sell(friend, await createTestPlan(800));
    await db.execute(sql`update campaigns set amount_cents = 1000 where id = 'inviter'`);
    await sale.setClockAhead("16 days");
    await decideReferrals();
    await db.execute(sql`update campaigns set amount_cents = 500 where id = 'inviter'`);
    expect(await getReferral(friend)).toEqual({ state: "registered", reason: null });
    expect(await db.execute(sql`select 1 from coupons where user_id = ${inviter.id}`)).toHaveLength(0);
  });

  it("earns nothing when refunds leave less than the reward is worth", async () => {
    const friend = await registerFriend();
    const orderId = await sale.sell(friend, await createTestPlan(900));
    await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      await tx.execute(sql`update order_lines set refunded_cents = 450 where order_id = ${orderId}`);
      await recordSales(tx, orderId);
      await openRefund(tx, order!, { lineId: null, amountCents: 450, reason: "requested" });
    });
    await sale.runQueue();
    await sale.setClockAhead("16 days");
    await decideReferrals();
    expect(await getReferral(friend)).toEqual({ state: "refused", reason: "refunded" });
  });

  it("earns nothing when the order was refunded, with the reason", async () => {
    const friend = await registerFriend();
    const orderId = await sale.sell(friend, await createTestPlan());
    await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      await tx.execute(
        sql`update order_lines set state = 'refunded', refunded_quantity = quantity, refunded_cents = total_cents where order_id = ${orderId}`,
      );
      await recordSales(tx, orderId);
      await openRefund(tx, order!, { lineId: null, amountCents: order!.totalCents, reason: "requested" });
      await transition(tx, order!, "refunded", { reason: "requested" });
    });
    await sale.runQueue();
    await sale.setClockAhead("16 days");
    await decideReferrals();
    expect(await getReferral(friend)).toEqual({ state: "refused", reason: "refunded" });
  });

  it("waits for the delivery of a pre-order and its refund window, and earns nothing when it is cancelled before", async () => {
    const [keeper, canceller] = [await registerFriend(), await registerFriend()];
    const plan = { type: "month", keys: 0, availability: "pre_order" } as const;
    const [kept, cancelled] = [await createSinglePlan(plan), await createSinglePlan(plan)];
    const keptOrder = await sale.sell(keeper, kept.id);
    const cancelledOrder = await sale.sell(canceller, cancelled.id);
    await sale.setClockAhead("16 days");
    expect(await decideReferrals()).toBe(0);
    const [line] = await db.execute<{ id: string }>(
      sql`select id from order_lines where order_id = ${cancelledOrder}`,
    );
    const request = { order_id: cancelledOrder, order_product_id: line!.id };
    expect(await requestRefund(canceller.viewer, request, "en")).toMatchObject({ state: "approved" });
    await sale.runQueue();
    expect(await decideReferrals()).toBe(1);
    expect(await getReferral(canceller)).toEqual({ state: "refused", reason: "refunded" });
    await createKeys(kept.id, 1);
    await assignWaitingOrders(kept.id);
    expect(await sale.getOrderStatus(keptOrder)).toBe("shipped");
    await sale.setClockAhead("30 days");
    expect(await decideReferrals()).toBe(0);
    await sale.setClockAhead("31 days 1 minute");
    expect(await decideReferrals()).toBe(1);
    expect(await getReferral(keeper)).toMatchObject({ state: "paid" });
  });

  it("waits while the campaign is off, the friend's email is unverified, or a refund is requested", async () => {
    const friend = await registerFriend({ verified: false });
    const orderId = await sale.sell(friend, await createTestPlan());
    await sale.setClockAhead("16 days");
    expect(await decideReferrals()).toBe(0);
    await db.execute(sql`update users set email_verified_at = shop_now() where id = ${friend.id}`);
    await db.execute(sql`
      insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
      select 'rrq_test_' || l.id, l.id, ${friend.id}, 100, shop_now() + interval '1 day' from order_lines l where l.order_id = ${orderId}`);
    expect(await decideReferrals()).toBe(0);
    await db.execute(
      sql`update refund_requests set state = 'refused', decided_at = shop_now() where user_id = ${friend.id}`,
    );
    await db.execute(sql`update campaigns set enabled = false where id = 'inviter'`);
    expect([await decideReferrals(), (await getInfo()).running]).toEqual([0, false]);
    await db.execute(sql`update campaigns set enabled = true where id = 'inviter'`);
    expect(await decideReferrals()).toBe(1);
  });
});

describe("a run of the decisions", () => {
  it("decides all that are due, however many others have waited longer", async () => {
    const friend = await registerFriend();
    const orderId = await sale.sell(friend, await createTestPlan());
    await sale.setClockAhead("16 days");
    for (const kind of ["unverified", "closed"])
      await db.execute(sql`
        with friends as (
          insert into users (id, email, username, locale, invite_code, deleted_at)
          select f.id, f.id || '@example.com', 'Kim', 'en', f.id, case when ${kind} = 'closed' then shop_now() end
          from (select ${newId("usr")} || n as id from generate_series(1, 201) n) f returning id)
        insert into referrals (id, inviter_id, friend_id, email_identity, network, state, order_id, due_at)
        select 'ref' || id, ${inviter.id}, id, id, id, 'pending', ${orderId}, shop_now() - interval '10 days' from friends`);
    expect(await decideReferrals()).toBe(202);
    expect(await getReferral(friend)).toMatchObject({ state: "paid" });
    expect((await getInfo()).counts).toMatchObject({ pending: 201, paid: 1 });
    await db.execute(sql`delete from referrals where inviter_id = ${inviter.id} and state = 'pending'`);
  });
});

describe("abuse that earns nothing", () => {
  it("includes own email aliases, the same email identity twice, and disposable addresses", async () => {
    inviter = await sale.createBuyer({ email: `self${Date.now()}@gmail.com` });
    const selfInvited = await registerFriend({ email: inviter.email.replace("@", "+2@") });
    expect(await getReferral(selfInvited)).toEqual({ state: "refused", reason: "same_person" });
    const firstFriend = await registerFriend();
    const sameIdentity = await registerFriend({ email: firstFriend.email.replace("@", "+x@") });
    expect((await getReferral(sameIdentity))?.reason).toBe("same_person");
    expect(
      (await getReferral(await registerFriend({ email: `x${Date.now()}@mailinator.com` })))?.reason,
    ).toBe("throwaway_address");
    for (const account of [selfInvited, sameIdentity]) await sale.sell(account, await createTestPlan());
    await sale.setClockAhead("16 days");
    await decideReferrals();
    expect((await getInfo()).counts).toMatchObject({ refused: 3, paid: 0, registered: 1 });
  });

  it("includes many accounts in one network", async () => {
    const reasons: (string | null | undefined)[] = [];
    for (let i = 0; i < 5; i += 1)
      reasons.push((await getReferral(await registerFriend({ ip: "192.0.2.9" })))?.reason);
    expect(reasons).toEqual([null, null, null, "many_from_one_place", "many_from_one_place"]);
  });

  it("includes the same card for inviter and friend", async () => {
    const friend = await registerFriend();
    const inviterOrder = await sale.sell(inviter, await createTestPlan());
    const friendOrder = await sale.sell(friend, await createTestPlan());
    await db.execute(
      sql`update payments set card_fingerprint = 'card_one' where order_id in (${inviterOrder}, ${friendOrder})`,
    );
    await sale.setClockAhead("16 days");
    await decideReferrals();
    expect(await getReferral(friend)).toEqual({ state: "refused", reason: "same_card" });
  });

  it("includes rewards above the monthly cap", async () => {
    await db.execute(sql`update campaigns set monthly_cap = 1 where id = 'inviter'`);
    const friends = [await registerFriend(), await registerFriend()];
    for (const friend of friends) await sale.sell(friend, await createTestPlan());
    await sale.setClockAhead("16 days");
    await decideReferrals();
    await db.execute(sql`update campaigns set monthly_cap = 20 where id = 'inviter'`);
    expect((await Promise.all(friends.map(getReferral))).map((row) => row?.reason).sort()).toEqual(
      ["monthly_cap", null].sort(),
    );
  });

  it("includes an inviter with an unverified email", async () => {
    inviter = await sale.createBuyer({ verified: false });
    expect(await getReferral(await registerFriend())).toBeUndefined();
  });

  it("includes an unknown code and a second invitation of one user", async () => {
    const friend = await registerFriend();
    const other = await createUser();
    await db.execute(sql`update users set invited_by = ${other.id} where id = ${friend.id}`);
    expect((await getInfo()).total).toBe(1);
    inviter = { ...inviter, inviteCode: "unknown" } as sale.Buyer;
    expect(await getReferral(await registerFriend())).toBeUndefined();
  });
});

describe("the invitation page", () => {
  afterEach(() => db.execute(sql`update campaigns set enabled = true where id = 'new_user'`));

  it("shows inviter and gift, only the gift for an unknown code, and nothing for a disabled campaign", async () => {
    const gift = { amountCents: 1000, minimumCents: 5000 };
    expect(await getInvitation(inviter.inviteCode)).toMatchObject({ inviter: expect.any(String), gift });
    expect(await getInvitation("unknown-code")).toMatchObject({ inviter: null, gift });
    await db.execute(sql`update campaigns set enabled = false where id = 'new_user'`);
    expect((await getInvitation(inviter.inviteCode)).gift).toBeNull();
  });
});

describe("invitation clicks", () => {
  it("are counted once a day for each visitor of a known link, for 90 days", async () => {
    for (const visitor of ["203.0.113.1", "203.0.113.1", "203.0.113.2"])
      await recordInviteClick(inviter.inviteCode, visitor);
    await recordInviteClick("no-such-code", "203.0.113.1");
    expect((await getInfo()).counts.clicks).toBe(2);
    await sale.setClockAhead("91 days");
    await deleteOldClicks();
    expect((await getInfo()).counts.clicks).toBe(0);
  });
});

describe("an invitation that staff refuse", () => {
  it("earns nothing, and is decided once", async () => {
    const friend = await registerFriend();
    const { items } = await listConsoleReferrals(ConsoleReferralsInput.parse({ email: friend.email }));
    const { referral_id: id, version } = items[0]!;
    const refuse = () => refuseReferral(id, { actor: "staff:test", version });
    expect(await refuse()).toBe("done");
    expect(await getReferral(friend)).toMatchObject({ state: "refused", reason: "staff" });
    expect(await refuse()).toBe("too_late");
  });
});
