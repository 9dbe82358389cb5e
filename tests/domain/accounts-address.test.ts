import { afterAll, describe, expect, it } from "vitest";
import { client } from "@/db/client";
import { createSignedInUser, createUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createOrder } from "@/db/factories/orders";
import { deleteAccount } from "@/lib/accounts/erasure/commands";
import { changeSettings, updateEmail } from "@/lib/accounts/profile/commands";
import { registerByEmail } from "@/lib/accounts/registration/commands";
import { queueDiscountAlerts } from "@/lib/notifications/deals/commands";
import { acceptsMail } from "@/lib/notifications/emails/queries";
import { getNotifications } from "@/lib/notifications/settings/queries";
import { unsubscribe, unsubscribeToken } from "@/lib/notifications/subscriptions/commands";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { resolveViewer, type UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import * as sale from "../setup/sale";
import { codeTo, freshAddress, guest, refusal } from "./account-steps";

afterAll(sale.endSale);

/** Moves the account to another address; answers who they are then. */
async function move({ viewer }: Pick<SignedInUser, "viewer">, email = freshAddress()): Promise<UserViewer> {
  const code = await codeTo(viewer, email, "change_email");
  const { cookie } = await updateEmail(viewer, { new_email: email, ...code }, "T");
  return (await resolveViewer({ cookie })) as UserViewer;
}
const remove = (viewer: UserViewer) => deleteAccount(viewer, { confirm: viewer.email }, "en");

/** A confirmed subscription of a mailbox, whoever's account has it. */
const subscribed = (email: string, state = "confirmed") =>
  client()`insert into subscriptions (id, email, topic, locale, state, confirmed_at)
    values (${newId("sub")}, ${email}, 'discounts', 'ja', ${state}, shop_now())`;
const optedOut = (email: string, topic: "discounts" | "wait_list") =>
  unsubscribe({ token: unsubscribeToken(email, topic) }, "en");
const subscriptionOf = async (email: string) =>
  (await client()`select state, locale from subscriptions where email = ${email}`)[0];
const applied = (email: string, state: string) =>
  client()`insert into merchant_applications (id, email, product_url, phone_num, locale, state)
    values (${newId("mer")}, ${email}, 'https://example.com/app', '+14155550100', 'en', ${state})`;
const keptUnder = async (email: string) => {
  const rows = await client()`
    select 'subscription' as what from subscriptions where email = ${email}
    union all select 'opt-out' from mail_optouts where email = ${email}
    union all select state from merchant_applications where email = ${email} order by 1`;
  return rows.map(({ what }) => what);
};

describe("what was subscribed to", () => {
  it("goes to the new address, and no mail to the old one", async () => {
    const user = await createSignedInUser();
    await subscribed(user.email);
    const [old] = await client()`select id from subscriptions where email = ${user.email}`;
    const viewer = await move(user);
    expect(await subscriptionOf(viewer.email)).toEqual({ state: "confirmed", locale: "ja" });
    expect(await subscriptionOf(user.email)).toBeUndefined();
    expect((await getNotifications(viewer)).discounts).toBe(true);
    expect(await client()`select 1 from subscriptions where id = ${old?.id}`).toHaveLength(0);
    await queueDiscountAlerts({ day: newId("day"), after: "" });
    const told = await client()`select to_address from mails
      where event = 'discount-alert' and to_address in (${user.email}, ${viewer.email})`;
    expect(told.map((row) => row.to_address)).toEqual([viewer.email]);
  });

  it("joins what the new address has: pending is confirmed, ended stays ended", async () => {
    for (const [there, then] of [
      ["confirmed", "confirmed"],
      ["pending", "confirmed"],
      ["ended", "ended"],
    ] as const) {
      const [user, email] = [await createSignedInUser(), freshAddress()];
      await subscribed(user.email);
      await subscribed(email, there);
      const viewer = await move(user, email);
      expect([there, (await subscriptionOf(viewer.email))?.state]).toEqual([there, then]);
      expect(await subscriptionOf(user.email)).toBeUndefined();
    }
  });

  it("ends where the new address wants no such mail", async () => {
    const [user, email] = [await createSignedInUser(), freshAddress()];
    const plan = (await createProduct()).plans[0]!.id;
    await subscribed(user.email);
    await client()`insert into wait_list (id, user_id, plan_id, email, locale)
      values (${newId("w")}, ${user.id}, ${plan}, ${user.email}, 'en')`;
    for (const topic of ["discounts", "wait_list"] as const) await optedOut(email, topic);
    const viewer = await move(user, email);
    expect(await getNotifications(viewer)).toMatchObject({ discounts: false, wait_list: false });
    expect([await subscriptionOf(email), await subscriptionOf(user.email)]).toEqual([undefined, undefined]);
    const [wait] = await client()`select state from wait_list where user_id = ${user.id}`;
    expect(wait?.state).toBe("left");
  });

  it("stays ended at the new address, unless that one has subscribed by itself", async () => {
    for (const own of [false, true]) {
      const [user, email] = [await createSignedInUser(), freshAddress()];
      await changeSettings(user.viewer, { discounts: false, wait_list: false });
      if (own) await subscribed(email);
      const viewer = await move(user, email);
      expect(await acceptsMail(viewer.email, "discounts")).toBe(own);
      expect(await getNotifications(viewer)).toMatchObject({ discounts: own, wait_list: false });
    }
  });

  it("at an address that the account has not proved is its mailbox's, and stays", async () => {
    const squatter = await createSignedInUser({ verified: false });
    await subscribed(squatter.email);
    const viewer = await move(squatter);
    expect(await subscriptionOf(viewer.email)).toBeUndefined();
    await remove(viewer);
    expect((await subscriptionOf(squatter.email))?.state).toBe("confirmed");
  });
});

describe("deleting the account", () => {
  it("forgets what is kept under its address and under those it had", async () => {
    const user = await createSignedInUser();
    const viewer = await move(user);
    for (const email of [user.email, viewer.email]) {
      await subscribed(email);
      await optedOut(email, "wait_list");
      await applied(email, "received");
    }
    await remove(viewer);
    expect([await keptUnder(user.email), await keptUnder(viewer.email)]).toEqual([[], []]);
    await queueDiscountAlerts({ day: newId("day"), after: "" });
    const told = await client()`select 1 from mails
      where event = 'discount-alert' and to_address in (${user.email}, ${viewer.email})`;
    expect(told).toHaveLength(0);
  });

  it("leaves what is kept under a former address that is another's now", async () => {
    const user = await createSignedInUser();
    const viewer = await move(user);
    await createUser({ email: user.email });
    await subscribed(user.email);
    await remove(viewer);
    expect(await keptUnder(user.email)).toEqual(["subscription"]);
  });

  it("leaves what is kept under an address that it has not proved", async () => {
    const { viewer, email } = await createSignedInUser({ verified: false });
    await subscribed(email);
    await applied(email, "received");
    await remove(viewer);
    expect(await keptUnder(email)).toEqual(["received", "subscription"]);
  });

  it.each(["received", "refused", "approved"])("with a merchant's application that is %s", async (state) => {
    const { viewer, email } = await createSignedInUser();
    await applied(email, state);
    await remove(viewer);
    expect(await keptUnder(email)).toEqual(state === "approved" ? ["approved"] : []);
  });
});

it("coupons end with the account: the sweeper gives their budget back", async () => {
  const { viewer, id } = await createSignedInUser();
  for (const endsIn of [undefined, "5 days"]) await createCoupon({ userId: id, endsIn });
  await remove(viewer);
  const coupons =
    await client()`select state, expires_at <= shop_now() as over from coupons where user_id = ${id}`;
  expect(coupons.map(({ state, over }) => [state, over])).toEqual([
    ["open", true],
    ["open", true],
  ]);
});

describe("an address that an unproved account holds", () => {
  const holder = (verified = false) => createSignedInUser({ verified });

  it("goes to who proves it; the account that gave it way is closed", async () => {
    const [squatter, owner] = [await holder(), await createSignedInUser()];
    await subscribed(squatter.email); // by mail: the mailbox's own
    await applied(squatter.email, "received");
    await createOrder(squatter, (await createProduct()).plans[0]!.id, { status: "cancelled" });
    const viewer = await move(owner, squatter.email);
    expect(viewer).toMatchObject({ userId: owner.id, email: squatter.email, emailVerified: true });
    expect((await resolveViewer({ cookie: squatter.cookie })).kind).toBe("guest");
    const [closed] = await client()`select deleted_at is not null as closed, password_hash, email from users
      where id = ${squatter.id}`;
    expect(closed).toMatchObject({ closed: true, password_hash: null });
    expect(closed?.email).not.toBe(squatter.email);
    expect(await client()`select 1 from orders where send_email = ${squatter.email}`).toHaveLength(0);
    expect(await keptUnder(squatter.email)).toEqual(["received", "subscription"]);
    expect((await getNotifications(viewer)).discounts).toBe(true);
  });

  it("goes to the first of two who prove it, and of one who also registers with it", async () => {
    for (let round = 0; round < 3; round++) {
      const squatter = await holder();
      const { email } = squatter;
      const takers = [await createSignedInUser(), await createSignedInUser()];
      const codes: Awaited<ReturnType<typeof codeTo>>[] = [];
      for (const { viewer } of takers) {
        await client()`update verification_codes set created_at = created_at - interval '2 minutes' where email = ${email}`;
        codes.push(await codeTo(viewer, email, "change_email"));
      }
      const registration = await codeTo(guest, email, "register");
      const input = { user_email: email, user_password: "long enough", ...registration };
      const answers = await Promise.all([
        ...takers.map(({ viewer }, i) =>
          refusal(updateEmail(viewer, { new_email: email, ...codes[i]! }, "T")),
        ),
        refusal(registerByEmail(guest, input, { device: "T", ip: "" })),
      ]);
      expect(answers.sort()).toEqual(["done", "email_in_use", "email_in_use"]);
    }
  });

  it("and two unproved accounts that want each other's: nobody waits for ever", async () => {
    const [one, other] = [await holder(), await holder()];
    const codes = [
      await codeTo(one.viewer, other.email, "change_email"),
      await codeTo(other.viewer, one.email, "change_email"),
    ];
    const answers = await Promise.all([
      refusal(updateEmail(one.viewer, { new_email: other.email, ...codes[0]! }, "T")),
      refusal(updateEmail(other.viewer, { new_email: one.email, ...codes[1]! }, "T")),
    ]);
    expect(answers.filter((answer) => answer === "done")).toHaveLength(1);
  });

  const KEPT = ORDER_STATUSES.filter((status) => status !== "cancelled");
  it.each(KEPT)("stays with it when it has an order that is %s", async (status) => {
    const [buyer, taker] = [await holder(), await createSignedInUser()];
    const order = await createOrder(buyer, (await createProduct()).plans[0]!.id, { status });
    expect(await refusal(move(taker, buyer.email))).toBe("email_in_use");
    expect((await resolveViewer({ cookie: buyer.cookie })).kind).toBe("user");
    const [row] = await client()`select user_id, send_email from orders where id = ${order.id}`;
    expect(row).toEqual({ user_id: buyer.id, send_email: buyer.email });
  });

  it("stays when it is proved, or of staff", async () => {
    const taker = await createSignedInUser();
    const proved = await holder(true);
    const staff = await createSignedInUser({ verified: false, role: "staff" });
    for (const { email } of [proved, staff]) expect(await refusal(move(taker, email))).toBe("email_in_use");
  });
});
