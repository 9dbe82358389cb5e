import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { GET as getRefused } from "@/app/api/v1/admin/imports/[id]/refused/route";
import { GET as getImport } from "@/app/api/v1/admin/imports/[id]/route";
import { POST as previewCatalog } from "@/app/api/v1/admin/imports/catalog/preview/route";
import { POST as runCatalog } from "@/app/api/v1/admin/imports/catalog/run/route";
import { POST as previewCoupons } from "@/app/api/v1/admin/imports/coupons/preview/route";
import { POST as runCoupons } from "@/app/api/v1/admin/imports/coupons/run/route";
import { POST as previewKeys } from "@/app/api/v1/admin/imports/keys/preview/route";
import { POST as runKeys } from "@/app/api/v1/admin/imports/keys/run/route";
import { POST as sendPicture } from "@/app/api/v1/admin/imports/pictures/route";
import { GET as listImports } from "@/app/api/v1/admin/imports/route";
import { closeDatabase } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";
import { importCouponsByOperator } from "@/lib/staff/imports/import-coupons-by-operator";
import { importCategory, productRecord } from "@/tests/setup/catalog-import";
import { authHeaders, type CallResult, call } from "./call";

afterAll(closeDatabase);

type Staff = Awaited<ReturnType<typeof createStaff>>;
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const KEYS = "/admin/imports/keys";

const preview = (staff: Staff, raw: BodyInit, type = "text/csv", more: Record<string, string> = {}) =>
  call(previewKeys, `${KEYS}/preview`, {
    raw,
    headers: { ...authHeaders(staff), "content-type": type, ...more },
  });
const codeOf = async (result: Promise<CallResult>) => (await result).body.code;

async function whenEnded(staff: Staff, id: string): Promise<CallResult> {
  for (;;) {
    const path = `/admin/imports/${id}`;
    const result = await call(getImport, path, { params: { id }, headers: authHeaders(staff) });
    if (result.body.data.state !== "running") return result;
  }
}

