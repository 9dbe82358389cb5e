import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as announce } from "@/app/api/v1/admin/announcements/route";
import { POST as approveApplication } from "@/app/api/v1/admin/applications/[id]/approve/route";
import { POST as createCampaign } from "@/app/api/v1/admin/campaigns/route";
import { POST as saveCategory } from "@/app/api/v1/admin/categories/[slug]/route";
import { GET as getImport } from "@/app/api/v1/admin/imports/[id]/route";
import { POST as previewCatalog } from "@/app/api/v1/admin/imports/catalog/preview/route";
import { POST as runCatalog } from "@/app/api/v1/admin/imports/catalog/run/route";
import { POST as previewCoupons } from "@/app/api/v1/admin/imports/coupons/preview/route";
import { POST as runCoupons } from "@/app/api/v1/admin/imports/coupons/run/route";
import { POST as addNote } from "@/app/api/v1/admin/orders/[id]/note/route";
import { POST as savePost } from "@/app/api/v1/admin/posts/[id]/route";
import { POST as createPost } from "@/app/api/v1/admin/posts/route";
import { POST as saveProduct } from "@/app/api/v1/admin/products/[id]/route";
import { POST as undoProduct } from "@/app/api/v1/admin/products/[id]/undo/route";
import { POST as addProduct } from "@/app/api/v1/admin/products/route";
import { GET as listReplacements } from "@/app/api/v1/admin/replacements/route";
import { GET as listReviews } from "@/app/api/v1/admin/reviews/route";
import { POST as saveSynonyms } from "@/app/api/v1/admin/synonyms/[slug]/route";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createMerchant } from "@/db/factories/merchants";
import { createOrder } from "@/db/factories/orders";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { keys, replacementRequests } from "@/db/schema/delivery";
import { reviews } from "@/db/schema/reviews";
import { keyPrints } from "@/lib/delivery/fingerprints/key-prints";
import { MASKED_CODE } from "@/lib/delivery/rules";
import type { Handler } from "@/lib/platform/api/declaration";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { importCouponsByOperator } from "@/lib/staff/imports/import-coupons-by-operator";
import { importCategory, importLines, productRecord, productText } from "@/tests/setup/catalog-import";
import { importFolder, POST_CATEGORY, postFolder } from "@/tests/setup/post-import";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

vi.setConfig({ testTimeout: 60_000 });
afterAll(sale.closeSale);

const CODE = "QX7K-29MD-4TZP-88WA";
let admin: StaffUser;
beforeAll(async () => {
  admin = await createStaff();
  await importCategory();
  await importLines([
    { kind: "category", slug: POST_CATEGORY, sort_num: 2, hue: 20, names: { en: "Of posts" } },
  ]);
  const product = await createProduct({ plans: [{ keys: 0 }] });
  await sellCode(product.plans[0]!.id, CODE);
});

/** Sells a code to a new buyer. */
async function sellCode(planId: number, text: string) {
  const buyer = await createSignedInUser();
  const { id: orderId, lineId } = await createOrder(buyer, planId, { status: "completed" });
  const keyId = newId("key");
  await db.insert(keys).values({ id: keyId, planId, ...seal(keyId, text), ...keyPrints(text) });
  for (const state of ["reserved", "assigned"])
    await db.execute(
      sql`update keys set state = ${state}, order_line_id = ${lineId}, slot = 1 where id = ${keyId}`,
    );
  return { buyer, orderId, keyId };
}

const send = (handler: Handler, path: string, body: object, params?: Record<string, string>) =>
  call(handler, path, { body, headers: authHeaders(admin), ...(params && { params }) });
const isRefused = async (answer: ReturnType<typeof send>) => {
  const { code, message } = (await answer).body;
  expect([code, message]).toEqual(["40000", expect.stringContaining("activation code")]);
};

/** A text around the code without spaces, as Chinese and Japanese are written. */
const HIDDEN = `请用${CODE}激活`;

