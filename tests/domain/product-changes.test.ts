import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { type CreatedMerchant, createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { editProduct } from "@/lib/catalog/console/edit-product";
import { editProducts } from "@/lib/catalog/console/edit-products";
import { streamProductFeed } from "@/lib/catalog/feeds/stream-product-feed";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { ProductsRevised } from "@/lib/catalog/import/contract-jobs";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { productSeo } from "@/lib/catalog/seo";
import { cancelChange } from "@/lib/merchants/changes/cancel-change";
import { changePlanPrice } from "@/lib/merchants/changes/change-plan-price";
import { createChange } from "@/lib/merchants/changes/create-change";
import { approveChange, refuseChange, returnChange } from "@/lib/merchants/changes/decide-change";
import { findProductsChanged } from "@/lib/merchants/changes/find-change-mails";
import { getMerchantChange } from "@/lib/merchants/changes/get-merchant-change";
import { getMerchantProduct, getPlanPrices } from "@/lib/merchants/changes/get-merchant-product";
import { getConsoleChange, listConsoleChanges } from "@/lib/merchants/changes/list-console-changes";
import { listMerchantChanges } from "@/lib/merchants/changes/list-merchant-changes";
import { listMerchantProducts } from "@/lib/merchants/changes/list-merchant-products";
import { pausePlan, pauseProduct } from "@/lib/merchants/changes/pause-plan";
import { proposeChange } from "@/lib/merchants/changes/propose-change";
import { saveChange } from "@/lib/merchants/changes/save-change";
import { productsRevisedJob } from "@/lib/merchants/jobs";
import { InvalidationListener } from "@/lib/platform/page-cache/invalidation-listener";
import {
  importCategory,
  importLines,
  planRecord,
  productRecord,
  productText,
} from "@/tests/setup/catalog-import";
import { clearQueue } from "@/tests/setup/queue";

const EN = { locale: "en" } as const;
const PAGE = { origin: "https://shop.example", brand: "Shop", surface: "desktop", ...EN } as const;
const LABELS = { home: "Home", passName: () => "Pass", title: (name: string) => name };
let merchant: CreatedMerchant;
let trusted: CreatedMerchant;
let seller: Seller;
let trustedSeller: Seller;
let staff: StaffUser;

beforeAll(async () => {
  await importCategory();
  merchant = await createMerchant({ name: "Alder Works" });
  trusted = await createMerchant({ trust: "trusted" });
  seller = await createSeller(merchant);
  trustedSeller = await createSeller(trusted);
  staff = await createStaff({ roles: ["catalogue"] });
});
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

/** An imported product of the merchant with a week pass at $10. */
async function createOwn(owner: Seller = seller, fields: Record<string, unknown> = {}) {
  const line = productRecord({ plans: [planRecord({ price: 10 })], ...fields });
  await importLines([line]);
  const [row] = await client()<{ id: number }[]>`
    update products set merchant_id = ${owner.merchant.id} where slug = ${line.slug} returning id`;
  const { id } = row!;
  const [plan] = await client()<{ id: number }[]>`select id from plans where product_id = ${id}`;
  return { id, slug: line.slug, planId: plan!.id };
}
const open = (id: number, { member }: Seller = seller) => getMerchantProduct(member, id, "en");

/** Drafts a change of the product's current record. */
async function draft(id: number, change: (line: ProductRecord) => object, owner: Seller = seller) {
  const { line, revision } = await open(id, owner);
  const input = { product_id: id, base_revision: revision, line: { ...change(line) }, preview: false };
  const saved = await createChange(owner.member, input, "en");
  return saved.change_id!;
}
/** The version of a change that its merchant sees; undefined: it sees none. */
const ownVersion = async (id: string, { member }: Seller = seller) =>
  (await getMerchantChange(member, id, "en").catch(() => null))?.version;
const propose = async (id: string, owner: Seller = seller) =>
  proposeChange(owner.member, id, { version: await ownVersion(id, owner), ...EN });
const cancel = async (id: string, owner: Seller = seller) =>
  cancelChange(owner.member, id, { version: await ownVersion(id, owner) });
const save = async (id: string, input: Awaited<ReturnType<typeof content>>, owner: Seller = seller) =>
  saveChange(owner.member, id, { version: await ownVersion(id, owner), ...input, ...EN });
/** The version of a change that staff see; undefined: they see none. */
const versionOf = async (id: string) => (await getConsoleChange(id, "en").catch(() => null))?.version;
const approve = async (id: string) =>
  approveChange(staff.viewer, id, { version: await versionOf(id), ...EN });
const answer = async (id: string, note: string) => ({ version: await versionOf(id), note });
const withText = (fields: object) => (line: ProductRecord) => ({
  ...line,
  texts: { ...line.texts, en: { ...line.texts.en, ...fields } },
});
const withPlan = (fields: object) => (line: ProductRecord) => ({
  ...line,
  plans: line.plans.map((plan) => ({ ...plan, ...fields })),
});
const stateOf = async (id: string, { member }: Seller = seller) =>
  (await getMerchantChange(member, id, "en")).state;
const auditOf = async (subject: string) =>
  (
    await client()`select actor, action, detail from audit_entries where subject = ${subject} order by id`
  ).map((entry) => ({ ...entry }));
const mailsTo = async (email: string) =>
  (await client()`select event from mails where to_address = ${email} order by created_at, id`).map(
    ({ event }) => event,
  );
const fails = (name: string) => expect.objectContaining({ name: "ShopError", error: name });

describe("a merchant's change", () => {
  it("changes nothing in the shop before its approval, and everything after it", async () => {
    const { id, slug } = await createOwn();
    const tags: string[] = [];
    const listener = await InvalidationListener.open({ onTag: (tag) => tags.push(tag), onLost: () => {} });
    await listener.confirm();
    tags.length = 0;
    const name = `Quixotic${id}`;
    const found = async () =>
      (await searchProducts({ keyword: name, sort: "recommend", page: 1, size: 10 }, "en")).items.length;
    const inFeed = async () => {
      for await (const line of streamProductFeed()) if (line.texts.en?.name === name) return true;
      return false;
    };
    const jsonLd = async () =>
      JSON.stringify(productSeo(await getProductPage({ slug, locale: "en" }), PAGE, LABELS).jsonLd);
    const change = await draft(id, withText({ name }));
    expect(await stateOf(change)).toBe("draft");
    expect(await propose(change)).toEqual({ change_id: change, state: "proposed", revision: null });
    expect(await listener.confirm()).toBe(true);
    expect(tags).toEqual([]);
    expect((await getProductPage({ slug, locale: "en" })).product_name).toBe("Tool");
    expect([await found(), await inFeed(), await jsonLd()]).toEqual([
      0,
      false,
      expect.not.stringContaining(name),
    ]);
    expect(await open(id)).toMatchObject({
      revision: 1,
      open_changes: [{ change_id: change, state: "proposed" }],
    });

    expect(await approve(change)).toEqual({ change_id: change, state: "approved", revision: 2 });
    expect(await listener.confirm()).toBe(true);
    await listener.stop();
    expect(tags).toContain(`product:${id}`);
    expect((await getProductPage({ slug, locale: "en" })).product_name).toBe(name);
    expect([await found(), await inFeed(), await jsonLd()]).toEqual([1, true, expect.stringContaining(name)]);
    expect(await open(id)).toMatchObject({ revision: 2, source: "console", open_changes: [] });
    const decided = await getMerchantChange(seller.member, change, "en");
    expect(decided).toMatchObject({
      state: "approved",
      automatic: false,
      revision: 2,
      check: null,
      changes: [{ path: "texts.en.name", before: "Tool", after: name }],
    });
    expect(await auditOf(change)).toMatchObject([
      { actor: seller.id, action: "change.created" },
      { actor: seller.id, action: "change.proposed", detail: { kind: "texts", risk: "low" } },
      { actor: staff.id, action: "change.approved", detail: { revision: 2, product: id } },
    ]);
    expect(await auditOf(`product:${id}`)).toMatchObject([{ actor: seller.id, action: "product.changed" }]);
  });

  it("is returned with a note, corrected, proposed again and refused, and the owners are notified each time", async () => {
    const owner = await createSeller(await createMerchant());
    const member = await createSeller(owner.merchant, { role: "member" });
    const { id } = await createOwn(owner);
    const change = await draft(id, withText({ name: "Brand of another" }), member);
    await propose(change, member);
    await expect(save(change, await content(id, owner), member)).rejects.toEqual(fails("change_decided"));
    await returnChange(staff.viewer, change, await answer(change, "Not your brand"));
    expect(await getMerchantChange(owner.member, change, "en")).toMatchObject({
      state: "returned",
      note: "Not your brand",
    });
    const mended = await content(id, owner, withText({ name: "Own brand" }));
    expect(await save(change, mended, member)).toMatchObject({ state: "returned" });
    await propose(change, owner);
    await refuseChange(staff.viewer, change, await answer(change, "No"));
    expect(await getConsoleChange(change, "en")).toMatchObject({
      state: "refused",
      decided_by: staff.email,
      note: "No",
    });
    for (const decide of [
      () => approve(change),
      async () => returnChange(staff.viewer, change, await answer(change, "x")),
      () => propose(change, owner),
    ])
      await expect(decide()).rejects.toEqual(fails("change_decided"));
    await expect(cancel(change, owner)).rejects.toEqual(fails("change_decided"));
    expect(await mailsTo(owner.email)).toEqual(["change-returned", "change-refused"]);
    expect(await mailsTo(member.email)).toEqual([]);
    expect((await open(id, owner)).revision).toBe(1);
  });

  it("is cancelled by its merchant until it is decided, and staff see no drafts", async () => {
    const { id } = await createOwn();
    const change = await draft(id, withText({ name: "Later" }));
    await expect(getConsoleChange(change, "en")).rejects.toEqual(fails("change_unknown"));
    await expect(approve(change)).rejects.toEqual(fails("change_unknown"));
    await propose(change);
    expect((await listConsoleChanges({ state: "proposed" }, "en")).items.at(-1)).toMatchObject({
      change_id: change,
      merchant: merchant.handle,
      product_name: "Later",
      kind: "texts",
      risk: "low",
    });
    expect(await cancel(change)).toMatchObject({ state: "cancelled" });
    await expect(approve(change)).rejects.toEqual(fails("change_decided"));
    expect((await listMerchantChanges(seller.member, { product_id: id }, "en")).items).toMatchObject([
      { change_id: change, state: "cancelled", created_by: seller.email },
    ]);
  });

  it("is decided only as it was shown, and needs another look when its merchant has rewritten it", async () => {
    const { id } = await createOwn();
    const change = await draft(id, withText({ name: "Shown" }));
    await propose(change);
    const version = await versionOf(change);
    await returnChange(staff.viewer, change, { version, note: "Shorter" });
    const rewritten = await content(id, seller, withPlan({ price: 1 }));
    await save(change, rewritten);
    await propose(change);
    for (const seen of [version, undefined])
      for (const decide of [
        () => approveChange(staff.viewer, change, { version: seen, ...EN }),
        () => returnChange(staff.viewer, change, { version: seen, note: "No" }),
        () => refuseChange(staff.viewer, change, { version: seen, note: "No" }),
      ])
        await expect(decide()).rejects.toEqual(fails("revision_conflict"));
    expect(await stateOf(change)).toBe("proposed");
    expect((await open(id)).line.plans).toMatchObject([{ price: 10 }]);
    expect(await approve(change)).toMatchObject({ state: "approved" });
  });

  it.each([
    [
      "another tab has saved it since",
      async (id: string, product: number) =>
        save(id, await content(product, seller, withText({ name: "Of the other tab" }))),
    ],
    [
      "another tab has proposed it, and staff have returned it since",
      async (id: string) => {
        await propose(id);
        await returnChange(staff.viewer, id, await answer(id, "Not your brand"));
      },
    ],
  ])("is saved, proposed and withdrawn only as it was shown to its merchant: %s", async (_, change) => {
    const { id } = await createOwn();
    const own = await draft(id, withText({ name: "Of this tab" }));
    const old = await ownVersion(own);
    await change(own, id);
    const before = await getMerchantChange(seller.member, own, "en");
    const mine = { ...(await content(id, seller, withText({ name: "Mine" }))), ...EN };
    for (const version of [old, undefined])
      for (const decide of [
        () => proposeChange(seller.member, own, { version, ...EN }),
        () => cancelChange(seller.member, own, { version }),
        () => saveChange(seller.member, own, { version, ...mine }),
        () => saveChange(seller.member, own, { version, ...mine, preview: true }),
      ])
        await expect(decide()).rejects.toEqual(fails("revision_conflict"));
    expect(await getMerchantChange(seller.member, own, "en")).toEqual(before);
    const saved = await saveChange(seller.member, own, { version: before.version, ...mine });
    expect(saved.version).toBe(await ownVersion(own));
    const moved = await proposeChange(seller.member, own, { version: saved.version!, ...EN });
    expect(moved.state).toBe("proposed");
    expect(await cancel(own)).toMatchObject({ state: "cancelled" });
  });

  it("that competes for a field with another is approved alone, and the other shows both values first", async () => {
    const { id } = await createOwn();
    const one = await draft(id, withText({ name: "One" }));
    const two = await draft(id, withText({ name: "Two" }));
    await propose(one);
    await propose(two);
    const seen = await Promise.all([one, two].map(versionOf));
    const results = await Promise.allSettled(
      [one, two].map((id, i) => approveChange(staff.viewer, id, { version: seen[i], ...EN })),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => reason)).toEqual([fails("revision_conflict")]);
    const [late, mine, theirs] =
      (await stateOf(one)) === "approved" ? [two, "Two", "One"] : [one, "One", "Two"];
    expect(await getConsoleChange(late, "en")).toMatchObject({
      state: "proposed",
      check: { stale: true, revision: 2, conflicts: [{ path: "texts.en.name", mine, theirs }] },
    });
    for (const version of [...seen, undefined])
      await expect(approveChange(staff.viewer, late, { version, ...EN })).rejects.toEqual(
        fails("revision_conflict"),
      );
    await returnChange(staff.viewer, late, await answer(late, "The product has changed"));
    await expect(propose(late)).rejects.toEqual(fails("revision_conflict"));
    await save(late, await content(id, seller, withText({ name: mine })));
    await propose(late);
    expect(await approve(late)).toMatchObject({ revision: 3 });
    expect((await open(id)).line.texts.en).toMatchObject({ name: mine });
  });

  it("cannot touch another merchant's product or what the shop sets, or contain a misleading name", async () => {
    const { id, planId } = await createOwn();
    const { line, revision } = await open(id);
    const base = { product_id: id, base_revision: revision, preview: false };
    const { member } = trustedSeller;
    const change = await draft(id, withText({ name: "Mine" }));
    for (const foreign of [
      () => open(id, trustedSeller),
      () => getPlanPrices(member, planId, "en"),
      () => createChange(member, { ...base, line: withText({ name: "Theirs" })(line) }, "en"),
      () => pausePlan(member, planId, { paused: true, ...EN }),
      () => changePlanPrice(member, planId, { price: 9, preview: true, ...EN }),
    ])
      await expect(foreign()).rejects.toEqual(fails("product_unknown"));
    for (const foreign of [
      () => getMerchantChange(member, change, "en"),
      () => propose(change, trustedSeller),
      () => cancel(change, trustedSeller),
      async () => save(change, await content(id, seller), trustedSeller),
    ])
      await expect(foreign()).rejects.toEqual(fails("change_unknown"));
    const listed = await listMerchantProducts(member, {}, "en");
    expect(listed.items.map(({ product_id }) => product_id)).not.toContain(id);

    for (const name of ["Win at tool.example", "Tool\u200b", "Passlane Pro"])
      await expect(
        createChange(seller.member, { ...base, line: withText({ name })(line) }, "en"),
      ).rejects.toMatchObject({ error: "invalid_input", issues: [{ path: "line.texts.en.name" }] });
    const fixed = { ...line, sort_num: 999, vendor_email: "me@example.com", listed: false };
    await expect(createChange(seller.member, { ...base, line: fixed }, "en")).rejects.toMatchObject({
      issues: ["vendor_email", "sort_num", "listed"].map((field) =>
        expect.objectContaining({ path: `line.${field}` }),
      ),
    });
    const renamed = createChange(seller.member, { ...base, line: { ...line, slug: "other" } }, "en");
    await expect(renamed).rejects.toMatchObject({ issues: [{ path: "line.slug" }] });
    const { sort_num: _sort, ...without } = withText({ name: "Kept" })(line);
    expect(await createChange(seller.member, { ...base, line: without }, "en")).toMatchObject({
      changes: [{ path: "texts.en.name" }],
    });
    const unchanged = createChange(seller.member, { ...base, line }, "en");
    await expect(unchanged).rejects.toEqual(fails("nothing_changes"));
  });
});

