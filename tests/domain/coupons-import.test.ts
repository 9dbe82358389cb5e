import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { expireCoupons } from "@/lib/coupons/expire-coupons";
import { randomText } from "@/lib/platform/crypto/ids";
import { isShopError } from "@/lib/platform/errors";
import { inMemory } from "@/lib/platform/imports/file";
import { FaceValueError, importCouponsByOperator } from "@/lib/staff/imports/import-coupons-by-operator";
import { getImport } from "@/lib/staff/imports/list-imports";
import { previewImport } from "@/lib/staff/imports/preview-import";
import { runImport } from "@/lib/staff/imports/run-import";
import { decideSeen } from "@/tests/setup/seen";
import { setClockAhead } from "../setup/sale";
import { asCall } from "../setup/second-person";

afterAll(closeDatabase);
let catalogue: StaffUser;
let second: StaffUser;
beforeEach(async () => {
  await db.execute(sql`update staff_members set ended_at = shop_now() where ended_at is null`);
  catalogue = await createStaff({ roles: ["catalogue"] });
  second = await createStaff();
});

const campaignLine = (id: string, more: object = {}) => ({
  kind: "campaign",
  id,
  title: { en: "Fair", zh: "展会", ja: "展示会" },
  amount: 100,
  monthly_budget: 5000,
  ...more,
});
const couponLines = (campaign: string, count: number) =>
  Array.from({ length: count }, () => ({ kind: "coupon", campaign, code: `C-${randomText(10)}` }));
const toFile = (lines: object[]) => [Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"))];
const hashOf = ([content]: Buffer[]) => createHash("sha256").update(content!).digest("hex");
const newId = () =>
  `fair-${randomText(6)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "x")}`;

async function run({ viewer }: StaffUser, file: Buffer[]) {
  const query = { sha256: hashOf(file), name: "fair.jsonl" };
  const { import_id } = await asCall(runImport)(viewer, "coupons", inMemory(file), query);
  for (;;) {
    const found = await getImport(viewer, import_id);
    if (found.state !== "running") return found;
    await wait(50);
  }
}
async function approvalOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.catch((thrown: unknown) => thrown);
  if (!isShopError(error, "approval_required")) throw error;
  return error.issues![0]!.message;
}
const getCampaign = async (id: string) =>
  (
    await db.execute<{ promised_cents: number; promised_today_cents: number; coupons: number }>(sql`
      select promised_cents, promised_today_cents, (select count(*)::int from coupons where campaign_id = g.id) as coupons
      from campaigns g where id = ${id}`)
  )[0]!;

describe("an imported coupon", () => {
  it("takes its share of the campaign's budgets, and is refused when one is spent", async () => {
    const id = newId();
    const { counts, report } = await run(
      catalogue,
      toFile([campaignLine(id, { monthly_budget: 250 }), ...couponLines(id, 3)]),
    );
    expect(counts).toEqual({ added: 3, changed: 0, unchanged: 0, refused: 1 });
    expect(report).toEqual([
      { line: 4, field: "campaign", message: `The budget of the campaign ${id} does not cover this coupon.` },
    ]);
    expect(await getCampaign(id)).toEqual({
      promised_cents: 20_000,
      promised_today_cents: 20_000,
      coupons: 2,
    });
    const daily = newId();
    const limited = [
      campaignLine(daily, { monthly_budget: 500, daily_budget: 100 }),
      ...couponLines(daily, 2),
    ];
    expect((await run(catalogue, toFile(limited))).counts).toMatchObject({ added: 2, refused: 1 });
  });

  it("gives its share back when it expires unused", async () => {
    const id = newId();
    const endsAt = new Date(Date.now() + 60_000).toISOString();
    await run(catalogue, toFile([campaignLine(id, { ends_at: endsAt }), ...couponLines(id, 2)]));
    expect((await getCampaign(id)).promised_cents).toBe(20_000);
    await setClockAhead("2 minutes");
    await expireCoupons();
    await setClockAhead("0");
    expect((await getCampaign(id)).promised_cents).toBe(0);
  });

  it("is refused while its campaign is switched off", async () => {
    const id = newId();
    await run(catalogue, toFile([campaignLine(id)]));
    await db.execute(sql`update campaigns set enabled = false where id = ${id}`);
    const { counts, report } = await run(catalogue, toFile(couponLines(id, 1)));
    expect(counts).toMatchObject({ added: 0, refused: 1 });
    expect(report[0]!.message).toBe(`The campaign ${id} is switched off and issues no coupons.`);
  });
});

