import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as exportInsight } from "@/app/api/v1/admin/exports/insight/route";
import { GET as getDays } from "@/app/api/v1/admin/insight/days/route";
import { GET as getSearches } from "@/app/api/v1/admin/insight/searches/route";
import { GET as getSources } from "@/app/api/v1/admin/insight/sources/route";
import { POST as addToCart } from "@/app/api/v1/cart/add/route";
import { POST as autoAddToCart } from "@/app/api/v1/cart/auto-add/route";
import { POST as recordVisit } from "@/app/api/v1/visit/record/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { exportAccount } from "@/lib/accounts/export/export-account";
import type { Handler } from "@/lib/platform/api/declaration";
import { recountSourceFigures, updateSourceFigures } from "@/lib/tracking/insight/update-source-figures";
import { startAtNoon } from "../setup/noon";
import { setClockAhead } from "../setup/sale";
import { authHeaders, call } from "./call";

let finance: StaffUser;
let catalogue: StaffUser;
let support: StaffUser;
let buyer: SignedInUser;

beforeAll(async () => {
  await startAtNoon();
  finance = await createStaff({ roles: ["finance"] });
  catalogue = await createStaff({ roles: ["catalogue"] });
  support = await createStaff({ roles: ["support"] });
  buyer = await createSignedInUser();
  for (const table of ["visits", "source_figures_daily", "source_figures", "empty_searches"])
    await db.execute(sql`delete from ${sql.identifier(table)}`);
  await db.execute(sql`
    insert into empty_searches (content, locale, searches, last_at)
    select case n when 1 then '=cmd' else 'word ' || n end, case n when 3 then 'ja' else 'en' end, 100 - n, '2026-11-20T10:00:00Z'
    from generate_series(1, 60) n`);
});
afterAll(async () => {
  await setClockAhead("0");
  await closeDatabase();
});

const PATHS = new Map<Handler, string>([
  [getSources, "/admin/insight/sources"],
  [getDays, "/admin/insight/days"],
  [getSearches, "/admin/insight/searches"],
]);
const get = async (handler: Handler, query = "", user: { bearer: string } = finance) =>
  (await call(handler, PATHS.get(handler)!, { query, headers: authHeaders(user) })).body;
const visit = (fields: object, headers: Record<string, string> = {}) =>
  call(recordVisit, "/visit/record", {
    body: { visit_device_type: "desktop", page_url: "https://x.example/product/p-1", ...fields },
    headers,
  });

describe("the source of a visit and of a cart", () => {
  it("comes from the call, else from the cookie; visitors who decline tracking have none", async () => {
    await visit({ source: "newsletter", campaign: "autumn" });
    const cookie = `attribution=${encodeURIComponent("source=partner&medium=banner")}`;
    await visit({}, { cookie });
    await visit({ source: "newsletter" }, { "sec-gpc": "1" });
    await visit({ campaign: "autumn" });
    const rows = await db.execute<{ source: string | null }>(sql`select source from visits order by id`);
    expect(rows.map(({ source }) => source)).toEqual(["newsletter", "partner", null, null]);
  });

  it("stays with a cart line, also in the account's export", async () => {
    const product = await createProduct({ plans: [{ keys: 5 }, { type: "year", keys: 5 }] });
    const [first, second] = product.plans.map(({ id }) => id);
    const headers = authHeaders(buyer);
    const line = (vip_id: number, source: string) => ({
      body: { product_id: product.id, vip_id, quantity: 1, source },
      headers,
    });
    expect((await call(addToCart, "/cart/add", line(first!, "newsletter"))).body.code).toBe("200");
    await call(addToCart, "/cart/add", line(first!, "partner"));
    await call(autoAddToCart, "/cart/auto-add", {
      body: { product_id: product.id, vip_id: second, source: "partner" },
      headers,
    });
    const { cart } = await exportAccount(buyer.viewer);
    expect(cart.map(({ vip_id, source, quantity }) => [vip_id, source, quantity])).toEqual([
      [first, "newsletter", 2],
      [second, "partner", 1],
    ]);
  });
});

