import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as ask } from "@/app/api/v1/admin/merchants/[id]/trade-file/ask/route";
import { POST as check } from "@/app/api/v1/admin/merchants/[id]/trade-file/check/route";
import { POST as open } from "@/app/api/v1/admin/merchants/[id]/trade-file/open/route";
import { GET as read } from "@/app/api/v1/admin/merchants/[id]/trade-file/route";
import { POST as report } from "@/app/api/v1/admin/trade-files/export/route";
import { GET as list } from "@/app/api/v1/admin/trade-files/route";
import { POST as remove } from "@/app/api/v1/merchant/trade-file/documents/[id]/remove/route";
import { POST as add } from "@/app/api/v1/merchant/trade-file/documents/route";
import { GET as getFile, POST as save } from "@/app/api/v1/merchant/trade-file/route";
import { closeDatabase, db } from "@/db/client";
import { createMerchant, createSeller, type Seller } from "@/db/factories/merchants";
import { createStaff } from "@/db/factories/staff";
import { createTradeFile } from "../setup/trade-file";
import { authHeaders, call } from "./call";

const SECRET = "passport of the owner";
const PDF = new Uint8Array(Buffer.from(`%PDF-1.4\n${SECRET}\n%%EOF\n`));
let seller: Seller;
let finance: Record<string, string>;
beforeAll(async () => {
  seller = await createSeller(await createMerchant());
  await createTradeFile(seller.merchant, { without: ["documents"] });
  finance = authHeaders(await createStaff({ roles: ["finance"] }));
});
afterAll(closeDatabase);

const upload = (headers: Record<string, string>) =>
  call(add, "/merchant/trade-file/documents", {
    raw: PDF,
    query: "kind=identity&name=passport.pdf",
    headers: { ...headers, "content-type": "application/pdf" },
  });

it("an owner adds a document that only staff with the permission get back, each time audited", async () => {
  const added = await upload(seller.headers);
  expect(added.body.data.documents).toMatchObject([
    { kind: "identity", state: "given", media_type: "application/pdf" },
  ]);
  const document = added.body.data.documents[0].document_id as string;
  const id = { id: seller.merchant.id };
  const path = `/admin/merchants/${id.id}/trade-file`;

  const file = await call(read, path, { params: id, headers: finance });
  const listed = await call(list, "/admin/trade-files", { headers: finance, query: "state=unchecked" });
  const csv = await report(
    new Request("http://localhost:3000/api/v1/admin/trade-files/export", {
      method: "POST",
      headers: { host: "localhost:3000", "content-type": "application/json", ...finance },
      body: JSON.stringify({ report: "dsa" }),
    }),
  );
  const own = await call(getFile, "/merchant/trade-file", { headers: seller.headers });
  const texts = [file.body, listed.body, own.body].map((body) => JSON.stringify(body));
  for (const text of [...texts, await csv.text()]) expect(text).not.toContain(SECRET);

  const support = authHeaders(await createStaff({ roles: ["support"] }));
  const refused = await call(open, `${path}/open`, { params: id, body: { document }, headers: support });
  expect(refused.body.code).toBe("40300");
  const answer = await open(
    new Request(`http://localhost:3000/api/v1${path}/open`, {
      method: "POST",
      headers: { host: "localhost:3000", "content-type": "application/json", ...finance },
      body: JSON.stringify({ document }),
    }),
    { params: Promise.resolve(id) },
  );
  expect([answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
    "application/pdf",
    "attachment",
  ]);
  expect(await answer.text()).toContain(SECRET);
  const [opened] = await db.execute<{ count: number }>(sql`
    select count(*)::int as count from audit_entries where subject = ${id.id} and action = 'trade_file.document_opened'`);
  expect(opened).toEqual({ count: 1 });

  const other = await createSeller(await createMerchant());
  const foreign = { params: { id: document }, headers: other.headers };
  expect((await call(remove, `/merchant/trade-file/documents/${document}/remove`, foreign)).body.code).toBe(
    "40445",
  );
});

it("members do not see the file, an owner changes it after a reauthentication, and staff decide by its version", async () => {
  const member = await createSeller(seller.merchant, { role: "member" });
  expect((await call(getFile, "/merchant/trade-file", { headers: member.headers })).body.code).toBe("40300");
  const late = await createSeller(seller.merchant, { entered: false });
  expect((await call(save, "/merchant/trade-file", { headers: late.headers, body: {} })).body.code).toBe(
    "40314",
  );
  expect((await upload(late.headers)).body.code).toBe("40314");

  const id = { id: seller.merchant.id };
  const path = `/admin/merchants/${id.id}/trade-file`;
  const { version } = (await call(read, path, { params: id, headers: finance })).body.data;
  const decide = (handler: typeof check | typeof ask, name: string, body: object) =>
    call(handler as typeof check, `${path}/${name}`, { params: id, headers: finance, body });
  const checked = { fields: ["address"], how: "register", note: "Read in the register.", version };
  const preview = await decide(check, "check", { ...checked, preview: true });
  expect(preview.body.data).toMatchObject({ result: null });
  expect((await decide(check, "check", checked)).body.data.result).toEqual({ merchant_id: id.id });
  expect((await decide(ask, "ask", { fields: ["phone"], note: "No answer.", version })).body.code).toBe(
    "40940",
  );
  const none = { fields: [], documents: [], note: "x", version: "0" };
  expect((await decide(ask, "ask", none)).body.code).toBe("40976");
});
