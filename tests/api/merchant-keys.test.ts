import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET as getConsoleBatch } from "@/app/api/v1/admin/keys/batches/[id]/route";
import { POST as withdrawAsStaff } from "@/app/api/v1/admin/keys/batches/[id]/withdraw/route";
import { GET as listConsoleBatches } from "@/app/api/v1/admin/keys/batches/route";
import { GET as getRefused } from "@/app/api/v1/merchant/keys/batches/[id]/refused/route";
import { GET as getBatch } from "@/app/api/v1/merchant/keys/batches/[id]/route";
import { POST as undo } from "@/app/api/v1/merchant/keys/batches/[id]/undo-withdrawal/route";
import { POST as withdraw } from "@/app/api/v1/merchant/keys/batches/[id]/withdraw/route";
import { GET as listBatches } from "@/app/api/v1/merchant/keys/batches/route";
import { POST as importKeys } from "@/app/api/v1/merchant/keys/import/route";
import { POST as previewKeys } from "@/app/api/v1/merchant/keys/preview/route";
import { POST as setAlert } from "@/app/api/v1/merchant/stock/[id]/route";
import { GET as getStock } from "@/app/api/v1/merchant/stock/route";
import { closeDatabase, db } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import {
  createApiToken,
  createKeyBatch,
  createMerchant,
  createSeller,
  type Seller,
} from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { authHeaders, type CallResult, call } from "./call";

let seller: Seller;
let product: CreatedProduct;
beforeAll(async () => {
  const merchant = await createMerchant();
  seller = await createSeller(merchant);
  product = await createProduct({ merchantId: merchant.id, plans: [{ type: "day" }] });
});
afterAll(closeDatabase);

const KEYS = "/merchant/keys";
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const sendFile = (raw: string, query: Record<string, string>, type = "text/csv") =>
  call(importKeys, `${KEYS}/import`, {
    raw,
    query: new URLSearchParams(query).toString(),
    headers: { ...seller.headers, "content-type": type },
  });
const batchOf = (id: string) =>
  call(getBatch, `${KEYS}/batches/${id}`, { params: { id }, headers: seller.headers });

async function whenEnded(id: string): Promise<CallResult> {
  for (;;) {
    const result = await batchOf(id);
    if (result.body.data.state !== "running") return result;
  }
}

