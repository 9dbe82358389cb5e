import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCartLine, createMailedKey, createOrder } from "@/db/factories/orders";
import { updateSearches } from "@/lib/merchants/insight/update-searches";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { EmptySearchesInput, SourceDaysInput, SourcesInput } from "@/lib/tracking/insight/contract";
import { getSourceDays, listSources } from "@/lib/tracking/insight/get-sources";
import { listEmptySearches } from "@/lib/tracking/insight/list-empty-searches";
import { MAX_SOURCES } from "@/lib/tracking/insight/rules";
import { recountSourceFigures, updateSourceFigures } from "@/lib/tracking/insight/update-source-figures";
import { recordSearch } from "@/lib/tracking/record-search";
import { recordVisit } from "@/lib/tracking/record-visit";
import { startAtNoon } from "../setup/noon";
import { MAX_READ } from "../setup/rows-of-plan";
import { mostRead } from "../setup/rows-read";
import { setClockAhead } from "../setup/sale";

const TABLES = [
  "visits",
  "cart_lines",
  "source_figures_daily",
  "source_figures",
  "searches",
  "empty_searches",
];

let setDay: (daysLater: number) => Promise<void>;
beforeEach(async () => {
  setDay = await startAtNoon();
  for (const table of TABLES) await db.execute(sql`delete from ${sql.identifier(table)}`);
  // Orders stay, because their history cannot be deleted; none is of the counted days.
  await db.execute(sql`update orders set created_at = created_at - interval '1 year', paid_at = paid_at - interval '1 year'
    where created_at > shop_now() - interval '100 days'`);
  await db.execute(
    sql`update order_lines set cart_at = cart_at - interval '1 year' where cart_at is not null`,
  );
});
afterEach(() => setClockAhead("0"));
afterAll(closeDatabase);

const sources = (input: object = {}) => listSources(SourcesInput.parse(input));
const daysOf = (input: object = {}) => getSourceDays(SourceDaysInput.parse(input));
const searches = (input: object = {}) => listEmptySearches(EmptySearchesInput.parse(input));
const visit = (path: string, source?: string) =>
  recordVisit({ page_url: `https://x.example${path}`, visit_device_type: "desktop" }, "203.0.113.9", source);

type Figures = { visits: number; product_views: number; carts: number; orders: number; paid: number };
const NOTHING: Figures = { visits: 0, product_views: 0, carts: 0, orders: 0, paid: 0 };

/** An order of a source, which is paid or not. */
async function order(user: { id: string; email: string }, planId: number, source?: string, paid = false) {
  const { id } = await createOrder(user, planId);
  await db.execute(sql`update orders set attribution = ${source ? JSON.stringify({ source }) : null}::jsonb,
    paid_at = case when ${paid} then shop_now() end where id = ${id}`);
  await db.execute(sql`
    with taken as (delete from cart_lines where user_id = ${user.id} and plan_id = ${planId} returning created_at, source)
    update order_lines set cart_at = taken.created_at, cart_source = taken.source from taken where order_id = ${id}`);
  return id;
}

async function putIntoCart(user: { id: string }, planId: number, source?: string) {
  const id = await createCartLine(user.id, planId);
  await db.execute(sql`update cart_lines set source = ${source ?? null} where id = ${id}`);
  return id;
}

/** The day of the shop's clock, or so many before it. */
async function shopDay(daysAgo: number): Promise<string> {
  const [row] = await client()<{ day: string }[]>`
    select to_char((shop_now() at time zone 'UTC')::date - ${daysAgo}::int, 'YYYY-MM-DD') as day`;
  return row!.day;
}

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const dayOf = (at: string) => new Date(at).toISOString().slice(0, 10);

