import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { POST as searchCall } from "@/app/api/v1/search/record/manage/route";
import { POST as refreshCall } from "@/app/api/v1/tracking/source-refresh/route";
import { POST as sourceCall } from "@/app/api/v1/tracking/source-tracking/route";
import { POST as visitCall } from "@/app/api/v1/visit/record/route";
import { db } from "@/db/client";
import { newId } from "@/lib/platform/crypto/ids";
import { networkPrefix } from "@/lib/platform/http/ip";
import { deleteOldRecords } from "@/lib/tracking/delete-old-records";
import { sanitizeReferrer, sanitizeVisitedPath } from "@/lib/tracking/rules";
import { call } from "../api/call";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

const visit = {
  ip_address: "",
  visit_device_type: "mobile",
  browser_language: "ja-JP",
  visit_device_model: "Pixel 7",
};
const getLastRow = async (table: "visits" | "searches" | "source_events") =>
  (await db.execute(sql`select * from ${sql.identifier(table)} order by id desc limit 1`))[0]!;

describe("a visit", () => {
  it("is stored without its query, its user and the end of its IP address", async () => {
    const page_url = "/ja/mobile/product/quillon-draft?token=secret#x";
    const { body } = await call(visitCall, "/visit/record", {
      body: { ...visit, page_url },
      ip: "203.0.113.77",
    });
    expect(body).toMatchObject({ success: true, data: { recorded: true } });
    const row = await getLastRow("visits");
    expect(row).toMatchObject({
      path: "/product/quillon-draft",
      locale: "ja",
      device_type: "mobile",
      device_model: "Pixel 7",
      language: "ja-JP",
      ip_network: "203.0.113.0",
    });
    expect(JSON.stringify(row)).not.toContain("secret");
  });

  it("is limited in size, rate and fields", async () => {
    const send = (body: object, ip?: string) => call(visitCall, "/visit/record", { body, ip });
    expect((await send({ ...visit, page_url: "/", more: 1 })).status).toBe(400);
    expect((await send({ ...visit, page_url: "x".repeat(5000) })).status).toBe(400);
    expect((await send({ ...visit, visit_device_type: "fridge", page_url: "/" })).status).toBe(400);
    expect((await send({ ...visit, visit_device_model: "m".repeat(3000), page_url: "/" })).status).toBe(200);
    expect((await getLastRow("visits")).device_model).toHaveLength(120);
    const answers = await Promise.all(
      Array.from({ length: 125 }, () => send({ ...visit, page_url: "/" }, "198.51.100.9")),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
  });
});

describe("a search", () => {
  it("is stored for guests, and rejected with another user's id", async () => {
    const record = {
      user_id: "guest",
      search_content: " 字幕 ",
      search_device_type: "phone",
      search_time: new Date().toISOString(),
      browser_language: "zh-CN",
      country_region: "CN",
      search_device_model: "",
    };
    expect((await call(searchCall, "/search/record/manage", { body: record })).status).toBe(200);
    expect(await getLastRow("searches")).toMatchObject({ user_id: "guest", content: "字幕", region: "CN" });
    const foreignRecord = { ...record, user_id: "usr_other" };
    expect((await call(searchCall, "/search/record/manage", { body: foreignRecord })).body.code).toBe(
      "40300",
    );
    expect(
      (await call(searchCall, "/search/record/manage", { body: { ...record, search_content: " " } })).status,
    ).toBe(400);
  });
});

describe("a source", () => {
  const event = {
    event_type: "order",
    landingPage: "/limited-offer?secret=1",
    referrer: "https://news.example/post?who=me",
    source: "news",
    campaign: "autumn",
    medium: "mail",
    content: "top",
    marketingUserId: "m-7",
    timestamp: Date.now(),
    user_id: "",
    orderId: "ord_1",
    productId: "1001",
    vipId: "x",
    email: "me@example.com",
  };

  it("is stored with its order, without email addresses", async () => {
    expect((await call(sourceCall, "/tracking/source-tracking", { body: event })).status).toBe(200);
    const row = await getLastRow("source_events");
    expect(row).toMatchObject({
      event_type: "order",
      landing_page: "/limited-offer",
      referrer: "https://news.example/post",
      source: "news",
      order_id: "ord_1",
      product_id: 1001,
      plan_id: null,
    });
    expect(JSON.stringify(row)).not.toMatch(/me@example|secret|who=me/);
  });

  it("is recorded at most once in two seconds per visitor, even by parallel requests", async () => {
    const campaign = newId("src");
    const report = (headers: Record<string, string>, ip: string) =>
      call(sourceCall, "/tracking/source-tracking", { body: { ...event, campaign }, headers, ip });
    const chrome = { "user-agent": "Chrome" };
    const first = await Promise.all(Array.from({ length: 4 }, () => report(chrome, "203.0.113.8")));
    expect(first.map(({ body }) => body.data.recorded).sort()).toEqual([false, false, false, true]);
    // Another browser, and another address, is another visitor.
    expect((await report({ "user-agent": "Firefox" }, "203.0.113.8")).body.data.recorded).toBe(true);
    expect((await report(chrome, "203.0.113.9")).body.data.recorded).toBe(true);
    await sale.setClockAhead("2 seconds");
    expect((await report(chrome, "203.0.113.8")).body.data.recorded).toBe(true);
    const rows = await db.execute<{ visitor: string }>(
      sql`select visitor from source_events where campaign = ${campaign}`,
    );
    await sale.setClockAhead("0 seconds");
    expect(rows).toHaveLength(4);
    expect(rows[0]!.visitor).not.toContain("203.0.113");
  });

  it("is valid for seven days, and is linked to the signed-in user once a day", async () => {
    const buyer = await sale.createBuyer();
    const source = newId("src");
    const refresh = (timestamp: number) =>
      call(refreshCall, "/tracking/source-refresh", {
        body: { source, timestamp },
        headers: { authorization: buyer.bearer },
      });
    expect((await refresh(Date.now())).body.data).toEqual({ live: true });
    expect((await refresh(Date.now())).body.data).toEqual({ live: true });
    expect((await refresh(Date.now() - 8 * 86_400_000)).body.data).toEqual({ live: false });
    const rows = await db.execute(sql`select user_id from source_events where source = ${source}`);
    expect(rows).toEqual([{ user_id: buyer.id }]);
  });
});

describe("deletion of old records", () => {
  it("deletes records older than 90 days only", async () => {
    await db.execute(sql`insert into visits (path, locale, device_type, created_at)
      values ('/old', 'en', 'desktop', shop_now() - interval '91 days'), ('/young', 'en', 'desktop', shop_now() - interval '89 days')`);
    expect(await deleteOldRecords()).toBe(1);
    const remaining = await db.execute(sql`select path from visits where path in ('/old', '/young')`);
    expect(remaining).toEqual([{ path: "/young" }]);
  });
});

describe("sanitizing", () => {
  it("cuts IP addresses to their network", () => {
    expect(networkPrefix("203.0.113.7")).toBe("203.0.113.0");
    expect(networkPrefix("2001:db8:1:2:3::9")).toBe("2001:db8:1::");
    expect(networkPrefix("2001:DB8::9")).toBe("2001:db8:0::");
    expect(networkPrefix("::1")).toBe("0:0:0::");
    for (const invalidAddress of ["", "unknown", "1.2.3", "x".repeat(99)])
      expect(networkPrefix(invalidAddress)).toBeNull();
  });

  it("removes the queries of pages and referrers", () => {
    expect(sanitizeVisitedPath("https://shop.example/zh/cart?x=1#y")).toBe("/zh/cart");
    expect(sanitizeVisitedPath("http://[")).toBe("/");
    expect(sanitizeReferrer("https://a.example/b?c")).toBe("https://a.example/b");
    expect(sanitizeReferrer("about:blank")).toBeNull();
    expect(sanitizeReferrer("nonsense")).toBeNull();
  });
});
