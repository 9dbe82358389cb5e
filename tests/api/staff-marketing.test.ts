import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as endAnnouncement } from "@/app/api/v1/admin/announcements/[id]/end/route";
import { POST as changeAnnouncement } from "@/app/api/v1/admin/announcements/[id]/route";
import { POST as announce, GET as listAnnouncements } from "@/app/api/v1/admin/announcements/route";
import { POST as changeCampaign } from "@/app/api/v1/admin/campaigns/[id]/route";
import { POST as createByStaff, GET as listCampaigns } from "@/app/api/v1/admin/campaigns/route";
import { POST as revoke } from "@/app/api/v1/admin/coupons/revoke/route";
import { GET as findCoupon } from "@/app/api/v1/admin/coupons/route";
import { POST as giveCoupon, GET as listChoices } from "@/app/api/v1/admin/customers/[id]/coupon/route";
import { POST as requirePassword } from "@/app/api/v1/admin/customers/[id]/new-password/route";
import { POST as endSessions } from "@/app/api/v1/admin/customers/[id]/sessions/end/route";
import { POST as unlock } from "@/app/api/v1/admin/customers/[id]/unlock/route";
import { POST as refuseReferral } from "@/app/api/v1/admin/referrals/[id]/refuse/route";
import { GET as listReferrals } from "@/app/api/v1/admin/referrals/route";
import { GET as today } from "@/app/api/v1/admin/today/route";
import { GET as waiting } from "@/app/api/v1/admin/waiting/route";
import { GET as getInfo } from "@/app/api/v1/auth/get-info/route";
import { POST as logInByEmail } from "@/app/api/v1/auth/login/email/route";
import { POST as resetPassword } from "@/app/api/v1/auth/reset-password/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { LOGIN_TRIES } from "@/lib/accounts/rules";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { newId } from "@/lib/platform/crypto/ids";
import { seenCampaign } from "@/tests/setup/seen";
import { getErrorName } from "../setup/error-name";
import { requestMailedCode } from "./account-steps";
import { authHeaders, type CallOptions, call } from "./call";

afterAll(closeDatabase);

let admin: StaffUser;
let support: StaffUser;
let customer: Awaited<ReturnType<typeof createSignedInUser>>;
beforeAll(async () => {
  admin = await createStaff();
  support = await createStaff({ roles: ["support"] });
  customer = await createSignedInUser();
});

type Handler = Parameters<typeof call>[0];
const PATHS = new Map<Handler, string>([
  [endAnnouncement, "/admin/announcements/x/end"],
  [changeAnnouncement, "/admin/announcements/x"],
  [announce, "/admin/announcements"],
  [listAnnouncements, "/admin/announcements"],
  [changeCampaign, "/admin/campaigns/x"],
  [createByStaff, "/admin/campaigns"],
  [listCampaigns, "/admin/campaigns"],
  [revoke, "/admin/coupons/revoke"],
  [findCoupon, "/admin/coupons"],
  [giveCoupon, "/admin/customers/x/coupon"],
  [listChoices, "/admin/customers/x/coupon"],
  [requirePassword, "/admin/customers/x/new-password"],
  [endSessions, "/admin/customers/x/sessions/end"],
  [unlock, "/admin/customers/x/unlock"],
  [refuseReferral, "/admin/referrals/x/refuse"],
  [listReferrals, "/admin/referrals"],
  [today, "/admin/today"],
  [waiting, "/admin/waiting"],
]);
const send = (handler: Handler, id: string, body: object, by: StaffUser = admin) =>
  call(handler, PATHS.get(handler)!, { params: id ? { id } : {}, body, headers: authHeaders(by) });
const read = (handler: Handler, options: CallOptions = {}, by: StaffUser = admin) =>
  call(handler, PATHS.get(handler)!, { headers: authHeaders(by), ...options });
const codeOf = async (answer: ReturnType<typeof call>) => (await answer).body.code;

