import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import {
  getDetail,
  importCategory,
  importLines,
  planRecord,
  productRecord,
} from "@/tests/setup/catalog-import";

beforeAll(importCategory);
afterEach(() => shiftClock("0"));
afterAll(closeDatabase);

const shiftClock = (interval: string) => client()`update shop_clock set shift = ${interval}::interval`;

describe("an import", () => {
  const withPrice = (line: object, price: number, fields: object = {}) => ({
    ...line,
    plans: [planRecord({ price, ...fields })],
  });

  it("refuses the line of a price that changed too soon or too much, and writes none of it", async () => {
    const line = productRecord({ plans: [planRecord({ price: 10 })] });
    await importLines([line]);
    expect(await importLines([withPrice({ ...line, sort_num: 5 }, 20)])).toMatchObject({
      changed: 0,
      refused: 1,
      refusals: [{ line: 1, path: "plans[0].price", message: expect.stringContaining("second person") }],
    });
    expect(await getDetail(line.slug)).toMatchObject({ price: 10, sort_num: 1 });
    expect(await importLines([withPrice(line, 12)])).toMatchObject({ changed: 1, refused: 0 });
    const tooSoon = [{ path: "plans[0].price", message: expect.stringContaining("30 seconds") }];
    expect(await importLines([withPrice(line, 13)], { preview: true })).toMatchObject({ refusals: tooSoon });
    expect(await importLines([withPrice(line, 13), productRecord()])).toMatchObject({
      added: 1,
      refused: 1,
      refusals: tooSoon,
    });
    // The same file again changes nothing, and other fields of the line may change at any time.
    expect(await importLines([withPrice(line, 12)])).toMatchObject({ unchanged: 1, refused: 0 });
    expect(await importLines([withPrice({ ...line, sort_num: 6 }, 12)])).toMatchObject({ changed: 1 });
    await shiftClock("31 seconds");
    expect(await importLines([withPrice(line, 13)])).toMatchObject({ changed: 1, refused: 0 });
    const [row] =
      await client()`select array_agg(cents order by c.id) as cents, array_agg(distinct by) as authors
      from price_changes c join plans pl on pl.id = c.plan_id join products p on p.id = pl.product_id
      where p.slug = ${line.slug}`;
    expect(row).toEqual({ cents: [1000, 1200, 1300], authors: ["import"] });
  });

  it("refuses a deal on a price that was raised in the last 30 days", async () => {
    const line = productRecord({ plans: [planRecord({ price: 10 })] });
    await importLines([line]);
    await shiftClock("40 days");
    await importLines([withPrice(line, 12)]);
    await shiftClock("60 days");
    const withDeal = withPrice(line, 12, { deal: { price: 9, ends_at: "P9D", quantity: 5 } });
    expect(await importLines([withDeal])).toMatchObject({
      refused: 1,
      refusals: [{ path: "plans[0].deal.price", message: expect.stringContaining("raised") }],
    });
    await shiftClock("71 days");
    expect(await importLines([withDeal])).toMatchObject({ changed: 1, refused: 0 });
    expect(await getDetail(line.slug)).toMatchObject({
      price: 9,
      list_price: 12,
      list_price_kind: "previous",
      lowest_price_30d: 12,
    });
  });

  it("accepts a new pass with a deal, since there is no earlier price to compare", async () => {
    const deal = { price: 2, ends_at: "P9D", quantity: 5 };
    const line = productRecord({ plans: [planRecord({ price: 10, deal })] });
    expect(await importLines([line])).toMatchObject({ added: 1, refused: 0 });
    expect(await getDetail(line.slug)).toMatchObject({ price: 2, list_price: null, list_price_kind: null });
  });
});
