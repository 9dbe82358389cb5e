import { afterAll, describe, expect, it } from "vitest";
import { client } from "@/db/client";
import { createSignedInUser, createUser, type SignedInUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createOrder } from "@/db/factories/orders";
import { deleteAccount } from "@/lib/accounts/erasure/delete-account";
import { changeSettings } from "@/lib/accounts/profile/change-settings";
import { updateEmail } from "@/lib/accounts/profile/update-email";
import { registerByEmail } from "@/lib/accounts/registration/register";
import { queueDiscountAlerts } from "@/lib/notifications/deals/announce-deals";
import { getNotifications } from "@/lib/notifications/settings/get-notifications";
import { acceptsMail } from "@/lib/notifications/subscriptions/opt-outs";
import { unsubscribe, unsubscribeToken } from "@/lib/notifications/subscriptions/unsubscribe";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import { resolveViewer, type UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { guest, requestCode, uniqueEmail } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

/** Changes the account's email; returns its viewer afterwards. */
async function changeEmail(
  { viewer }: Pick<SignedInUser, "viewer">,
  email = uniqueEmail(),
): Promise<UserViewer> {
  const code = await requestCode(viewer, email, "change_email");
  const { cookie } = await updateEmail(viewer, { new_email: email, ...code }, "T");
  return (await resolveViewer({ cookie })) as UserViewer;
}
const deleteUser = (viewer: UserViewer) => deleteAccount(viewer, { confirm: viewer.email }, "en");

/** Inserts a subscription of an email address, regardless of accounts. */
const insertSubscription = (email: string, state = "confirmed") =>
  client()`insert into subscriptions (id, email, topic, locale, state, confirmed_at)
    values (${newId("sub")}, ${email}, 'discounts', 'ja', ${state}, shop_now())`;
const optOut = (email: string, topic: "discounts" | "wait_list") =>
  unsubscribe({ token: unsubscribeToken(email, topic) }, "en");
const findSubscription = async (email: string) =>
  (await client()`select state, locale from subscriptions where email = ${email}`)[0];
const insertApplication = (email: string, state: string) =>
  client()`insert into merchant_applications (id, email, product_url, phone_num, locale, state)
    values (${newId("mer")}, ${email}, 'https://example.com/app', '+14155550100', 'en', ${state})`;
const listRecords = async (email: string) => {
  const rows = await client()`
    select 'subscription' as record from subscriptions where email = ${email}
    union all select 'opt-out' from mail_optouts where email = ${email}
    union all select state from merchant_applications where email = ${email} order by 1`;
  return rows.map(({ record }) => record);
};

describe("subscriptions when the email changes", () => {
  it("move to the new address, and the old one gets no more mail", async () => {
    const user = await createSignedInUser();
    await insertSubscription(user.email);
    const [old] = await client()`select id from subscriptions where email = ${user.email}`;
    const viewer = await changeEmail(user);
    expect(await findSubscription(viewer.email)).toEqual({ state: "confirmed", locale: "ja" });
    expect(await findSubscription(user.email)).toBeUndefined();
    expect((await getNotifications(viewer)).discounts).toBe(true);
    expect(await client()`select 1 from subscriptions where id = ${old?.id}`).toHaveLength(0);
    await queueDiscountAlerts({ day: newId("day"), after: "" });
    const alerts = await client()`select to_address from mails
      where event = 'discount-alert' and to_address in (${user.email}, ${viewer.email})`;
    expect(alerts.map((row) => row.to_address)).toEqual([viewer.email]);
  });

  it("merge into the new address's own: pending is confirmed, ended stays ended", async () => {
    for (const [targetState, expectedState] of [
      ["confirmed", "confirmed"],
      ["pending", "confirmed"],
      ["ended", "ended"],
    ] as const) {
      const [user, email] = [await createSignedInUser(), uniqueEmail()];
      await insertSubscription(user.email);
      await insertSubscription(email, targetState);
      const viewer = await changeEmail(user, email);
      expect([targetState, (await findSubscription(viewer.email))?.state]).toEqual([
        targetState,
        expectedState,
      ]);
      expect(await findSubscription(user.email)).toBeUndefined();
    }
  });

  it("end when the new address has opted out", async () => {
    const [user, email] = [await createSignedInUser(), uniqueEmail()];
    const plan = (await createSinglePlan()).id;
    await insertSubscription(user.email);
    await client()`insert into wait_list (id, user_id, plan_id, email, locale)
      values (${newId("w")}, ${user.id}, ${plan}, ${user.email}, 'en')`;
    for (const topic of ["discounts", "wait_list"] as const) await optOut(email, topic);
    const viewer = await changeEmail(user, email);
    expect(await getNotifications(viewer)).toMatchObject({ discounts: false, wait_list: false });
    expect([await findSubscription(email), await findSubscription(user.email)]).toEqual([
      undefined,
      undefined,
    ]);
    const [waitEntry] = await client()`select outcome from wait_list where user_id = ${user.id}`;
    expect(waitEntry?.outcome).toBe("cancelled");
  });

  it("stay off at the new address, unless that address has its own subscription", async () => {
    for (const resubscribed of [false, true]) {
      const [user, email] = [await createSignedInUser(), uniqueEmail()];
      await changeSettings(user.viewer, { discounts: false, wait_list: false });
      if (resubscribed) await insertSubscription(email);
      const viewer = await changeEmail(user, email);
      expect(await acceptsMail(viewer.email, "discounts")).toBe(resubscribed);
      expect(await getNotifications(viewer)).toMatchObject({ discounts: resubscribed, wait_list: false });
    }
  });

  it("stay with an old address that the account has not verified", async () => {
    const unverifiedUser = await createSignedInUser({ verified: false });
    await insertSubscription(unverifiedUser.email);
    const viewer = await changeEmail(unverifiedUser);
    expect(await findSubscription(viewer.email)).toBeUndefined();
    await deleteUser(viewer);
    expect((await findSubscription(unverifiedUser.email))?.state).toBe("confirmed");
  });
});

describe("deleting the account", () => {
  it("deletes the records of its current and former addresses", async () => {
    const user = await createSignedInUser();
    const viewer = await changeEmail(user);
    for (const email of [user.email, viewer.email]) {
      await insertSubscription(email);
      await optOut(email, "wait_list");
      await insertApplication(email, "received");
    }
    await deleteUser(viewer);
    expect([await listRecords(user.email), await listRecords(viewer.email)]).toEqual([[], []]);
    await queueDiscountAlerts({ day: newId("day"), after: "" });
    const alerts = await client()`select 1 from mails
      where event = 'discount-alert' and to_address in (${user.email}, ${viewer.email})`;
    expect(alerts).toHaveLength(0);
  });

  it("keeps the records of a former address that another account uses now", async () => {
    const user = await createSignedInUser();
    const viewer = await changeEmail(user);
    await createUser({ email: user.email });
    await insertSubscription(user.email);
    await deleteUser(viewer);
    expect(await listRecords(user.email)).toEqual(["subscription"]);
  });

  it("keeps the records of an address that it has not verified", async () => {
    const { viewer, email } = await createSignedInUser({ verified: false });
    await insertSubscription(email);
    await insertApplication(email, "received");
    await deleteUser(viewer);
    expect(await listRecords(email)).toEqual(["received", "subscription"]);
  });

  it.each(["received", "refused", "approved"])(
    "deletes merchant applications unless they are approved: %s",
    async (state) => {
      const { viewer, email } = await createSignedInUser();
      await insertApplication(email, state);
      await deleteUser(viewer);
      expect(await listRecords(email)).toEqual(state === "approved" ? ["approved"] : []);
    },
  );
});

it("deleting the account expires its coupons, so that the sweeper returns their budget", async () => {
  const { viewer, id } = await createSignedInUser();
  for (const endsIn of [undefined, "5 days"]) await createCoupon({ userId: id, endsIn });
  await deleteUser(viewer);
  const coupons =
    await client()`select state, expires_at <= shop_now() as expired from coupons where user_id = ${id}`;
  expect(coupons.map(({ state, expired }) => [state, expired])).toEqual([
    ["open", true],
    ["open", true],
  ]);
});

describe("an address held by an unverified account", () => {
  const createHolder = (verified = false) => createSignedInUser({ verified });

  it("moves to the account that verifies it; the unverified account is closed", async () => {
    const [unverifiedUser, owner] = [await createHolder(), await createSignedInUser()];
    await insertSubscription(unverifiedUser.email); // confirmed by email: it belongs to the address, not to the account
    await insertApplication(unverifiedUser.email, "received");
    await createOrder(unverifiedUser, (await createSinglePlan()).id, { status: "cancelled" });
    const viewer = await changeEmail(owner, unverifiedUser.email);
    expect(viewer).toMatchObject({ userId: owner.id, email: unverifiedUser.email, emailVerified: true });
    expect((await resolveViewer({ cookie: unverifiedUser.cookie })).kind).toBe("guest");
    const [closed] = await client()`select deleted_at is not null as closed, password_hash, email from users
      where id = ${unverifiedUser.id}`;
    expect(closed).toMatchObject({ closed: true, password_hash: null });
    expect(closed?.email).not.toBe(unverifiedUser.email);
    expect(await client()`select 1 from orders where send_email = ${unverifiedUser.email}`).toHaveLength(0);
    expect(await listRecords(unverifiedUser.email)).toEqual(["received", "subscription"]);
    expect((await getNotifications(viewer)).discounts).toBe(true);
  });

  it("moves to exactly one of two accounts and a registration that verify it concurrently", async () => {
    for (let round = 0; round < 3; round++) {
      const unverifiedUser = await createHolder();
      const { email } = unverifiedUser;
      const claimants = [await createSignedInUser(), await createSignedInUser()];
      const codes: Awaited<ReturnType<typeof requestCode>>[] = [];
      for (const { viewer } of claimants) {
        await client()`update verification_codes set created_at = created_at - interval '2 minutes' where email = ${email}`;
        codes.push(await requestCode(viewer, email, "change_email"));
      }
      const registration = await requestCode(guest, email, "register");
      const input = { user_email: email, user_password: "long enough", ...registration };
      const outcomes = await Promise.all([
        ...claimants.map(({ viewer }, i) =>
          getErrorName(updateEmail(viewer, { new_email: email, ...codes[i]! }, "T")),
        ),
        getErrorName(registerByEmail(guest, input, { device: "T", ip: "" })),
      ]);
      expect(outcomes.sort()).toEqual(["email_in_use", "email_in_use", null]);
    }
  });

  it("can be swapped by two unverified accounts concurrently without a deadlock", async () => {
    const [first, second] = [await createHolder(), await createHolder()];
    const codes = [
      await requestCode(first.viewer, second.email, "change_email"),
      await requestCode(second.viewer, first.email, "change_email"),
    ];
    const outcomes = await Promise.all([
      getErrorName(updateEmail(first.viewer, { new_email: second.email, ...codes[0]! }, "T")),
      getErrorName(updateEmail(second.viewer, { new_email: first.email, ...codes[1]! }, "T")),
    ]);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });

  const STATUSES_WITH_RECORDS = ORDER_STATUSES.filter((status) => status !== "cancelled");
  it.each(STATUSES_WITH_RECORDS)("stays with an unverified account that has an order: %s", async (status) => {
    const [buyer, claimant] = [await createHolder(), await createSignedInUser()];
    const order = await createOrder(buyer, (await createSinglePlan()).id, { status });
    expect(await getErrorName(changeEmail(claimant, buyer.email))).toBe("email_in_use");
    expect((await resolveViewer({ cookie: buyer.cookie })).kind).toBe("user");
    const [row] = await client()`select user_id, send_email from orders where id = ${order.id}`;
    expect(row).toEqual({ user_id: buyer.id, send_email: buyer.email });
  });

  it("stays with a verified account and with staff", async () => {
    const claimant = await createSignedInUser();
    const verifiedUser = await createHolder(true);
    const staff = await createSignedInUser({ verified: false, role: "staff" });
    for (const { email } of [verifiedUser, staff])
      expect(await getErrorName(changeEmail(claimant, email))).toBe("email_in_use");
  });
});
