import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { db, transaction } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { registerDirectly } from "@/lib/accounts/registration/commands";
import { completeFreeOrder } from "@/lib/orders/payment/commands";
import { openRefund } from "@/lib/orders/refunds/commands";
import { lockOrder, transition } from "@/lib/orders/status/commands";
import { deleteOldClicks, recordInviteClick } from "@/lib/referrals/commands";
import { getInvitation } from "@/lib/referrals/queries";
import { decideReferrals } from "@/lib/referrals/rewards/commands";
import { getReferrals } from "@/lib/referrals/rewards/queries";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let inviter: sale.Buyer;
let ip = 0;
beforeAll(() => {
  sale.receiveEventsHere();
});
beforeEach(async () => {
  inviter = await sale.newBuyer();
});
afterEach(async () => {
  await sale.setClockAhead("0");
  await db.execute(sql`update campaigns set enabled = true where id = 'inviter'`);
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const GUEST = { kind: "guest", locale: "en" } as const;
const PASSWORD = "correct horse battery";
let names = 0;

/** A friend who registers by the invitation; their address is proved unless told otherwise. */
async function befriend(
  given: { email?: string; ip?: string; verified?: boolean } = {},
): Promise<sale.Buyer> {
  names += 1;
  ip += 1;
  const email = given.email ?? `friend-${Date.now()}-${names}@example.com`;
  const from = { device: "Test", ip: given.ip ?? `10.${(ip >> 8) & 255}.${ip & 255}.7` };
  const { response: answer } = await registerDirectly(
    GUEST,
    { user_email: email, user_password: PASSWORD, username: "Kim", invited_account: inviter.inviteCode },
    from,
  );
  if (given.verified !== false)
    await db.execute(sql`update users set email_verified_at = shop_now() where id = ${answer.user_id}`);
  const viewer = {
    kind: "user",
    userId: answer.user_id,
    email,
    emailVerified: given.verified !== false,
    username: "Kim",
    role: "user",
    sessionId: "none",
    locale: "en",
  } as const;
  return { id: answer.user_id, email, viewer } as unknown as sale.Buyer;
}

const pass = async (priceCents = 2000) =>
  (await createProduct({ plans: [{ keys: 5, priceCents }] })).plans[0]!.id;
const infoOf = (who = inviter) => getReferrals(who.viewer, { page: 1, size: 10 }, "en");
const stateOf = async (friend: sale.Buyer) =>
  (
    await db.execute<{ state: string; reason: string | null }>(
      sql`select state, reason from referrals where friend_id = ${friend.id}`,
    )
  )[0];

describe("an invitation", () => {
  it("earns its $5 once the friend's first paid order has outlived its refund window, and not before", async () => {
    const friend = await befriend();
    expect(await stateOf(friend)).toEqual({ state: "registered", reason: null });
    await sale.sell(friend, await pass());
    expect((await infoOf()).counts).toMatchObject({ registered: 0, pending: 1, paid: 0 });
    await sale.setClockAhead("14 days 23 hours");
    expect(await decideReferrals()).toBe(0);
    await sale.setClockAhead("15 days 1 minute");
    expect(await decideReferrals()).toBe(1);
    expect(await decideReferrals()).toBe(0);
    const info = await infoOf();
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

  it("earns once, whoever decides at the same time, and only for the first paid order; a free pass is none", async () => {
    const friend = await befriend();
    const free = await sale.orderOf(friend, await pass(0));
    await completeFreeOrder(friend.viewer, { order_id: free });
    expect(await stateOf(friend)).toMatchObject({ state: "registered" });
    await sale.sell(friend, await pass());
    await sale.sell(friend, await pass());
    await sale.setClockAhead("16 days");
    await Promise.all(Array.from({ length: 8 }, () => decideReferrals()));
    const coupons = await db.execute(sql`select 1 from coupons where user_id = ${inviter.id}`);
    expect(coupons).toHaveLength(1);
  });

  it("earns nothing when the money went back, and says so", async () => {
    const friend = await befriend();
    const orderId = await sale.sell(friend, await pass());
    await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      await tx.execute(
        sql`update order_lines set state = 'refunded', refunded_quantity = quantity, refunded_cents = total_cents where order_id = ${orderId}`,
      );
      await openRefund(tx, order!, { lineId: null, amountCents: order!.totalCents, reason: "requested" });
      await transition(tx, order!, "refunded", { reason: "requested" });
    });
    await sale.runQueue();
    await sale.setClockAhead("16 days");
    await decideReferrals();
    expect(await stateOf(friend)).toEqual({ state: "refused", reason: "refunded" });
  });

  it("waits while the switch is off, the friend's address is unproved, or a refund is in the asking", async () => {
    const friend = await befriend({ verified: false });
    const orderId = await sale.sell(friend, await pass());
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
    expect([await decideReferrals(), (await infoOf()).running]).toEqual([0, false]);
    await db.execute(sql`update campaigns set enabled = true where id = 'inviter'`);
    expect(await decideReferrals()).toBe(1);
  });
});

describe("tricks earn nothing", () => {
  it("inviting oneself under another spelling, a mailbox twice, or a throw-away address", async () => {
    inviter = await sale.newBuyer({ email: `self${Date.now()}@gmail.com` });
    const self = await befriend({ email: inviter.email.replace("@", "+2@") });
    expect(await stateOf(self)).toEqual({ state: "refused", reason: "same_person" });
    const once = await befriend();
    const again = await befriend({ email: once.email.replace("@", "+x@") });
    expect((await stateOf(again))?.reason).toBe("same_person");
    expect((await stateOf(await befriend({ email: `x${Date.now()}@mailinator.com` })))?.reason).toBe(
      "throwaway_address",
    );
    for (const trick of [self, again]) await sale.sell(trick, await pass());
    await sale.setClockAhead("16 days");
    await decideReferrals();
    expect((await infoOf()).counts).toMatchObject({ refused: 3, paid: 0, registered: 1 });
  });

  it("a farm of accounts in one network", async () => {
    const farm: (string | null | undefined)[] = [];
    for (let i = 0; i < 5; i += 1) farm.push((await stateOf(await befriend({ ip: "192.0.2.9" })))?.reason);
    expect(farm).toEqual([null, null, null, "many_from_one_place", "many_from_one_place"]);
  });

  it("one card for both", async () => {
    const friend = await befriend();
    const mine = await sale.sell(inviter, await pass());
    const theirs = await sale.sell(friend, await pass());
    await db.execute(
      sql`update payments set card_fingerprint = 'card_one' where order_id in (${mine}, ${theirs})`,
    );
    await sale.setClockAhead("16 days");
    await decideReferrals();
    expect(await stateOf(friend)).toEqual({ state: "refused", reason: "same_card" });
  });

  it("more rewards in a month than the cap", async () => {
    await db.execute(sql`update campaigns set monthly_cap = 1 where id = 'inviter'`);
    const friends = [await befriend(), await befriend()];
    for (const friend of friends) await sale.sell(friend, await pass());
    await sale.setClockAhead("16 days");
    await decideReferrals();
    await db.execute(sql`update campaigns set monthly_cap = 20 where id = 'inviter'`);
    expect((await Promise.all(friends.map(stateOf))).map((row) => row?.reason).sort()).toEqual(
      ["monthly_cap", null].sort(),
    );
  });

  it("who has proved no address of their own", async () => {
    inviter = await sale.newBuyer({ verified: false });
    expect(await stateOf(await befriend())).toBeUndefined();
  });

  it("an unknown code, and a second invitation of one person", async () => {
    const known = await befriend();
    const other = await createUser();
    await db.execute(sql`update users set invited_by = ${other.id} where id = ${known.id}`);
    expect((await infoOf()).total).toBe(1);
    inviter = { ...inviter, inviteCode: "nobody" } as sale.Buyer;
    expect(await stateOf(await befriend())).toBeUndefined();
  });
});

describe("the page of an invitation", () => {
  afterEach(() => db.execute(sql`update campaigns set enabled = true where id = 'new_user'`));

  it("says who invites and what the friend gets; an unknown code gets the same; nothing is promised that is not given", async () => {
    const gift = { amountCents: 1000, minimumCents: 5000 };
    expect(await getInvitation(inviter.inviteCode)).toMatchObject({ inviter: expect.any(String), gift });
    expect(await getInvitation("nobody-has-this")).toMatchObject({ inviter: null, gift });
    await db.execute(sql`update campaigns set enabled = false where id = 'new_user'`);
    expect((await getInvitation(inviter.inviteCode)).gift).toBeNull();
  });
});

describe("clicks", () => {
  it("count a visitor once a day, of a link that exists, for 90 days", async () => {
    for (const visitor of ["203.0.113.1", "203.0.113.1", "203.0.113.2"])
      await recordInviteClick(inviter.inviteCode, visitor);
    await recordInviteClick("no-such-code", "203.0.113.1");
    expect((await infoOf()).counts.clicks).toBe(2);
    await sale.setClockAhead("91 days");
    await deleteOldClicks();
    expect((await infoOf()).counts.clicks).toBe(0);
  });
});