describe("an activation code is refused", () => {
  it("in the texts of a category, and in synonyms", async () => {
    const category = { slug: "coded", sort_num: 3, hue: 30 };
    const save = (line: object) =>
      send(
        saveCategory,
        "/admin/categories/coded",
        { base_revision: 0, line: { ...category, ...line } },
        { slug: "coded" },
      );
    await isRefused(save({ names: { en: `Use ${CODE}` } }));
    await isRefused(save({ names: { en: "Coded", zh: HIDDEN } }));
    await isRefused(save({ names: { en: "Coded" }, search_terms: { en: [CODE.replaceAll("-", "")] } }));
    expect((await save({ names: { en: "Coded" } })).body.code).toBe("200");
    const group = (terms: string[]) =>
      send(
        saveSynonyms,
        "/admin/synonyms/coded",
        { base_revision: 0, line: { slug: "coded", terms: { en: terms } } },
        { slug: "coded" },
      );
    await isRefused(group(["one", CODE.toLowerCase()]));
    expect((await group(["one", "another"])).body.code).toBe("200");
  });

  it("in the texts of a product, while one that was already there blocks no other change", async () => {
    const add = (line: object) => send(addProduct, "/admin/products", { line });
    const line = productRecord({ slug: "coded-tool" });
    await isRefused(add({ ...line, texts: { en: productText({ description: `Type ${CODE}.` }) } }));
    const steps = { en: ["Open the app.", `Type ${CODE}.`] };
    await isRefused(add({ ...line, activation: { url: "https://vendor.example/redeem", steps } }));
    const later = "ZR4N-77QB-LATER-9M";
    const texts = { en: productText({ tagline: `As in ${later}.` }) };
    const added = await add({ ...line, texts });
    expect(added.body.data).toMatchObject({ saved: true, revision: 1 });
    const id = added.body.data.product_id as number;
    const params = { id: String(id) };
    const path = `/admin/products/${id}`;
    const save = (base_revision: number, changed: object) =>
      send(saveProduct, path, { base_revision, line: { ...line, ...changed } }, params);
    const plan = (await createProduct({ plans: [{ keys: 0 }] })).plans[0]!;
    await sellCode(plan.id, later);
    expect((await save(1, { texts, sort_num: 9 })).body.data).toMatchObject({ saved: true });
    expect((await save(2, {})).body.data).toMatchObject({ saved: true });
    await isRefused(save(3, { texts }));
    await isRefused(send(undoProduct, `${path}/undo`, { base_revision: 3, revision: 1 }, params));
  });

  it("in posts, even far into a long one", async () => {
    const texts = {
      en: { title: "A post", description: "It says something.", body: "Some words." },
      zh: { title: "一篇文章", description: "一句说明。", body: "几句话。" },
      ja: { title: "記事", description: "説明です。", body: "いくつかの言葉です。" },
    };
    const post = {
      slug: "coded-post",
      author: "Ines Harrow",
      category: POST_CATEGORY,
      image: null,
      recommended: false,
      related: [],
      published_on: "2026-06-09",
      listed: false,
      texts,
    };
    const long = `${"Several words of a long post. ".repeat(400)}${CODE}`;
    const withBody = (locale: "en" | "zh", body: string) => ({
      ...post,
      texts: { ...texts, [locale]: { ...texts[locale], body } },
    });
    await isRefused(send(createPost, "/admin/posts", withBody("en", long)));
    await isRefused(send(createPost, "/admin/posts", withBody("zh", HIDDEN)));
    const created = await send(createPost, "/admin/posts", post);
    const id = created.body.data.post_id as number;
    const save = (body: object) =>
      send(savePost, `/admin/posts/${id}`, { ...body, revision: 1 }, { id: String(id) });
    await isRefused(save(withBody("zh", HIDDEN)));
    await isRefused(save({ ...post, author: CODE }));
    expect((await save(post)).body.code).toBe("200");
  });

  it("in imported posts", async () => {
    const folder = postFolder({
      clean: {},
      coded: { zh: { body: HIDDEN }, facts: { author: CODE } },
    });
    for (const preview of [true, false]) {
      const { added, refused, refusals } = await importFolder(folder, preview);
      expect([added, refused]).toEqual([1, 1]);
      expect(refusals.map(({ post, file, error }) => [post, file, error])).toEqual([
        ["coded", "post.json", "note_has_code"],
        ["coded", "zh.md", "note_has_code"],
      ]);
    }
  });

  it("in the address of an announcement, the code of a campaign, and the name of a merchant", async () => {
    const texts = { en: "News", zh: "新闻", ja: "お知らせ" };
    const ends_at = "2099-01-01T00:00:00Z";
    const link = `https://vendor.example/redeem?code=${CODE}`;
    await isRefused(send(announce, "/admin/announcements", { texts, link, ends_at }));
    const campaign = { campaign: "coded", title: texts, amount: 5, monthly_budget: 100, ends_at };
    await isRefused(send(createCampaign, "/admin/campaigns", { ...campaign, coupon_code: CODE }));
    const approve = (body: object) =>
      send(approveApplication, "/admin/applications/app_none/approve", body, { id: "app_none" });
    await isRefused(approve({ name: `Alder ${CODE}` }));
    await isRefused(approve({ name: "Alder", handle: CODE.toLowerCase() }));
  });

  const jsonl = (lines: object[]) => lines.map((line) => JSON.stringify(line)).join("\n");
  const campaignLine = (id: string, fields: object = {}) => ({
    kind: "campaign",
    id,
    title: { en: "Spring", zh: "春季", ja: "春" },
    amount: 5,
    ends_at: "2099-01-01T00:00:00Z",
    monthly_budget: 100,
    ...fields,
  });

  /** The refused lines and fields of a file, in its preview and when it is imported. */
  async function refusedLines([previewFile, runFile]: [Handler, Handler], kind: string, text: string) {
    const headers = { ...authHeaders(admin), "content-type": "application/jsonl" };
    const path = `/admin/imports/${kind}`;
    const previewed = await call(previewFile, `${path}/preview`, { raw: text, headers });
    const sha256 = createHash("sha256").update(text).digest("hex");
    const query = `name=file.jsonl&sha256=${sha256}`;
    const { body } = await call(runFile, `${path}/run`, { raw: text, query, headers });
    const id = body.data.import_id as string;
    const ended = () =>
      call(getImport, `/admin/imports/${id}`, { params: { id }, headers: authHeaders(admin) });
    await expect.poll(async () => (await ended()).body.data.state, { timeout: 30_000 }).toBe("done");
    return [previewed, await ended()].map((answer) =>
      answer.body.data.report.map(
        ({ line, field, message }: { line: number; field: string; message: string }) => [
          line,
          field,
          message.includes("activation code"),
        ],
      ),
    );
  }

  it("in an imported catalogue, while its other lines are written", async () => {
    const names = { en: "Imported" };
    const lines = [
      { kind: "category", slug: "imported", sort_num: 3, hue: 30, names },
      { kind: "category", slug: "imported-coded", sort_num: 3, hue: 30, names: { ...names, ja: HIDDEN } },
      { kind: "synonyms", slug: "imported-coded", terms: { en: ["some", CODE] } },
      productRecord({ slug: "imported-tool" }),
      productRecord({ slug: "imported-coded", texts: { en: productText({ includes: ["One", CODE] }) } }),
    ];
    const expected = [
      [2, "names.ja", true],
      [3, "terms.en[1]", true],
      [5, "texts.en.includes[1]", true],
    ];
    const handlers: [Handler, Handler] = [previewCatalog, runCatalog];
    expect(await refusedLines(handlers, "catalog", jsonl(lines))).toEqual([expected, expected]);
    const slugs = await db.execute<{ slug: string }>(sql`
      select slug from products where slug like 'imported%' union all select slug from categories where slug like 'imported%'
      union all select slug from search_synonyms where slug like 'imported%' order by 1`);
    expect(slugs.map(({ slug }) => slug)).toEqual(["imported", "imported-tool"]);
  });

  it("in imported campaigns and coupons, in the console and by the command", async () => {
    const lines = (tag: string) => [
      campaignLine(`import-${tag}`),
      campaignLine(`import-${tag}-title`, { title: { en: "Spring", zh: HIDDEN, ja: "春" } }),
      campaignLine(`import-${tag}-code`, { code: CODE }),
      { kind: "coupon", campaign: `import-${tag}`, code: CODE.toLowerCase() },
      { kind: "coupon", campaign: `import-${tag}`, code: `THANKS-${tag}` },
    ];
    const expected = [
      [2, "title.zh", true],
      [3, "code", true],
      [4, "code", true],
    ];
    const handlers: [Handler, Handler] = [previewCoupons, runCoupons];
    expect(await refusedLines(handlers, "coupons", jsonl(lines("console")))).toEqual([expected, expected]);
    const refused: [number, string, boolean][] = [];
    const counts = await importCouponsByOperator([Buffer.from(jsonl(lines("command")))], {
      actor: "operator:test",
      name: "file.jsonl",
      onRefused: ({ line, path, error }) => refused.push([line, path, error === "note_has_code"]),
    });
    expect(counts).toMatchObject({ added: 2, refused: 3 });
    expect(refused).toEqual(expected);
  });
});

