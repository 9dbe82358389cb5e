import { userInfo } from "node:os";
import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { importCoupons } from "@/lib/coupons/import/commands";
import { listCoupons } from "@/lib/coupons/queries";
import { runStaff } from "@/scripts/staff";
import { auditSale } from "../faults/audit";
import * as sale from "../setup/sale";

afterEach(async () => expect(await auditSale()).toEqual([]));
afterAll(sale.endSale);

async function staff(...line: string[]) {
  const said: string[] = [];
  const code = await runStaff(line, { out: (text) => said.push(text), err: (text) => said.push(`!${text}`) });
  return { code, said: said.join("\n") };
}
const campaignOf = async (id: string) =>
  (
    await db.execute<{ enabled: boolean; monthly_budget_cents: number | null; minimum_cents: number }>(
      sql`select enabled, monthly_budget_cents, minimum_cents from campaigns where id = ${id}`,
    )
  )[0];

describe("npm run staff -- vouchers", () => {
  it("lists campaigns, switches them, sets budget and minimum, and writes down who did", async () => {
    const id = await createCampaign({ amountCents: 700 });
    expect((await staff("vouchers", "list")).said).toMatch(
      new RegExp(`^${id}\\s+on\\s+\\$7\\.00\\s+\\$0\\.00\\s+no cap`, "m"),
    );
    expect((await staff("vouchers", "off", id)).said).toBe(`The campaign ${id} is off.`);
    expect((await staff("vouchers", "budget", id, "--dollars", "12.50")).code).toBe(0);
    expect((await staff("vouchers", "minimum", id, "--dollars", "20")).code).toBe(0);
    expect(await campaignOf(id)).toEqual({ enabled: false, monthly_budget_cents: 1250, minimum_cents: 2000 });
    await staff("vouchers", "budget", id, "--none");
    await staff("vouchers", "on", id);
    expect(await campaignOf(id)).toMatchObject({ enabled: true, monthly_budget_cents: null });
    expect(await staff("vouchers", "budget", id, "--dollars", "ten")).toEqual({
      code: 1,
      said: expect.stringMatching(/^!"ten" is not an amount in dollars/),
    });
    for (const [typed, sentence] of [
      [["-3"], '!"-3" is not an amount in dollars: write 0 or more, such as 12 or 12.50.'],
      [["1.999"], '!"1.999" is not an amount in dollars: write 0 or more, such as 12 or 12.50.'],
      [["99999999"], "!99999999 is too much: 1000000 dollars is the most."],
      [["5", "--none"], "!Either --dollars or --none, not both."],
    ] as const)
      expect(await staff("vouchers", "budget", id, "--dollars", ...typed)).toEqual({
        code: 1,
        said: sentence,
      });
    expect((await staff("vouchers", "budget", id)).said).toBe(
      "!Say how much with --dollars, or --none for no cap.",
    );
    const usage = "\nUsage: npm run staff -- vouchers budget CAMPAIGN --dollars 500 | --none [--json]";
    for (const [typed, sentence] of [
      [["--dollars"], "!--dollars needs a value."],
      [["--dollar", "3"], "!There is no option --dollar."],
      [["-x"], "!There is no option -x."],
      [["--none=yes"], "!--none takes no value."],
      [["--dollars", "--none"], "!--dollars needs a value."],
    ] as const)
      expect(await staff("vouchers", "budget", id, ...typed)).toEqual({ code: 2, said: sentence + usage });
    expect(await campaignOf(id)).toMatchObject({ enabled: true, monthly_budget_cents: null });
    expect(await staff("vouchers", "off", "nothing")).toEqual({
      code: 1,
      said: "!There is no campaign nothing.",
    });
    const [row] = await db.execute<{ n: number; actor: string }>(
      sql`select count(*)::int as n, min(actor) as actor from audit_entries where subject = ${id}`,
    );
    expect(row).toEqual({ n: 5, actor: `staff:${userInfo().username}` });
  });

  it("gives a coupon as a gesture, and revokes what is not in use", async () => {
    const buyer = await sale.newBuyer();
    const id = await createCampaign({ monthlyBudgetCents: 500 });
    expect((await staff("vouchers", "give", id, "--to", buyer.email)).said).toMatch(/has the coupon PASS-/);
    expect(await staff("vouchers", "give", id, "--to", buyer.email)).toMatchObject({
      code: 1,
      said: expect.stringContaining("budget is spent"),
    });
    expect((await staff("vouchers", "give", id, "--to", "nobody@example.com")).said).toBe(
      "!There is no account of nobody@example.com.",
    );
    const { items } = await listCoupons(buyer.viewer, "en");
    const code = items[0]!.coupon_code;
    expect((await staff("vouchers", "revoke", code.toLowerCase(), "--reason", "mistake")).code).toBe(0);
    expect((await listCoupons(buyer.viewer, "en")).items[0]!.state).toBe("invalid");
    expect((await staff("vouchers", "give", id, "--to", buyer.email)).code).toBe(0);
    const held = await createCoupon({ userId: buyer.id });
    const planId = (await createProduct({ plans: [{ keys: 1, priceCents: 2000 }] })).plans[0]!.id;
    await sale.orderOf(buyer, planId, 1, held);
    expect((await staff("vouchers", "revoke", held, "--reason", "mistake")).said).toContain("held or used");
  });
});

