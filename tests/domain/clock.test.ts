import { afterAll, afterEach, expect, it } from "vitest";
import { client, closeDatabase, pool } from "@/db/client";
import { schemaVersion } from "@/db/version";

/** The shop's clock (db/functions/shop_now.sql): the database's time plus an offset that only tests set. */
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

/** The offset of the shop's clock in seconds, read by a prepared statement. */
const getOffsetSeconds = async (sql = client()) => {
  const [row] = await sql<{ s: number }[]>`select extract(epoch from shop_now() - now())::int as s`;
  return row!.s;
};

it("a clock offset applies to prepared statements, in its own transaction and, after commit, on every connection", async () => {
  const offsetsOnFourConnections = () => Promise.all(Array.from({ length: 4 }, () => getOffsetSeconds()));
  for (let attempt = 0; attempt < 10; attempt++)
    expect(await offsetsOnFourConnections()).toEqual([0, 0, 0, 0]);
  await pool().begin(async (tx) => {
    await tx`update shop_clock set shift = interval '2 days' + interval '3 seconds'`;
    expect(await getOffsetSeconds(tx as never)).toBe(172_803);
    expect(await getOffsetSeconds()).toBe(0);
  });
  expect(await offsetsOnFourConnections()).toEqual(Array(4).fill(172_803));
  await client()`update shop_clock set shift = shift - interval '3 days'`;
  expect(await offsetsOnFourConnections()).toEqual(Array(4).fill(-86_397));
});

it("the schema version names the newest migration, and reports an offset of the clock", async () => {
  const version = await schemaVersion();
  expect(version).toMatchObject({ applied: version.needed, clockShifted: false });
  await client()`update shop_clock set shift = '1 hour'`;
  expect(await schemaVersion()).toEqual({ ...version, clockShifted: true });
});
