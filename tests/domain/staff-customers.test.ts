import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { resetPassword } from "@/lib/accounts/password-reset/reset-password";
import { reauthenticate } from "@/lib/accounts/reauthentication/reauthenticate";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { findOrCreateAccount } from "@/lib/accounts/social-sign-in/find-or-create-account";
import { revokeCouponByStaff } from "@/lib/coupons/console/revoke-coupon-by-staff";
import { listCoupons } from "@/lib/coupons/list-coupons";
import { cancelOrderByStaff } from "@/lib/orders/cancellation/cancel-order";
import { resolveViewer, rotateSession, type StaffViewer, startSession } from "@/lib/platform/auth/session";
import { hideReview } from "@/lib/reviews/console/hide-review";
import {
  endCustomerSessions,
  requireCustomerPassword,
  unlockCustomer,
} from "@/lib/staff/customers/change-customer-access";
import { getConsoleCustomer } from "@/lib/staff/customers/get-console-customer";
import { giveCustomerCoupon } from "@/lib/staff/customers/give-customer-coupon";
import { listCouponChoices } from "@/lib/staff/customers/list-coupon-choices";
import { enterStaffMode } from "@/lib/staff/factors/enter-staff-mode";
import { previewEffects } from "@/lib/staff/preview/preview-effects";
import { requestCode } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { seenOrder } from "../setup/seen";

afterAll(closeDatabase);

const ENDS_AT = "2999-01-01T00:00:00.000Z";

const actionsOf = async (subject: string) => {
  const rows = await db.execute<{ action: string; actor: string }>(
    sql`select action, actor from audit_entries where subject = ${subject} order by id`,
  );
  return rows.map(({ action, actor }) => [action, actor]);
};

describe("a customer's sessions", () => {
  it("end on one device or on all, and their tokens stop working", async () => {
    const support = await createStaff({ roles: ["support"] });
    const customer = await createSignedInUser();
    const other = await logInAs(customer.email, customer.password, "198.51.100.7");
    const viewerOf = (authorization: string) => resolveViewer({ authorization, cookie: null });
    const one = await endCustomerSessions(support.viewer, customer.id, customer.viewer.sessionId);
    expect(one).toEqual({ ended: 1 });
    expect(await getErrorName(viewerOf(customer.bearer))).toBe("session_ended");
    expect(await viewerOf(`Bearer ${other.response.token}`)).toMatchObject({ userId: customer.id });
    expect(
      await getErrorName(endCustomerSessions(support.viewer, customer.id, customer.viewer.sessionId)),
    ).toBe("session_unknown");
    const effects = await previewEffects(() => endCustomerSessions(support.viewer, customer.id, undefined));
    expect(effects).toEqual([{ kind: "sessions_ended", count: 1 }]);
    expect(await viewerOf(`Bearer ${other.response.token}`)).toMatchObject({ userId: customer.id });
    expect(await endCustomerSessions(support.viewer, customer.id, undefined)).toEqual({ ended: 1 });
    expect(await getErrorName(viewerOf(`Bearer ${other.response.token}`))).toBe("session_ended");
    expect(await getErrorName(endCustomerSessions(support.viewer, customer.id, undefined))).toBe(
      "session_unknown",
    );
    expect(await actionsOf(customer.id)).toEqual(Array(2).fill(["customer.sessions_ended", support.id]));
  });

  it("of another customer are not ended by their id", async () => {
    const support = await createStaff({ roles: ["support"] });
    const [customer, other] = [await createSignedInUser(), await createSignedInUser()];
    expect(await getErrorName(endCustomerSessions(support.viewer, customer.id, other.viewer.sessionId))).toBe(
      "session_unknown",
    );
  });

  it("of staff are ended by reauthenticated administrators only, and never by their owner", async () => {
    const [support, admin] = [await createStaff({ roles: ["support"] }), await createStaff()];
    const stale = { ...admin.viewer, staff: { ...admin.viewer.staff, reauthenticated: false } };
    const end = (viewer: typeof stale) => endCustomerSessions(viewer, support.id, undefined);
    const colleague = await createStaff({ roles: ["support"] });
    expect(await getErrorName(end(colleague.viewer))).toBe("permission_missing");
    expect(await getErrorName(end(stale))).toBe("reauthentication_required");
    expect(await getErrorName(end(support.viewer))).toBe("own_account");
    expect(await end(admin.viewer)).toEqual({ ended: 1 });
  });
});

