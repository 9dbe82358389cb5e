import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findChanges, findConflicts, mergeRecords } from "@/lib/catalog/console/rules-changes";
import { editedRecord, fromDraft, newDraft, newDraftPlan, toDraft } from "@/lib/catalog/console/rules-draft";
import { CatalogRecord, type ProductRecord } from "@/lib/catalog/import/contract";
import { gateVerdicts } from "@/lib/catalog/translation/rules-gate";

const lines = readFileSync("db/seed/catalog.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((text) => CatalogRecord.parse(JSON.parse(text)))
  .filter((line) => line.kind === "product");
const line = lines.find(({ slug }) => slug === "tallyho-events") as ProductRecord;
const withName = (name: string, from = line) => ({
  ...from,
  texts: { ...from.texts, en: { ...from.texts.en, name } },
});

describe("a product draft", () => {
  it("without edits equals the product, for the whole demo catalogue", () => {
    for (const one of lines) expect(editedRecord(toDraft(one), one), one.slug).toEqual(one);
  });

  it("keeps the seconds of a time that was not edited", () => {
    const ends_at = "2027-01-02T03:04:05.678Z";
    const plans = line.plans.map((plan) => ({ ...plan, deal: { price: 1, ends_at, quantity: 2 } }));
    const draft = toDraft({ ...line, plans });
    draft.plans[0]!.deal!.price = "1.5";
    expect(editedRecord(draft, { ...line, plans }).plans[0]!.deal).toEqual({
      price: 1.5,
      ends_at,
      quantity: 2,
    });
    draft.plans[0]!.deal!.ends_at = "2027-01-02T03:05";
    expect(editedRecord(draft, { ...line, plans }).plans[0]!.deal?.ends_at).toBe("2027-01-02T03:05:00.000Z");
  });

  it("reads grouped thousands as thousands and keeps an unreadable list price from becoming none", () => {
    const draft = toDraft(line);
    Object.assign(draft.plans[0]!, { price: "1,000", list_price: "1e3" });
    expect(editedRecord(draft, line).plans[0]).toMatchObject({ price: 1000, list_price: -1 });
  });

  it("of a new product is refused until its fields are filled in", () => {
    const draft = newDraft("writing");
    expect(CatalogRecord.safeParse(fromDraft(draft)).success).toBe(false);
    draft.slug = "new-tool";
    draft.vendor = "Makers";
    draft.texts.en = { name: "Tool", tagline: "A tool.", description: "It is.", includes: "One\n\n two " };
    draft.activation = { url: "", steps: { en: "Enter the code.", zh: "", ja: "" } };
    draft.plans = [
      { ...newDraftPlan("a"), price: "9,90" },
      { ...newDraftPlan("b", "lifetime"), price: "90" },
    ];
    const parsed = CatalogRecord.parse(JSON.parse(JSON.stringify(fromDraft(draft))));
    expect(parsed).toMatchObject({
      texts: { en: { includes: ["One", "two"] } },
      plans: [
        { type: "week", duration_days: 7, price: 9.9 },
        { type: "lifetime", duration_days: null },
      ],
    });
  });
});

describe("product changes", () => {
  it("are found by field, plans by their kind", () => {
    const plans = line.plans.map((plan, i) => (i === 1 ? { ...plan, price: 14.9 } : plan)).toReversed();
    const changes = findChanges(line, { ...withName("New"), plans });
    expect(changes.map(({ path }) => path)).toEqual(["texts.en.name", "plans.week:7.price", "plan_order"]);
    expect(findChanges(line, structuredClone(line))).toEqual([]);
    expect(findChanges(null, line)[0]).toEqual({ path: "slug", before: null, after: line.slug });
    const removed = findChanges(line, { ...line, plans: line.plans.slice(1) });
    expect(removed.every(({ path, after }) => path.startsWith("plans.day:1.") && after === null)).toBe(true);
  });

  it("of two people are merged, and mine win when both changed a field", () => {
    const theirs: ProductRecord = {
      ...withName("Theirs"),
      vendor: "Their Vendor",
      plans: line.plans.map((plan, i) => (i === 0 ? { ...plan, list_price: 99 } : plan)),
    };
    const mine: ProductRecord = {
      ...withName("Mine"),
      sort_num: 3,
      plans: line.plans.flatMap((plan, i) => (i === 0 ? { ...plan, price: 5 } : i === 2 ? [] : plan)),
    };
    expect(mergeRecords(line, mine, theirs)).toEqual({
      ...mine,
      vendor: "Their Vendor",
      plans: [{ ...line.plans[0], price: 5, list_price: 99 }, line.plans[1]],
    });
  });

  it("of two people keep mine even when one of them removed the pass that the other changed", () => {
    const [day, ...others] = line.plans;
    const without: ProductRecord = { ...line, plans: others };
    const dearer: ProductRecord = { ...line, plans: [{ ...day!, price: 99 }, ...others] };
    expect(mergeRecords(line, without, dearer)).toEqual(without);
    expect(findConflicts(line, without, dearer)).toEqual([
      { path: "plans.day:1.price", mine: null, theirs: "99" },
    ]);
    expect(mergeRecords(line, dearer, without)).toEqual(dearer);
    expect(findConflicts(line, dearer, without)).toEqual([
      { path: "plans.day:1.price", mine: "99", theirs: null },
    ]);
    // Passes that only one of the two added or removed.
    expect(mergeRecords(without, without, line).plans).toEqual([...others, day]);
    expect(mergeRecords(line, line, without)).toEqual(without);
  });
});

it("the translation gate says what each language shows", () => {
  const zh = { ...line.texts.en, name: "Latin name" };
  const { ja: _ja, ...texts } = line.texts;
  const verdicts = gateVerdicts({ ...line, texts: { ...texts, zh } });
  expect(verdicts.map(({ state }) => state)).toEqual(["shown", "refused", "english"]);
  expect(verdicts[1]?.flaws.map(({ path }) => path)).toEqual([
    "texts.zh.tagline",
    "texts.zh.description",
    "texts.zh.includes",
  ]);
});
