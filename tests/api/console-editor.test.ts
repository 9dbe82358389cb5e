import { sql } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { POST as approve } from "@/app/api/v1/admin/approvals/[id]/approve/route";
import { POST as saveCategory } from "@/app/api/v1/admin/categories/[slug]/route";
import { GET as listCategories } from "@/app/api/v1/admin/categories/route";
import { GET as showImage } from "@/app/api/v1/admin/images/[hash]/route";
import { POST as uploadImage } from "@/app/api/v1/admin/images/route";
import { GET as getRevisions } from "@/app/api/v1/admin/products/[id]/revisions/route";
import { GET as getProduct, POST as saveProduct } from "@/app/api/v1/admin/products/[id]/route";
import { POST as undo } from "@/app/api/v1/admin/products/[id]/undo/route";
import { POST as setWeakCodes } from "@/app/api/v1/admin/products/[id]/weak-codes/route";
import { POST as changeMany } from "@/app/api/v1/admin/products/bulk/route";
import { POST as addProduct, GET as listProducts } from "@/app/api/v1/admin/products/route";
import { POST as saveSynonyms } from "@/app/api/v1/admin/synonyms/[slug]/route";
import { GET as listSynonyms } from "@/app/api/v1/admin/synonyms/route";
import { client, closeDatabase, db } from "@/db/client";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import type { Handler } from "@/lib/platform/api/declaration";
import {
  importCategory,
  importLines,
  planRecord,
  productRecord,
  productText,
} from "@/tests/setup/catalog-import";
import { seenApproval } from "@/tests/setup/seen";
import { authHeaders, call } from "./call";

let editor: StaffUser;
const shiftClock = (interval: string) => client()`update shop_clock set shift = ${interval}::interval`;
beforeAll(async () => {
  await importCategory();
  editor = await createStaff({ roles: ["catalogue"] });
});
beforeEach(() => db.execute(sql`update staff_members set ended_at = null where user_id = ${editor.id}`));
afterEach(() => shiftClock("0"));
afterAll(closeDatabase);

const MISSING = "2000000000";
type Params = Record<string, string>;
const send = (handler: Handler, path: string, params: Params, body: object, as: StaffUser = editor) =>
  call(handler, path, { params, body, headers: authHeaders(as) });
const show = async (handler: Handler, path: string, params: Params, query = "") =>
  (await call(handler, path, { params, query, headers: authHeaders(editor) })).body;

/** An imported product with texts in three languages and a week pass at $10. */
async function createLine(fields: object = {}) {
  const line = productRecord({
    texts: {
      en: productText(),
      zh: productText({ name: "工具", tagline: "一个工具。", description: "这是工具。", includes: ["一"] }),
    },
    plans: [planRecord({ price: 10 })],
    ...fields,
  });
  await importLines([line]);
  const [row] = await client()<{ id: number }[]>`select id from products where slug = ${line.slug}`;
  return { id: row!.id, slug: line.slug, imported: line };
}
const open = async (id: number) => {
  const { data } = await show(getProduct, `/admin/products/${id}`, { id: String(id) });
  return data as {
    revision: number;
    source: string;
    line: ProductRecord;
    verdicts: object[];
    plans: object[];
  };
};
/** The revisions of products as the list shows them, without unknown ones. */
async function revisionsOf(ids: readonly number[]): Promise<Record<number, number>> {
  const known = ids.filter((id) => id < 1_900_000_000);
  const pages = await Promise.all(
    known.map((id) => show(listProducts, "/admin/products", {}, `product_id=${id}`)),
  );
  return Object.fromEntries(
    pages.map(({ data }) => [data.items[0].product_id, data.items[0].revision] as const),
  );
}
const save = (id: number, base_revision: number, line: object, more: object = {}, as?: StaffUser) =>
  send(saveProduct, `/admin/products/${id}`, { id: String(id) }, { base_revision, line, ...more }, as);
const withPrice = (line: ProductRecord, price: number, fields: object = {}) => ({
  ...line,
  plans: line.plans.map((plan) => ({ ...plan, price, ...fields })),
});