describe("an account whose password is known to someone else", () => {
  const close = (viewer: Awaited<ReturnType<typeof createStaff>>["viewer"], id: string) =>
    requireCustomerPassword(viewer, id, "Somebody else bought with it");
  const IP = "198.51.100.44";
  const signInWith = (email: string) =>
    findOrCreateAccount({
      identity: { provider: "github", subject: `sub-${email}`, email, name: "Ada" },
      attribution: {},
      locale: "en",
      ip: IP,
    });
  const resetTo = async (email: string, new_password: string) =>
    resetPassword(
      { email, new_password, ...(await requestCode(GUEST, email, "reset_password")) },
      "en",
      "203.0.113.7",
    );

  it("is signed out everywhere, and its password refused, until its owner sets another with a mailed code", async () => {
    const support = await createStaff({ roles: ["support"] });
    const customer = await createSignedInUser({ locale: "ja" });
    const other = await logInAs(customer.email, customer.password, IP);
    const effects = await previewEffects(() => close(support.viewer, customer.id));
    expect(effects).toEqual([
      { kind: "password_removed" },
      { kind: "sessions_ended", count: 2 },
      { kind: "email", event: "account-notice", to: customer.email },
    ]);
    expect((await logInAs(customer.email, customer.password, IP)).response.user_id).toBe(customer.id);
    expect(await close(support.viewer, customer.id)).toEqual({ ended: 3 });
    for (const bearer of [customer.bearer, `Bearer ${other.response.token}`])
      expect(await getErrorName(resolveViewer({ authorization: bearer }))).toBe("session_ended");
    expect(await getErrorName(rotateSession(other.response.refresh_token))).toBe("session_ended");
    expect(await getErrorName(logInAs(customer.email, customer.password, IP))).toBe("login_failed");
    expect(await getErrorName(startSession({ id: customer.id }, "Test"))).toBe("session_ended");
    expect(await getErrorName(close(support.viewer, customer.id))).toBe("new_password_required");
    const mails = await db.execute(sql`
      select locale, refs->>'kind' as kind from mails where to_address = ${customer.email} and event = 'account-notice'`);
    expect(mails).toEqual([{ locale: "ja", kind: "new_password_required" }]);
    const page = await getConsoleCustomer(customer.id, "en");
    expect(page).toMatchObject({
      has_password: false,
      sessions: [],
      access_changes: [
        {
          action: "customer.new_password_required",
          by: { id: support.id, email: support.email, name: support.username },
          reason: "Somebody else bought with it",
          ended: 3,
        },
      ],
    });
    expect(Date.parse(page.new_password_required_at!)).toBeGreaterThan(Date.now() - 60_000);
    await resetTo(customer.email, "a brand new password");
    expect((await logInAs(customer.email, "a brand new password", IP)).response.user_id).toBe(customer.id);
    expect(await getErrorName(logInAs(customer.email, customer.password, IP))).toBe("login_failed");
    const opened = await getConsoleCustomer(customer.id, "en");
    expect(opened).toMatchObject({ has_password: true, new_password_required_at: null });
    expect(opened.access_changes).toHaveLength(1);
  });

  it("does not sign in with a linked provider or link a new one before the new password is set", async () => {
    const support = await createStaff({ roles: ["support"] });
    const [linked, unlinked] = [await createUser(), await createUser()];
    expect(await signInWith(linked.email)).toBe(linked.id);
    for (const { id } of [linked, unlinked]) await close(support.viewer, id);
    expect(await getErrorName(signInWith(linked.email))).toBe("login_failed");
    expect(await getErrorName(signInWith(unlinked.email))).toBe("login_failed");
    expect(await db.execute(sql`select 1 from user_identities where user_id = ${unlinked.id}`)).toHaveLength(
      0,
    );
    await resetTo(linked.email, "a brand new password");
    expect(await signInWith(linked.email)).toBe(linked.id);
    await expect(startSession({ id: linked.id }, "Test")).resolves.toBeDefined();
  });

  it("without a password or with an unverified address is secured and released in the same way", async () => {
    const support = await createStaff({ roles: ["support"] });
    const email = `social-${Date.now()}@example.com`;
    const id = await signInWith(email);
    await close(support.viewer, id);
    expect(await getErrorName(signInWith(email))).toBe("login_failed");
    await resetTo(email, "a first password");
    expect((await logInAs(email, "a first password", IP)).response.user_id).toBe(id);
    const unverified = await createUser({ verified: false });
    await close(support.viewer, unverified.id);
    expect(await getErrorName(signInWith(unverified.email))).toBe("login_failed");
    await resetTo(unverified.email, "a brand new password");
    expect((await logInAs(unverified.email, "a brand new password", IP)).response.user_id).toBe(
      unverified.id,
    );
  });

  it("of a staff member is secured only by a reauthenticated administrator, and never by its owner", async () => {
    const [admin, finance] = [await createStaff(), await createStaff({ roles: ["finance"] })];
    const support = await createStaff({ roles: ["support"] });
    const stale = { ...admin.viewer, staff: { ...admin.viewer.staff, reauthenticated: false } };
    expect(await getErrorName(close(support.viewer, finance.id))).toBe("permission_missing");
    expect(await getErrorName(close(stale, finance.id))).toBe("reauthentication_required");
    expect(await getErrorName(close(finance.viewer, finance.id))).toBe("own_account");
    expect(await getErrorName(close(admin.viewer, "usr_none"))).toBe("customer_unknown");
    expect(await close(admin.viewer, finance.id)).toEqual({ ended: 1 });
  });

  it("keeps no session of a sign-in that races the requirement", async () => {
    const support = await createStaff({ roles: ["support"] });
    for (let i = 0; i < 5; i += 1) {
      const customer = await createUser();
      await Promise.allSettled([
        logInAs(customer.email, customer.password, IP),
        close(support.viewer, customer.id),
        startSession({ id: customer.id }, "Provider"),
      ]);
      const open = await db.execute(sql`
        select 1 from sessions where user_id = ${customer.id} and revoked_at is null`);
      expect(open).toHaveLength(0);
    }
  });
});

