import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import {
  changeCampaign as changeCampaignAlone,
  createCampaignByStaff as createCampaignAlone,
  needsSecondPerson,
} from "@/lib/coupons/console/change-campaign";
import { type CampaignChangeInput, NewCampaignInput } from "@/lib/coupons/console/contract";
import { getConsoleCoupon } from "@/lib/coupons/console/get-console-coupon";
import { listConsoleCampaigns } from "@/lib/coupons/console/list-console-campaigns";
import { revokeCouponByStaff } from "@/lib/coupons/console/revoke-coupon-by-staff";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { randomText } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import { decideApproval } from "@/lib/staff/approvals/decide-approval";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import { approvedActions } from "@/lib/staff/approved-actions";
import { previewEffects } from "@/lib/staff/preview/preview-effects";
import { decideSeen, seenCampaign } from "@/tests/setup/seen";
import { getErrorName } from "../setup/error-name";
import { asCall } from "../setup/second-person";

afterAll(closeDatabase);
// Whether a person may decide alone depends on who else is staff.
beforeEach(endAllMemberships);

const find = async (id: string) =>
  (await listConsoleCampaigns("en")).items.find(({ campaign }) => campaign === id)!;

const changeCampaign = asCall(changeCampaignAlone);
const createCampaignByStaff = asCall(createCampaignAlone);

/** Changes a campaign as somebody does whose screen shows it as it is. */
const changeSeen = async (viewer: StaffViewer, id: string, change: CampaignChangeInput) =>
  changeCampaign(viewer, id, { ...(await seenCampaign(id)), ...change });

