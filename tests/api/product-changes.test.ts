import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as approve } from "@/app/api/v1/admin/changes/[id]/approve/route";
import { POST as refuse } from "@/app/api/v1/admin/changes/[id]/refuse/route";
import { POST as giveBack } from "@/app/api/v1/admin/changes/[id]/return/route";
import { GET as reviewChange } from "@/app/api/v1/admin/changes/[id]/route";
import { GET as listQueue } from "@/app/api/v1/admin/changes/route";
import { POST as cancel } from "@/app/api/v1/merchant/changes/[id]/cancel/route";
import { POST as propose } from "@/app/api/v1/merchant/changes/[id]/propose/route";
import { POST as saveChange, GET as showChange } from "@/app/api/v1/merchant/changes/[id]/route";
import { POST as createChange, GET as listChanges } from "@/app/api/v1/merchant/changes/route";
import { GET as showImage } from "@/app/api/v1/merchant/images/[hash]/route";
import { POST as uploadImage } from "@/app/api/v1/merchant/images/route";
import { POST as pauseShop } from "@/app/api/v1/merchant/pause/route";
import { POST as pause } from "@/app/api/v1/merchant/plans/[id]/pause/route";
import { POST as setPrice } from "@/app/api/v1/merchant/plans/[id]/price/route";
import { GET as showPrices } from "@/app/api/v1/merchant/plans/[id]/prices/route";
import { POST as resume } from "@/app/api/v1/merchant/plans/[id]/resume/route";
import { GET as showProduct } from "@/app/api/v1/merchant/products/[id]/route";
import { GET as listProducts } from "@/app/api/v1/merchant/products/route";
import { client, closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createApiToken, createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { findPauseMail } from "@/lib/merchants/changes/find-change-mails";
import type { Handler } from "@/lib/platform/api/declaration";
import { productText } from "@/tests/setup/catalog-import";
import { authHeaders, call } from "./call";

let seller: Seller;
let staff: StaffUser;
beforeAll(async () => {
  seller = await createSeller(await createMerchant());
  staff = await createStaff({ roles: ["catalogue"] });
});
afterAll(closeDatabase);

const own = async () => {
  const { id, plans } = await createProduct({ merchantId: seller.merchant.id });
  return { id, planId: plans[0]!.id };
};
const ask = async (handler: Handler, path: string, options: Parameters<typeof call>[2] = {}) =>
  (await call(handler, path, { headers: seller.headers, ...options })).body;
const withId = (id: number | string) => ({ params: { id: String(id) } });
const show = async (id: number) =>
  (await ask(showProduct, `/merchant/products/${id}`, withId(id))).data as {
    revision: number;
    line: ProductRecord;
  };
const renamed = (line: ProductRecord, name: string) => ({
  ...line,
  texts: { ...line.texts, en: { ...line.texts.en, name } },
});
const create = (body: object) => ask(createChange, "/merchant/changes", { body });
/** The last part of the path of each call about one change or plan. */
const ENDINGS = new Map<Handler, string>([
  [saveChange, ""],
  [propose, "/propose"],
  [cancel, "/cancel"],
  [approve, "/approve"],
  [giveBack, "/return"],
  [refuse, "/refuse"],
  [pause, "/pause"],
  [setPrice, "/price"],
  [resume, "/resume"],
]);
/** Saves or moves a change as its merchant is shown it now. */
const move = async (handler: Handler, id: string, body: object = {}) =>
  moveAs(handler, id, { version: await ownVersionOf(id), ...body });
const moveAs = (handler: Handler, id: string, body: object) =>
  ask(handler, `/merchant/changes/${id}${ENDINGS.get(handler)}`, { ...withId(id), body });
const ownVersionOf = async (id: string): Promise<string | undefined> =>
  (await ask(showChange, `/merchant/changes/${id}`, withId(id))).data?.version;
/** Decides about a change as it is shown now. */
const decide = async (handler: Handler, id: string, body: object = {}) =>
  decideAs(handler, id, { version: await versionOf(id), ...body });
const versionOf = async (id: string): Promise<string | undefined> =>
  (await ask(reviewChange, `/admin/changes/${id}`, { ...withId(id), headers: authHeaders(staff) })).data
    ?.version;
const decideAs = (handler: Handler, id: string, body: object) =>
  ask(handler, `/admin/changes/${id}${ENDINGS.get(handler)}`, {
    ...withId(id),
    body,
    headers: authHeaders(staff),
  });
async function draft(name = "Renamed") {
  const { id, planId } = await own();
  const { line, revision } = await show(id);
  const { data } = await create({ product_id: id, base_revision: revision, line: renamed(line, name) });
  return { id, planId, line, revision, change: data.change_id as string };
}

it("a change goes by API from draft to shop, with a preview of what the approval does", async () => {
  const { id, change } = await draft("Shown soon");
  const list = await ask(listChanges, "/merchant/changes", { query: `product_id=${id}` });
  expect(list.data.items).toMatchObject([{ change_id: change, state: "draft", product_name: "Shown soon" }]);
  expect(
    (await ask(listProducts, "/merchant/products", { query: `product_id=${id}` })).data.items,
  ).toMatchObject([
    { product_id: id, state: "sold", stock: 3, open_change: { change_id: change, state: "draft" } },
  ]);
  expect((await move(propose, change)).data).toEqual({
    change_id: change,
    state: "proposed",
    revision: null,
  });
  const queue = await ask(listQueue, "/admin/changes", {
    query: `merchant=${seller.merchant.handle}`,
    headers: authHeaders(staff),
  });
  expect(queue.data.items).toMatchObject([{ change_id: change, trust: "new", risk: "low" }]);
  const shown = await ask(reviewChange, `/admin/changes/${change}`, {
    ...withId(change),
    headers: authHeaders(staff),
  });
  expect(shown.data).toMatchObject({
    changes: [{ path: "texts.en.name" }],
    check: { stale: false, problems: [] },
  });
  const preview = await decide(approve, change, { preview: true });
  expect(preview.data.effects).toEqual([
    { kind: "product_written", product: "Shown soon", count: 1 },
    { kind: "email", event: "change-approved", to: seller.email },
  ]);
  expect((await show(id)).revision).toBe(0);
  const approved = await decide(approve, change, { note: "Thank you" });
  expect(approved.data.result).toMatchObject({ state: "approved", revision: 2 });
  expect((await show(id)).line.texts.en.name).toBe("Shown soon");
  const mine = await ask(showChange, `/merchant/changes/${change}`, withId(change));
  expect(mine.data).toMatchObject({ state: "approved", note: "Thank you", check: null });
  expect(JSON.stringify(mine)).not.toContain(staff.email);
});

it("every call gives the reason of a rejection", async () => {
  const { id, planId, line, revision, change } = await draft();
  const other = await createProduct();
  const body = { base_revision: revision, line: renamed(line, "Again") };
  const code = async (answer: Promise<{ code: string }>) => (await answer).code;

  expect(await code(create({ ...body, product_id: other.id }))).toBe("40401");
  expect(await code(create({ ...body, product_id: id, base_revision: 7 }))).toBe("40940");
  expect(await code(create({ ...body, product_id: id, line }))).toBe("40976");
  const broken = await create({ ...body, product_id: id, line: { ...line, plans: [] } });
  expect([broken.code, broken.errors?.[0]?.path]).toEqual(["40000", "line.plans"]);
  const fixed = await create({ ...body, product_id: id, line: { ...line, sort_num: 77 } });
  expect([fixed.code, fixed.errors?.[0]]).toEqual([
    "40000",
    { path: "line.sort_num", message: "The shop sets this field. Leave it as it is." },
  ]);

  expect(await code(move(saveChange, "chg_none", body))).toBe("40450");
  expect(await code(move(saveChange, change, { ...body, base_revision: 7 }))).toBe("40940");
  expect(await code(move(saveChange, change, { ...body, line }))).toBe("40976");
  expect((await move(saveChange, change, body)).data).toMatchObject({ state: "draft", change_id: change });
  expect(await code(ask(showChange, "/merchant/changes/x", withId("chg_none")))).toBe("40450");

  for (const handler of [propose, cancel]) expect(await code(move(handler, "chg_none"))).toBe("40450");
  for (const seen of [{ version: "0123456789abcdef" }, {}]) {
    for (const handler of [propose, cancel]) expect(await code(moveAs(handler, change, seen))).toBe("40940");
    expect(await code(moveAs(saveChange, change, { ...body, ...seen }))).toBe("40940");
  }
  for (const handler of [approve, giveBack, refuse])
    expect(await code(decide(handler, change, { note: "No" }))).toBe("40450");
  expect(
    await code(ask(reviewChange, "/admin/changes/x", { ...withId(change), headers: authHeaders(staff) })),
  ).toBe("40450");

  const { data } = await create({ product_id: id, ...body, line: renamed(line, "Other") });
  await move(propose, change);
  await move(propose, data.change_id);
  for (const answer of [move(saveChange, change, body), move(propose, change)])
    expect(await code(answer)).toBe("40997");
  expect((await decide(giveBack, data.change_id, { note: "Wait" })).data.result.state).toBe("returned");
  expect((await decide(approve, change)).data.result.state).toBe("approved");
  expect(await code(move(propose, data.change_id))).toBe("40940");
  expect((await move(cancel, data.change_id)).data).toMatchObject({ state: "cancelled" });
  expect(await code(move(cancel, change))).toBe("40997");
  for (const handler of [approve, giveBack, refuse])
    expect(await code(decide(handler, change, { note: "No" }))).toBe("40997");
  const { change: stale, ...product } = await draft();
  const first = await create({
    product_id: product.id,
    base_revision: product.revision,
    line: renamed(product.line, "First"),
  });
  for (const id of [stale, first.data.change_id]) await move(propose, id);
  const version = await versionOf(stale);
  await decide(approve, first.data.change_id);
  for (const seen of [{}, { version }])
    for (const handler of [approve, giveBack, refuse])
      expect(await code(decideAs(handler, stale, { note: "No", ...seen }))).toBe("40940");
  expect((await decide(refuse, stale, { note: "Too late" })).data.result.state).toBe("refused");

  const plan = (handler: Handler, planOf: number, more: object = {}) =>
    ask(handler, `/merchant/plans/${planOf}${ENDINGS.get(handler)}`, { ...withId(planOf), body: more });
  const [foreign] = [other.plans[0]!.id];
  expect(await code(ask(showPrices, "/merchant/plans/x/prices", withId(foreign)))).toBe("40401");
  expect((await ask(showPrices, "/merchant/plans/x/prices", withId(planId))).data).toMatchObject({
    product_id: id,
  });
  for (const handler of [pause, resume]) expect(await code(plan(handler, foreign))).toBe("40401");
  expect(await code(plan(setPrice, foreign, { price: 9 }))).toBe("40401");
  expect(await code(plan(setPrice, planId, { price: 10 }))).toBe("40976");
  expect((await plan(setPrice, planId, { price: 9, preview: true })).data).toMatchObject({
    change_id: null,
    prices: [{ price: 9 }],
  });
  expect((await plan(pause, planId)).data).toMatchObject({ paused: true });
  expect((await plan(resume, planId)).data).toMatchObject({ paused: false });
  const paused = await createProduct({ merchantId: seller.merchant.id, plans: [{ availability: "paused" }] });
  expect(await code(plan(resume, paused.plans[0]!.id))).toBe("40998");

  expect(await code(ask(showProduct, "/merchant/products/x", withId(other.id)))).toBe("40401");
  const query = "cursor=nonsense";
  for (const [handler, path] of [
    [listProducts, "/merchant/products"],
    [listChanges, "/merchant/changes"],
  ] as const)
    expect(await code(ask(handler, path, { query }))).toBe("40000");
  expect(await code(ask(listQueue, "/admin/changes", { query, headers: authHeaders(staff) }))).toBe("40000");
});

it("a member changes prices and takes passes off sale only with a recent second factor, and the owners are notified", async () => {
  const merchant = await createMerchant({ trust: "trusted" });
  const owner = await createSeller(merchant);
  const password = await createSeller(merchant, { role: "member", entered: false });
  const stale = await createSeller(merchant, { role: "member" });
  await client()`update sessions set staff_reauthenticated_at = null where id = ${stale.viewer.sessionId}`;
  const { id, plans } = await createProduct({ merchantId: merchant.id });
  const planId = plans[0]!.id;
  const { revision, line } = (
    await ask(showProduct, `/merchant/products/${id}`, { ...withId(id), headers: owner.headers })
  ).data as { revision: number; line: ProductRecord };
  const draft = async (plan: Partial<ProductRecord["plans"][number]>) => {
    const changed = { ...line, plans: line.plans.map((one) => ({ ...one, ...plan })) };
    const body = { product_id: id, base_revision: revision, line: changed };
    const { data } = await ask(createChange, "/merchant/changes", { body, headers: password.headers });
    return data as { change_id: string; version: string };
  };
  const price = Math.round(line.plans[0]!.price * 95) / 100;
  const drafts = [await draft({ availability: "paused" }), await draft({ price })];
  for (const [who, refusal] of [
    [password, "40314"],
    [stale, "40312"],
  ] as const) {
    const as = { headers: who.headers };
    for (const { change_id, version } of drafts) {
      const input = { ...withId(change_id), body: { version }, ...as };
      expect((await ask(propose, `/merchant/changes/x/propose`, input)).code).toBe(refusal);
    }
    const plan = (handler: Handler, path: string, body: object) =>
      ask(handler, `/merchant/plans/${planId}/${path}`, { ...withId(planId), body, ...as });
    expect((await plan(pause, "pause", {})).code).toBe(refusal);
    expect((await plan(setPrice, "price", { price })).code).toBe(refusal);
    expect((await plan(setPrice, "price", { price, preview: true })).data).toMatchObject({ automatic: true });
    const shop = await createSeller(merchant, { entered: who === stale });
    if (who === stale)
      await client()`update sessions set staff_reauthenticated_at = null where id = ${shop.viewer.sessionId}`;
    expect((await ask(pauseShop, "/merchant/pause", { body: {}, headers: shop.headers })).code).toBe(refusal);
  }
  // A changed text needs no second factor.
  const text = { product_id: id, base_revision: revision, line: renamed(line, "Renamed by a member") };
  const named = (await ask(createChange, "/merchant/changes", { body: text, headers: password.headers }))
    .data;
  const passed = await ask(propose, "/merchant/changes/x/propose", {
    ...withId(named.change_id),
    body: { version: named.version },
    headers: password.headers,
  });
  expect(passed.data).toMatchObject({ state: "approved" });

  const member = await createSeller(merchant, { role: "member" });
  const mails = () =>
    client()`select refs from mails where to_address = ${owner.email} and event = 'plan-paused' order by created_at`;
  const paused = await ask(pause, `/merchant/plans/${planId}/pause`, {
    ...withId(planId),
    body: {},
    headers: member.headers,
  });
  expect(paused.data).toMatchObject({ paused: true });
  const { type, duration_days: days } = line.plans[0]!;
  const refs = {
    merchantId: merchant.id,
    productId: id,
    plans: days ? `${type}:${days}` : type,
    actor: member.id,
  };
  expect([...(await mails())]).toEqual([{ refs }]);
  expect(await findPauseMail(merchant.id, { ...refs, plans: [refs.plans], locale: "en" })).toMatchObject({
    by: member.email,
    plans: [expect.any(String)],
  });
  const token = await createApiToken(merchant, { scopes: ["products:write"] });
  const byToken = { headers: { authorization: token.bearer }, ...withId(planId), body: {} };
  await ask(resume, `/merchant/plans/${planId}/resume`, byToken);
  expect((await ask(pause, `/merchant/plans/${planId}/pause`, byToken)).data).toMatchObject({ paused: true });
  expect(await mails()).toHaveLength(1);
  // The owner takes all products off the shop: every owner is mailed.
  await ask(pauseShop, "/merchant/pause", { body: {}, headers: owner.headers });
  const [notice] = await client()`
    select refs->>'state' as state from mails where to_address = ${owner.email} and event = 'merchant-notice'`;
  expect(notice).toEqual({ state: "paused" });
});

it("a token creates a new product with its picture", async () => {
  const { bearer } = await createApiToken(seller.merchant);
  const headers = { authorization: bearer };
  const send = (raw: Buffer | string) =>
    ask(uploadImage, "/merchant/images", {
      raw: new Uint8Array(Buffer.from(raw)),
      headers: { ...headers, "content-type": "image/png" },
    });
  const canvas = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#36a" } })
      .png({ compressionLevel: 0 })
      .toBuffer();
  const png = await canvas(300, 300);
  const { data: picture } = await send(png);
  const image = await showImage(
    new Request(`http://localhost:3000/api/v1/merchant/images/${picture.hash}?width=480`, {
      headers: { ...headers, host: "localhost:3000" },
    }),
    { params: Promise.resolve({ hash: picture.hash }) },
  );
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
  const missing = "0".repeat(64);
  expect(
    (await ask(showImage, `/merchant/images/${missing}`, { params: { hash: missing }, headers })).code,
  ).toBe("40428");
  const vast = '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>';
  for (const [bytes, message] of [
    ["a letter", "not a picture"],
    [png.subarray(0, png.length / 2), "broken"],
    [vast, "at most 40 million"],
    [await canvas(20, 300), "at least 240"],
  ] as const)
    expect(await send(bytes)).toMatchObject({ code: "40000", message: expect.stringContaining(message) });

  const { line } = await draft();
  const { slug: _slug, sort_num: _sort, ...rest } = line;
  const texts = { en: productText({ name: "By token" }) };
  const slug = `by-token-${crypto.randomUUID().slice(0, 8)}`;
  const input = { base_revision: 0, line: { ...rest, slug, texts, image: picture.image } };
  const made = await ask(createChange, "/merchant/changes", { body: input, headers });
  expect(made.data).toMatchObject({ kind: "new", state: "draft", product_id: null });
  const { change_id: id, version } = made.data;
  await ask(propose, "/merchant/changes/x/propose", { ...withId(id), body: { version }, headers });
  expect((await decide(approve, id)).data.result.revision).toBe(1);
  const [row] = await client()`select merchant_id, image from products where slug = ${slug}`;
  expect(row).toEqual({ merchant_id: seller.merchant.id, image: picture.hash });
  const [entry] =
    await client()`select actor from audit_entries where subject = ${id} and action = 'change.proposed'`;
  expect(entry!.actor).toMatch(/^token:tok_/);
});

it("a picture is shown to a member of several merchants without a merchant header", async () => {
  const person = await createSeller(await createMerchant());
  const second = await createMerchant();
  await client()`insert into merchant_members (id, merchant_id, user_id, role)
    values (${`mem_${second.handle}`}, ${second.id}, ${person.id}, 'owner')`;
  const hash = "0".repeat(64);
  const answer = await ask(showImage, `/merchant/images/${hash}`, {
    params: { hash },
    headers: { authorization: person.bearer },
  });
  expect(answer.code).toBe("40428");
});