async function content(id: number, owner: Seller, change: (line: ProductRecord) => object = (line) => line) {
  const { line, revision } = await open(id, owner);
  return { base_revision: revision, line: { ...change(line) }, preview: false };
}

describe("a new product", () => {
  const line = (slug: string) => ({
    slug,
    vendor: "Alder Works",
    category: "tools",
    texts: { en: productText({ name: "First product" }) },
    activation: { url: "https://alder.example/redeem", steps: { en: ["Enter the code."] } },
    plans: [planRecord({ price: 12 })],
  });
  const create = (fields: object = {}, preview = false) => {
    const slug = `first-${crypto.randomUUID().slice(0, 8)}`;
    const input = { product_id: null, base_revision: 0, line: { ...line(slug), ...fields }, preview };
    return createChange(trustedSeller.member, input, "en");
  };

  it("belongs to the merchant who proposed it, and always waits for approval", async () => {
    const preview = await create({}, true);
    expect(preview).toMatchObject({
      change_id: null,
      product_id: null,
      kind: "new",
      risk: "high",
      automatic: false,
    });
    const { change_id } = await create();
    expect(await propose(change_id!, trustedSeller)).toMatchObject({ state: "proposed" });
    const moved = await approve(change_id!);
    expect(moved).toMatchObject({ state: "approved", revision: 1 });
    const { product_id } = await getMerchantChange(trustedSeller.member, change_id!, "en");
    expect(await open(product_id!, trustedSeller)).toMatchObject({ state: "sold", line: { sort_num: 0 } });
    const listed = await listMerchantProducts(trustedSeller.member, { name: "first" }, "en");
    expect(listed.items).toMatchObject([{ product_id, plans: 1, stock: 0, price_from: 12, state: "sold" }]);
  });

  it("reports the problems of its fields as an import does", async () => {
    await expect(create({ category: "none", sort_num: 50 })).rejects.toMatchObject({
      issues: [{ path: "line.sort_num" }],
    });
    await expect(create({ category: "none" })).rejects.toMatchObject({ issues: [{ path: "line.category" }] });
    await expect(create({ texts: { en: productText({ name: "" }) } })).rejects.toMatchObject({
      issues: [{ path: "line.texts.en.name" }],
    });
  });

  it("is refused when another one has taken its address", async () => {
    const slug = `same-${crypto.randomUUID().slice(0, 8)}`;
    const [one, two] = [(await create({ slug })).change_id!, (await create({ slug })).change_id!];
    await propose(one, trustedSeller);
    await propose(two, trustedSeller);
    await approve(one);
    expect(await getConsoleChange(two, "en")).toMatchObject({ check: { problems: [{ path: "line.slug" }] } });
    await expect(approve(two)).rejects.toMatchObject({ issues: [{ path: "line.slug" }] });
  });
});