const GUEST = { kind: "guest", locale: "en" } as const;
const logInAs = (user_email: string, user_password: string, ip: string) =>
  logIn(GUEST, { user_email, user_password }, { device: "Test", ip });

describe("a locked account", () => {
  it("is shown with the end of the lock, and may sign in from every network once it is unlocked", async () => {
    const support = await createStaff({ roles: ["support"] });
    const customer = await createSignedInUser();
    const networks = ["198.51.100.1", "203.0.113.1"];
    for (const ip of networks) {
      for (let i = 0; i < 10; i++)
        expect(await getErrorName(logInAs(customer.email, "wrong", ip))).toBe("login_failed");
      expect(await getErrorName(logInAs(customer.email, customer.password, ip))).toBe("too_many_tries");
    }
    const { locks } = await getConsoleCustomer(customer.id, "en");
    expect(Date.parse(locks.sign_in!)).toBeGreaterThan(Date.now());
    expect(locks.second_factor).toBeNull();
    expect(await unlockCustomer(support.viewer, customer.id)).toEqual({
      sign_in: true,
      second_factor: false,
    });
    for (const ip of networks)
      expect((await logInAs(customer.email, customer.password, ip)).response.token).toMatch(
        /^[\w-]+\.[\w-]+\.[\w-]+$/,
      );
    expect((await getConsoleCustomer(customer.id, "en")).locks.sign_in).toBeNull();
    expect(await getErrorName(unlockCustomer(support.viewer, customer.id))).toBe("nothing_locked");
    expect(await actionsOf(customer.id)).toEqual([["customer.unlocked", support.id]]);
  });

  it("of another customer stays locked", async () => {
    const support = await createStaff({ roles: ["support"] });
    const [customer, other] = [await createSignedInUser(), await createSignedInUser()];
    for (const { email } of [customer, other])
      for (let i = 0; i < 10; i++) await getErrorName(logInAs(email, "wrong", "198.51.100.9"));
    await unlockCustomer(support.viewer, customer.id);
    expect(await getErrorName(logInAs(other.email, other.password, "198.51.100.9"))).toBe("too_many_tries");
  });

  it("after wrong passwords of a reauthentication is unlocked too", async () => {
    const support = await createStaff({ roles: ["support"] });
    const customer = await createSignedInUser();
    const prove = (password: string) => getErrorName(reauthenticate(customer.viewer, { password }));
    for (let i = 0; i < 10; i++) expect(await prove("wrong")).toBe("password_wrong");
    expect(await prove(customer.password)).toBe("too_many_tries");
    await unlockCustomer(support.viewer, customer.id);
    expect(await prove(customer.password)).toBeNull();
  });

  it("of a staff member after wrong codes is unlocked by another administrator", async () => {
    const [admin, locked] = [await createStaff(), await createStaff({ roles: ["finance"], entered: false })];
    for (let i = 0; i < 5; i++)
      expect(await getErrorName(enterStaffMode(locked.viewer, "000000"))).toBe("code_wrong");
    expect(await getErrorName(enterStaffMode(locked.viewer, await locked.code()))).toBe("too_many_tries");
    expect((await getConsoleCustomer(locked.id, "en")).locks.second_factor).not.toBeNull();
    expect(await unlockCustomer(admin.viewer, locked.id)).toEqual({ sign_in: false, second_factor: true });
    expect(await getErrorName(enterStaffMode(locked.viewer, await locked.code()))).toBeNull();
  });
});