describe("files that staff import", () => {
  it("are previewed, imported, and seen with their progress and refused lines", async () => {
    const staff = await createStaff({ roles: ["catalogue"] });
    const product = await createProduct({ plans: [{ type: "day" }] });
    const text = `product,plan,key\n${product.slug},day,APICODE-1\n${product.slug},year,APICODE-2\n`;
    const previewed = await preview(staff, text, "text/csv; charset=utf-8");
    expect(previewed.body.data).toMatchObject({ sha256: hashOf(text), counts: { added: 1, refused: 1 } });
    const started = await call(runKeys, `${KEYS}/run`, {
      raw: text,
      query: `name=keys.csv&sha256=${hashOf(text)}`,
      headers: { ...authHeaders(staff), "content-type": "text/csv" },
    });
    const id = started.body.data.import_id as string;
    const ended = await whenEnded(staff, id);
    expect(ended.body.data).toMatchObject({
      state: "done",
      name: "keys.csv",
      lines: 3,
      report: [{ line: 3 }],
    });
    const list = await call(listImports, "/admin/imports", {
      query: "kind=keys",
      headers: authHeaders(staff),
    });
    expect(list.body.data.items[0].import_id).toBe(id);
    const refused = await getRefused(
      new Request(`http://localhost:3000/api/v1/admin/imports/${id}/refused`, {
        headers: { ...authHeaders(staff), host: "localhost:3000" },
      }),
      { params: Promise.resolve({ id }) },
    );
    expect(refused.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await refused.text()).toContain("3,,");
    expect(JSON.stringify([previewed.body, started.body, ended.body, list.body])).not.toContain("APICODE");
  });

  it("must have the declared media type and come from the shop's own pages", async () => {
    const staff = await createStaff({ roles: ["catalogue"] });
    for (const type of [
      "application/json",
      "text/plain",
      "multipart/form-data; boundary=b",
      "application/x-www-form-urlencoded",
      "application/jsonl",
      "",
    ])
      expect(await codeOf(preview(staff, "product,plan,key\n", type)), type).toBe("415");
    const withCookie = (headers: Record<string, string>) =>
      codeOf(
        call(previewKeys, `${KEYS}/preview`, {
          raw: "product,plan,key\n",
          headers: { cookie: staff.cookie, "content-type": "text/csv", ...headers },
        }),
      );
    expect(await withCookie({ origin: "http://localhost:3000" })).toBe("200");
    expect(await withCookie({ origin: "https://evil.example" })).toBe("40310");
    expect(await withCookie({ "sec-fetch-site": "cross-site" })).toBe("40310");
    expect(await withCookie({ "content-type": "text/plain" })).toBe("415");
  });

  it("have at most 16 MB, even when their length is not declared", async () => {
    const staff = await createStaff({ roles: ["catalogue"] });
    const told = { "content-length": String(IMPORT_LIMIT_BYTES + 1) };
    expect(await codeOf(preview(staff, "x", "text/csv", told))).toBe("413");
    const chunk = new Uint8Array(1024 * 1024).fill(97);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 64) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const request = new Request(`http://localhost:3000/api/v1${KEYS}/preview`, {
      method: "POST",
      headers: { ...authHeaders(staff), host: "localhost:3000", "content-type": "text/csv" },
      body: endless,
      ...{ duplex: "half" },
    });
    const response = await previewKeys(request);
    expect(((await response.json()) as { code: string }).code).toBe("413");
    expect(sent).toBeLessThan(30);
  });

  it("are refused when the connection ends before the file does", async () => {
    const staff = await createStaff({ roles: ["catalogue"] });
    const cut = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode("product,plan,key\n"));
        controller.error(new Error("aborted"));
      },
    });
    const headers = { ...authHeaders(staff), host: "localhost:3000", "content-type": "text/csv" };
    const request = new Request(`http://localhost:3000/api/v1${KEYS}/preview`, {
      method: "POST",
      headers,
      body: cut,
      ...{ duplex: "half" },
    });
    const response = await previewKeys(request);
    expect(response.status).toBe(400);
  });

  it.each([
    ["catalog", runCatalog, "application/jsonl"],
    ["keys", runKeys, "text/csv"],
    ["coupons", runCoupons, "application/jsonl"],
  ] as const)("of %s must match the hash of their preview", async (kind, handler, type) => {
    const staff = await createStaff();
    const result = call(handler, `/admin/imports/${kind}/run`, {
      raw: "one line\n",
      query: `name=file&sha256=${hashOf("another line\n")}`,
      headers: { ...authHeaders(staff), "content-type": type },
    });
    expect(await codeOf(result)).toBe("40960");
  });

  it("with more than 100 catalogue changes need a second person", async () => {
    await importCategory();
    const staff = await createStaff({ roles: ["catalogue"] });
    const text = Array.from({ length: 101 }, () => JSON.stringify(productRecord())).join("\n");
    const headers = { ...authHeaders(staff), "content-type": "application/jsonl" };
    const previewed = await call(previewCatalog, "/admin/imports/catalog/preview", { raw: text, headers });
    expect(previewed.body.data).toMatchObject({ counts: { added: 101 }, needs_approval: true });
    const query = `name=catalog.jsonl&sha256=${hashOf(text)}`;
    const result = await call(runCatalog, "/admin/imports/catalog/run", { raw: text, query, headers });
    expect(result.body).toMatchObject({ code: "40941", errors: [{ path: "approval_id" }] });
  });

  it("of coupons are previewed after a reauthentication", async () => {
    const staff = await createStaff({ roles: ["finance"] });
    const options = { raw: "{}\n", headers: { ...authHeaders(staff), "content-type": "application/jsonl" } };
    const result = await call(previewCoupons, "/admin/imports/coupons/preview", options);
    expect(result.body.data).toMatchObject({ counts: { refused: 1 } });
    const started = await call(runCoupons, "/admin/imports/coupons/run", {
      ...options,
      query: `name=coupons.jsonl&sha256=${hashOf("{}\n")}`,
    });
    const ended = await whenEnded(staff, started.body.data.import_id);
    expect(ended.body.data).toMatchObject({ kind: "coupons", state: "done", counts: { refused: 1 } });
  });

  it("of coupons of more than $5,000 need a second person", async () => {
    const staff = await createStaff({ roles: ["catalogue"] });
    const title = { en: "Fair", zh: "展会", ja: "展示会" };
    const ids = ["api-fair-1", "api-fair-2"];
    const toFile = (lines: object[]) => lines.map((line) => JSON.stringify(line)).join("\n");
    const campaigns = ids.map((id) => ({ kind: "campaign", id, title, amount: 100, monthly_budget: 5000 }));
    await importCouponsByOperator([Buffer.from(toFile(campaigns))], {
      actor: "staff:test",
      name: "fair.jsonl",
    });
    const raw = toFile(
      ids.flatMap((campaign) =>
        Array.from({ length: 26 }, (_, n) => ({ kind: "coupon", campaign, code: `${campaign}-${n}` })),
      ),
    );
    const headers = { ...authHeaders(staff), "content-type": "application/jsonl" };
    const previewed = await call(previewCoupons, "/admin/imports/coupons/preview", { raw, headers });
    expect(previewed.body.data).toMatchObject({ counts: { added: 52 }, needs_approval: true });
    const query = `name=fair.jsonl&sha256=${hashOf(raw)}`;
    const result = await call(runCoupons, "/admin/imports/coupons/run", { raw, query, headers });
    expect(result.body).toMatchObject({ code: "40941", errors: [{ path: "approval_id" }] });
  });

  it("include the pictures that a catalogue file names", async () => {
    const headers = authHeaders(await createStaff({ roles: ["catalogue"] }));
    const raw = await sharp({ create: { width: 300, height: 300, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const sent = await call(sendPicture, "/admin/imports/pictures", {
      raw: new Uint8Array(raw),
      query: "name=a.png",
      headers: { ...headers, "content-type": "image/png" },
    });
    expect(sent.body.code).toBe("200");
  });

  it("are refused when they are not pictures, as are unknown imports and cursors of other lists", async () => {
    const staff = await createStaff({ roles: ["catalogue"] });
    const headers = authHeaders(staff);
    const picture = call(sendPicture, "/admin/imports/pictures", {
      raw: "no picture",
      query: "name=a.png",
      headers: { ...headers, "content-type": "image/png" },
    });
    expect(await codeOf(picture)).toBe("40000");
    const id = "imp_unknown";
    const one = call(getImport, `/admin/imports/${id}`, { params: { id }, headers });
    expect(await codeOf(one)).toBe("40433");
    const csv = call(getRefused, `/admin/imports/${id}/refused`, { params: { id }, headers });
    expect(await codeOf(csv)).toBe("40433");
    const list = call(listImports, "/admin/imports", { query: "cursor=nonsense", headers });
    expect((await list).status).toBe(400);
  });
});