describe("a merchant's codes", () => {
  it("are added and withdrawn by a member only with the second factor", async () => {
    const { headers } = await createSeller(seller.merchant, { entered: false });
    const body = { plan_id: product.plans[0]!.id, keys: ["PASSWORD-ALONE-1"] };
    const added = await call(importKeys, `${KEYS}/import`, { body, headers });
    const params = { id: "kb_none" };
    const taken = await call(withdraw, `${KEYS}/batches/kb_none/withdraw`, { params, body: {}, headers });
    const back = await call(undo, `${KEYS}/batches/kb_none/undo-withdrawal`, { params, body: {}, headers });
    expect([added.body.code, taken.body.code, back.body.code]).toEqual(["40314", "40314", "40314"]);
  });

  it("are put back on sale after a withdrawal, unless it is too old or made by staff", async () => {
    const { merchant, headers } = await createSeller(await createMerchant());
    const own = await createProduct({ merchantId: merchant.id, plans: [{ type: "day" }] });
    const { id } = await createKeyBatch(merchant, own.plans[0]!.id, 2);
    const of = (batch: string) => ({ params: { id: batch }, body: {}, headers });
    const putBack = async (batch = id) =>
      (await call(undo, `${KEYS}/batches/${batch}/undo-withdrawal`, of(batch))).body;
    expect([(await putBack("kb_none")).code, (await putBack()).code]).toEqual(["40437", "40964"]);
    const taken = await call(withdraw, `${KEYS}/batches/${id}/withdraw`, of(id));
    expect(taken.body.data).toMatchObject({ withdrawn: 2, undo_until: expect.any(String) });
    const listed = await call(listBatches, `${KEYS}/batches`, { headers });
    expect(listed.body.data.items).toContainEqual(
      expect.objectContaining({ batch_id: id, undo_until: taken.body.data.undo_until }),
    );
    expect((await putBack()).data).toEqual({ batch_id: id, restored: 2 });
    const admin = await createStaff({ roles: ["admin"] });
    const byStaff = { params: { id }, body: {}, headers: authHeaders(admin) };
    await call(withdrawAsStaff, `/admin/keys/batches/${id}/withdraw`, byStaff);
    expect((await putBack()).code).toBe("40965");
  });

  it("are refused while staff have suspended the merchant", async () => {
    const stopped = await createSeller(await createMerchant());
    await db.execute(
      sql`update merchants set keys_stopped_at = shop_now() where id = ${stopped.merchant.id}`,
    );
    const { body } = await call(importKeys, `${KEYS}/import`, {
      body: { plan_id: product.plans[0]!.id, keys: ["STOPPED-CODE-1"] },
      headers: stopped.headers,
    });
    expect(body.code).toBe("40318");
  });

  it("are imported from a previewed file, and listed by batch with the refused lines", async () => {
    const text = `product,plan,key\n${product.slug},day,MERCHANT-CODE-1\n${product.slug},year,MERCHANT-CODE-2\n`;
    const previewed = await call(previewKeys, `${KEYS}/preview`, {
      raw: text,
      headers: { ...seller.headers, "content-type": "text/csv; charset=utf-8", "accept-language": "ja" },
    });
    expect(previewed.body.data).toMatchObject({
      sha256: hashOf(text),
      counts: { new: 1, known: 0, refused: 1 },
      refused: [
        { line: 3, reason: "key_plan_unknown", message: expect.stringMatching(/プランはありません.*day:1/) },
      ],
    });
    const query = { sha256: hashOf(text), name: "keys.csv", source: "issued", statement: "From our server." };
    expect((await sendFile(text, { name: "keys.csv" })).body.code).toBe("40000");
    expect((await sendFile(text, query, "text/plain")).body.code).toBe("415");
    expect((await sendFile(`${text} `, query)).body.code).toBe("40960");
    const quoting = await sendFile(text, { ...query, statement: "as in MERCHANT-CODE-1" });
    expect(quoting.body.errors).toBeUndefined();
    expect(quoting.body.code).toBe("40000");
    const started = await sendFile(text, query);
    const id = started.body.data.batch_id as string;
    const ended = await whenEnded(id);
    expect(ended.body.data).toMatchObject({ state: "done", available: 1, by: seller.email, lines: 3 });
    const refused = await getRefused(
      new Request(`http://localhost:3000/api/v1${KEYS}/batches/${id}/refused`, {
        headers: { ...seller.headers, host: "localhost:3000" },
      }),
      { params: Promise.resolve({ id }) },
    );
    expect(refused.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await refused.text()).toContain("3,key_plan_unknown,The product has no such plan; it has day:1.");
    const list = await call(listBatches, `${KEYS}/batches`, { headers: seller.headers });
    expect(list.body.data.items).toMatchObject([{ batch_id: id, available: 1 }]);
    const said = [previewed, quoting, started, ended, list].map(({ body }) => JSON.stringify(body));
    expect(said.join()).not.toContain("MERCHANT-CODE");
  });

  it("are imported as a list by a program once per Idempotency-Key, and withdrawn after a preview", async () => {
    const { bearer } = await createApiToken(seller.merchant, { scopes: ["keys:write"] });
    const planId = product.plans[0]!.id;
    const body = { plan_id: planId, keys: ["TOKENCODE-1", "TOKENCODE-2"], statement: "From our server." };
    const send = (more: object = {}, headers: Record<string, string> = {}) =>
      call(importKeys, `${KEYS}/import`, {
        body: { ...body, ...more },
        headers: { authorization: bearer, ...headers },
      });
    const first = await send({}, { "idempotency-key": "keys-1" });
    expect(first.body.data).toMatchObject({
      state: "done",
      counts: { new: 2 },
      source: "issued",
      by: "Test",
    });
    expect((await send({}, { "idempotency-key": "keys-1" })).body.data).toEqual(first.body.data);
    expect((await send()).body.data).toMatchObject({ started: false, batch_id: first.body.data.batch_id });
    const many = Array.from({ length: 501 }, (_, i) => `MANY-CODES-${i}`);
    expect((await send({ keys: many })).body.code).toBe("40000");
    expect((await send({ keys: many.slice(1) })).body.data.counts.new).toBe(500);
    expect((await send({ unknown: 1 })).body.code).toBe("40000");
    const sheet = { keys: ["#REF!", "2029-03-05"] };
    expect((await send(sheet)).body.data.refused).toMatchObject([
      { line: 1, reason: "code_spreadsheet" },
      { line: 2, reason: "code_held" },
    ]);
    const confirmed = await call(previewKeys, `${KEYS}/preview`, {
      body: { plan_id: planId, ...sheet, confirm_held: true },
      headers: { authorization: bearer },
    });
    expect(confirmed.body.data).toMatchObject({ counts: { new: 1, refused: 1 }, held: 0 });

    const id = first.body.data.batch_id as string;
    const take = (preview: boolean) =>
      call(withdraw, `${KEYS}/batches/${id}/withdraw`, {
        params: { id },
        body: { preview },
        headers: { authorization: bearer },
      });
    expect((await take(true)).body.data).toMatchObject({ preview: true, withdrawn: 2 });
    expect((await take(false)).body.data).toMatchObject({ preview: false, withdrawn: 2 });
    expect((await batchOf(id)).body.data).toMatchObject({ available: 0, withdrawn: 2 });
    const again = await call(previewKeys, `${KEYS}/preview`, {
      body: { plan_id: planId, keys: body.keys },
      headers: { authorization: bearer },
    });
    expect(again.body.data.counts).toEqual({ new: 0, known: 2, refused: 0 });
    const staff = await createStaff();
    const takeAsStaff = (person: typeof staff, preview: boolean) =>
      call(withdrawAsStaff, `/admin/keys/batches/${id}/withdraw`, {
        params: { id },
        body: { preview },
        headers: authHeaders(person),
      });
    const catalogue = await createStaff({ roles: ["catalogue"] });
    expect((await takeAsStaff(catalogue, false)).body.code).toBe("40300");
    await db.execute(sql`update key_batches set state = 'running', ended_at = null where id = ${id}`);
    expect((await take(false)).body.code).toBe("40963");
    expect((await takeAsStaff(staff, false)).body.code).toBe("40963");
    await db.execute(sql`update key_batches set state = 'done', ended_at = heartbeat_at where id = ${id}`);
    const none = await takeAsStaff(staff, true);
    expect(none.body.data).toMatchObject({ preview: true, withdrawn: 0 });
    const seen = await call(getConsoleBatch, `/admin/keys/batches/${id}`, {
      params: { id },
      headers: authHeaders(staff),
    });
    expect(seen.body.data).toMatchObject({ merchant_id: seller.merchant.id, withdrawn: 2 });
    const query = "cursor=nonsense";
    const cursors = [
      await call(listConsoleBatches, "/admin/keys/batches", { query, headers: authHeaders(staff) }),
      await call(listBatches, `${KEYS}/batches`, { query, headers: seller.headers }),
      await call(getStock, "/merchant/stock", { query, headers: seller.headers }),
    ];
    expect(cursors.map(({ body: { code } }) => code)).toEqual(["40000", "40000", "40000"]);
  });

  it("are shown as stock by plan, with the low-stock email setting", async () => {
    const planId = product.plans[0]!.id;
    const set = await call(setAlert, `/merchant/stock/${planId}`, {
      params: { id: String(planId) },
      body: { kind: "codes", value: 2000 },
      headers: seller.headers,
    });
    expect(set.body.data).toEqual({ plan_id: planId, kind: "codes", value: 2000 });
    const stock = await call(getStock, "/merchant/stock", { headers: seller.headers });
    expect(stock.body.data.items).toMatchObject([
      { plan_id: planId, available: 501, alert: { kind: "codes", value: 2000 }, low: true },
    ]);
  });
});
