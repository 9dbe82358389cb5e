import { afterAll, expect, it } from "vitest";
import { client, closeDatabase, pool } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { listProductPages } from "@/lib/catalog/product/find-product-page";
import { rounds } from "@/tests/setup/rounds";

afterAll(async () => {
  await client()`alter table shop_clock enable trigger shop_clock_listing_index`;
  await client()`update shop_clock set shift = interval '0'`;
  await closeDatabase();
});

const PLANS = rounds(1000, 125);
const PER_PRODUCT = 5;
const HOURS = 24 * 150;
const STEP_HOURS = 12;
const CHANGES_PER_STEP = (PLANS * 24) / 1000;
const CHECKS = 6;
const HOUR_MS = 3_600_000;
const PRICES = [900, 1000, 1200, 1500, 1800, 2000, 2500];

/** Mulberry32: the same numbers for the same seed. */
function randomNumbers(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

type ModelDeal = { id: string; endHour: number; cents: number; soldOut: boolean };
type ModelPlan = {
  id: number;
  regular: number;
  list: number | null;
  deal: ModelDeal | null;
  /** the price of each hour so far */
  prices: number[];
};

/** The price in force in an hour; a deal that is sold out counts until its end. */
const inForce = ({ deal, regular }: ModelPlan, hour: number) =>
  deal && hour < deal.endHour ? deal.cents : regular;

/** The price beside the current one, hour by hour. */
function expectedComparison(plan: ModelPlan, hour: number, hourOfDay: number) {
  const { prices, list, regular } = plan;
  const deal = plan.deal && hour < plan.deal.endHour && !plan.deal.soldOut ? plan.deal : null;
  const price = deal?.cents ?? regular;
  const reduction = (was: number | null) => {
    if (was === null || was <= price || prices[hour] !== price) return null;
    let start = hour;
    while (start > 0 && prices[start - 1]! >= prices[start]! && prices[start - 1]! < was) start -= 1;
    const before = prices.slice(Math.max(0, start - 30 * 24), start);
    const lowest = before.length > 0 ? Math.min(...before) : 0;
    return price < lowest ? [was, "previous", lowest] : null;
  };
  const shown = list !== null && list > price ? list : null;
  const charged = shown !== null && prices.slice(Math.max(0, hour - hourOfDay - 90 * 24)).includes(shown);
  const comparison =
    reduction(deal ? regular : null) ??
    (charged ? reduction(shown) : null) ??
    (shown !== null && !charged ? [shown, "vendor", null] : [null, null, null]);
  return [price, ...comparison];
}

it("the price beside the current one equals an hourly model for random histories", async () => {
  const seed = Number(process.env.PRICE_SEED) || Math.floor(Math.random() * 1e9);
  console.log(`price histories: PRICE_SEED=${seed}`);
  const random = randomNumbers(seed);
  const below = (n: number) => Math.floor(random() * n);
  const pick = <T>(values: readonly T[]) => values[below(values.length)]!;
  const start = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
  const pickList = (cents: number) => pick([null, null, ...PRICES.filter((price) => price > cents)]);

  /** Runs writes at an exact hour: in a transaction the database's time stands still. */
  const at = (hour: number, write: (tx: ReturnType<typeof client>) => Promise<unknown>) =>
    pool().begin(async (tx) => {
      await tx`update shop_clock set shift = ${new Date(start + hour * HOUR_MS).toISOString()}::timestamptz - now()`;
      await write(tx as unknown as ReturnType<typeof client>);
    });

  // Lists are not read here, and the index of all plans would be written at each step.
  await client()`alter table shop_clock disable trigger shop_clock_listing_index`;
  const category = await createCategory();
  const products: number[] = [];
  for (let n = 0; n < PLANS / PER_PRODUCT; n += 1)
    products.push((await createProduct({ category, plans: [] })).id);
  const models: ModelPlan[] = [];
  await at(0, async (tx) => {
    const rows = Array.from({ length: PLANS }, (_, n) => {
      const regular = pick(PRICES);
      const product_id = products[Math.floor(n / PER_PRODUCT)];
      return { product_id, days: 1 + (n % PER_PRODUCT), regular, list: pickList(regular) };
    });
    const created = await tx<{ id: number }[]>`
      insert into plans (product_id, type, duration_days, price_cents, list_price_cents, availability, region, position)
      select product_id, 'day', days, regular, list, 'in_stock', '["worldwide"]', days
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(product_id int, days int, regular int, list int)
      returning id`;
    for (const [n, { id }] of created.entries())
      models.push({ id, regular: rows[n]!.regular, list: rows[n]!.list, deal: null, prices: [] });
  });

  let hour = 0;
  const passHours = (until: number) => {
    for (; hour < until; hour += 1) for (const plan of models) plan.prices[hour] = inForce(plan, hour);
  };
  const kinds = { previous: 0, vendor: 0, none: 0 };
  let deals = 0;

  const check = async () => {
    // Half an hour later, so that the seconds that the test takes change nothing.
    await at(hour + 0.5, async () => {});
    for (const plan of models) plan.prices[hour] = inForce(plan, hour);
    const pages = await listProductPages(products, "en");
    const shown = new Map(pages.flatMap(({ vip_options }) => vip_options.map((plan) => [plan.vip_id, plan])));
    const cents = (usd: number | null) => (usd === null ? null : Math.round(usd * 100));
    for (const plan of models) {
      const option = shown.get(plan.id)!;
      const expected = expectedComparison(plan, hour, hour % 24);
      const actual = [
        cents(option.price),
        cents(option.list_price),
        option.list_price_kind,
        cents(option.lowest_price_30d),
      ];
      expect(actual, `plan ${plan.id} in hour ${hour}, PRICE_SEED=${seed}`).toEqual(expected);
      kinds[option.list_price_kind ?? "none"] += 1;
    }
  };

  for (let step = 1; step * STEP_HOURS < HOURS; step += 1) {
    passHours(step * STEP_HOURS);
    const changed = new Set(Array.from({ length: CHANGES_PER_STEP }, () => pick(models)));
    await at(hour, async (tx) => {
      for (const plan of changed) {
        const deal = plan.deal && hour < plan.deal.endHour ? plan.deal : null;
        const kind = pick(["price", "list", "deal", "deal", "end", "step", "extend", "sell-out"]);
        if (kind === "price") {
          const was = plan.regular;
          plan.regular = pick(PRICES);
          plan.list = was > plan.regular && random() < 0.7 ? was : pickList(plan.regular);
          await tx`update plans set price_cents = ${plan.regular}, list_price_cents = ${plan.list} where id = ${plan.id}`;
        } else if (kind === "list") {
          plan.list = pickList(plan.regular);
          await tx`update plans set list_price_cents = ${plan.list} where id = ${plan.id}`;
        } else if (kind === "deal") {
          deals += 1;
          const cents = pick([500, 700, ...PRICES.filter((price) => price < plan.regular)]);
          plan.deal = {
            id: `deal_${seed}_${deals}`,
            endHour: hour + 1 + below(24 * 40),
            cents,
            soldOut: false,
          };
          await tx`update deals set ended_at = shop_now() where plan_id = ${plan.id} and ended_at is null`;
          await tx`insert into deals (id, plan_id, price_cents, ends_at, quantity) values (${plan.deal.id}, ${plan.id},
            ${cents}, shop_now() + make_interval(hours => ${plan.deal.endHour - hour}), 5)`;
        } else if (!deal) continue;
        else if (kind === "end") {
          deal.endHour = hour;
          await tx`update deals set ended_at = shop_now() where id = ${deal.id}`;
        } else if (kind === "step") {
          deal.cents = pick([500, 600, 700, 800]);
          await tx`update deals set price_cents = ${deal.cents} where id = ${deal.id}`;
        } else if (kind === "extend") {
          deal.endHour += 1 + below(240);
          await tx`update deals set ends_at = shop_now() + make_interval(hours => ${deal.endHour - hour}) where id = ${deal.id}`;
        } else {
          deal.soldOut = true;
          await tx`update deals set claimed = quantity where id = ${deal.id}`;
        }
      }
    });
    if (step % Math.floor(HOURS / STEP_HOURS / CHECKS) === 0) await check();
  }
  await check();
  // Each kind is frequent enough to be tested.
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(PLANS / 5);
});
