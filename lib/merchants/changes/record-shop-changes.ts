import { sql } from "drizzle-orm";
import type { z } from "zod";
import { transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { findChanges } from "@/lib/catalog/console/rules-changes";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import type { ProductsRevised } from "@/lib/catalog/import/contract-jobs";
import { mailOwners } from "@/lib/merchants/states/change-state";
import { newId } from "@/lib/platform/crypto/ids";
import { BY_SHOP, describeChange } from "./rules";

// What the shop changes of merchants' products: the merchants have it in their log, and their owners get an email.

type Revised = {
  product_id: number;
  merchant_id: string;
  revision: number;
  at: string;
  line: ProductRecord;
  before: ProductRecord | null;
};

/** Writes an entry for each revision that the shop made of a merchant's product, and mails the owners once. */
export async function recordShopChanges({
  by,
  products,
}: z.output<typeof ProductsRevised.schema>): Promise<void> {
  await transaction(async (tx) => {
    // The locks let one of two runs of the same job write the entries.
    await tx.execute(sql`
      select from products where id = any(${sql.param(products.map(({ product_id }) => product_id))}::int[])
      order by id for no key update`);
    const revised = await tx.execute<Revised>(sql`
      select p.id as product_id, p.merchant_id, r.revision, r.created_at as at, r.line, b.line as before
      from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as x(product_id int, revision int)
      join products p on p.id = x.product_id and p.merchant_id is not null
      join product_revisions r on r.product_id = p.id and r.revision = x.revision
      left join product_revisions b on b.product_id = p.id and b.revision = x.revision - 1
      where not exists (select from product_changes c
        where c.product_id = p.id and c.revision = r.revision and c.created_by = ${BY_SHOP})
      order by p.id`);
    const entries = revised.flatMap(({ before, ...row }) => {
      const changes = before ? findChanges(before, row.line) : [];
      if (changes.length === 0) return [];
      return [
        { ...row, id: newId("chg"), ...describeChange(changes, { isNew: false, needsApproval: false }) },
      ];
    });
    if (entries.length === 0) return;
    await tx.insert(productChanges).values(
      entries.map((entry) => ({
        id: entry.id,
        merchantId: entry.merchant_id,
        productId: entry.product_id,
        state: "approved" as const,
        baseRevision: entry.revision - 1,
        revision: entry.revision,
        kind: entry.kind,
        risk: entry.risk,
        content: { ...entry.line },
        createdBy: BY_SHOP,
        decidedBy: by,
        createdAt: new Date(entry.at),
        updatedAt: new Date(entry.at),
        proposedAt: new Date(entry.at),
        decidedAt: new Date(entry.at),
      })),
    );
    for (const merchantId of new Set(entries.map(({ merchant_id }) => merchant_id))) {
      const ids = entries.filter(({ merchant_id }) => merchant_id === merchantId).map(({ id }) => id);
      const refs = { merchantId, changeIds: ids.join(",") };
      await mailOwners(tx, merchantId, {
        event: "products-changed",
        notice: "decisions",
        refs,
        about: ids[0]!,
      });
    }
  });
}
