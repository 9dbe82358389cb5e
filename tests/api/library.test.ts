import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as activate } from "@/app/api/v1/library/activate/route";
import { GET as calendar } from "@/app/api/v1/library/calendar/route";
import { POST as replace } from "@/app/api/v1/library/replace/route";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as library } from "@/app/api/v1/library/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { ActivatedPass, LibraryList, ReplacementRequested } from "@/lib/delivery/contract";
import { REPLACEMENT_REASON_MAX } from "@/lib/delivery/rules";
import { newId } from "@/lib/platform/crypto/ids";
import * as sale from "../setup/sale";
import { call } from "./call";

vi.setConfig({ testTimeout: 60_000 });
let buyer: sale.Buyer;
let stranger: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  [buyer, stranger] = await Promise.all([sale.newBuyer(), sale.newBuyer()]);
}, 60_000);
afterAll(sale.endSale);

type Who = sale.Buyer | null;
const headersOf = (who: Who, language = "en") => ({
  "accept-language": language,
  ...(who && { authorization: who.bearer }),
});
const post = (handler: typeof activate, path: string, body: object, who: Who = buyer, language?: string) =>
  call(handler, path, { body, headers: headersOf(who, language) });
const bought = async () => {
  const { plans } = await createProduct({ plans: [{ keys: 2 }] });
  await sale.sell(buyer, plans[0]!.id);
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${plans[0]!.id} and state = 'assigned'`,
  );
  return key!.id;
};
const itemOf = async (id: string) => {
  const answer = await call(library, "/library", { headers: headersOf(buyer) });
  return LibraryList.parse(answer.body.data).items.find((item) => item.library_id === id)!;
};
const codeOf = ({ body }: { body: { code: string } }) => body.code;

describe("POST /library/activate", () => {
  it("sets the clock, for the owner, by a moment that can be", async () => {
    const library_id = await bought();
    const answer = await post(activate, "/library/activate", { library_id });
    const pass = ActivatedPass.parse(answer.body.data);
    expect(Date.parse(pass.ends_at!) - Date.parse(pass.activated_at)).toBe(7 * 86_400_000);
    expect(await itemOf(library_id)).toMatchObject({
      activated_at: pass.activated_at,
      ends_at: pass.ends_at,
    });
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const wrong = await post(activate, "/library/activate", { library_id, activated_at: ahead }, buyer, "zh");
    expect([wrong.status, wrong.body.code]).toEqual([400, "40000"]);
    expect(wrong.body.message).toContain("开始时间");
    expect(codeOf(await post(activate, "/library/activate", { library_id, activated_at: "today" }))).toBe(
      "40000",
    );
    for (const id of [library_id, newId("key")])
      expect(codeOf(await post(activate, "/library/activate", { library_id: id }, stranger))).toBe("40407");
    expect(codeOf(await post(activate, "/library/activate", { library_id }, null))).toBe("401");
  });
});

describe("POST /library/replace", () => {
  it("asks once, with a reason of 1 to 1000 characters", async () => {
    const library_id = await bought();
    const ask = (reason: string, who: Who = buyer) =>
      post(replace, "/library/replace", { library_id, reason }, who);
    for (const reason of ["", "   ", "x".repeat(REPLACEMENT_REASON_MAX + 1)])
      expect(codeOf(await ask(reason))).toBe("40000");
    expect(codeOf(await ask("Used already.", stranger))).toBe("40407");
    expect(codeOf(await ask("Used already.", null))).toBe("401");
    const asked = ReplacementRequested.parse((await ask("x".repeat(REPLACEMENT_REASON_MAX))).body.data);
    expect(asked).toMatchObject({ library_id, state: "asked", decided_at: null });
    expect((await itemOf(library_id)).replacement).toMatchObject({
      state: "asked",
      asked_at: asked.asked_at,
    });
    expect(codeOf(await ask("Again."))).toBe("40931");
  });
});

describe("GET /library/calendar", () => {
  const get = (id: string, who: Who = buyer, more = "") =>
    calendar(
      new Request(`http://localhost/api/v1/library/calendar?library_id=${id}${more}`, {
        headers: headersOf(who),
      }),
    );

  it("is a file for the owner only, in the language that is asked for", async () => {
    const id = await bought();
    expect(((await (await get(id)).json()) as { code: string }).code).toBe("40932");
    await post(reveal, "/library/reveal", { library_id: id });
    const answer = await get(id, buyer, "&target_lang=ja");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/calendar; charset=utf-8",
    ]);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    const file = await answer.text();
    expect(file).toContain("BEGIN:VALARM\r\n");
    expect(file.replace(/\r\n /g, "")).toContain("の終了");
    for (const other of [await get(id, stranger), await get(newId("key"), stranger)])
      expect(((await other.json()) as { code: string }).code).toBe("40407");
    expect((await get(id, null)).status).toBe(401);
  });
});
