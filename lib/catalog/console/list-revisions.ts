import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { findChanges } from "@/lib/catalog/console/rules-changes";
import type { ProductRecord } from "@/lib/catalog/import/contract";
import type { LineSource } from "@/lib/catalog/rules";
import { ShopError } from "@/lib/platform/errors";
import { instant } from "@/lib/platform/instant";
import type { RevisionList } from "./contract-editor";

const REVISIONS_SHOWN = 20;

type RevisionRow = {
  revision: number;
  source: LineSource;
  by: string | null;
  at: string;
  note: string | null;
  line: ProductRecord;
};

/**
 * The revisions of a product before a number, the newest first, each with what it changed.
 * @throws ShopError product_unknown
 */
export async function listRevisions(id: number, before?: number): Promise<RevisionList> {
  const [product] = await db.execute(sql`select 1 from products where id = ${id}`);
  if (!product) throw new ShopError("product_unknown");
  const rows = await db.execute<RevisionRow>(sql`
    select r.revision, r.source, coalesce(u.email, k.name) as by, to_json(r.created_at) as at, r.note, r.line
    from product_revisions r left join users u on u.id = r.by left join api_tokens k on 'token:' || k.id = r.by
    where r.product_id = ${id} and r.revision < ${before ?? 2_147_483_647}
    order by r.revision desc limit ${REVISIONS_SHOWN + 1}`);
  const shown = rows.slice(0, REVISIONS_SHOWN);
  return {
    items: shown.map(({ line, at, ...row }, i) => ({
      ...row,
      at: instant(at),
      changes: rows[i + 1] ? findChanges(rows[i + 1]!.line, line) : [],
    })),
    next_before: rows.length > REVISIONS_SHOWN ? (shown.at(-1)?.revision ?? null) : null,
  };
}

/** The record of a revision, without ended deals. @throws ShopError revision_unknown */
export async function readRevision(id: number, revision: number, within: Db = db): Promise<ProductRecord> {
  const [found] = await within.execute<{ line: ProductRecord; now: string }>(sql`
    select line, to_json(shop_now()) as now from product_revisions where product_id = ${id} and revision = ${revision}`);
  if (!found) throw new ShopError("revision_unknown");
  const isRunning = (deal: { ends_at: string }) => new Date(deal.ends_at) > new Date(found.now);
  const plans = found.line.plans.map((plan) => ({
    ...plan,
    deal: plan.deal && isRunning(plan.deal) ? plan.deal : null,
  }));
  return { ...found.line, plans };
}