describe("a campaign", () => {
  it.each([
    ["enabled", { enabled: false }],
    ["free", { free: true }],
    ["minimum", { minimum: 30 }],
    ["budget of the month", { monthly_budget: 50 }],
    ["budget of the day", { daily_budget: 40 }],
  ] as [string, CampaignChangeInput][])(
    "is changed only as it was shown, not after another person changed %s",
    async (_, other) => {
      const [one, two] = [await createStaff(), await createStaff()];
      const id = await createCampaign({ monthlyBudgetCents: 10_000 });
      const old = await seenCampaign(id);
      await changeSeen(two.viewer, id, other);
      const before = await find(id);
      for (const seen of [old, {}])
        for (const change of [{ enabled: true }, { monthly_budget: 9_000 }])
          expect(await getErrorName(changeCampaign(one.viewer, id, { ...seen, ...change }))).toBe(
            "revision_conflict",
          );
      expect(await find(id)).toEqual(before);
      expect((await listApprovals(two.viewer, "open")).items).toEqual([]);
    },
  );

  it("is switched off and on after a preview of the effects, and the audit log has before and after", async () => {
    const { viewer, id: actor } = await createStaff({ roles: ["catalogue"] });
    const id = await createCampaign({ monthlyBudgetCents: 10_000 });
    expect(await previewEffects(() => changeSeen(viewer, id, { enabled: false }))).toEqual([
      { kind: "campaign_off", campaign: id },
    ]);
    expect((await find(id)).state).toBe("running");
    await changeSeen(viewer, id, { enabled: false });
    expect(await find(id)).toMatchObject({ enabled: false, state: "off" });
    expect(await getErrorName(changeSeen(viewer, id, { enabled: false }))).toBe("nothing_changes");
    expect(await getErrorName(changeSeen(viewer, "none", { enabled: false }))).toBe("campaign_unknown");
    const [entry] = await db.execute(
      sql`select actor, action, detail from audit_entries where subject = ${id} order by id desc limit 1`,
    );
    expect(entry).toEqual({
      actor,
      action: "campaign_changed",
      detail: { before: { enabled: true }, after: { enabled: false } },
    });
  });

  it("is marked as free by finance and administrators only, and unmarked by anyone who manages it", async () => {
    const [catalogue, finance] = [
      await createStaff({ roles: ["catalogue"] }),
      await createStaff({ roles: ["finance"] }),
    ];
    const id = await createCampaign();
    const mark = ({ viewer }: typeof finance, free: boolean) =>
      getErrorName(changeSeen(viewer, id, { free }));
    expect(await mark(catalogue, true)).toBe("permission_missing");
    expect((await find(id)).free).toBe(false);
    const shown = await previewEffects(() => changeSeen(finance.viewer, id, { free: true }));
    expect(shown).toEqual([{ kind: "campaign_free", campaign: id }]);
    expect(await mark(finance, true)).toBeNull();
    expect((await find(id)).free).toBe(true);
    expect(await mark(catalogue, false)).toBeNull();
    const input = NewCampaignInput.parse({
      campaign: `free-${id}`,
      title: { en: "Free", zh: "免费", ja: "無料" },
      amount: 5,
      monthly_budget: 100,
      ends_at: "2999-01-01T00:00:00Z",
      free: true,
    });
    expect(await getErrorName(createCampaignByStaff(catalogue.viewer, input))).toBe("permission_missing");
    expect(await getErrorName(createCampaignByStaff(finance.viewer, input))).toBeNull();
    expect(await find(`free-${id}`)).toMatchObject({ free: true, enabled: false });
    // With a budget that a second person approves, it is one who could mark it too.
    const large = { ...input, campaign: `free-large-${id}`, monthly_budget: 6_000 };
    expect(await getErrorName(createCampaignByStaff(finance.viewer, large))).toBe("approval_required");
    const subject = `${large.campaign}: $6,000.00`;
    const openOf = async ({ viewer }: typeof finance) =>
      (await listApprovals(viewer, "open")).items.filter((item) => item.subject === subject);
    expect(await openOf(catalogue)).toEqual([]);
    const [asked] = await openOf(await createStaff({ roles: ["finance"] }));
    expect(asked).toMatchObject({ kind: "campaign_create", decidable: true });
    const bySole = decideSeen(catalogue.viewer, { id: asked!.approval_id, decision: "approve" });
    expect(await getErrorName(bySole)).toBe("approval_unknown");
  });

  it("has a daily budget, which is spent before the monthly one and renewed the next day", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const id = await createCampaign({ monthlyBudgetCents: 10_000 });
    const shown = await previewEffects(() => changeSeen(viewer, id, { daily_budget: 12 }));
    expect(shown).toEqual([{ kind: "campaign_daily_budget", campaign: id, before: null, after: 12 }]);
    await changeSeen(viewer, id, { daily_budget: 12 });
    await db.execute(sql`update campaigns set promised_today_cents = 1000,
      budget_day = to_char(shop_now() at time zone 'UTC', 'YYYY-MM-DD') where id = ${id}`);
    expect(await find(id)).toMatchObject({ state: "spent_today", daily_budget: 12, promised_today: 10 });
    await db.execute(sql`update campaigns set budget_day = '2020-01-01' where id = ${id}`);
    expect(await find(id)).toMatchObject({ state: "running", promised_today: 0 });
  });

  it("shows what it has committed, and counts its coupons", async () => {
    const id = await createCampaign({ monthlyBudgetCents: 1_000, minimumCents: 2_000 });
    await createCoupon({ campaignId: id });
    await db.execute(sql`update campaigns set promised_cents = 600,
      budget_month = to_char(shop_now() at time zone 'UTC', 'YYYY-MM') where id = ${id}`);
    expect(await find(id)).toMatchObject({
      state: "spent",
      monthly_budget: 10,
      promised: 6,
      minimum: 20,
      coupons: 1,
      used: 0,
    });
    await db.execute(sql`update campaigns set budget_month = '2020-01' where id = ${id}`);
    expect(await find(id)).toMatchObject({ state: "running", promised: 0 });
  });

  it("gets a budget above $5,000 only once and with a second person", async () => {
    const [asking, second] = [await createStaff({ roles: ["finance"] }), await createStaff()];
    const support = await createStaff({ roles: ["support"] });
    const id = await createCampaign({ monthlyBudgetCents: 10_000 });
    const raise = () => changeSeen(asking.viewer, id, { monthly_budget: 8_000 });
    const raiseAlone = async () =>
      changeCampaignAlone(asking.viewer, id, { ...(await seenCampaign(id)), monthly_budget: 8_000 });
    const approvals = () => db.$count(sql`approvals`);
    const before = await approvals();
    expect(await previewEffects(raiseAlone)).toEqual([{ kind: "second_person" }]);
    expect(await approvals()).toBe(before);
    const error = await raise().catch((thrown: unknown) => thrown);
    expect(isShopError(error, "approval_required")).toBe(true);
    expect((await find(id)).monthly_budget).toBe(100);
    const { items } = await listApprovals(second.viewer, "open");
    expect(items).toMatchObject([{ kind: "campaign_budget", subject: `${id}: $8,000.00`, decidable: true }]);
    expect((await listApprovals(support.viewer, "open")).total).toBe(0);
    const approve = (viewer: typeof asking.viewer) =>
      getErrorName(decideSeen(viewer, { id: items[0]!.approval_id, decision: "approve" }));
    expect(await approve(asking.viewer)).toBe("own_approval");
    expect(await approve(support.viewer)).toBe("approval_unknown");
    // What has changed since it was shown is not approved with it.
    const { approval_id: approval, version } = items[0]!;
    await changeSeen(asking.viewer, id, { daily_budget: 50 });
    for (const seen of [{ version }, {}])
      for (const decision of ["approve", "refuse"] as const)
        expect(
          await getErrorName(
            decideApproval(second.viewer, { id: approval, decision, ...seen }, approvedActions),
          ),
        ).toBe("revision_conflict");
    expect(await find(id)).toMatchObject({ monthly_budget: 100, daily_budget: 50 });
    expect((await listApprovals(second.viewer, "open")).items).toMatchObject([{ approval_id: approval }]);
    expect(await approve(second.viewer)).toBeNull();
    expect((await find(id)).monthly_budget).toBe(8_000);
    await changeSeen(asking.viewer, id, { monthly_budget: 7_000 });
    expect((await find(id)).monthly_budget).toBe(7_000);
    expect(await getErrorName(changeSeen(asking.viewer, id, { monthly_budget: null }))).toBe(
      "approval_required",
    );
  });

  it("needs a second person above $5,000 of new and raised budgets by one person in a day, even concurrently", async () => {
    const [asking, second] = [await createStaff({ roles: ["catalogue"] }), await createStaff()];
    const input = (name: string, monthly_budget: number) =>
      NewCampaignInput.parse({
        campaign: `${name}-${randomText(8)}`,
        title: { en: "Sum", zh: "合计", ja: "合計" },
        amount: 5,
        monthly_budget,
        ends_at: "2999-01-01T00:00:00Z",
      });
    const parts = [input("part", 2_000), input("part", 2_000), input("part", 2_000)];
    const outcomes = await Promise.all(
      parts.map((part) => getErrorName(createCampaignByStaff(asking.viewer, part))),
    );
    expect([...outcomes].sort()).toEqual([null, null, "approval_required"].sort());
    const created = parts.find((_, index) => outcomes[index] === null)!;
    const raise = (budget: number) =>
      getErrorName(changeSeen(asking.viewer, created.campaign, { monthly_budget: budget }));
    expect(await raise(3_000)).toBeNull();
    expect(await raise(3_001)).toBe("approval_required");
    expect(await raise(1_000)).toBeNull();
    const last = input("last", 0.01);
    const waits = () => createCampaignByStaff(asking.viewer, last);
    expect(await previewEffects(() => createCampaignAlone(asking.viewer, last))).toEqual([
      { kind: "second_person" },
    ]);
    expect(await getErrorName(waits())).toBe("approval_required");
    expect(await find(last.campaign)).toBeUndefined();
    const { items } = await listApprovals(second.viewer, "open");
    const asked = items.find(({ subject }) => subject === `${last.campaign}: $0.01`)!;
    expect(asked).toMatchObject({ kind: "campaign_create", decidable: true });
    const approve = () => decideSeen(second.viewer, { id: asked.approval_id, decision: "approve" });
    expect(await previewEffects(approve)).toMatchObject([
      { kind: "campaign_budget", campaign: last.campaign, before: 0, after: 0.01 },
      { kind: "coupon_terms", amount: 5 },
    ]);
    await approve();
    expect(await find(last.campaign)).toMatchObject({ state: "off", monthly_budget: 0.01 });
    // The second person has used nothing of their own sum.
    expect(await getErrorName(createCampaignByStaff(second.viewer, input("own", 5_000)))).toBeNull();
  });

  it.each([
    [100, 500_000, false],
    [100, 500_001, true],
    [900_000, 800_000, false],
    [900_000, 900_001, true],
    [100, null, true],
    [null, 900_000, false],
    [null, null, false],
  ])("needs a second person for a budget from %s to %s: %s", (before, after, needed) => {
    expect(needsSecondPerson(before, after)).toBe(needed);
  });

  it("is created switched off, once per short name and code, with an end in the future", async () => {
    const { viewer } = await createStaff({ roles: ["catalogue"] });
    const input = (more: object = {}) =>
      NewCampaignInput.parse({
        campaign: "spring-2031",
        title: { en: "Spring", zh: "春季", ja: "春" },
        percent: 20,
        max_discount: 15,
        minimum: 10,
        monthly_budget: 500,
        coupon_code: "spring31",
        ends_at: "2999-01-01T00:00:00Z",
        ...more,
      });
    expect(await createCampaignByStaff(viewer, input())).toEqual({ campaign: "spring-2031" });
    expect(await find("spring-2031")).toMatchObject({
      title: "Spring",
      state: "off",
      percent: 20,
      max_discount: 15,
      minimum: 10,
      monthly_budget: 500,
      coupon_code: "SPRING31",
    });
    expect(await getErrorName(createCampaignByStaff(viewer, input({ coupon_code: undefined })))).toBe(
      "campaign_exists",
    );
    expect(await getErrorName(createCampaignByStaff(viewer, input({ campaign: "other" })))).toBe(
      "campaign_code_taken",
    );
    const past = { campaign: "past", coupon_code: undefined, ends_at: "2020-01-01T00:00:00Z" };
    expect(await getErrorName(createCampaignByStaff(viewer, input(past)))).toBe("period_invalid");
  });

  it.each([
    [{ amount: 5, percent: 5, max_discount: 5 }, "amount"],
    [{}, "amount"],
    [{ percent: 5 }, "max_discount"],
    [{ amount: 5, monthly_budget: 5_001 }, "monthly_budget"],
    [{ amount: 5, campaign: "Spring sale" }, "campaign"],
  ])("is refused with wrong terms: %j", (terms, field) => {
    const input = {
      campaign: "x-1",
      title: { en: "a", zh: "b", ja: "c" },
      monthly_budget: 10,
      ends_at: "2999-01-01T00:00:00Z",
      ...terms,
    };
    const { error } = NewCampaignInput.safeParse(input);
    expect(error?.issues.map(({ path }) => path[0])).toContain(field);
  });
});

describe("a coupon", () => {
  it("is found with its owner, and revoked once with a reason unless an order holds it", async () => {
    const { viewer, id: actor } = await createStaff({ roles: ["finance"] });
    const customer = await createSignedInUser();
    const code = await createCoupon({ userId: customer.id });
    expect(await getConsoleCoupon(code, "en")).toMatchObject({
      state: "open",
      customer: { customer_id: customer.id, email: customer.email },
      order_number: null,
    });
    const effects = await previewEffects(() => revokeCouponByStaff(viewer, code, "shared"));
    expect(effects).toEqual([{ kind: "coupons_revoked", count: 1 }]);
    await revokeCouponByStaff(viewer, code, "shared");
    expect((await getConsoleCoupon(code, "en")).state).toBe("revoked");
    expect(await getErrorName(revokeCouponByStaff(viewer, code, "again"))).toBe("coupon_revoked");
    expect(await getErrorName(revokeCouponByStaff(viewer, "NOSUCHCODE", "why"))).toBe("coupon_unknown");
    const entries = await db.execute(
      sql`select actor, detail from audit_entries where action = 'coupon_revoked' order by id desc limit 1`,
    );
    expect(entries).toEqual([{ actor, detail: { reason: "shared" } }]);
  });
});
