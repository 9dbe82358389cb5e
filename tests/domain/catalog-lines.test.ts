import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { pictureHash } from "@/lib/catalog/images/validate-picture";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { resolveTime, storedPicture } from "@/lib/catalog/import/rules-line";
import {
  importCategory,
  importLines,
  planRecord,
  productRecord,
  seedLines,
} from "@/tests/setup/catalog-import";

beforeAll(importCategory);
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

async function readLine(slug: string): Promise<ProductRecord> {
  const [row] = await client()<{ id: number }[]>`select id from products where slug = ${slug}`;
  return (await readProductRecords([row!.id])).get(row!.id)!;
}
const readState = async (slug: string) => {
  const [row] = await client()<
    { revision: number; source: string }[]
  >`select revision, source from products where slug = ${slug}`;
  const revisions = await client()`select v.revision, v.source, v.by, v.line from product_revisions v
    join products p on p.id = v.product_id where p.slug = ${slug} order by v.revision`;
  return { ...row, revisions };
};

describe("a product as JSON", () => {
  it("equals the imported line for products of the demo, and changes nothing when imported again", async () => {
    const before = Date.now();
    const lines = seedLines();
    await importLines(lines);
    const after = Date.now();
    const products = lines.filter((line) => line.kind === "product");
    const written: ProductRecord[] = [];
    for (const line of products) {
      const stored = await readLine(line.slug);
      written.push(stored);
      const expected = {
        ...line,
        ...(line.image && { image: storedPicture(pictureHash(readFileSync(`db/seed/${line.image}`))) }),
        plans: line.plans.map((plan, i) => {
          const { deal = null, releases_on = null } = stored.plans[i] ?? {};
          if (plan.deal) expectResolved(deal?.ends_at, plan.deal.ends_at);
          if (plan.releases_on) expectResolved(releases_on, plan.releases_on);
          return { ...plan, releases_on, deal: plan.deal && { ...plan.deal, ends_at: deal?.ends_at } };
        }),
      };
      expect(stored, line.slug).toEqual(expected);
    }
    /** `stored` is `time` as it was at one moment of the import. */
    function expectResolved(stored: string | null | undefined, time: string): void {
      const [first, last] = [before, after].map((now) => resolveTime(time, new Date(now)).getTime());
      expect(Date.parse(stored ?? "")).toBeGreaterThan(first! - 1000);
      expect(Date.parse(stored ?? "")).toBeLessThan(last! + 1000);
    }
    const rows = await client()`select * from products order by id`;
    const deals = await client()`select * from deals order by id`;
    expect(await importLines(written)).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: products.length,
      refused: 0,
    });
    expect(await client()`select * from products order by id`).toEqual(rows);
    expect(await client()`select * from deals order by id`).toEqual(deals);
  });

  it("is kept as a revision with each import that changes it", async () => {
    const line = productRecord();
    await importLines([line]);
    await importLines([{ ...line, sort_num: 2 }]);
    await importLines([{ ...line, sort_num: 2 }]);
    const { revision, source, revisions } = await readState(line.slug);
    expect([revision, source]).toEqual([2, "import"]);
    expect(revisions.map((row) => [row.revision, row.source, row.by, row.line.sort_num])).toEqual([
      [1, "import", "import", 1],
      [2, "import", "import", 2],
    ]);
    expect(revisions[1]?.line).toEqual(await readLine(line.slug));
  });

  it("keeps a deal that ends at the same instant", async () => {
    const deal = { price: 8, ends_at: "P9D", quantity: 6 };
    const line = productRecord({ plans: [planRecord({ deal })] });
    await importLines([line]);
    await client()`update deals d set claimed = 2 from plans pl join products p on p.id = pl.product_id
      where d.plan_id = pl.id and p.slug = ${line.slug}`;
    const stored = await readLine(line.slug);
    expect(await importLines([{ ...stored, sort_num: 9 }])).toMatchObject({ changed: 1 });
    expect(await importLines([{ ...line, sort_num: 9 }])).toMatchObject({ unchanged: 1 });
    const deals = await client()`select d.claimed, d.ended_at from deals d join plans pl on pl.id = d.plan_id
      join products p on p.id = pl.product_id where p.slug = ${line.slug}`;
    expect(deals).toEqual([{ claimed: 2, ended_at: null }]);
  });

  it("accepts a picture that the shop has, and no other", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const first = productRecord({ image: "a.svg" });
    await importLines([first], { pictures: { "a.svg": svg } });
    const second = productRecord({ image: storedPicture(pictureHash(svg)) });
    expect(await importLines([second])).toMatchObject({ added: 1 });
    expect((await readLine(second.slug)).image).toBe(second.image);
    const unknown = productRecord({ image: storedPicture("0".repeat(64)) });
    expect(await importLines([unknown])).toMatchObject({ refused: 1, refusals: [{ path: "image" }] });
  });

  it("stays unlisted until it is imported without that mark", async () => {
    const line = productRecord({ listed: false });
    await importLines([line]);
    expect((await readLine(line.slug)).listed).toBe(false);
    await importLines([{ ...line, listed: true }]);
    expect("listed" in (await readLine(line.slug))).toBe(false);
  });
});