describe("the risk of a change", () => {
  const CASES: [string, (line: ProductRecord) => object, string, "low" | "high"][] = [
    ["texts", withText({ tagline: "Another tagline." }), "texts", "low"],
    [
      "activation steps",
      (line) => ({ ...line, activation: { ...line.activation, steps: { en: ["Log in."] } } }),
      "texts",
      "low",
    ],
    ["a pause", withPlan({ availability: "paused" }), "availability", "low"],
    ["a price within the guardrails", withPlan({ price: 9 }), "price", "low"],
    [
      "a deal within the guardrails",
      withPlan({ deal: { price: 9, ends_at: "P2D", quantity: 5 } }),
      "price",
      "low",
    ],
    ["a price of less than half", withPlan({ price: 4 }), "price", "high"],
    ["a list price", withPlan({ list_price: 99 }), "plans", "high"],
    [
      "the activation page",
      (line) => ({ ...line, activation: { ...line.activation, url: "https://x.example" } }),
      "details",
      "high",
    ],
    ["search words", (line) => ({ ...line, search_terms: { en: ["chatgpt"] } }), "details", "high"],
    ["the vendor", (line) => ({ ...line, vendor: "Bigger brand" }), "details", "high"],
    [
      "a new pass",
      (line) => ({ ...line, plans: [...line.plans, { ...line.plans[0], type: "day", duration_days: 1 }] }),
      "plans",
      "high",
    ],
  ];
  it.each(CASES)("of %s", async (_, change, kind, risk) => {
    for (const owner of [seller, trustedSeller]) {
      const { id } = await createOwn(owner);
      const proposed = await draft(id, change, owner);
      const passes = risk === "low" && owner === trustedSeller;
      const state = passes ? "approved" : "proposed";
      expect(await propose(proposed, owner)).toMatchObject({ state, revision: passes ? 2 : null });
      expect(await getMerchantChange(owner.member, proposed, "en")).toMatchObject({
        kind,
        risk,
        automatic: passes,
      });
      if (!passes) continue;
      expect((await auditOf(proposed)).at(-1)).toMatchObject({
        actor: "system",
        action: "change.approved",
        detail: { automatic: true },
      });
      expect(await client()`select 1 from mails where refs->>'changeId' = ${proposed}`).toEqual([]);
    }
  });
});

