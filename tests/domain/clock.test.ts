import { afterAll, afterEach, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";

/** The shop's clock (db/functions/shop_now.sql): the database's time, and an offset that only tests set. */
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

/** How far the shop is ahead of the database, by a statement whose plan is kept: seconds. */
const ahead = async (sql = client()) => {
  const [row] = await sql<{ s: number }[]>`select extract(epoch from shop_now() - now())::int as s`;
  return row!.s;
};

it("is set for plans that are kept, in the same transaction and on every connection", async () => {
  const all = () => Promise.all(Array.from({ length: 4 }, () => ahead()));
  for (let run = 0; run < 10; run++) expect(await all()).toEqual([0, 0, 0, 0]);
  await client().begin(async (tx) => {
    await tx`update shop_clock set shift = interval '2 days' + interval '3 seconds'`;
    expect(await ahead(tx as never)).toBe(172_803);
    expect(await ahead()).toBe(0);
  });
  expect(await all()).toEqual(Array(4).fill(172_803));
  await client()`update shop_clock set shift = shift - interval '3 days'`;
  expect(await all()).toEqual(Array(4).fill(-86_397));
});