describe("announcements", () => {
  const texts = { en: "Hello", zh: "你好", ja: "こんにちは" };
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const past = new Date(Date.now() - 3_600_000).toISOString();

  it("are created, changed, listed and ended", async () => {
    const { body } = await send(announce, "", { texts, ends_at: later });
    expect(body).toMatchObject({ code: "200", data: { texts, link: null, state: "running" } });
    const { announcement_id: id, version: first } = body.data;
    const change = { texts, ends_at: later, link: "/help" };
    expect((await send(changeAnnouncement, id, { ...change, version: first })).body.data).toMatchObject({
      link: "/help",
    });
    for (const seen of [{ version: first }, {}]) {
      expect(await codeOf(send(changeAnnouncement, id, { ...change, ...seen }))).toBe("40940");
      expect(await codeOf(send(endAnnouncement, id, seen))).toBe("40940");
    }
    const [listed] = (await read(listAnnouncements)).body.data.items;
    expect(listed).toMatchObject({ announcement_id: id, link: "/help" });
    const { version } = listed;
    expect((await send(endAnnouncement, id, { version })).body.data.state).toBe("ended");
    expect(await codeOf(send(endAnnouncement, id, { version }))).toBe("40970");
    expect(await codeOf(send(changeAnnouncement, id, { ...change, version }))).toBe("40970");
  });

  it("are refused with a period in the past, a missing language or a foreign scheme", async () => {
    expect(await codeOf(send(announce, "", { texts, ends_at: past }))).toBe("40000");
    const { body } = await send(announce, "", { texts, ends_at: later });
    const { announcement_id: id, version } = body.data;
    expect(await codeOf(send(changeAnnouncement, id, { texts, ends_at: past, version }))).toBe("40000");
    await send(endAnnouncement, id, { version });
    expect(await codeOf(send(announce, "", { texts: { en: "Hello" }, ends_at: later }))).toBe("40000");
    const link = "javascript:alert(1)";
    expect(await codeOf(send(announce, "", { texts, ends_at: later, link }))).toBe("40000");
  });

  it("that do not exist respond 404", async () => {
    expect(await codeOf(send(changeAnnouncement, "ann_none", { texts, ends_at: later }))).toBe("40470");
    expect(await codeOf(send(endAnnouncement, "ann_none", {}))).toBe("40470");
  });
});

describe("campaigns", () => {
  const terms = (campaign: string, more: object = {}) => ({
    campaign,
    title: { en: "Sale", zh: "促销", ja: "セール" },
    amount: 5,
    monthly_budget: 100,
    ends_at: "2999-01-01T00:00:00Z",
    ...more,
  });

  it("are created once, and changed with a preview", async () => {
    expect(await codeOf(send(createByStaff, "", terms("api-sale", { coupon_code: "APISALE1" })))).toBe("200");
    expect(await codeOf(send(createByStaff, "", terms("api-sale")))).toBe("40971");
    expect(await codeOf(send(createByStaff, "", terms("api-two", { coupon_code: "APISALE1" })))).toBe(
      "40971",
    );
    const past = { ends_at: "2020-01-01T00:00:00Z" };
    expect(await codeOf(send(createByStaff, "", terms("api-past", past)))).toBe("40000");
    expect((await send(createByStaff, "", terms("Not an id"))).body).toMatchObject({
      code: "40000",
      errors: [{ path: "campaign", message: "2 to 40 small letters, digits, - or _" }],
    });
    const change = async (id: string, body: object) =>
      send(changeCampaign, id, { ...(await seenCampaign(id)), ...body });
    const preview = await change("api-sale", { enabled: true, preview: true });
    expect(preview.body.data).toEqual({
      effects: [{ kind: "campaign_on", campaign: "api-sale" }],
      result: null,
    });
    const old = await seenCampaign("api-sale");
    const done = await change("api-sale", { enabled: true });
    expect(done.body.data).toEqual({ effects: null, result: { campaign: "api-sale" } });
    for (const seen of [old, {}])
      expect(await codeOf(send(changeCampaign, "api-sale", { enabled: false, ...seen }))).toBe("40940");
    expect(await codeOf(change("api-sale", { enabled: true }))).toBe("40976");
    expect(await codeOf(change("api-none", { enabled: true }))).toBe("40409");
    expect(await codeOf(change("api-sale", { monthly_budget: 6_000 }))).toBe("40941");
    for (const broken of [{ minimum: 5e-324 }, { monthly_budget: 1e-7 }, { minimum: 1.005 }])
      expect(await codeOf(send(changeCampaign, "api-sale", broken))).toBe("40000");
    const most = terms("api-most", { monthly_budget: 5_000 });
    expect(await codeOf(send(createByStaff, "", most))).toBe("40941");
    expect(await codeOf(send(createByStaff, "", terms("api-three", { minimum: 5e-324 })))).toBe("40000");
    const { items } = (await read(listCampaigns)).body.data;
    const found = items.find(({ campaign }: { campaign: string }) => campaign === "api-sale");
    expect(found).toMatchObject({ enabled: true, monthly_budget: 100, coupon_code: "APISALE1" });
  });

  it("are closed to support", async () => {
    expect(await codeOf(read(listCampaigns, {}, support))).toBe("40300");
  });
});