describe("a price", () => {
  it("shows its effect first, waits for approval and respects the guardrails", async () => {
    const { id, planId } = await createOwn();
    const price = (amount: number, preview = false) =>
      changePlanPrice(seller.member, planId, { price: amount, preview, ...EN });
    expect(await price(8, true)).toMatchObject({
      change_id: null,
      needs_approval: false,
      prices: [{ price: 8 }],
    });
    const { change_id, state } = await price(3);
    expect([state, (await open(id)).line.plans[0]!.price]).toEqual(["proposed", 10]);
    expect(await getConsoleChange(change_id!, "en")).toMatchObject({
      risk: "high",
      check: { needs_approval: true, prices: [{ price: 3 }] },
    });
    expect(await approve(change_id!)).toMatchObject({ state: "approved" });
    expect((await open(id)).line.plans[0]!.price).toBe(3);
    expect((await getPlanPrices(seller.member, planId, "en")).history.map((entry) => entry.price)).toEqual([
      10, 3,
    ]);
    await expect(price(4)).rejects.toMatchObject({ issues: [{ path: "line.plans.0.price" }] });
    await expect(price(3)).rejects.toEqual(fails("nothing_changes"));
  });

  it("of a trusted merchant is live immediately within the guardrails", async () => {
    const { id, planId } = await createOwn(trustedSeller);
    const input = { price: 11, preview: false, ...EN };
    expect(await changePlanPrice(trustedSeller.member, planId, input)).toMatchObject({ state: "approved" });
    expect((await open(id, trustedSeller)).line.plans[0]!.price).toBe(11);
  });
});