describe("a coupon for a customer", () => {
  const give = (viewer: Awaited<ReturnType<typeof createStaff>>["viewer"], id: string, campaign: string) =>
    getErrorName(giveCustomerCoupon(viewer, id, { campaign, reason: REASON }));
  const REASON = "Waited a week for a code";

  it("is given and mailed, at most $10 a month per person from support and catalogue together", async () => {
    const [support, catalogue, admin] = [
      await createStaff({ roles: ["support"] }),
      await createStaff({ roles: ["catalogue"] }),
      await createStaff(),
    ];
    const customer = await createSignedInUser();
    const campaign = await createCampaign({ amountCents: 600, minimumCents: 2_000 });
    await db.execute(sql`update campaigns set ends_at = ${ENDS_AT} where id = ${campaign}`);
    const small = await createCampaign({ amountCents: 400 });
    const input = { campaign, reason: REASON };
    const offered = (await listCouponChoices(support.viewer, customer.id)).items.find(
      (item) => item.campaign === campaign,
    );
    expect(offered).toMatchObject({ amount: 6, minimum: 20, first_order_only: false });
    const effects = await previewEffects(() => giveCustomerCoupon(support.viewer, customer.id, input));
    // The preview says what the person will get.
    expect(effects).toEqual([
      { kind: "coupons_issued", count: 1 },
      {
        kind: "coupon_terms",
        amount: 6,
        percent: null,
        max_discount: null,
        minimum: 20,
        first_order_only: false,
        expires_at: ENDS_AT,
      },
      { kind: "email", event: "coupon", to: customer.email },
    ]);
    expect(offered?.expires_at).toBe(ENDS_AT);
    expect((await listCoupons(customer.viewer, "en")).total).toBe(0);
    const { coupon_code } = await giveCustomerCoupon(support.viewer, customer.id, input);
    const [kept] = await db.execute(sql`
      select a.actor, a.detail->>'reason' as reason from audit_entries a join coupons c on c.id = a.subject
      where c.code = ${coupon_code} and a.action = 'coupon_given'`);
    expect(kept).toEqual({ actor: support.id, reason: REASON });
    expect((await listCoupons(customer.viewer, "en")).items).toMatchObject([{ coupon_code, state: "valid" }]);
    // Named as the buyer reads it.
    expect((await getConsoleCustomer(customer.id, "zh")).coupons).toMatchObject([
      {
        campaign,
        title: "测试",
        given_by: { id: support.id, email: support.email, name: support.username },
        reason: REASON,
      },
    ]);
    expect(await give(catalogue.viewer, customer.id, campaign)).toBe("coupon_limit");
    const choices = await listCouponChoices(catalogue.viewer, customer.id);
    expect(choices.left).toBe(4);
    expect(choices.items.map((item) => item.campaign)).toContain(small);
    expect(choices.items.map((item) => item.campaign)).not.toContain(campaign);
    expect(await give(catalogue.viewer, customer.id, small)).toBeNull();
    expect(await give(support.viewer, customer.id, small)).toBe("coupon_limit");
    expect(await give(admin.viewer, customer.id, campaign)).toBeNull();
    expect((await listCouponChoices(admin.viewer, customer.id)).left).toBeNull();
    const mails = await db.execute(sql`select event from mails where to_address = ${customer.email}`);
    expect(mails).toEqual(Array(3).fill({ event: "coupon" }));
  });

  it("is refused beyond the limit even when two colleagues give it at the same time, and counted anew each month", async () => {
    const staff = [await createStaff({ roles: ["support"] }), await createStaff({ roles: ["support"] })];
    const customer = await createSignedInUser();
    const campaign = await createCampaign({ amountCents: 600 });
    const outcomes = await Promise.all(staff.map(({ viewer }) => give(viewer, customer.id, campaign)));
    expect(outcomes.sort()).toEqual(["coupon_limit", null].sort());
    await db.execute(
      sql`update coupons set created_at = created_at - interval '32 days' where user_id = ${customer.id}`,
    );
    expect(await give(staff[0]!.viewer, customer.id, campaign)).toBeNull();
  });

  it("without a cap is given by administrators only", async () => {
    const support = await createStaff({ roles: ["support"] });
    const customer = await createSignedInUser();
    const campaign = await createCampaign({ percent: 10 });
    expect(await give(support.viewer, customer.id, campaign)).toBe("coupon_limit");
    expect(await give((await createStaff()).viewer, customer.id, campaign)).toBeNull();
  });

  it("is refused to oneself, and where the campaign or the customer does not exist or the campaign is off", async () => {
    const support = await createStaff({ roles: ["support"] });
    const customer = await createSignedInUser();
    const off = await createCampaign({ enabled: false });
    expect(await give(support.viewer, support.id, off)).toBe("own_account");
    expect(await give(support.viewer, "usr_none", off)).toBe("customer_unknown");
    expect(await give(support.viewer, customer.id, "none")).toBe("campaign_unknown");
    expect(await give(support.viewer, customer.id, off)).toBe("voucher_unavailable");
  });
});

