import { writeFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as activate } from "@/app/api/v1/library/activate/route";
import { GET as calendar } from "@/app/api/v1/library/calendar/route";
import { POST as replace } from "@/app/api/v1/library/replace/route";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as library } from "@/app/api/v1/library/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { ActivatedPass, LibraryList, ReplacementRequested } from "@/lib/delivery/contract";
import { REPLACEMENT_REASON_MAX } from "@/lib/delivery/rules";
import type { Handler } from "@/lib/platform/api/declaration";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

let buyer: sale.Buyer;
let otherBuyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  [buyer, otherBuyer] = await Promise.all([sale.createBuyer(), sale.createBuyer()]);
});
afterAll(sale.closeSale);

type Caller = sale.Buyer | null;
const post = (handler: Handler, path: string, body: object, caller: Caller = buyer, language?: string) =>
  call(handler, path, { body, headers: authHeaders(caller, language) });
const buyPass = async () => {
  const { plans } = await createProduct({ plans: [{ keys: 2 }] });
  await sale.sell(buyer, plans[0]!.id);
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${plans[0]!.id} and state = 'assigned'`,
  );
  return key!.id;
};
const getLibraryItem = async (id: string) => {
  const response = await call(library, "/library", { headers: authHeaders(buyer) });
  return LibraryList.parse(response.body.data).items.find((item) => item.library_id === id)!;
};
const getCode = ({ body }: { body: { code: string } }) => body.code;

describe("POST /library/activate", () => {
  it("starts the pass for the owner, and rejects a start in the future", async () => {
    const library_id = await buyPass();
    const response = await post(activate, "/library/activate", { library_id });
    const pass = ActivatedPass.parse(response.body.data);
    expect(Date.parse(pass.ends_at!) - Date.parse(pass.activated_at)).toBe(7 * 86_400_000);
    expect(await getLibraryItem(library_id)).toMatchObject({
      activated_at: pass.activated_at,
      ends_at: pass.ends_at,
    });
    const future = new Date(Date.now() + 3_600_000).toISOString();
    const wrong = await post(
      activate,
      "/library/activate",
      { library_id, activated_at: future },
      buyer,
      "zh",
    );
    expect([wrong.status, wrong.body.code]).toEqual([400, "40000"]);
    expect(wrong.body.message).toContain("开始时间");
    expect(getCode(await post(activate, "/library/activate", { library_id, activated_at: "today" }))).toBe(
      "40000",
    );
    for (const id of [library_id, newId("key")])
      expect(getCode(await post(activate, "/library/activate", { library_id: id }, otherBuyer))).toBe(
        "40407",
      );
    expect(getCode(await post(activate, "/library/activate", { library_id }, null))).toBe("401");
  });
});

describe("POST /library/replace", () => {
  it("files one request with a reason of 1 to 1000 characters", async () => {
    const library_id = await buyPass();
    const requestReplacement = (reason: string, caller: Caller = buyer) =>
      post(replace, "/library/replace", { library_id, reason }, caller);
    for (const reason of ["", "   ", "x".repeat(REPLACEMENT_REASON_MAX + 1)])
      expect(getCode(await requestReplacement(reason))).toBe("40000");
    expect(getCode(await requestReplacement("Used already.", otherBuyer))).toBe("40407");
    expect(getCode(await requestReplacement("Used already.", null))).toBe("401");
    const requested = ReplacementRequested.parse(
      (await requestReplacement("x".repeat(REPLACEMENT_REASON_MAX))).body.data,
    );
    expect(requested).toMatchObject({ library_id, state: "asked", decided_at: null });
    expect((await getLibraryItem(library_id)).replacement).toMatchObject({
      state: "asked",
      asked_at: requested.asked_at,
    });
    expect(getCode(await requestReplacement("Again."))).toBe("40931");
  });
});

describe("GET /library/calendar", () => {
  const get = (id: string, caller: Caller = buyer, more = "") =>
    calendar(
      new Request(`http://localhost/api/v1/library/calendar?library_id=${id}${more}`, {
        headers: authHeaders(caller),
      }),
    );

  it("returns a calendar file to the owner only, in the requested language", async () => {
    const id = await buyPass();
    expect(((await (await get(id)).json()) as { code: string }).code).toBe("40932");
    await post(reveal, "/library/reveal", { library_id: id });
    const response = await get(id, buyer, "&target_lang=ja");
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "text/calendar; charset=utf-8",
    ]);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    const file = await response.text();
    expect(file).toContain("BEGIN:VALARM\r\n");
    expect(file.replace(/\r\n /g, "")).toContain("の終了");
    for (const other of [await get(id, otherBuyer), await get(newId("key"), otherBuyer)])
      expect(((await other.json()) as { code: string }).code).toBe("40407");
    expect((await get(id, null)).status).toBe(401);
  });
});

describe("POST /library/reveal", () => {
  it("is refused in the reader's language while the assignment journal cannot be written", async () => {
    const library_id = await buyPass();
    const { ASSIGNMENT_JOURNAL_DIR: folder } = env();
    await db.execute(sql`insert into unjournaled_keys (key_id, order_id)
      select k.id, l.order_id from keys k join order_lines l on l.id = k.order_line_id where k.id = ${library_id}`);
    await writeFile(`${folder}.blocked`, "no folder");
    Object.assign(env(), { ASSIGNMENT_JOURNAL_DIR: `${folder}.blocked` });
    const answers = await Promise.all(
      ["en", "zh", "ja"].map((language) => post(reveal, "/library/reveal", { library_id }, buyer, language)),
    );
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(answers.map(getCode)).toEqual(["50304", "50304", "50304"]);
    expect(new Set(answers.map(({ body }) => body.message)).size).toBe(3);
    Object.assign(env(), { ASSIGNMENT_JOURNAL_DIR: folder });
    expect(getCode(await post(reveal, "/library/reveal", { library_id }))).toBe("200");
  });
});