describe("a pause", () => {
  it("takes effect immediately for every merchant, and is undone only by the merchant that made it", async () => {
    const { id, planId } = await createOwn();
    const set = (paused: boolean) => pausePlan(seller.member, planId, { paused, ...EN });
    expect(await set(true)).toEqual({ vip_id: planId, paused: true, revision: 2 });
    expect(await set(true)).toEqual({ vip_id: planId, paused: true, revision: 2 });
    expect((await open(id)).line.plans[0]!.availability).toBe("paused");
    expect(await set(false)).toMatchObject({ paused: false, revision: 3 });
    expect((await listMerchantChanges(seller.member, { product_id: id }, "en")).items).toMatchObject([
      { kind: "availability", state: "approved", automatic: true, revision: 3 },
      { kind: "availability", state: "approved", automatic: true, revision: 2 },
    ]);
    const { line, revision } = await open(id);
    const editor = { userId: staff.id, locale: "en" } as const;
    await editProduct(editor, {
      id,
      baseRevision: revision,
      line: withPlan({ availability: "paused" })(line),
    });
    await expect(set(false)).rejects.toEqual(fails("pause_by_shop"));
    const change = await draft(id, withText({ name: "Written while paused" }));
    await propose(change);
    await approve(change);
    await expect(set(false)).rejects.toEqual(fails("pause_by_shop"));
    const imported = await createOwn(seller, { plans: [planRecord({ availability: "paused" })] });
    const resume = pausePlan(seller.member, imported.planId, { paused: false, ...EN });
    await expect(resume).rejects.toEqual(fails("pause_by_shop"));
  });
});