describe("the product editor", () => {
  it("saves its input once, as a revision by its author", async () => {
    const { id, slug } = await createLine();
    const { revision, source, line, verdicts, plans } = await open(id);
    expect([revision, source]).toEqual([1, "import"]);
    expect(verdicts).toMatchObject([{ state: "shown" }, { state: "shown" }, { state: "english" }]);
    expect(plans).toMatchObject([{ plan: "week:7", stock: 0, shown: { price: 10, list_price: null } }]);
    const edited = {
      ...line,
      vendor: "New Vendor",
      texts: { ...line.texts, en: { ...line.texts.en, name: "Renamed" } },
    };
    const preview = await save(id, 1, edited, { preview: true });
    const changes = [
      { path: "vendor", before: "Makers", after: "New Vendor" },
      { path: "texts.en.name", before: "Tool", after: "Renamed" },
    ];
    expect(preview.body.data).toMatchObject({ saved: false, revision: 2, changes });
    expect((await open(id)).revision).toBe(1);
    const saved = await save(id, 1, edited, { note: "A new name" });
    expect(saved.body).toMatchObject({ code: "200", data: { saved: true, revision: 2, changes } });
    expect(await open(id)).toMatchObject({ revision: 2, source: "console", line: edited });
    expect((await save(id, 2, edited)).body.data).toMatchObject({ saved: false, revision: 2, changes: [] });
    const list = await show(getRevisions, `/admin/products/${id}/revisions`, { id: String(id) });
    expect(list.data).toMatchObject({
      items: [
        { revision: 2, source: "console", by: editor.email, note: "A new name", changes },
        { revision: 1, source: "import", by: null, changes: [] },
      ],
      next_before: null,
    });
    expect((await getProductPage({ slug, locale: "en" })).product_name).toBe("Renamed");
    const entries =
      await client()`select actor, action, detail from audit_entries where subject = ${`product:${id}`}`;
    expect(entries).toMatchObject([
      { actor: editor.id, action: "product.changed", detail: { revision: 2, note: "A new name" } },
    ]);
  });

  it("refuses the save of a second tab and keeps what the first saved", async () => {
    const { id } = await createLine();
    const { line } = await open(id);
    expect((await save(id, 1, { ...line, sort_num: 5 })).body.code).toBe("200");
    expect((await save(id, 1, { ...line, sort_num: 6 })).body.code).toBe("40940");
    expect((await open(id)).line.sort_num).toBe(5);
    const both = await Promise.all([7, 8].map((sort_num) => save(id, 2, { ...line, sort_num })));
    expect(both.map(({ body }) => body.code).sort()).toEqual(["200", "40940"]);
    expect((await open(id)).revision).toBe(3);
  });

  it("returns to an earlier revision as a new one", async () => {
    const { id } = await createLine();
    const { line } = await open(id);
    await save(id, 1, { ...line, sort_num: 5 });
    const path = `/admin/products/${id}/undo`;
    const back = (body: object) => send(undo, path, { id: String(id) }, body);
    expect((await back({ base_revision: 1, revision: 1 })).body.code).toBe("40940");
    expect((await back({ base_revision: 2, revision: 9 })).body.code).toBe("40425");
    expect((await back({ base_revision: 2, revision: 1, preview: true })).body.data).toMatchObject({
      saved: false,
    });
    expect((await back({ base_revision: 2, revision: 1 })).body.data).toMatchObject({
      saved: true,
      revision: 3,
    });
    expect(await open(id)).toMatchObject({ revision: 3, line });
  });

  it("names the field of each problem in the reader's language", async () => {
    const { id } = await createLine();
    const { line } = await open(id);
    const problems = async (fields: object) => {
      const { status, body } = await save(id, 1, { ...line, ...fields });
      expect([status, body.code]).toEqual([400, "40000"]);
      return body.errors?.map(({ path, message }) => [path, message]);
    };
    const zh = { ...line.texts.zh, tagline: "Only Latin" };
    expect(await problems({ texts: { ...line.texts, zh } })).toEqual([
      ["line.texts.zh.tagline", "This text has no Chinese character in it."],
    ]);
    expect(await problems({ texts: { ...line.texts, zh: { ...zh, tagline: "你好 {name}" } } })).toEqual([
      ["line.texts.zh.tagline", "A placeholder was left in the translation: {name}"],
    ]);
    expect(await problems({ slug: "another-slug" })).toMatchObject([["line.slug", expect.any(String)]]);
    expect(await problems({ category: "nowhere" })).toMatchObject([["line.category", expect.any(String)]]);
    expect(await problems({ image: `stored:${"0".repeat(64)}` })).toMatchObject([
      ["line.image", expect.any(String)],
    ]);
    expect(await problems({ image: "../secret.png" })).toMatchObject([["line.image", expect.any(String)]]);
    expect(await problems({ plans: [] })).toMatchObject([["line.plans", expect.any(String)]]);
    expect(await problems(withPrice(line, 10, { list_price: 9 }))).toMatchObject([
      ["line.plans.0.list_price", expect.any(String)],
    ]);
    expect(await problems({ surprise: 1 })).toMatchObject([["line.surprise", expect.any(String)]]);
    const { body } = await call(saveProduct, `/admin/products/${id}`, {
      params: { id: String(id) },
      body: { base_revision: 1, line: { ...line, texts: { ...line.texts, zh } }, target_lang: "zh" },
      headers: authHeaders(editor),
    });
    expect(body.errors?.[0]?.message).toBe("这段文字里没有汉字。");
    expect((await open(id)).revision).toBe(1);
  });

  it("follows the price rules", async () => {
    const { id } = await createLine();
    const { line } = await open(id);
    expect((await save(id, 1, withPrice(line, 12))).body.data).toMatchObject({
      saved: true,
      prices: [{ plan: "week:7", price: 12, percent: null }],
    });
    const problem = async (revision: number, price: number, fields: object = {}) => {
      const { body } = await save(id, revision, withPrice(line, price, fields));
      return [body.code, body.errors?.[0]?.path, body.errors?.[0]?.message];
    };
    expect(await problem(2, 13)).toEqual([
      "40000",
      "line.plans.0.price",
      expect.stringContaining("30 seconds"),
    ]);
    await shiftClock("31 seconds");
    const ends_at = new Date(Date.now() + 9 * 86_400_000).toISOString();
    expect(await problem(2, 12, { deal: { price: 11, ends_at, quantity: 3 } })).toEqual([
      "40000",
      "line.plans.0.deal.price",
      expect.stringContaining("30 days"),
    ]);
    const [row] = await client()`select array_agg(by order by c.id) as authors from price_changes c
      join plans pl on pl.id = c.plan_id where pl.product_id = ${id}`;
    expect(row!.authors).toEqual(["import", editor.id]);
  });

  it("requires a second person's approval for a price that differs by more than half", async () => {
    const { id } = await createLine();
    const { line } = await open(id);
    const preview = await save(id, 1, withPrice(line, 20), { preview: true });
    expect(preview.body.data).toMatchObject({ saved: false, needs_approval: true, prices: [{ price: 20 }] });
    const asked = await save(id, 1, withPrice(line, 20));
    expect(asked.body.code).toBe("40941");
    expect((await open(id)).revision).toBe(1);
    const approval = asked.body.errors![0]!.message;
    const second = await createStaff({ roles: ["catalogue"] });
    const decide = async (as: StaffUser) => {
      const seen = await seenApproval(as.viewer, approval);
      return send(approve, `/admin/approvals/${approval}/approve`, { id: approval }, seen, as);
    };
    expect((await decide(editor)).body.code).toBe("40943");
    expect((await decide(second)).body.code).toBe("200");
    expect(await open(id)).toMatchObject({ revision: 2, line: { plans: [{ price: 20 }] } });
    // Returning to that price later needs a second person again.
    const back = (body: object) => send(undo, `/admin/products/${id}/undo`, { id: String(id) }, body);
    for (const [base_revision, revision, time, code] of [
      [2, 1, "31 seconds", "200"],
      [3, 2, "62 seconds", "40941"],
    ] as const) {
      await shiftClock(time);
      const answer = await back({ base_revision, revision });
      expect(answer.body.code, JSON.stringify(answer.body.errors)).toBe(code);
    }
  });

  it("rejects the approval of prices when the product has changed meanwhile", async () => {
    const { id } = await createLine();
    const { line } = await open(id);
    const asked = await save(id, 1, withPrice(line, 20));
    await save(id, 1, { ...line, sort_num: 4 });
    const approval = asked.body.errors![0]!.message;
    const second = await createStaff({ roles: ["catalogue"] });
    const { body } = await send(
      approve,
      `/admin/approvals/${approval}/approve`,
      { id: approval },
      await seenApproval(second.viewer, approval),
      second,
    );
    expect(body.code).toBe("40940");
    expect((await open(id)).line.plans[0]?.price).toBe(10);
  });

  it("adds a product, whose address must be free", async () => {
    const line = productRecord();
    const add = (fields: object = {}, more: object = {}) =>
      send(addProduct, "/admin/products", {}, { line: { ...line, ...fields }, ...more });
    expect((await add({}, { preview: true })).body.data).toMatchObject({ product_id: null, saved: false });
    const { body } = await add();
    expect(body.data).toMatchObject({ saved: true, revision: 1, slug: line.slug });
    expect((await add()).body.errors).toMatchObject([{ path: "line.slug" }]);
    expect((await getProductPage({ slug: line.slug, locale: "en" })).product_id).toBe(body.data.product_id);
  });

  it("accepts simple codes once staff allow them, and says so", async () => {
    const { id } = await createLine();
    const say = (allowed: boolean) =>
      send(setWeakCodes, `/admin/products/${id}/weak-codes`, { id: String(id) }, { allowed });
    expect(await open(id)).toMatchObject({ weak_codes: false });
    expect((await say(true)).body.data).toEqual({ product_id: id, allowed: true });
    expect((await say(true)).body.code).toBe("40976");
    expect(await open(id)).toMatchObject({ weak_codes: true });
  });

  it("finds no product under an unknown number", async () => {
    const missing = { id: MISSING };
    const weak = await send(setWeakCodes, `/admin/products/${MISSING}/weak-codes`, missing, {
      allowed: true,
    });
    expect(weak.body.code).toBe("40401");
    expect((await show(getProduct, `/admin/products/${MISSING}`, missing)).code).toBe("40401");
    expect((await show(getRevisions, `/admin/products/${MISSING}/revisions`, missing)).code).toBe("40401");
    expect((await save(Number(MISSING), 1, productRecord())).body.code).toBe("40401");
    const body = { base_revision: 1, revision: 1 };
    expect((await send(undo, `/admin/products/${MISSING}/undo`, missing, body)).body.code).toBe("40401");
    const image = "0".repeat(64);
    expect((await show(showImage, `/admin/images/${image}`, { hash: image })).code).toBe("40428");
  });
});

