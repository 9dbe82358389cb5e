import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { GET as getCart, PUT as putCart } from "@/app/ucp/v1/carts/[id]/route";
import { POST as createCart } from "@/app/ucp/v1/carts/route";
import { POST as lookup } from "@/app/ucp/v1/catalog/lookup/route";
import { POST as getProduct } from "@/app/ucp/v1/catalog/product/route";
import { POST as search } from "@/app/ucp/v1/catalog/search/route";
import { GET as permalink } from "@/app/ucp/v1/p/[[...items]]/route";
import { client, closeDatabase, db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { readCartId } from "@/lib/agents/carts/cart-id";
import { listAgentSales } from "@/lib/agents/insight/list-agent-sales";
import { UCP_VERSION } from "@/lib/agents/rules";
import { CompareResponse, PlanResponse, RefundResponse } from "@/lib/agents/tools/contract";
import { businessProfile } from "@/lib/agents/ucp/business-profile";
import { CartResponse, LookupResponse, ProductResponse, SearchResponse } from "@/lib/agents/ucp/contract";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { callRest, callRpc, callTool } from "../setup/agent-calls";
import { importLines, seedLines } from "../setup/catalog-import";
import { clientAddress } from "../setup/client-address";
import { needs } from "../setup/needs";
import { isComplete } from "../setup/rounds";
import { ucpErrors, ucpFolder } from "../setup/ucp-schemas";

type Product = { id: number; slug: string; plans: number[] };
let products: Product[];

beforeAll(async () => {
  await importLines(seedLines());
  products = await client()<Product[]>`
    select p.id, p.slug, array_agg(pl.id order by pl.position) as plans
    from products p join plans pl on pl.product_id = p.id and pl.listed where p.listed group by p.id order by p.id`;
  // Only some of them, so that all states occur.
  for (const [index, { plans }] of products.entries()) if (index % 4 !== 3) await createKeys(plans[0]!, 3);
});
afterAll(closeDatabase);

/** Every answer over REST and MCP for a product, with the shape and the official schema of each. */
async function* answersOf(product: Product, language: string) {
  const context = { language };
  const item = { id: String(product.plans[0]) };
  const ids = [`product_${product.id}`, String(product.plans.at(-1)), product.slug, "nothing"];
  const cart = { line_items: [{ item, quantity: 1 }], context };
  const catalog = "shopping/catalog_lookup.json#/$defs";
  const found = await callRest(search, { body: { query: product.slug, context, pagination: { limit: 3 } } });
  yield {
    body: found.body,
    shape: SearchResponse,
    schema: "shopping/catalog_search.json#/$defs/search_response",
  };
  const looked = await callRest(lookup, { body: { ids, context } });
  yield { body: looked.body, shape: LookupResponse, schema: `${catalog}/lookup_response` };
  const detail = await callRest(getProduct, { body: { id: product.slug, context } });
  yield { body: detail.body, shape: ProductResponse, schema: `${catalog}/get_product_response` };
  const made = await callRest(createCart, { body: cart });
  const failed = made.body.ucp.status === "error";
  yield {
    body: made.body,
    shape: CartResponse,
    schema: failed ? "common/types/error_response.json" : "shopping/cart.json",
  };
  const tool = await callTool("get_product", { catalog: { id: `product_${product.id}`, context } });
  expect(tool.data).toEqual(
    (await callRest(getProduct, { body: { id: `product_${product.id}`, context } })).body,
  );
  yield { body: tool.data, shape: ProductResponse, schema: `${catalog}/get_product_response` };
}

const problemsOf = (shape: z.ZodType, body: unknown) => shape.safeParse(body).error?.issues ?? [];

type Answered = Awaited<ReturnType<typeof collectAnswers>>[number];

async function collectAnswers() {
  const answers = [];
  for (const locale of LOCALES)
    for (const product of products)
      for await (const answer of answersOf(product, locale)) answers.push(answer);
  return answers;
}

describe("answers to agents", () => {
  let answers: Answered[];
  beforeAll(async () => {
    answers = await collectAnswers();
  }, 300_000);

  it("match the shop's own schemas for the products of the demo in each language", () => {
    expect(products.length).toBeGreaterThan(isComplete ? 81 : 8);
    for (const { body, shape } of answers) expect(problemsOf(shape, body)).toEqual([]);
  });

  it(
    "validate against the protocol's official schemas for the products of the demo in each language",
    needs(ucpFolder, "the folder of UCP's schemas (UCP_SCHEMAS)"),
    () => {
      for (const { body, schema } of answers) expect(ucpErrors(schema, body)).toEqual([]);
      const profile = JSON.stringify(businessProfile()).replaceAll(
        "http://localhost:3000",
        "https://shop.example",
      );
      expect(ucpErrors("profile.json#/$defs/business_schema", JSON.parse(profile))).toEqual([]);
      expect(ucpErrors("profile.json#/$defs/business_schema", { ucp: { version: 1 } })).not.toEqual([]);
    },
  );
});

describe("the REST endpoints", () => {
  it("return the passes that the identifiers name, and report unknown identifiers", async () => {
    const [product] = products;
    const [first, second] = product!.plans;
    const { body } = await callRest(lookup, {
      body: { ids: [String(second), product!.slug, "9999999", String(second)] },
    });
    expect(body.products).toHaveLength(1);
    const inputs = body.products[0].variants.flatMap(({ inputs }: { inputs: object[] }) => inputs);
    expect(inputs).toContainEqual({ id: String(second), match: "exact" });
    expect(inputs).toContainEqual({ id: product!.slug, match: "featured" });
    expect(body.messages).toMatchObject([{ type: "info", code: "not_found", path: "$.ids[2]" }]);
    const detail = await callRest(getProduct, { body: { id: String(first) } });
    expect(detail.body.product.variants.map(({ id }: { id: string }) => id)).toEqual([String(first)]);
    const missing = await callRest(getProduct, { body: { id: "nothing" } });
    expect(missing).toMatchObject({
      status: 200,
      body: { ucp: { status: "error" }, messages: [{ code: "not_found" }] },
    });
  });

  it("filter by category, price and length, and page through the matches", async () => {
    const ask = async (body: object) => (await callRest(search, { body })).body;
    const [row] = await client()<{ category: string }[]>`
      select category from products where listed group by 1 having count(*) >= 2 order by count(*) desc limit 1`;
    const slug = row!.category;
    const page = await ask({ filters: { categories: [slug] }, pagination: { limit: 1 } });
    expect(page.products).toHaveLength(1);
    expect(
      page.products.every((one: { categories: { value: string }[] }) => one.categories[0]?.value === slug),
    ).toBe(true);
    const next = await ask({
      filters: { categories: [slug] },
      pagination: { limit: 1, cursor: page.pagination.cursor },
    });
    expect(next.products[0].id).not.toBe(page.products[0].id);
    const cheap = await ask({ filters: { price: { max: 300 } }, context: { currency: "USD" } });
    for (const { price_range } of cheap.products) expect(price_range.min.amount).toBeLessThanOrEqual(300);
    const euros = await ask({ filters: { price: { max: 1 } }, context: { currency: "EUR" } });
    expect(euros.messages).toMatchObject([{ code: "price_filter_ignored" }]);
  });

  it("reject an unsupported version with both versions, and invalid input with the reason", async () => {
    const headers = { "ucp-agent": 'profile="https://a.example/p";version="2026-01-11"' };
    const old = await callRest(search, { body: {}, headers });
    expect(old).toMatchObject({ status: 422, body: { code: "version_unsupported" } });
    expect(old.body.content).toContain("2026-01-11");
    expect(old.body.content).toContain(UCP_VERSION);
    const current = { "ucp-agent": `profile="https://a.example/p";version="${UCP_VERSION}"` };
    expect((await callRest(search, { body: {}, headers: current })).status).toBe(200);
    for (const body of [{ line_items: [] }, { line_items: [{ item: { id: "1" }, quantity: 0 }] }, {}])
      expect(await callRest(createCart, { body })).toMatchObject({
        status: 400,
        body: { code: "invalid_input" },
      });
    expect((await callRest(search, { body: "{", headers: {} })).status).toBe(400);
    const form = { "content-type": "text/plain" };
    expect((await callRest(search, { body: "{}", headers: form })).status).toBe(415);
  });

  it("create a cart without storing anything, return it by its id, and reject a forged id", async () => {
    const product = await createProduct({
      plans: [{ keys: 3 }, { type: "month", keys: 2, priceCents: 2500 }],
    });
    const [first, second] = product.plans;
    const before = await counts();
    const headers = { "ucp-agent": 'profile="https://agent.example.com/p"' };
    const line_items = [
      { item: { id: String(first!.id) }, quantity: 2 },
      { item: { id: String(second!.id) }, quantity: 1 },
      { item: { id: "nothing" }, quantity: 1 },
    ];
    const { status, body } = await callRest(createCart, {
      body: { line_items, context: { language: "ja" } },
      headers,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: "requires_escalation",
      totals: [{ amount: 4500 }, { amount: 4500 }],
    });
    expect(body.messages.map(({ code }: { code: string }) => code)).toEqual([
      "item_unavailable",
      "buyer_review_required",
    ]);
    const link = new URL(body.continue_url);
    expect(link.pathname).toBe("/ja/cart-link");
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      source: "agent",
      campaign: "agent.example.com",
    });
    expect(readCartId(body.id)?.passes).toEqual([
      { vip_id: first!.id, quantity: 2 },
      { vip_id: second!.id, quantity: 1 },
    ]);
    const again = await callRest(getCart, { params: { id: body.id }, headers: { "accept-language": "ja" } });
    expect(again.body.totals).toEqual(body.totals);
    const one = { line_items: [line_items[1]] };
    const changed = await callRest(putCart, { method: "PUT", body: one, params: { id: body.id } });
    expect(changed.body.totals[1].amount).toBe(2500);
    expect(await counts()).toEqual(before);
    const forged = `${body.id.slice(0, -1)}${body.id.endsWith("0") ? "1" : "0"}`;
    for (const id of [forged, "", "a.b.c"])
      expect((await callRest(getCart, { params: { id } })).body).toMatchObject({
        ucp: { status: "error" },
        messages: [{ code: "not_found" }],
      });
  });

  it("report what cannot be bought in a cart, and create no empty cart", async () => {
    const product = await createProduct({
      plans: [{ keys: 1 }, { type: "month", keys: 0 }, { type: "day", keys: 5, purchaseLimit: 1 }],
    });
    const line = (index: number, quantity: number) => ({
      item: { id: String(product.plans[index]!.id) },
      quantity,
    });
    const { body } = await callRest(createCart, {
      body: { line_items: [line(0, 2), line(1, 1), line(2, 2)] },
    });
    expect(body.messages.slice(0, 3)).toMatchObject([
      { code: "insufficient_stock", path: "$.line_items[0]" },
      { code: "out_of_stock", path: "$.line_items[1]" },
      { code: "purchase_limit", path: "$.line_items[2]" },
    ]);
    const none = await callRest(createCart, {
      body: { line_items: [line(1, 1)], context: { language: "zh" } },
    });
    expect(none).toMatchObject({ status: 200, body: { ucp: { status: "error" } } });
    expect(none.body.id).toBeUndefined();
    expect(new URL(none.body.continue_url).pathname).toBe("/zh");
    expect(new URL((await callRest(getCart, { params: { id: "x" } })).body.continue_url).pathname).toBe("/");
  });

  it("say so when one pass stands in several lines more often than an order takes", async () => {
    const { plans } = await createProduct({ plans: [{ keys: 20 }] });
    const line = (quantity: number) => ({ item: { id: String(plans[0]!.id) }, quantity });
    const { body } = await callRest(createCart, { body: { line_items: [line(6), line(5)] } });
    expect(body.line_items).toMatchObject([{ quantity: 10 }]);
    expect(body.messages[0]).toMatchObject({
      code: "quantity_limit",
      severity: "recoverable",
      path: "$.line_items[1]",
      content: expect.stringContaining("10"),
    });
    const exact = await callRest(createCart, { body: { line_items: [line(6), line(4)] } });
    expect(exact.body.messages.map(({ code }: { code: string }) => code)).toEqual(["buyer_review_required"]);
  });

  it("redirect a permalink to the page of its passes or another page of the shop, never to another site", async () => {
    const [a, b] = products[0]!.plans;
    const open = async (items: string, query = "") => {
      const response = await permalink(
        new Request(`http://localhost:3000/ucp/v1/p/${items}${query}`, {
          headers: { "x-forwarded-for": clientAddress() },
        }),
        { params: Promise.resolve({ items: items ? [items] : [] }) },
      );
      expect(response.status).toBe(303);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      return new URL(response.headers.get("location")!);
    };
    const link = await open(`${a}:1,${b}:2`, "?utm_campaign=spring&token=secret");
    expect(link.pathname).toBe("/cart-link");
    expect(link.search).not.toContain("secret");
    expect(readCartId(link.searchParams.get("cart")!)?.passes).toEqual([
      { vip_id: a, quantity: 1 },
      { vip_id: b, quantity: 2 },
    ]);
    const encoded = `~${Buffer.from(`${products[0]!.id}-${a}`).toString("base64url")}`;
    expect(readCartId((await open(`${encoded}:1`)).searchParams.get("cart")!)?.passes).toEqual([
      { vip_id: a, quantity: 1 },
    ]);
    for (const items of ["", "x", `${a}:0`, `${a}:99`, "~%:1", "~!!:1"])
      expect((await open(items)).pathname).toBe("/");
    expect((await open("", "?continue_to=/ja/limited-offer")).pathname).toBe("/ja/limited-offer");
    for (const away of [
      "//evil.example",
      "https://evil.example",
      "/\\evil.example",
      "/nowhere",
      "/../../api/v1/x",
    ])
      expect((await open("", `?continue_to=${encodeURIComponent(away)}`)).href).toMatch(
        /^http:\/\/localhost:3000\/\?/,
      );
  });
});