describe("a shop change to a merchant's product", () => {
  /** An edit of the shop, and the jobs that it queues. */
  const shopEdits = async (id: number, change: (line: ProductRecord) => object) => {
    const { line, revision } = await open(id);
    const editor = { userId: staff.id, locale: "en" } as const;
    await editProduct(editor, { id, baseRevision: revision, line: { ...change(line) } });
    await runNotices();
  };
  /** Runs the queued jobs, each twice: a job runs at least once. */
  const runNotices = async () => {
    const jobs = await client()<{ id: string; payload: unknown }[]>`
      select j.id, p.payload from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
      where j.task_identifier = 'products-revised' order by j.id`;
    for (const { payload } of jobs)
      for (const _time of [1, 2]) await productsRevisedJob.run(ProductsRevised.schema.parse(payload));
    await clearQueue();
  };
  const logOf = async (id: number) =>
    (await listMerchantChanges(seller.member, { product_id: id }, "en")).items.filter(
      ({ by_shop }) => by_shop,
    );
  beforeEach(() => clearQueue());

  it("is marked on the product, recorded in the change log and mailed to the owners once", async () => {
    const { id } = await createOwn();
    const before = await mailsTo(seller.email);
    await shopEdits(id, withPlan({ price: 9 }));
    const [entry, ...others] = await logOf(id);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ created_by: "shop", kind: "price", state: "approved", revision: 2 });
    expect((await getMerchantChange(seller.member, entry!.change_id, "en")).changes).toEqual([
      { path: "plans.week:7.price", before: "10", after: "9" },
    ]);
    const mark = { change_id: entry!.change_id };
    expect(await open(id)).toMatchObject({ shop_change: mark });
    const { items } = await listMerchantProducts(seller.member, { product_id: id }, "en");
    expect(items).toMatchObject([{ shop_change: mark }]);
    expect((await mailsTo(seller.email)).slice(before.length)).toEqual(["products-changed"]);
    expect(await findProductsChanged(seller.merchant.id, [entry!.change_id], "en")).toEqual({
      products: ["Tool"],
      path: `/merchant/${seller.merchant.handle}/changes/${entry!.change_id}`,
    });
    await client()`update shop_clock set shift = '15 days'`;
    expect(await open(id)).toMatchObject({ shop_change: null });
  });

  it("is announced after a bulk edit or an import with one email for all products", async () => {
    const products = [await createOwn(), await createOwn()];
    const before = await mailsTo(seller.email);
    const ids = products.map(({ id }) => id);
    await editProducts({ userId: staff.id, locale: "en" }, { product_ids: ids, action: "pause" });
    await runNotices();
    for (const id of ids) expect(await logOf(id)).toMatchObject([{ kind: "availability" }]);
    expect((await mailsTo(seller.email)).slice(before.length)).toEqual(["products-changed"]);
    const { line } = await open(ids[0]!);
    await importLines([{ ...withText({ tagline: "Imported." })(line) }], { takeOver: true });
    await runNotices();
    expect((await logOf(ids[0]!))[0]).toMatchObject({ kind: "texts", created_by: "shop" });
  });

  it("is not announced for the merchant's own changes or for a preview", async () => {
    const { id, planId } = await createOwn();
    await pausePlan(seller.member, planId, { paused: true, ...EN });
    const change = await draft(id, withText({ name: "Own" }));
    await propose(change);
    await approve(change);
    const { line, revision } = await open(id);
    const edit = { id, baseRevision: revision, line: withPlan({ price: 11 })(line) };
    await editProduct({ userId: staff.id, locale: "en" }, edit, { preview: true });
    await runNotices();
    expect(await logOf(id)).toEqual([]);
    expect(await open(id)).toMatchObject({ shop_change: null });
  });

  it("stays when a waiting proposal is approved, which changes only its own fields", async () => {
    const { id } = await createOwn();
    const change = await draft(id, withText({ name: "Proposed" }));
    await propose(change);
    await shopEdits(id, (line) =>
      withPlan({ availability: "paused", price: 9 })({ ...line, ...withText({ tagline: "By us." })(line) }),
    );
    const shown = await getConsoleChange(change, "en");
    expect(shown).toMatchObject({
      check: { stale: false, rebased: true, revision: 2, conflicts: [], problems: [] },
    });
    expect(shown.changes).toEqual([{ path: "texts.en.name", before: "Tool", after: "Proposed" }]);
    expect(await approve(change)).toMatchObject({ state: "approved", revision: 3 });
    const { line } = await open(id);
    expect(line.texts.en).toMatchObject({ name: "Proposed", tagline: "By us." });
    expect(line.plans).toMatchObject([{ availability: "paused", price: 9 }]);
    expect((await getMerchantChange(seller.member, change, "en")).changes).toEqual(shown.changes);
  });

  it("gives way to a proposal for the same field only if the decider has seen both values", async () => {
    const { id } = await createOwn();
    const change = await draft(id, withText({ name: "Proposed" }));
    await propose(change);
    const seen = await versionOf(change);
    await shopEdits(id, withText({ name: "By us", tagline: "By us." }));
    await expect(approveChange(staff.viewer, change, { version: seen, ...EN })).rejects.toEqual(
      fails("revision_conflict"),
    );
    expect((await getConsoleChange(change, "en")).check).toMatchObject({
      conflicts: [{ path: "texts.en.name", mine: "Proposed", theirs: "By us" }],
    });
    await approve(change);
    expect((await open(id)).line.texts.en).toMatchObject({ name: "Proposed", tagline: "By us." });
  });

  it("gives way to a proposal that removes the pass, as its detail says", async () => {
    const month = planRecord({ type: "month", duration_days: 30, price: 20 });
    const { id, slug } = await createOwn(seller, { plans: [planRecord({ price: 10 }), month] });
    const change = await draft(id, (line) => ({
      ...line,
      plans: line.plans.filter(({ type }) => type === "month"),
    }));
    await propose(change);
    await shopEdits(id, (line) => ({
      ...line,
      plans: line.plans.map((plan) => ({ ...plan, price: plan.type === "week" ? 9 : 19 })),
    }));
    const shown = await getConsoleChange(change, "en");
    expect(shown.check).toMatchObject({
      stale: true,
      conflicts: [{ path: "plans.week:7.price", mine: null, theirs: "9" }],
    });
    expect(shown.changes).toContainEqual({ path: "plans.week:7.price", before: "9", after: null });
    await approve(change);
    expect((await open(id)).line.plans).toMatchObject([{ type: "month", price: 19 }]);
    const page = await getProductPage({ slug, locale: "en" });
    expect(page.vip_options.map(({ pass_type }) => pass_type)).toEqual(["month"]);
  });

  it("stays beside a merchant's own pause while a proposal waits", async () => {
    const { id, planId } = await createOwn();
    const change = await draft(id, withText({ name: "Proposed" }));
    await propose(change);
    await pausePlan(seller.member, planId, { paused: true, ...EN });
    await approve(change);
    const { line } = await open(id);
    expect(line).toMatchObject({ texts: { en: { name: "Proposed" } }, plans: [{ availability: "paused" }] });
  });

  it("does not block a draft that is proposed afterwards", async () => {
    const { id } = await createOwn();
    const change = await draft(id, withText({ name: "Drafted" }));
    await shopEdits(id, withPlan({ price: 9 }));
    expect(await propose(change)).toMatchObject({ state: "proposed" });
    await approve(change);
    expect((await open(id)).line).toMatchObject({
      plans: [{ price: 9 }],
      texts: { en: { name: "Drafted" } },
    });
  });
});

