import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as getMe } from "@/app/api/v1/merchant/me/route";
import { GET as getOpenApi } from "@/app/api/v1/merchant/openapi.json/route";
import { POST as pause } from "@/app/api/v1/merchant/pause/route";
import { GET as getPublicOpenApi } from "@/app/api/v1/openapi.json/route";
import { closeDatabase, db } from "@/db/client";
import {
  type CreatedMerchant,
  createApiToken,
  createMerchant,
  createSeller,
  type Seller,
} from "@/db/factories/merchants";
import type { Handler } from "@/lib/platform/api/declaration";
import { newId } from "@/lib/platform/crypto/ids";
import { call } from "./call";

let merchant: CreatedMerchant;
let seller: Seller;

beforeAll(async () => {
  merchant = await createMerchant({ name: "Alder Works" });
  seller = await createSeller(merchant);
});
afterAll(closeDatabase);

const me = (headers: Record<string, string>, ip?: string) =>
  call(getMe, "/merchant/me", { headers, ...(ip && { ip }) });

it("a session names one of several merchants in a header, and needs none for its only merchant", async () => {
  const { authorization = "" } = seller.headers;
  expect((await me({ authorization })).body.data).toMatchObject({ handle: merchant.handle, role: "owner" });
  const other = await createMerchant();
  await db.execute(sql`insert into merchant_members (id, merchant_id, user_id, role)
    values ('mem_second', ${other.id}, ${seller.id}, 'owner')`);
  expect((await me({ authorization })).body.code).toBe("40000");
  const named = await me({ authorization, "passlane-merchant": other.handle });
  expect(named.body.data).toMatchObject({ merchant_id: other.id, name: other.name });
  await db.execute(sql`update merchant_members set ended_at = shop_now() where id = 'mem_second'`);
  expect((await me({ authorization, "passlane-merchant": other.handle })).body.code).toBe("40400");
});

it("an Idempotency-Key of a session is good for the merchant that it was sent for", async () => {
  const person = await createSeller(await createMerchant());
  const other = await createMerchant();
  await db.execute(sql`insert into merchant_members (id, merchant_id, user_id, role)
    values (${newId("mem")}, ${other.id}, ${person.id}, 'owner')`);
  const headers = { ...person.headers, "idempotency-key": newId("idem") };
  const pauseOf = ({ handle }: CreatedMerchant) =>
    call(pause, "/merchant/pause", { body: {}, headers: { ...headers, "passlane-merchant": handle } });
  expect((await pauseOf(person.merchant)).body.code).toBe("200");
  expect((await pauseOf(other)).body.code).toBe("40906");
  expect((await pauseOf(person.merchant)).headers.get("idempotent-replayed")).toBe("true");
  const paused = await db.execute(sql`
    select id from merchants where id in (${other.id}, ${person.merchant.id}) and state = 'paused'`);
  expect(paused).toEqual([{ id: person.merchant.id }]);
});

it("a token reports what is left of its limit, works only from its networks, and records its use", async () => {
  const { id, bearer } = await createApiToken(merchant, { networks: ["203.0.113.0/24", "2001:db8::/32"] });
  const answer = await me({ authorization: bearer }, "203.0.113.9");
  expect(answer.body.data).toMatchObject({ handle: merchant.handle, role: null });
  expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=600;w=60');
  expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=599;t=\d+$/);
  expect((await me({ authorization: bearer }, "2001:db8::7")).status).toBe(200);
  const elsewhere = await me({ authorization: bearer }, "203.0.114.9");
  expect([elsewhere.status, elsewhere.body.code]).toEqual([401, "40102"]);
  const [row] = await db.execute(
    sql`select last_used_at is not null as used from api_tokens where id = ${id}`,
  );
  expect(row!.used).toBe(true);
});

it("a wrong secret, another token's secret, the prefix of another mode and other text are invalid, and limited by address", async () => {
  const [one, two] = [await createApiToken(merchant), await createApiToken(merchant)];
  const secretOf = (bearer: string) => bearer.split("_").at(-1)!;
  const mixed = one.bearer.replace(secretOf(one.bearer), secretOf(two.bearer));
  const live = one.bearer.replace("plm_test_", "plm_live_");
  expect((await me({ authorization: one.bearer })).status).toBe(200);
  for (const authorization of [mixed, live, "Bearer plm_live_x_y", "Bearer plm_"])
    expect((await me({ authorization })).body.code).toBe("40102");
  const codes = [];
  for (let i = 0; i < 61; i++) codes.push((await me({ authorization: mixed }, "198.51.100.77")).body.code);
  expect([codes[59], codes[60]]).toEqual(["40102", "429"]);
});

it("the OpenAPI documents of public and merchant calls are public", async () => {
  const pathsOf = async (handler: Handler, path: string) => {
    const response = await handler(new Request(`http://localhost:3000/api/v1${path}`));
    expect(response.headers.get("content-type")).toBe("application/vnd.oai.openapi+json");
    return Object.keys((await response.json()).paths);
  };
  expect(await pathsOf(getOpenApi, "/merchant/openapi.json")).toContain("/merchant/me");
  const publicPaths = await pathsOf(getPublicOpenApi, "/openapi.json");
  expect(publicPaths).toContain("/cart/add");
  expect(publicPaths.filter((path) => path.startsWith("/merchant/"))).toEqual([]);
});