describe("the insight pages of staff", () => {
  it("show the funnel of all sources, of each source, and of one source by day", async () => {
    await updateSourceFigures();
    expect(await recountSourceFigures()).toEqual([]);
    const { data } = await get(getSources, "days=7");
    expect(data.all).toEqual({ visits: 4, product_views: 4, carts: 1, orders: 0, paid: 0 });
    // Both items are in one cart, which counts for the source of the first.
    expect(data.items).toEqual([
      { kind: "none", source: null, visits: 2, product_views: 2, carts: 0, orders: 0, paid: 0 },
      { kind: "named", source: "partner", visits: 1, product_views: 1, carts: 0, orders: 0, paid: 0 },
      { kind: "named", source: "newsletter", visits: 1, product_views: 1, carts: 1, orders: 0, paid: 0 },
    ]);
    const days = (await get(getDays, "days=7&came_from=partner")).data;
    expect([days.kind, days.source, days.days.length]).toEqual(["named", "partner", 7]);
    expect(days.days.at(-1)).toMatchObject({ visits: 1, carts: 0 });
    // The call's own attribution parameters do not filter.
    const all = (await get(getDays, "days=7&source=partner")).data;
    expect([all.kind, all.days.at(-1).visits]).toEqual(["all", 4]);
    expect((await get(getDays, "days=7&kind=none")).data.days.at(-1).visits).toBe(2);
  });

  it("show searches without results by language, page by page", async () => {
    const { data } = await get(getSearches, "", catalogue);
    expect([data.items.length, data.total, data.total_exact]).toEqual([50, 60, true]);
    expect(data.items[0]).toEqual({
      content: "=cmd",
      locale: "en",
      searches: 99,
      last_at: "2026-11-20T10:00:00.000Z",
    });
    const rest = (await get(getSearches, `cursor=${data.next_cursor}`, catalogue)).data;
    expect([rest.items.length, rest.next_cursor]).toEqual([10, null]);
    expect((await get(getSearches, "locale=ja")).data.items).toHaveLength(1);
    expect((await get(getSearches, `locale=en&cursor=${data.next_cursor}`)).code).toBe("40000");
    expect((await get(getSources, `cursor=${data.next_cursor}`)).code).toBe("40000");
  });

  it("are open to catalogue, finance and administrators", async () => {
    for (const handler of [getSources, getDays, getSearches]) {
      expect((await get(handler, "", support)).code).toBe("40300");
      expect((await get(handler, "", buyer)).code).toBe("40400");
    }
    for (const query of ["days=8", "days=x"]) expect((await get(getSources, query)).code).toBe("40000");
    expect((await get(getDays, "kind=named")).code).toBe("40000");
    expect((await get(getSearches, "locale=fr")).code).toBe("40000");
  });

  it("are exported as CSV", async () => {
    const file = async (body: object) => {
      const request = new Request("http://localhost:3000/api/v1/admin/exports/insight", {
        method: "POST",
        headers: {
          ...authHeaders(catalogue),
          host: "localhost:3000",
          "content-type": "application/json",
          "x-forwarded-for": "203.0.113.9",
        },
        body: JSON.stringify(body),
      });
      const response = await exportInsight(request, { params: Promise.resolve({}) });
      expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      return (await response.text()).trimEnd().split("\r\n");
    };
    expect(await file({ list: "sources", filters: { days: "7" } })).toEqual([
      expect.stringContaining("kind,source,visits,product_views,carts,orders,paid"),
      "none,,2,2,0,0,0",
      "named,partner,1,1,0,0,0",
      "named,newsletter,1,1,1,0,0",
    ]);
    const searches = await file({ list: "searches", filters: {} });
    expect(searches).toHaveLength(61);
    expect(searches[1]).toBe("'=cmd,99,2026-11-20T10:00:00.000Z,en");
    expect(await file({ list: "searches", filters: { locale: "ja" } })).toHaveLength(2);
    const [entry] = await db.execute(sql`select detail from audit_entries
      where action = 'list.exported' and subject = 'sources' and actor = ${catalogue.id}`);
    expect(entry).toMatchObject({ detail: { filters: { days: "7" } } });
    const ask = (user: { bearer: string }, body: object) =>
      call(exportInsight, "/admin/exports/insight", { body, headers: authHeaders(user) });
    expect((await ask(support, { list: "sources" })).body.code).toBe("40300");
    expect((await ask(catalogue, { list: "orders" })).body.code).toBe("40000");
    expect((await ask(catalogue, { list: "sources", filters: { came_from: "x" } })).body.code).toBe("40000");
  });
});