describe("coupons", () => {
  const find = (code: string) => codeOf(read(findCoupon, { query: `coupon_code=${code}` }));
  const revokeCode = (coupon_code: string) => codeOf(send(revoke, "", { coupon_code, reason: "shared" }));

  it("are found and revoked, unless an order has them", async () => {
    const code = await createCoupon({ userId: customer.id });
    expect(await find(code)).toBe("200");
    expect(await find("NOSUCHCODE")).toBe("40403");
    expect(await revokeCode("NOSUCHCODE")).toBe("40403");
    const { id: planId } = await createSinglePlan({ keys: 1 });
    const order = await createOrder(customer, planId);
    const used = await createCoupon({ userId: customer.id });
    await db.execute(sql`update coupons set state = 'reserved', order_id = ${order.id} where code = ${used}`);
    expect(await revokeCode(used)).toBe("40972");
    expect(await revokeCode(code)).toBe("200");
    expect(await revokeCode(code)).toBe("40973");
  });
});

describe("invitations", () => {
  it("are refused only once", async () => {
    const friend = await createSignedInUser();
    const id = newId("ref");
    await db.execute(sql`
      insert into referrals (id, inviter_id, friend_id, email_identity, network)
      values (${id}, ${customer.id}, ${friend.id}, ${id}, ${id})`);
    const [listed] = (await read(listReferrals)).body.data.items;
    expect(listed).toMatchObject({ referral_id: id, state: "registered" });
    const { version } = listed;
    for (const seen of [{}, { version: "0000" }])
      expect(await codeOf(send(refuseReferral, id, seen))).toBe("40940");
    expect((await read(listReferrals)).body.data.items[0]).toEqual(listed);
    expect((await send(refuseReferral, id, { version, preview: true })).body.data.effects).toEqual([
      { kind: "referrals_refused", count: 1 },
    ]);
    expect(await codeOf(send(refuseReferral, id, { version }))).toBe("200");
    expect(await codeOf(send(refuseReferral, id, { version }))).toBe("40974");
    expect(await codeOf(send(refuseReferral, "ref_none", {}))).toBe("40471");
    expect(await codeOf(read(listReferrals, { query: "cursor=nonsense" }))).toBe("40000");
  });
});

