import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ProductLine } from "./contract";
import type { Writer } from "./line-writer";
import { readProductLines } from "./read-product-lines";
import { jsonSql, type ProductChange } from "./store-plans";

/** Adds the lines that were written. A product from before revisions were kept begins with the line that it had. */
export async function storeRevisions(
  tx: Tx,
  changes: ProductChange[],
  previousLines: ReadonlyMap<number, ProductLine>,
  { source, by, note }: Writer,
): Promise<void> {
  const lines = await readProductLines(
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
              line: previousLines.get(id),
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