describe("npm run coupons:import", () => {
  const run = async (lines: unknown[], preview = false) => {
    const refused: string[] = [];
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const counts = await importCoupons(Readable.from([Buffer.from(text)]), {
      preview,
      onRefused: ({ line, message }) => refused.push(`${line}: ${message}`),
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

  it("adds, finds nothing new the second time, changes what changed, and a preview writes nothing", async () => {
    expect((await run(file, true)).counts).toEqual({ added: 3, changed: 0, unchanged: 0, refused: 0 });
    expect((await run(file)).counts).toEqual({ added: 3, changed: 0, unchanged: 0, refused: 0 });
    expect((await run(file)).counts).toEqual({ added: 0, changed: 0, unchanged: 3, refused: 0 });
    const dearer = [{ ...campaign, percent: 25 }, coupon("three")];
    expect((await run(dearer)).counts).toEqual({ added: 1, changed: 1, unchanged: 0, refused: 0 });
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

  it("refuses line by line, with the reason", async () => {
    const { counts, refused } = await run([
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
      "2: daily is built in; change it with npm run staff -- vouchers",
      expect.stringMatching(/^3: .*either amount or percent/),
      "4: ends_at: ends before it starts",
      expect.stringMatching(/^5: The code ONE-.* is taken\.$/),
      "6: There is no campaign no-such-campaign.",
      "7: line: there is no field extra",
      "8: minimum: at most two decimals",
      '9: kind: either "campaign" or "coupon"',
      '10: kind: either "campaign" or "coupon"',
      "11: line: is to be an object of fields",
      "12: expires_at: not a moment such as 2027-04-01T00:00:00Z",
      "13: code: is missing",
      "14: percent: is to be a number without quotes",
    ]);
  });

  it("rejects times in the past, and still ends a campaign early; the same file stays unchanged later", async () => {
    const past = "2020-01-01T00:00:00Z";
    const next = new Date().getFullYear() + 1;
    const short = {
      ...campaign,
      id: `short-${tag}`,
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const of = (code: string, more = {}) => ({ ...coupon(code), campaign: short.id, ...more });
    const first = await run([
      short,
      of("kept"),
      { ...campaign, id: `past-${tag}`, ends_at: past },
      of("past", { expires_at: past }),
      of("turned", { starts_at: `${next}-01-02T00:00:00+09:00`, expires_at: `${next}-01-01T15:00:00Z` }),
    ]);
    expect(first.counts).toMatchObject({ added: 2, refused: 3 });
    expect(first.refused).toEqual([
      `3: ends_at: ${past} is in the past`,
      `4: expires_at: ${past} is in the past`,
      "5: expires_at: expires before it starts",
    ]);
    const ended = await run([{ ...short, ends_at: past }, of("late"), of("kept")]);
    expect(ended.counts).toEqual({ added: 0, changed: 1, unchanged: 1, refused: 1 });
    expect(ended.refused).toEqual([`2: The campaign ${short.id} has ended, so its coupons are expired.`]);
  });
});