describe("an import", () => {
  it("rejects a line that differs from the console's version, unless the import takes it over", async () => {
    const { id, slug, imported } = await createLine();
    const { line } = await open(id);
    await save(id, 1, { ...line, vendor: "Console Vendor" });
    expect(await importLines([imported])).toMatchObject({
      changed: 0,
      refused: 1,
      refusals: [{ message: expect.stringContaining("--take-over") }],
    });
    const exported = (await open(id)).line;
    expect(exported.vendor).toBe("Console Vendor");
    expect(await importLines([exported])).toMatchObject({ unchanged: 1, refused: 0 });
    expect(await importLines([imported], { takeOver: true, preview: true })).toMatchObject({ changed: 1 });
    expect(await importLines([imported], { takeOver: true })).toMatchObject({ changed: 1, refused: 0 });
    expect(await open(id)).toMatchObject({ revision: 3, source: "import", line: { vendor: "Makers", slug } });
    expect(await importLines([imported])).toMatchObject({ unchanged: 1 });
  });

  it("does the same with categories and synonyms", async () => {
    const category = {
      kind: "category",
      slug: `cat-${Date.now()}`,
      sort_num: 3,
      hue: 10,
      names: { en: "Cats" },
    };
    const synonyms = { kind: "synonyms", slug: `syn-${Date.now()}`, terms: { en: ["cat", "kitten"] } };
    await importLines([category, synonyms]);
    const path = `/admin/categories/${category.slug}`;
    const saveIt = (base_revision: number, line: object) =>
      send(saveCategory, path, { slug: category.slug }, { base_revision, line });
    expect((await saveIt(1, { ...category, names: { en: "Felines" } })).body.data).toMatchObject({
      saved: true,
      revision: 2,
    });
    expect((await saveIt(1, category)).body.code).toBe("40940");
    expect(
      (await saveIt(2, { ...category, names: { en: "Felines", zh: "Felines" } })).body.errors,
    ).toMatchObject([{ path: "line.names.zh" }]);
    const group = { slug: synonyms.slug };
    const saveGroup = (base_revision: number, line: object, params: Params = group) =>
      send(saveSynonyms, `/admin/synonyms/${params.slug}`, params, { base_revision, line });
    expect((await saveGroup(1, { ...synonyms, terms: { en: ["cat", "puss"] } })).body.data).toMatchObject({
      saved: true,
    });
    expect((await saveGroup(1, synonyms)).body.code).toBe("40940");
    expect((await saveGroup(3, { ...synonyms, slug: "none" }, { slug: "none" })).body.code).toBe("40427");
    const unknown = { ...category, slug: "no-category" };
    expect(
      (
        await send(
          saveCategory,
          "/admin/categories/no-category",
          { slug: "no-category" },
          { base_revision: 2, line: unknown },
        )
      ).body.code,
    ).toBe("40426");
    expect(await importLines([category, synonyms])).toMatchObject({ refused: 2 });
    const items = async (handler: Handler, name: string) =>
      (
        (await show(handler, `/admin/${name}`, {})).data as {
          items: { slug: string; source: string; line: object }[];
        }
      ).items;
    const found = (await items(listCategories, "categories")).find(({ slug }) => slug === category.slug)!;
    expect(found).toMatchObject({ source: "console", products: 0, line: { names: { en: "Felines" } } });
    const words = (await items(listSynonyms, "synonyms")).find(({ slug }) => slug === synonyms.slug)!;
    expect(words).toMatchObject({ source: "console", line: { terms: { en: ["cat", "puss"] } } });
    expect(await importLines([found.line, words.line])).toMatchObject({ unchanged: 2 });
    expect(await importLines([category, synonyms], { takeOver: true })).toMatchObject({ changed: 2 });
  });
});

