import { z } from "zod";
import { client } from "@/db/client";
import { isMerchantAccess, isStaffAccess } from "@/lib/platform/api/declaration";
import { jsonSchema } from "@/lib/platform/api/openapi";
import { apiRoutes } from "@/scripts/write-openapi";

/** A list with one of its filters, or without any. */
export type Variant = { label: string; query: Record<string, string> };
export type ConsoleList = {
  /** `orders`, `keys/stock` */
  name: string;
  path: string;
  variants: Variant[];
  /** Filters without a value in `sampleValues`. */
  unknown: string[];
};

type Property = { type?: string | string[]; enum?: string[]; const?: string; anyOf?: Property[] };

/**
 * Values of filters by name, or by `list.name` where the name means something else there: a frequent one, a rare one, and one
 * that finds nothing. Enumerations, yes and no need none: all their values are tried.
 */
export async function sampleValues(): Promise<Record<string, string[]>> {
  const [row] = await client()<Record<string, string>[]>`
    select (select email from users where deleted_at is null order by id offset 1000 limit 1) as email,
      (select order_number from orders order by created_at desc offset 5000 limit 1) as number,
      (select id from orders order by created_at limit 1) as order_id,
      (select transaction_id from orders where paid_at is not null order by created_at desc offset 500 limit 1) as payment,
      (select user_id from orders order by created_at desc offset 777 limit 1) as customer,
      (select coupon_id from orders where coupon_id is not null order by created_at desc limit 1) as coupon,
      (select min(id) from plans)::text as plan, (select max(id) from plans)::text as last_plan,
      (select max(id) from products)::text as product,
      (select mode() within group (order by vendor_slug) from (select vendor_slug from products limit 20000) p) as vendor,
      (select vendor_slug from products order by id desc offset 10 limit 1) as rare_vendor,
      (select slug from products order by id desc offset 99 limit 1) as slug,
      (select product_id from merchant_sales where merchant_id = ${BENCH_MERCHANT.id} group by 1 order by count(*) desc limit 1)::text as sold_product,
      (select plan_id from merchant_sales where merchant_id = ${BENCH_MERCHANT.id} group by 1 order by count(*) desc limit 1)::text as sold_plan`;
  const {
    email,
    number,
    order_id,
    payment,
    customer,
    coupon,
    plan,
    last_plan,
    product,
    vendor,
    rare_vendor,
    slug,
    sold_product,
    sold_plan,
  } = row!;
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  return {
    email: ["ba", email!, "nobody@nowhere"],
    "referrals.email": [email!, "nobody@example.com"],
    "reviews.email": [email!, "nobody@example.com"],
    q: ["ba", email!],
    from: [day(30), day(900)],
    to: [day(400), day(1)],
    customer_id: ["usr_000000001", customer!],
    user_id: ["usr_000000001", customer!],
    number: [number!, order_id!, payment!, "PL-0000-0000"],
    order_number: [number!, "PL-0000-0000"],
    order_id: [order_id!],
    vip_id: [plan!, last_plan!],
    plan_id: [plan!, last_plan!],
    product_id: [product!, "1001"],
    vendor: [vendor!, rare_vendor!, "nobody"],
    merchant: [vendor!, rare_vendor!, "nobody"],
    category: ["bench-0", "bench-39", "nowhere"],
    name: ["ba", "zuzuzu", slug!],
    slug: [slug!],
    amount_from: ["5", "9999"],
    amount_to: ["0.6", "100"],
    coupon_code: [`C${coupon!.slice(4)}`, "NOSUCHCODE"],
    code: ["BENCH7", "NOSUCHCODE"],
    came_from: ["search", "rare", "nowhere"],
    actor: ["system", "usr_000000002", "nobody"],
    action: ["order", "approval.approved", "nothing"],
    subject: [order_id!, "nothing"],
    rating: ["1", "5"],
    days: ["7", "28"],
    "insight/sources.days": ["7", "90"],
    ...Object.fromEntries(
      ["sales", "insight/plans", "insight/demand", "reviews"].flatMap((list) => [
        [`merchant/${list}.product_id`, [sold_product!, "1001"]],
        [`merchant/${list}.vip_id`, [sold_plan!, plan!]],
      ]),
    ),
  };
}

const valuesOf = (list: string, name: string, property: Property, samples: Record<string, string[]>) => {
  const parts = property.anyOf ?? [property];
  if (parts.some(({ type = [] }) => [type].flat().includes("boolean"))) return ["true", "false"];
  const words = parts.flatMap((part) => part.enum ?? (part.const === undefined ? [] : [part.const]));
  return words.length > 0 ? words : (samples[`${list}.${name}`] ?? samples[name]);
};

/** The merchant of the measured lists: it has most products. */
export const BENCH_MERCHANT = {
  id: "mch_0",
  handle: "bench-0",
  name: "Bench",
  state: "active",
  trust: "new",
};

/** The lists of both consoles as their calls declare them: those that answer `items`, with every value of every filter alone. */
export async function consoleLists(samples: Record<string, string[]>): Promise<ConsoleList[]> {
  const lists: ConsoleList[] = [];
  for (const { path, method, handler } of await apiRoutes()) {
    const { access, query, result } = handler.declaration;
    if (method !== "GET" || path.includes("[") || !(isStaffAccess(access) || isMerchantAccess(access)))
      continue;
    if (!(result instanceof z.ZodObject && "items" in result.shape)) continue;
    const { properties = {}, required = [] } = query
      ? (jsonSchema(query, "input") as { properties?: Record<string, Property>; required?: string[] })
      : {};
    const name = path.replace("/admin/", "").replace(/^\/merchant\//, "merchant/");
    const unknown: string[] = [];
    const filters: Variant[] = [];
    const needed: Record<string, string> = {};
    for (const [filter, property] of Object.entries(properties)) {
      if (filter === "cursor" || filter === "size") continue;
      const values = valuesOf(name, filter, property, samples);
      if (!values) unknown.push(filter);
      if (values && required.includes(filter)) needed[filter] = values[0]!;
      for (const value of values ?? [])
        filters.push({ label: `${filter}=${value}`, query: { [filter]: value } });
    }
    const variants = [{ label: "all", query: {} }, ...filters].map(({ label, query: own }) => ({
      label,
      query: { ...needed, ...own },
    }));
    lists.push({ name, path, variants, unknown });
  }
  return lists;
}
