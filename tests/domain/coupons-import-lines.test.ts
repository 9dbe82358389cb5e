import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { importCoupons } from "@/lib/coupons/import-coupons";
import { auditSale } from "../setup/audit";
import * as sale from "../setup/sale";

afterEach(async () => expect(await auditSale()).toEqual([]));
afterAll(sale.closeSale);

describe("npm run coupons:import", () => {
  const importLines = async (lines: unknown[], preview = false) => {
    const refused: string[] = [];
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const counts = await importCoupons(Readable.from([Buffer.from(text)]), {
      preview,
      actor: "staff:test",
      onRefused: ({ line, path, message }) => refused.push(`${line}: ${path ? `${path}: ` : ""}${message}`),
    });
    return { counts, refused };
  };
  const tag = Date.now().toString(36);
  const title = { en: "Autumn", zh: "秋季", ja: "秋" };
  const campaign = {
    kind: "campaign",
    id: `autumn-${tag}`,
    title,
    percent: 20,
    max_discount: 8,
    minimum: 15.5,
  };
  const coupon = (code: string) => ({ kind: "coupon", code: `${code}-${tag}`, campaign: campaign.id });
  const file = [campaign, coupon("one"), coupon("two"), ""];

  it("previews without changes, adds, changes only changed lines, and is idempotent", async () => {
    expect((await importLines(file, true)).counts).toEqual({
      added: 3,
      changed: 0,
      unchanged: 0,
      refused: 0,
    });
    expect((await importLines(file)).counts).toEqual({ added: 3, changed: 0, unchanged: 0, refused: 0 });
    expect((await importLines(file)).counts).toEqual({ added: 0, changed: 0, unchanged: 3, refused: 0 });
    const raised = [{ ...campaign, percent: 25 }, coupon("three")];
    expect((await importLines(raised)).counts).toEqual({ added: 1, changed: 1, unchanged: 0, refused: 0 });
    const rows = await db.execute(
      sql`select code, percent, max_discount_cents, minimum_cents, user_id from coupons where campaign_id = ${campaign.id} order by percent, code`,
    );
    const terms = { max_discount_cents: 800, minimum_cents: 1550, user_id: null };
    expect([...rows]).toEqual([
      { code: `ONE-${tag}`.toUpperCase(), percent: 20, ...terms },
      { code: `TWO-${tag}`.toUpperCase(), percent: 20, ...terms },
      { code: `THREE-${tag}`.toUpperCase(), percent: 25, ...terms },
    ]);
  });

  it("rejects invalid lines, each with its reason", async () => {
    const { counts, refused } = await importLines([
      "{",
      { ...campaign, id: "daily" },
      { ...campaign, id: `x-${tag}`, amount: 5 },
      { ...campaign, id: `x-${tag}`, ends_at: "2020-01-01T00:00:00Z", starts_at: "2021-01-01T00:00:00Z" },
      { ...campaign, id: `x-${tag}`, code: `one-${tag}` },
      { kind: "coupon", code: "LOST", campaign: "no-such-campaign" },
      { ...coupon("four"), extra: 1 },
      { ...campaign, id: `x-${tag}`, minimum: 1.999 },
      { ...campaign, kind: "campain" },
      { code: "LOST", campaign: campaign.id },
      "5",
      { ...coupon("five"), expires_at: "tomorrow" },
      { kind: "coupon", campaign: campaign.id },
      { ...campaign, id: `x-${tag}`, percent: "5" },
    ]);
    expect(counts).toEqual({ added: 0, changed: 0, unchanged: 0, refused: 14 });
    expect(refused).toEqual([
      "1: The line is not JSON.",
      "2: id: daily is built in; change it in the staff console.",
      "3: Give either amount or percent.",
      "4: ends_at: It ends before it starts.",
      expect.stringMatching(/^5: code: The code ONE-.* is taken\.$/),
      "6: campaign: There is no campaign no-such-campaign.",
      "7: extra: This field is not known here.",
      "8: minimum: Give a price with at most two decimals.",
      '9: kind: kind must be "campaign" or "coupon".',
      '10: kind: kind must be "campaign" or "coupon".',
      '11: kind must be "campaign" or "coupon".',
      "12: expires_at: Please enter a date and time, like 2026-11-20T09:30:00Z",
      "13: code: This field is required",
      "14: percent: Please enter a number",
    ]);
  });

  it("rejects expired dates, except to end an existing campaign early", async () => {
    const pastDate = "2020-01-01T00:00:00Z";
    const nextYear = new Date().getFullYear() + 1;
    const shortCampaign = {
      ...campaign,
      id: `short-${tag}`,
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const couponOfShort = (code: string, fields = {}) => ({
      ...coupon(code),
      campaign: shortCampaign.id,
      ...fields,
    });
    const first = await importLines([
      shortCampaign,
      couponOfShort("kept"),
      { ...campaign, id: `past-${tag}`, ends_at: pastDate },
      couponOfShort("past", { expires_at: pastDate }),
      couponOfShort("turned", {
        starts_at: `${nextYear}-01-02T00:00:00+09:00`,
        expires_at: `${nextYear}-01-01T15:00:00Z`,
      }),
    ]);
    expect(first.counts).toMatchObject({ added: 2, refused: 3 });
    expect(first.refused).toEqual([
      `3: ends_at: ${pastDate} is in the past.`,
      `4: expires_at: ${pastDate} is in the past.`,
      "5: expires_at: It ends before it starts.",
    ]);
    const endedResult = await importLines([
      { ...shortCampaign, ends_at: pastDate },
      couponOfShort("late"),
      couponOfShort("kept"),
    ]);
    expect(endedResult.counts).toEqual({ added: 0, changed: 1, unchanged: 1, refused: 1 });
    expect(endedResult.refused).toEqual([
      `2: campaign: The campaign ${shortCampaign.id} has ended, so its coupons are expired.`,
    ]);
  });
});