/** Counts the rows of visits, carts and orders themselves, by day and source; carts as they are now. */
async function countRows(): Promise<Map<string, Figures>> {
  const counted = new Map<string, Figures>();
  const add = (at: string, source: string | null, figure: keyof Figures) => {
    const key = `${dayOf(at)} ${source?.trim() || "(none)"}`;
    const figures = counted.get(key) ?? { ...NOTHING };
    figures[figure] += 1;
    counted.set(key, figures);
  };
  const visits = await client()<{ at: string; source: string | null; path: string }[]>`
    select created_at as at, source, path from visits`;
  for (const { at, source, path } of visits) {
    add(at, source, "visits");
    if (path.startsWith("/product/")) add(at, source, "product_views");
  }
  type Order = { user: string; at: string; paid: string | null; source: string | null } & {
    cart: string | null;
    cartSource: string | null;
  };
  const orders = await client()<Order[]>`
    select user_id as user, o.created_at as at, paid_at as paid, attribution->>'source' as source, cart_at as cart,
      cart_source as "cartSource" from orders o join order_lines l on l.order_id = o.id
    where o.created_at > shop_now() - interval '100 days'`;
  const ordered = new Set<string>();
  for (const { user, at, paid, source, cart, cartSource } of orders) {
    add(at, source, "orders");
    if (cart) {
      add(cart, cartSource, "carts");
      ordered.add(`${user} ${dayOf(cart)}`);
    } else add(at, source, "carts");
    if (paid) add(paid, source, "paid");
  }
  const lines = await client()<{ user: string; at: string; source: string | null }[]>`
    select user_id as user, created_at as at, source from cart_lines order by created_at, id`;
  const seen = new Set<string>();
  for (const { user, at, source } of lines) {
    if (!seen.has(user) && !ordered.has(`${user} ${dayOf(at)}`)) add(at, source, "carts");
    seen.add(user);
  }
  return counted;
}

const figuresOf = ({ visits, product_views, carts, orders, paid }: Figures): Figures => ({
  visits,
  product_views,
  carts,
  orders,
  paid,
});
const sumOf = (all: Iterable<Figures>) =>
  [...all].reduce(
    (sum, row) => {
      for (const name of Object.keys(NOTHING) as (keyof Figures)[]) sum[name] += row[name];
      return sum;
    },
    { ...NOTHING },
  );