describe("an import of coupons", () => {
  it("writes campaigns and coupons into the audit log, before and after", async () => {
    const id = newId();
    const coupons = couponLines(id, 2);
    await run(catalogue, toFile([campaignLine(id), ...coupons]));
    await run(catalogue, toFile([campaignLine(id, { amount: 50, minimum: 60 }), ...coupons]));
    const entries = await db.execute<{ action: string; actor: string; detail: object }>(
      sql`select action, actor, detail from audit_entries where subject = ${id} order by id`,
    );
    expect([...entries]).toEqual([
      {
        action: "campaign_created",
        actor: catalogue.id,
        detail: { after: expect.objectContaining({ amountCents: 10_000, monthlyBudgetCents: 500_000 }) },
      },
      {
        action: "campaign_changed",
        actor: catalogue.id,
        detail: {
          before: { amountCents: 10_000, minimumCents: 0 },
          after: { amountCents: 5_000, minimumCents: 6_000 },
        },
      },
    ]);
    const imported = await db.execute<{ amount: number; actor: string }>(sql`
      select (detail->'after'->>'amountCents')::int as amount, actor from audit_entries
      where action = 'coupon_imported' and subject in (select id from coupons where campaign_id = ${id})`);
    expect([...imported]).toEqual(Array(2).fill({ amount: 10_000, actor: catalogue.id }));
  });

  it("of more than $5,000 of face value runs only after a second person approved the file", async () => {
    const id = newId();
    const approved = toFile([campaignLine(id, { monthly_budget: undefined })]);
    await importCouponsByOperator(approved, { actor: "staff:test", name: "fair.jsonl" });
    const file = toFile(couponLines(id, 51));
    expect((await previewImport(catalogue.viewer, "coupons", inMemory(file))).needs_approval).toBe(true);
    const approval = await approvalOf(run(catalogue, file));
    expect((await getCampaign(id)).coupons).toBe(0);
    await decideSeen(second.viewer, { id: approval, decision: "approve" });
    expect((await previewImport(catalogue.viewer, "coupons", inMemory(file))).needs_approval).toBe(false);
    expect((await run(catalogue, file)).counts).toMatchObject({ added: 51, refused: 0 });
  });

  it("counts the face value of one person in a day over all files, even concurrent ones", async () => {
    const ids = [newId(), newId()];
    const third = newId();
    for (const id of [...ids, third])
      await importCouponsByOperator(toFile([campaignLine(id)]), { actor: "staff:test", name: "fair.jsonl" });
    const files = ids.map((id) => toFile(couponLines(id, 30)));
    const outcomes = await Promise.allSettled(files.map((file) => run(catalogue, file)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = outcomes.find((outcome) => outcome.status === "rejected");
    expect(isShopError(refused?.reason, "approval_required")).toBe(true);
    const small = toFile(couponLines(third, 20));
    expect((await run(catalogue, small)).counts.refused).toBe(0);
    await approvalOf(run(catalogue, toFile(couponLines(third, 1))));
  });

  it("limits the campaign budgets of one person in a day to $5,000 together", async () => {
    const ids = [newId(), newId(), newId()];
    const file = toFile([
      campaignLine(ids[0]!, { monthly_budget: 3_000 }),
      campaignLine(ids[1]!, { monthly_budget: 3_000 }),
      campaignLine(ids[2]!, { monthly_budget: 2_000 }),
      campaignLine(ids[0]!, { monthly_budget: 3_001 }),
    ]);
    const message =
      "A second person has to approve budgets that one person sets in a day if they come to more than 5,000 dollars or have no limit. A file cannot ask for that: do it on the page of the campaign.";
    const refusals = [2, 4].map((line) => ({ line, field: "monthly_budget", message }));
    expect(await previewImport(catalogue.viewer, "coupons", inMemory(file))).toMatchObject({
      counts: { added: 2, refused: 2 },
      report: refusals,
    });
    expect(await run(catalogue, file)).toMatchObject({ counts: { added: 2, refused: 2 }, report: refusals });
  });

  it("marks a campaign as free only for those with the permission", async () => {
    const id = newId();
    const file = toFile([campaignLine(id, { free: true })]);
    const { report } = await run(catalogue, file);
    expect(report).toEqual([
      {
        line: 1,
        field: "free",
        message: "Only finance and administrators can allow coupons that cover the whole price.",
      },
    ]);
    expect((await run(second, file)).counts.added).toBe(1);
  });

  it("by an operator requires the approval of the same file, and is in the audit log", async () => {
    const id = newId();
    const options = { actor: `staff:${randomText(6)}`, name: "fair.jsonl" };
    await importCouponsByOperator(toFile([campaignLine(id, { monthly_budget: undefined })]), options);
    const file = toFile(couponLines(id, 51));
    await expect(importCouponsByOperator(file, options)).rejects.toThrow(FaceValueError);
    expect((await importCouponsByOperator(file, { ...options, preview: true })).added).toBe(51);
    expect((await getCampaign(id)).coupons).toBe(0);
    const approval = await approvalOf(run(catalogue, file));
    await decideSeen(second.viewer, { id: approval, decision: "approve" });
    expect((await importCouponsByOperator(file, options)).added).toBe(51);
    const [entry] = await db.execute<{ face: number }>(sql`
      select (detail->>'faceCents')::int as face from audit_entries
      where actor = ${options.actor} and action = 'import.started' order by id desc limit 1`);
    expect(entry).toEqual({ face: 510_000 });
  });
});
