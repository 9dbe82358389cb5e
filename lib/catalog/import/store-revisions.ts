import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ProductRecord } from "./contract";
import type { Writer } from "./line-writer";
import { readProductRecords } from "./read-product-records";
import { jsonSql, type ProductChange } from "./store-plans";

/** Adds the records that were written. A product from before revisions were kept begins with the record that it had. */
export async function storeRevisions(
  tx: Tx,
  changes: ProductChange[],
  previousRecords: ReadonlyMap<number, ProductRecord>,
  { source, by, note }: Writer,
): Promise<void> {
  const lines = await readProductRecords(
    changes.map(({ id }) => id),
    tx,
  );
  const rows = changes.flatMap(({ id, existing }) => {
    const first = existing?.revision === 0;
    const line = lines.get(id);
    return [
      ...(first
        ? [
            {
              id,
              revision: 1,
              line: previousRecords.get(id),
              source: "import",
              by: "import",
              at: existing.updated_at,
            },
          ]
        : []),
      {
        id,
        revision: Math.max(1, existing?.revision ?? 0) + (existing ? 1 : 0),
        line,
        source,
        by,
        note: note ?? null,
      },
    ];
  });
  await tx.execute(sql`
    insert into product_revisions (product_id, revision, line, source, by, note, created_at)
    select id, revision, line, source, by, note, coalesce(at, shop_now())
    from jsonb_to_recordset(${jsonSql(rows)}) as r(id int, revision int, line jsonb, source text, by text, note text, at timestamptz)`);
}