describe("the figures by source", () => {
  it("equal an independent count after random visits, carts, orders and payments on several days", async () => {
    const seed = Number(process.env.FIGURES_SEED) || Math.floor(Math.random() * 1e9);
    console.log(`source figures: FIGURES_SEED=${seed}`);
    const below = randomNumbers(seed);
    const names = [undefined, "newsletter", "搜索", " spaced ", "x"];
    const plans = [await createSinglePlan({ keys: 1 }), await createSinglePlan({ keys: 1 })];
    const users = [];
    for (let n = 0; n < 5; n++) users.push(await createUser());
    const unpaid: string[] = [];
    // A cart that was counted stays counted, so that a day keeps its highest count.
    const mostCarts = new Map<string, number>();
    const noteCarts = async (daysAgo: number) => {
      const first = await shopDay(daysAgo);
      for (const [name, { carts }] of await countRows())
        if (name >= first) mostCarts.set(name, Math.max(carts, mostCarts.get(name) ?? 0));
    };
    for (let day = 0; day < 10; day++) {
      await setDay(day);
      for (let n = 0; n < 12; n++) {
        const [user, plan, source] = [users[below(5)]!, plans[below(2)]!.id, names[below(5)]];
        const choice = below(6);
        if (choice <= 1) await visit(below(2) ? "/" : `/product/p-${below(3)}`, source);
        else if (choice === 2 || choice === 3) await putIntoCart(user, plan, source);
        else if (choice === 4) unpaid.push(await order(user, plan, source));
        else {
          const [id] = unpaid.splice(below(unpaid.length || 1), 1);
          if (id) await db.execute(sql`update orders set paid_at = shop_now() where id = ${id}`);
        }
      }
      await updateSourceFigures();
      await noteCarts(day === 0 ? 90 : 1);
    }
    await updateSourceFigures();
    expect(await recountSourceFigures()).toEqual([]);
    await noteCarts(7);
    const counted = await countRows();
    for (const name of new Set([...counted.keys(), ...mostCarts.keys()])) {
      const figures = { ...(counted.get(name) ?? NOTHING), carts: mostCarts.get(name) ?? 0 };
      if (Object.values(figures).some((figure) => figure > 0)) counted.set(name, figures);
      else counted.delete(name);
    }
    const rows = await client()<({ name: string } & Figures)[]>`
      select to_char(day, 'YYYY-MM-DD') || ' ' || case kind when 'none' then '(none)' else source end as name,
        visits, product_views, carts, orders, paid from source_figures_daily where kind <> 'all'`;
    const stored = new Map(rows.map(({ name, ...figures }) => [name, figures]));
    expect(Object.fromEntries(stored), `FIGURES_SEED=${seed}`).toEqual(Object.fromEntries(counted));
    const { items, all, total } = await sources({ days: 30 });
    expect(all, `FIGURES_SEED=${seed}`).toEqual(sumOf(counted.values()));
    expect([total, sumOf(items.map(figuresOf))]).toEqual([items.length, all]);
    const series = await daysOf({ days: 30, came_from: "newsletter" });
    expect(series).toMatchObject({ kind: "named", source: "newsletter" });
    expect(series.days).toHaveLength(30);
    for (const { day, ...figures } of series.days)
      expect(figures).toEqual(counted.get(`${day} newsletter`) ?? NOTHING);
    const newsletter = items.find(({ source }) => source === "newsletter");
    expect(sumOf(series.days.map(figuresOf))).toEqual(newsletter ? figuresOf(newsletter) : NOTHING);
    const week = await sources({ days: 7 });
    const first = await shopDay(6);
    const lastWeek = [...counted].filter(([name]) => name >= first);
    expect(week.all, `FIGURES_SEED=${seed}`).toEqual(sumOf(lastWeek.map(([, figures]) => figures)));
    expect(await recountSourceFigures()).toEqual([]);
  });

  it("are corrected and reported when a closed day was stored with other values, and kept as long as visits", async () => {
    await visit("/product/p-1", "newsletter");
    await visit("/");
    await updateSourceFigures();
    const day = await shopDay(0);
    await setDay(5);
    await updateSourceFigures();
    await db.execute(
      sql`update source_figures_daily set visits = visits + 7 where day = ${day} and kind in ('all', 'named')`,
    );
    expect(await recountSourceFigures()).toEqual([
      {
        day,
        stored: { visits: 9, product_views: 1, orders: 0, paid: 0 },
        counted: { visits: 2, product_views: 1, orders: 0, paid: 0 },
      },
    ]);
    expect(await recountSourceFigures()).toEqual([]);
    expect((await sources({ days: 7 })).items).toEqual([
      { kind: "none", source: null, ...NOTHING, visits: 1 },
      { kind: "named", source: "newsletter", ...NOTHING, visits: 1, product_views: 1 },
    ]);
    await setDay(89);
    await recountSourceFigures();
    expect((await sources({ days: 90 })).all.visits).toBe(2);
    await setDay(90);
    await recountSourceFigures();
    expect((await sources({ days: 90 })).all).toEqual(NOTHING);
    expect(await db.$count(sql`source_figures_daily`)).toBe(0);
  });

  it("include a cart that is emptied, and count it once when it becomes an order", async () => {
    const plan = await createSinglePlan({ keys: 1 });
    const [first, second] = [await createUser(), await createUser()];
    const emptied = await putIntoCart(first, plan.id, "mail");
    await putIntoCart(second, plan.id, "mail");
    await updateSourceFigures();
    await db.execute(sql`delete from cart_lines where id = ${emptied}`);
    await order(second, plan.id, "mail");
    await updateSourceFigures();
    await recountSourceFigures();
    const [mail] = (await sources()).items;
    expect(mail).toEqual({ kind: "named", source: "mail", ...NOTHING, carts: 2, orders: 1 });
    expect((await sources()).all).toMatchObject({ carts: 2, orders: 1 });
  });

  it("count a cart once that is ordered on a later day with more in it, and an order without a cart as one", async () => {
    const [first, second] = [await createSinglePlan({ keys: 1 }), await createSinglePlan({ keys: 1 })];
    const user = await createUser();
    await putIntoCart(user, first.id, "mail");
    await updateSourceFigures();
    await setDay(1);
    await putIntoCart(user, second.id, "partner");
    await updateSourceFigures();
    await order(user, first.id, "search");
    await updateSourceFigures();
    await setDay(2);
    await updateSourceFigures();
    await recountSourceFigures();
    const { items, all } = await sources({ days: 7 });
    // The second plan is now in its own cart, begun when it was added.
    expect(all).toMatchObject({ carts: 2, orders: 1 });
    expect(items.map(({ source, carts, orders }) => [source, carts, orders]).sort()).toEqual([
      ["mail", 1, 0],
      ["partner", 1, 0],
      ["search", 0, 1],
    ]);
    await order(await createUser(), first.id, "search");
    await updateSourceFigures();
    expect((await sources({ days: 7 })).all).toMatchObject({ carts: 3, orders: 2 });
  });

  it("count one cart and one order when the order is placed on the day after", async () => {
    const product = await createProduct({ plans: [{ keys: 2 }, { type: "year", keys: 2 }] });
    const buyer = await createSignedInUser();
    for (const { id } of product.plans) await putIntoCart(buyer, id, "mail");
    await updateSourceFigures();
    await setDay(1);
    await updateSourceFigures();
    const { order_id: orderId } = await placeOrder(buyer.viewer, {}, "en");
    await updateSourceFigures();
    await recountSourceFigures();
    expect((await sources({ days: 7 })).all).toEqual({ ...NOTHING, carts: 1, orders: 1 });
    const lines = await db.execute<{ source: string; days: number }>(sql`
      select l.cart_source as source, o.created_at::date - l.cart_at::date as days from order_lines l
      join orders o on o.id = l.order_id where o.id = ${orderId}`);
    expect([...lines]).toEqual([
      { source: "mail", days: 1 },
      { source: "mail", days: 1 },
    ]);
  });

  it("move to the orders without a source when the account of the orders is deleted", async () => {
    const plan = await createSinglePlan({ keys: 1 });
    const id = await order(await createUser(), plan.id, "mail", true);
    await updateSourceFigures();
    await db.execute(sql`update orders set attribution = null where id = ${id}`);
    expect(await recountSourceFigures()).toEqual([]);
    const { items, all } = await sources();
    expect(all).toMatchObject({ orders: 1, paid: 1 });
    expect(items.find(({ kind }) => kind === "none")).toMatchObject({ orders: 1, paid: 1 });
    expect(items.find(({ source }) => source === "mail")).toMatchObject({ orders: 0, paid: 0 });
  });

  it("name the sources with most orders and visits of a day, and count the others together", async () => {
    const plan = await createSinglePlan({ keys: 1 });
    const insert = (times: number) =>
      db.execute(sql`
        insert into visits (path, locale, device_type, source)
        select '/', 'en', 'desktop', 'source ' || n from generate_series(1, ${MAX_SOURCES + 50}) n, generate_series(1, ${times}::int + (n <= 50)::int)`);
    await insert(1);
    await updateSourceFigures();
    const others = (items: { kind: string; visits: number }[]) =>
      items.filter(({ kind }) => kind === "other");
    const before = await sources({ days: 7 });
    expect(others(before.items).concat(before.items[0]!)).toEqual([
      expect.objectContaining({ kind: "other", visits: 50 }),
      expect.objectContaining({ kind: "other", visits: 50 }),
    ]);
    await order(await createUser(), plan.id, `source ${MAX_SOURCES + 50}`);
    await insert(2);
    await updateSourceFigures();
    const { items, all, total } = await sources({ days: 7 });
    expect(total).toBe(MAX_SOURCES + 1);
    expect(all).toMatchObject({ visits: 3 * (MAX_SOURCES + 50) + 100, orders: 1 });
    expect(items[0]).toMatchObject({ kind: "other", visits: 150 });
    const [day] = await client()<{ named: number; visits: number }[]>`
      select count(*) filter (where kind = 'named')::int as named, sum(visits)::int as visits from source_figures_daily where kind <> 'all'`;
    expect(day).toEqual({ named: MAX_SOURCES, visits: all.visits });
    expect((await daysOf({ days: 7, came_from: `source ${MAX_SOURCES + 50}` })).days.at(-1)).toMatchObject({
      visits: 3,
      orders: 1,
    });
    expect((await daysOf({ days: 7, kind: "other" })).days.at(-1)!.visits).toBe(150);
  });

  it("are read through an index, page by page", async () => {
    await db.execute(sql`
      insert into source_figures (days, kind, source, visits, product_views, carts, orders, paid)
      select d, 'named', '来源 🙂 ' || n, n % 700, 0, 0, 0, 0 from unnest(array[7, 30, 90]) d, generate_series(1, 5000) n`);
    await db.execute(sql`
      insert into source_figures_daily (day, kind, source, visits, product_views, carts, orders, paid)
      select (shop_now() at time zone 'UTC')::date - d, 'named', '来源 🙂 ' || n, 1, 0, 0, 0, 0 from generate_series(0, 89) d, generate_series(1, 200) n`);
    await db.execute(sql`analyze source_figures, source_figures_daily`);
    const seen: string[] = [];
    const visits: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 6; page++) {
      const list = await sources({ days: 30, cursor });
      expect([list.total, list.total_exact]).toEqual([1000, false]);
      seen.push(...list.items.map(({ source }) => source!));
      visits.push(...list.items.map((item) => item.visits));
      cursor = list.next_cursor!;
    }
    expect(new Set(seen).size).toBe(300);
    expect(visits).toEqual([...visits].sort((a, b) => b - a));
    await expect(sources({ days: 7, cursor })).rejects.toThrow(/cursor/);
    for (const run of [
      () => sources({ days: 30 }),
      () => sources({ days: 30, cursor }),
      () => daysOf({ days: 90, came_from: "来源 🙂 7" }),
    ])
      expect(await mostRead(run)).toBeLessThanOrEqual(MAX_READ);
  });
});