describe("actions on a customer", () => {
  const REASON = "Wrote to support";

  it("are rejected for an unknown customer and for oneself", async () => {
    for (const handler of [endSessions, unlock]) {
      expect(await codeOf(send(handler, "usr_none", {}))).toBe("40421");
      expect(await codeOf(send(handler, admin.id, {}))).toBe("40371");
    }
    const campaign = await createCampaign();
    for (const [handler, body] of [
      [giveCoupon, { campaign, reason: REASON }],
      [requirePassword, { reason: REASON }],
    ] as const) {
      expect(await codeOf(send(handler, "usr_none", body))).toBe("40421");
      expect(await codeOf(send(handler, admin.id, body))).toBe("40371");
      expect(await codeOf(send(handler, customer.id, { ...body, reason: " " }))).toBe("40000");
    }
    expect(await codeOf(read(listChoices, { params: { id: "usr_none" } }))).toBe("40421");
  });

  it("end sessions; those of staff need an administrator who has reauthenticated", async () => {
    const other = await createSignedInUser();
    const { sessionId } = other.viewer;
    expect(await codeOf(send(endSessions, other.id, { session_id: sessionId }, support))).toBe("200");
    expect(await codeOf(send(endSessions, other.id, { session_id: sessionId }, support))).toBe("40408");
    const colleague = await createStaff({ roles: ["finance"] });
    const stale = await createStaff();
    await db.execute(sql`update sessions set staff_reauthenticated_at = shop_now() - interval '16 minutes'
      where id = ${stale.viewer.sessionId}`);
    for (const [handler, body] of [
      [endSessions, {}],
      [unlock, {}],
      [requirePassword, { reason: REASON }],
    ] as const) {
      expect(await codeOf(send(handler, colleague.id, body, support))).toBe("40300");
      expect(await codeOf(send(handler, colleague.id, body, stale))).toBe("40312");
    }
    expect(await codeOf(send(unlock, colleague.id, {}))).toBe("40975");
  });

  it("require a new password once: the login then responds as to a wrong password until a mailed code sets a new one", async () => {
    const other = await createSignedInUser();
    const catalogue = await createStaff({ roles: ["catalogue"] });
    const body = { reason: "Somebody else is signed in" };
    expect(await codeOf(send(requirePassword, other.id, body, catalogue))).toBe("40300");
    const logInBy = (user_password: string) =>
      call(logInByEmail, "/auth/login/email", { body: { user_email: other.email, user_password } });
    const wrong = await logInBy("not the password");
    const preview = await send(requirePassword, other.id, { ...body, preview: true }, support);
    expect(preview.body.data).toEqual({
      effects: [
        { kind: "password_removed" },
        { kind: "sessions_ended", count: 1 },
        { kind: "email", event: "account-notice", to: other.email },
      ],
      result: null,
    });
    expect((await send(requirePassword, other.id, body, support)).body.data.result).toEqual({ ended: 1 });
    expect(await codeOf(send(requirePassword, other.id, body, support))).toBe("40977");
    const info = await call(getInfo, "/auth/get-info", { headers: { authorization: other.bearer } });
    expect(info.body.code).toBe("401");
    const closed = await logInBy(other.password);
    expect([closed.status, closed.body]).toEqual([wrong.status, wrong.body]);
    const code = await requestMailedCode(other.email, "reset_password");
    const reset = { email: other.email, new_password: "a brand new password", ...code };
    expect(await codeOf(call(resetPassword, "/auth/reset-password", { body: reset }))).toBe("200");
    expect((await logInBy("a brand new password")).status).toBe(200);
    expect((await logInBy(other.password)).body.code).toBe(wrong.body.code);
    expect((await send(requirePassword, other.id, body, support)).status).toBe(200);
  });

  it("unlock an account after wrong passwords", async () => {
    const locked = await createUser();
    const tryWrong = () =>
      logIn(
        { kind: "guest", locale: "en" },
        { user_email: locked.email, user_password: "wrong" },
        { device: "test", ip: "10.9.8.97" },
      );
    for (let i = 0; i < LOGIN_TRIES; i++) expect(await getErrorName(tryWrong())).toBe("login_failed");
    expect(await codeOf(send(unlock, locked.id, {}, support))).toBe("200");
    expect(await codeOf(send(unlock, locked.id, {}, support))).toBe("40975");
  });

  it("give coupons within the limit", async () => {
    const other = await createSignedInUser();
    const [campaign, expensive, off] = [
      await createCampaign({ amountCents: 1000 }),
      await createCampaign({ amountCents: 1001 }),
      await createCampaign({ enabled: false }),
    ];
    const options = { params: { id: other.id } };
    expect((await read(listChoices, options, support)).body.data).toMatchObject({ left: 10 });
    const give = (of: string) => send(giveCoupon, other.id, { campaign: of, reason: REASON }, support);
    expect(await codeOf(give(expensive))).toBe("40370");
    expect(await codeOf(give(off))).toBe("40916");
    expect(await codeOf(give("none"))).toBe("40409");
    expect(await codeOf(send(giveCoupon, other.id, { campaign }, support))).toBe("40000");
    const { body } = await give(campaign);
    expect(body.data.result.coupon_code).toMatch(/^PASS-/);
    const refused = await give(campaign);
    expect([refused.status, refused.body.code]).toEqual([403, "40370"]);
    expect(refused.body.message).toContain("$10.00");
    expect((await read(listChoices, options, support)).body.data).toMatchObject({ left: 0, items: [] });
  });
});

it("Today returns queues, and figures for the requested days", async () => {
  const { body } = await read(today, { query: "days=7" });
  expect(body.data.figures).toHaveLength(7);
  expect(body.data.queues.map(({ queue }: { queue: string }) => queue)).toContain("applications");
  expect(await codeOf(read(today, { query: "days=8" }))).toBe("40000");
  expect((await read(waiting)).body.data).toEqual({ queues: body.data.queues });
});
