import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { listReviews } from "@/lib/reviews/list-reviews";
import { createDemoAccount, demoAccount } from "@/scripts/start/demo-account";
import { allowsDemoData, createDemoData, DEMO_PRODUCTS } from "@/scripts/start/demo-data";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

/** Every pass that the demo's history needs, instead of the whole demo catalogue. */
async function createDemoProducts(): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const slug of DEMO_PRODUCTS) {
    const lengths = [
      ["day", 1],
      ["week", 7],
      ["month", 30],
      ["year", 365],
    ] as const;
    const plans = lengths.map(([type, days]) => ({ type, days, keys: 6 }));
    ids.set(slug, (await createProduct({ slug, plans })).id);
  }
  return ids;
}

const count = async (table: string) =>
  (await db.execute<{ n: number }>(sql`select count(*)::int as n from ${sql.raw(table)}`))[0]!.n;

it("a demo gets orders with running passes and marked reviews, once, relative to the current time", async () => {
  const ids = await createDemoProducts();
  await createDemoAccount();
  const lines: string[] = [];
  await createDemoData((line) => lines.push(line));
  expect(lines).toEqual(["The demo has 5 orders and 16 reviews."]);
  const [clock] = await db.execute<{ shift: string }>(sql`select shift::text from shop_clock`);
  expect(clock!.shift).toBe("00:00:00");

  const [user] = await db.execute<{ id: string }>(
    sql`select id from users where lower(email) = ${demoAccount.email}`,
  );
  const viewer = {
    kind: "user",
    userId: user!.id,
    email: demoAccount.email,
    emailVerified: true,
    username: "Demo",
    role: "user",
    sessionId: "",
    factor: { active: false, reauthenticated: false, due: false },
    locale: "en",
  } as const;
  const library = await listLibrary(viewer, "en");
  const daysLeft = library.items.map(({ ends_at }) =>
    ends_at === null
      ? null
      : Math.round((Date.parse(ends_at) - Date.parse(library.server_time)) / 86_400_000),
  );
  expect(daysLeft).toEqual([4, 18, 269, null, -20]);

  const { items, summary } = await listReviews({ product_id: ids.get("quillon-draft")!, page: 1, size: 5 });
  expect(summary).toMatchObject({ count: 3, demo: 3 });
  expect(items.every(({ demo, verified }) => demo && !verified)).toBe(true);
  const [queued] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from mails where state = 'queued'`,
  );
  expect(queued!.n).toBe(0);

  const before = [await count("orders"), await count("reviews"), await count("users")];
  await createDemoData();
  expect([await count("orders"), await count("reviews"), await count("users")]).toEqual(before);
});

it("production and other payment modes get no demo orders", () => {
  const modes = (APP_MODE: string, PAYMENT_MODE: string) => ({ APP_MODE, PAYMENT_MODE });
  expect(allowsDemoData(modes("demo", "sandbox"))).toBe(true);
  for (const [app, payment] of [
    ["production", "sandbox"],
    ["production", "live"],
    ["demo", "test"],
  ] as const)
    expect(allowsDemoData(modes(app, payment))).toBe(false);
});