describe("pausing a product as a whole", () => {
  it("takes all its passes off sale and puts them back, while a waiting proposal still waits", async () => {
    const { id } = await createOwn(seller, {
      plans: [planRecord({ price: 10 }), planRecord({ type: "month", duration_days: 30, price: 30 })],
    });
    const proposal = await draft(id, (line) => ({
      ...line,
      texts: { ...line.texts, en: { ...line.texts.en, tagline: "Another line." } },
    }));
    await propose(proposal);
    const sale = async () => (await open(id)).line.plans.map(({ availability }) => availability);
    const paused = await pauseProduct(seller.member, id, { paused: true, ...EN });
    expect([paused.plans.length, await sale()]).toEqual([2, ["paused", "paused"]]);
    expect((await pauseProduct(seller.member, id, { paused: true, ...EN })).plans).toEqual([]);
    const waiting = await getMerchantChange(seller.member, proposal, "en");
    expect([waiting.state, waiting.check?.stale]).toEqual(["proposed", false]);
    const { version } = await getConsoleChange(proposal, "en");
    await approveChange(staff.viewer, proposal, { version, ...EN });
    expect(await sale()).toEqual(["paused", "paused"]);
    await pauseProduct(seller.member, id, { paused: false, ...EN });
    expect([await sale(), (await open(id)).line.texts.en.tagline]).toEqual([
      ["in_stock", "in_stock"],
      "Another line.",
    ]);
    await expect(pauseProduct(trustedSeller.member, id, { paused: true, ...EN })).rejects.toThrow(
      "product_unknown",
    );
  });

  it("does not resume passes that the shop has paused", async () => {
    const { id, slug } = await createOwn();
    await importLines([productRecord({ slug, plans: [planRecord({ price: 10, availability: "paused" })] })]);
    await expect(pauseProduct(seller.member, id, { paused: false, ...EN })).rejects.toThrow("pause_by_shop");
  });
});

it("a merchant's product shows the commission of the most specific rule for each pass", async () => {
  const { id } = await createOwn();
  expect((await open(id)).commission).toEqual([
    { plan: expect.stringContaining("week"), percent: 15, fixed: 0 },
  ]);
});