describe("access to accounts", () => {
  const actions = {
    sessions: (viewer: StaffViewer, id: string) => endCustomerSessions(viewer, id, undefined),
    password: (viewer: StaffViewer, id: string) => requireCustomerPassword(viewer, id, "was entered"),
    unlocking: (viewer: StaffViewer, id: string) => unlockCustomer(viewer, id),
  };

  it.each(Object.entries(actions))("requires a recent reauthentication: %s", async (_, act) => {
    const { viewer } = await createStaff({ roles: ["support"] });
    const { id } = await createSignedInUser();
    const stale = { ...viewer, staff: { ...viewer.staff, reauthenticated: false } };
    expect(await getErrorName(act(stale, id))).toBe("reauthentication_required");
  });

  it.each(Object.entries(actions))(
    "is reserved to administrators for merchant owners: %s",
    async (_, act) => {
      const merchant = await createMerchant();
      const [owner, member] = [
        await createSeller(merchant),
        await createSeller(merchant, { role: "member" }),
      ];
      for (const role of ["support", "finance"] as const) {
        const { viewer } = await createStaff({ roles: [role] });
        expect(await getErrorName(act(viewer, owner.id))).toBe("permission_missing");
      }
      const { viewer: support } = await createStaff({ roles: ["support"] });
      expect(await getErrorName(act(support, member.id))).not.toBe("permission_missing");
      const { viewer: admin } = await createStaff();
      expect(await getErrorName(act(admin, owner.id))).not.toBe("permission_missing");
    },
  );

  it("is limited to 20 actions an hour of any kind, without previews and refused ones", async () => {
    const { viewer } = await createStaff({ roles: ["support"] });
    const customers = await Promise.all(Array.from({ length: 21 }, () => createSignedInUser()));
    for (const { id } of customers) await previewEffects(() => actions.sessions(viewer, id));
    await getErrorName(actions.unlocking(viewer, customers[0]!.id));
    for (const [index, { id }] of customers.slice(0, 20).entries())
      await (index % 2 === 0 ? actions.sessions : actions.password)(viewer, id);
    expect(await getErrorName(actions.sessions(viewer, customers[20]!.id))).toBe("too_many_requests");
    expect(await getErrorName(actions.password(viewer, customers[20]!.id))).toBe("too_many_requests");
    const { viewer: other } = await createStaff({ roles: ["support"] });
    expect(await actions.sessions(other, customers[20]!.id)).toEqual({ ended: 1 });
  });
});

describe("other staff actions that customers notice", () => {
  it("are limited to 20 coupons given and 20 revoked an hour", async () => {
    const { viewer } = await createStaff();
    const campaign = await createCampaign();
    const give = async () =>
      giveCustomerCoupon(viewer, (await createUser()).id, { campaign, reason: "late answer" });
    const given: string[] = [];
    for (let n = 0; n < 20; n++) given.push((await give()).coupon_code);
    expect(await getErrorName(give())).toBe("too_many_requests");
    for (const code of given) await revokeCouponByStaff(viewer, code, "a mistake");
    expect(await getErrorName(revokeCouponByStaff(viewer, await createCoupon(), "a mistake"))).toBe(
      "too_many_requests",
    );
  });

  it("are limited to 20 cancelled orders and 60 hidden reviews an hour", async () => {
    const { viewer } = await createStaff();
    const buyer = await sale.createBuyer();
    const plan = await createSinglePlan({ keys: 1 });
    const cancelOne = async () => {
      const orderId = await sale.orderPlan(buyer, plan.id);
      return cancelOrderByStaff(viewer, orderId, await seenOrder(orderId));
    };
    for (let n = 0; n < 20; n++) await cancelOne();
    expect(await getErrorName(cancelOne())).toBe("too_many_requests");
    for (let n = 0; n < 60; n++)
      expect(await getErrorName(hideReview(viewer, "rev_unknown", { reason: "spam", version: "x" }))).toBe(
        "review_unknown",
      );
    expect(await getErrorName(hideReview(viewer, "rev_unknown", { reason: "spam", version: "x" }))).toBe(
      "too_many_requests",
    );
  });
});