describe("searches without results", () => {
  const search = async (content: string, times: number, locale: "en" | "zh" | "ja" = "en") => {
    const viewer = { kind: "guest" as const, locale };
    for (let n = 0; n < times; n++)
      await recordSearch(viewer as never, { search_content: content, search_device_type: "computer" });
  };

  it("are those of recent weeks that find nothing today, without rare ones and addresses", async () => {
    const product = await createProduct({ plans: [{ keys: 1 }] });
    const word = product.name.split(" ")[0]!;
    await search("Zzqxvw", 2);
    await search(" zzqxvw ", 2);
    await search("ＺＺＱＸＶＷ", 3);
    await search("zzqxvw", 3, "ja");
    await search("vvkkjq", 2);
    await search("someone@example.com", 5);
    const planId = product.plans[0]!.id;
    const order = await createOrder(await createUser(), planId, { status: "completed" });
    const code = await createMailedKey(planId, order.lineId);
    await search(code, 4);
    await search(`code ${code.toLowerCase()} fails`, 3);
    await search(word, 4);
    await search(product.name, 5);
    await db.execute(
      sql`update searches set created_at = created_at - interval '29 days' where content = 'Zzqxvw'`,
    );
    await search("zzqxvw", 1);
    await updateSearches();
    const { items, total } = await searches();
    expect(items.map(({ content, locale, searches: count }) => [content, locale, count])).toEqual([
      ["zzqxvw", "en", 6],
      ["zzqxvw", "ja", 3],
    ]);
    expect(total).toBe(2);
    // The same pass counts the products that are shown, for their merchants.
    const shown = await db.execute(
      sql`select content, searches, place from product_searches where product_id = ${product.id} and searches = 5`,
    );
    expect(shown).toEqual([{ content: product.name.toLowerCase(), searches: 5, place: 1 }]);
    const [last] = await db.execute<{ at: string }>(
      sql`select max(created_at) as at from searches where locale = 'en' and content = 'zzqxvw'`,
    );
    expect(items[0]!.last_at).toBe(new Date(last!.at).toISOString());
    expect((await searches({ locale: "ja" })).items).toHaveLength(1);
    expect((await searches({ locale: "zh" })).items).toEqual([]);
    await db.execute(sql`delete from searches where locale = 'en'`);
    await updateSearches();
    expect((await searches()).items.map(({ locale }) => locale)).toEqual(["ja"]);
  });

  it("are read through an index, page by page", async () => {
    await db.execute(sql`
      insert into empty_searches (content, locale, searches, last_at)
      select '検索 🙂 ' || n, (array['en', 'zh', 'ja'])[1 + n % 3], n % 90, shop_now() from generate_series(1, 1000) n`);
    await db.execute(sql`analyze empty_searches`);
    const first = await searches({ locale: "ja" });
    const second = await searches({ locale: "ja", cursor: first.next_cursor });
    expect(first.total).toBe(333);
    expect(new Set([...first.items, ...second.items].map(({ content }) => content)).size).toBe(100);
    expect(first.items.at(-1)!.searches).toBeGreaterThanOrEqual(second.items[0]!.searches);
    await expect(searches({ cursor: first.next_cursor })).rejects.toThrow(/cursor/);
    for (const input of [{}, { locale: "ja" }, { locale: "ja", cursor: first.next_cursor }])
      expect(await mostRead(() => searches(input))).toBeLessThanOrEqual(MAX_READ);
  });
});