describe("an uploaded picture", () => {
  const upload = (raw: Buffer | string, type = "image/png") =>
    call(uploadImage, "/admin/images", {
      raw: new Uint8Array(Buffer.from(raw)),
      headers: { ...authHeaders(editor), "content-type": type },
    });
  const canvas = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#36a" } });
  const svg = (content: string, size = 'width="400" height="300"') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`;

  it("is redrawn without its metadata, and can be used by a product", async () => {
    const photo = await canvas(2400, 1200)
      .withExif({ IFD0: { Copyright: "Somebody", Artist: "At home" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(photo.includes("Somebody")).toBe(true);
    const { data } = (await upload(photo, "image/jpeg")).body;
    expect(data).toMatchObject({ image: `stored:${data.hash}`, width: 960, height: 1920 });
    const [stored] = await client()`select mime, bytes from product_images where hash = ${data.hash}`;
    expect(stored!.mime).toBe("image/webp");
    expect(stored!.bytes.includes("Somebody")).toBe(false);
    expect((await sharp(stored!.bytes).metadata()).exif).toBeUndefined();
    const { id } = await createLine();
    const { line } = await open(id);
    expect((await save(id, 1, { ...line, image: data.image })).body.data).toMatchObject({ saved: true });
    expect((await open(id)).line.image).toBe(data.image);
    expect(await importLines([(await open(id)).line])).toMatchObject({ unchanged: 1 });
    const shown = await showImage(
      new Request(`http://localhost:3000/api/v1/admin/images/${data.hash}?width=480`, {
        headers: { ...authHeaders(editor), host: "localhost:3000" },
      }),
      { params: Promise.resolve({ hash: data.hash }) },
    );
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/png"]);
  });

  it("as an SVG loses its scripts and references", async () => {
    const content =
      '<script>alert(1)</script><image xlink:href="file:///etc/passwd" width="9" height="9"/><rect width="400" height="300"/>';
    const { data } = (await upload(svg(content), "image/svg+xml")).body;
    expect(data).toMatchObject({ width: 1920, height: 1440 });
    const [stored] = await client()`select mime from product_images where hash = ${data.hash}`;
    expect(stored!.mime).toBe("image/webp");
  });

  it("is refused with the reason", async () => {
    const png = await canvas(400, 400).png({ compressionLevel: 0 }).toBuffer();
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join(
      "",
    );
    const bomb = `<!DOCTYPE svg [<!ENTITY a0 "haha">${laughs}]>${svg("<text>&a9;</text>")}`;
    const cases: [string, Buffer | string, string][] = [
      ["no picture", "This is a letter.", "not a picture"],
      ["nothing", "", "not a picture"],
      ["a page", "<!doctype html><script>alert(1)</script>", "not a picture"],
      ["another format", await canvas(400, 400).gif().toBuffer(), "not a picture"],
      ["cut off", png.subarray(0, png.length / 2), "broken"],
      ["too many pixels", await canvas(9000, 9000).png().toBuffer(), "at most 40 million"],
      ["a vast drawing", svg("<rect/>", 'width="99999" height="99999"'), "at most 40 million"],
      ["too small", await canvas(100, 400).png().toBuffer(), "at least 240"],
    ];
    for (const [name, bytes, message] of cases) {
      const { status, body } = await upload(bytes);
      expect([name, status, body.code]).toEqual([name, 400, "40000"]);
      expect(body.message, name).toContain(message);
    }
    expect((await upload(bomb, "image/svg+xml")).body.code).toBe("40000");
    expect((await upload(Buffer.alloc(17 * 1024 * 1024))).body.code).toBe("413");
    expect((await upload(png, "text/plain")).body.code).toBe("415");
  });
});