describe("the tools of /mcp", () => {
  it("are available to clients of the current and of earlier protocol versions, and without a handshake", async () => {
    const list = await callRpc("tools/list");
    const names = list.body.result.tools.map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      "search_catalog",
      "lookup_catalog",
      "get_product",
      "create_cart",
      "update_cart",
      "get_cart",
      "compare_passes",
      "refund_quote",
      "plan_passes",
    ]);
    for (const tool of list.body.result.tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(tool.inputSchema.type).toBe("object");
      expect(tool.outputSchema.type).toBe("object");
    }
    const clientInfo = { name: "test", version: "1" };
    const old = await callRpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    expect(old.body.result.protocolVersion).toBe("2025-06-18");
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    const present = await callRpc("tools/list", { _meta }, { headers });
    expect(present.body.result).toMatchObject({
      resultType: "complete",
      ttlMs: 300_000,
      cacheScope: "public",
    });
    expect(present.body.result.tools.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it("return results that match their output schemas, in each language, with a text version", async () => {
    const { plans, slug } = products.find(({ plans }) => plans.length > 2)!;
    for (const language of LOCALES) {
      const compared = await callTool("compare_passes", {
        ids: [...plans.slice(0, 2).map(String), "nothing"],
        language,
      });
      expect(problemsOf(CompareResponse, compared.data)).toEqual([]);
      expect(compared.data.messages).toHaveLength(1);
      const quote = await callTool("refund_quote", { id: String(plans.at(-1)), day: 3, language });
      expect(problemsOf(RefundResponse, quote.data)).toEqual([]);
      const planned = await callTool("plan_passes", { product: slug, days: 9, language });
      expect(problemsOf(PlanResponse, planned.data)).toEqual([]);
      for (const { text } of [compared, quote]) expect(text.length).toBeGreaterThan(40);
    }
    expect(await callTool("plan_passes", { days: 2, need: " " })).toMatchObject({ isError: true });
    const unknown = await callTool("refund_quote", { id: "nothing", day: 3 });
    expect(unknown).toMatchObject({ isError: true });
  });
});

it("the console lists assistants by the revenue of paid orders from their carts and links", async () => {
  const product = await createProduct({ plans: [{ keys: 9, priceCents: 1000 }] });
  const order = async (attribution: object | null, quantity: number, paid = true) => {
    const { id } = await createOrder(await createUser(), product.plans[0]!.id, { quantity });
    await db.execute(sql`update orders set attribution = ${attribution && JSON.stringify(attribution)}::jsonb,
      paid_at = case when ${paid} then shop_now() end where id = ${id}`);
  };
  const agent = (campaign: string) => ({ source: "agent", campaign });
  await order(agent("claude.example"), 1);
  await order(agent("claude.example"), 2);
  await order(agent("Other Client"), 1);
  await order(agent("claude.example"), 1, false);
  await order({ source: "newsletter", campaign: "claude.example" }, 1);
  await order(null, 1);
  expect((await listAgentSales({ days: 30 })).items).toEqual([
    { agent: "claude.example", label: null, orders: 2, revenue: 30 },
    { agent: "other-client", label: null, orders: 1, revenue: 10 },
  ]);
});

/** Counts the rows that a purchase or a visit would write. */
async function counts() {
  const [row] = await client()<Record<string, number>[]>`
    select (select count(*)::int from cart_lines) as carts, (select count(*)::int from orders) as orders,
      (select count(*)::int from keys where state <> 'available') as held, (select count(*)::int from searches) as searches,
      (select count(*)::int from source_events) as events`;
  return row;
}
