import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ReportTarget } from "./contract";
import type { ReportKind } from "./rules";

const FINDERS: Record<ReportKind, (target: string, locale: Locale) => Promise<ReportTarget[]>> = {
  product: (slug, locale) =>
    db.execute<ReportTarget>(sql`
      select p.id::text as id, coalesce(t.name, translate_product_text(e.name, ${locale})) as name from products p
      left join product_texts t on t.product_id = p.id and t.locale = ${locale}
      left join product_texts e on e.product_id = p.id and e.locale = 'en'
      where p.slug = ${slug} and p.listed`),
  review: (id) =>
    db.execute<ReportTarget>(
      sql`select r.id, r.title as name from reviews r where r.id = ${id} and r.state = 'published'`,
    ),
  seller: (handle) =>
    db.execute<ReportTarget>(
      sql`select m.id, m.name from merchants m where m.handle = ${handle} and m.state in ('active', 'paused')`,
    ),
};

/** The reported thing that an address names; null unless shoppers can see it. */
export async function findTarget(
  kind: ReportKind,
  target: string,
  locale: Locale,
): Promise<ReportTarget | null> {
  const [found] = await FINDERS[kind](target, locale);
  return found ?? null;
}

/** SQL: whether shoppers can see what the report `w` is about. */
export const SHOWN_SQL = sql`(case w.kind
  when 'product' then exists (select from products p where p.id::text = w.target_id and p.listed)
  when 'review' then exists (select from reviews v where v.id = w.target_id and v.state = 'published')
  else exists (select from merchants m where m.id = w.target_id and m.state in ('active', 'paused')) end)`;

/** SQL: whether a restriction would change what the report `w` is about; what its merchant's state hides comes back with it. */
export const STANDING_SQL = sql`(case w.kind
  when 'product' then exists (select from products p where p.id::text = w.target_id and p.published) else ${SHOWN_SQL} end)`;

/** Whom a decision about a report concerns: the reviewer, or the owners of the product's merchant or of the seller. */
export function listAffected(
  tx: Db,
  kind: ReportKind,
  targetId: string,
): Promise<{ id: string; email: string; locale: string }[]> {
  return kind === "review"
    ? tx.execute(sql`
        select u.id, u.email, u.locale from reviews r join users u on u.id = r.user_id
        where r.id = ${targetId} and u.deleted_at is null and u.email_verified_at is not null`)
    : tx.execute(sql`
        select u.id, u.email, u.locale from merchant_members b join users u on u.id = b.user_id
        where b.role = 'owner' and b.ended_at is null and u.deleted_at is null and b.merchant_id = ${
          kind === "seller"
            ? sql`${targetId}`
            : sql`(select p.merchant_id from products p where p.id::text = ${targetId})`
        } order by u.id`);
}