describe("a bulk change of products", () => {
  it("pauses, resumes, unlists, lists and moves products, each with a revision", async () => {
    const made = [await createLine(), await createLine()];
    const product_ids = made.map(({ id }) => id);
    const change = async (action: string, more: object = {}) => {
      const body = { product_ids, revisions: await revisionsOf(product_ids), action, ...more };
      return (await send(changeMany, "/admin/products/bulk", {}, body)).body.data;
    };
    expect(await change("pause", { preview: true })).toMatchObject({ changed: 2 });
    expect(await change("pause")).toMatchObject({ changed: 2, unchanged: 0, refused: [] });
    expect(await change("pause")).toMatchObject({ changed: 0, unchanged: 2 });
    expect((await open(product_ids[0]!)).line.plans[0]?.availability).toBe("paused");
    expect(await change("resume")).toMatchObject({ changed: 2 });
    expect(await change("unlist")).toMatchObject({ changed: 2 });
    await expect(getProductPage({ slug: made[0]!.slug, locale: "en" })).rejects.toThrow("product_unknown");
    expect(await change("list")).toMatchObject({ changed: 2 });
    expect(await change("category", { category: "nowhere" })).toMatchObject({
      changed: 0,
      refused: Array(2).fill({ message: "There is no category nowhere." }),
    });
    product_ids.push(Number(MISSING));
    expect(await change("unlist")).toMatchObject({ changed: 2, refused: [{ product_id: Number(MISSING) }] });
    expect((await open(product_ids[0]!)).revision).toBe(6);
  });

  it.each([
    ["a few", 0],
    ["more than a second person is needed for", 100],
  ])("from an outdated screen changes none of them: %s", async (_, others) => {
    const made = [await createLine(), await createLine()];
    const product_ids = [
      ...made.map(({ id }) => id),
      ...Array.from({ length: others }, (_, i) => 1_900_000_000 + i),
    ];
    const shown = await revisionsOf(product_ids);
    const code = async (revisions: object, more: object = {}) => {
      const body = { product_ids, action: "pause", revisions, ...more };
      return (await send(changeMany, "/admin/products/bulk", {}, body)).body.code;
    };
    const { id } = made[1]!;
    await save(id, 1, { ...(await open(id)).line, sort_num: 9 });
    const onlyFirst = { [made[0]!.id]: 1 };
    for (const revisions of [shown, {}, onlyFirst]) expect(await code(revisions)).toBe("40940");
    expect(await code(shown, { preview: true })).toBe("40940");
    expect((await open(made[0]!.id)).revision).toBe(1);
    expect((await open(id)).revision).toBe(2);
    expect(await code(await revisionsOf(product_ids))).toBe(others ? "40941" : "200");
  });

  it("of more than 100 waits for a second person", async () => {
    const { id } = await createLine();
    const product_ids = [id, ...Array.from({ length: 100 }, (_, i) => 1_900_000_000 + i)];
    const body = { product_ids, revisions: { [id]: 1 }, action: "pause" };
    const { body: answer } = await send(changeMany, "/admin/products/bulk", {}, body);
    expect(answer.code).toBe("40941");
    expect((await open(id)).revision).toBe(1);
  });

  it("of more than 100 by one person in a day waits for a second person, even in parts", async () => {
    const { id } = await createLine();
    const person = await createStaff({ roles: ["catalogue"] });
    const part = async (first: number, more: object = {}) => {
      const product_ids = [id, ...Array.from({ length: 59 }, (_, i) => first + i)];
      const body = { product_ids, revisions: await revisionsOf([id]), action: "pause", ...more };
      return send(changeMany, "/admin/products/bulk", {}, body, person);
    };
    expect((await part(1_900_000_000)).body.data).toMatchObject({ changed: 1, needs_approval: false });
    expect((await part(1_900_001_000, { preview: true })).body.data).toMatchObject({ needs_approval: true });
    expect((await part(1_900_001_000)).body.code).toBe("40941");
  });
});