describe("a merchant's codes that look like words or names", () => {
  const NAMES = ["WELCOME", "BLACK-FRIDAY", "IPHONE-15-PRO", "RELEASE-NOTES-2026", "SPRING2026", "20261129"];
  const TEXT =
    "Welcome! Black Friday and Black-Friday, iPhone 15 Pro, release notes 2026, Spring2026, 2026-11-29.";
  let trickster: Awaited<ReturnType<typeof createProduct>>;
  beforeAll(async () => {
    const merchant = await createMerchant();
    trickster = await createProduct({ merchantId: merchant.id, plans: [{ keys: 0 }] });
    for (const name of NAMES) await sellCode(trickster.plans[0]!.id, name);
  });

  it("block no text of staff, except about their own orders", async () => {
    const { plans } = await createProduct({ plans: [{ keys: 0 }] });
    const other = await sellCode(plans[0]!.id, "KD82-MMX4-0PLQ");
    const note = (id: string) => send(addNote, `/admin/orders/${id}/note`, { text: TEXT }, { id });
    expect((await note(other.orderId)).body.code).toBe("200");
    const texts = { en: TEXT, zh: `${TEXT}好`, ja: `${TEXT}です` };
    const announced = await send(announce, "/admin/announcements", {
      texts,
      ends_at: "2099-01-01T00:00:00Z",
    });
    expect(announced.body.code).toBe("200");
    const own = await sellCode(trickster.plans[0]!.id, "RELEASE-2027");
    await isRefused(
      send(addNote, `/admin/orders/${own.orderId}/note`, { text: "See Release 2027" }, { id: own.orderId }),
    );
  });

  it("mask no words of other shoppers, who see only their own codes and unmistakable codes masked", async () => {
    const shaped = "PL4X-93KD-77WQ";
    await sellCode(trickster.plans[0]!.id, shaped);
    const merchant = await createMerchant();
    const product = await createProduct({ merchantId: merchant.id, plans: [{ keys: 0 }] });
    const own = "MYOWNCODE5";
    const { buyer, orderId, keyId } = await sellCode(product.plans[0]!.id, own);
    const elsewhere = await sellCode(trickster.plans[0]!.id, "BOUGHT-ELSEWHERE");
    await db.execute(sql`update orders set user_id = ${buyer.id} where id = ${elsewhere.orderId}`);
    const content = `${TEXT} ${own} and BOUGHT-ELSEWHERE, not ${shaped}.`;
    const masked = `${TEXT} ${MASKED_CODE} and ${MASKED_CODE}, not ${shaped}.`;
    await db
      .insert(replacementRequests)
      .values({ id: newId("rpl"), keyId, userId: buyer.id, reason: content });
    const addReview = (productId: number) =>
      db.insert(reviews).values({
        id: newId("rev"),
        productId,
        orderId,
        userId: buyer.id,
        rating: 5,
        title: "A review",
        content,
        locale: "en",
      });
    await addReview(product.id);
    await addReview(trickster.id);
    const shown = async (handler: Handler, path: string, query: string) =>
      (await call(handler, path, { query, headers: authHeaders(admin) })).body.data.items;
    const requests = await shown(listReplacements, "/admin/replacements", "state=asked");
    expect(requests.find((item: { key_id: string }) => item.key_id === keyId).reason).toBe(masked);
    const [review] = await shown(listReviews, "/admin/reviews", `product_id=${product.id}`);
    expect(review.content).toBe(masked);
    // About the merchant's own product its codes are masked, if they look like codes.
    const [about] = await shown(listReviews, "/admin/reviews", `product_id=${trickster.id}`);
    expect(about.content).toBe(masked.replace(shaped, MASKED_CODE));
  });
});
