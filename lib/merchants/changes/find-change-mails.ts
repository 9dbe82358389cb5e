import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MailProps } from "@/emails/render";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import { memberNameSql } from "@/lib/merchants/states/member-name-sql";
import type { Locale } from "@/lib/platform/i18n/locales";

/** What the email about a decision says; null: the change is in another state now. */
export async function findDecidedChange(
  id: string,
  state: "approved" | "returned" | "refused",
  locale: Locale,
) {
  const [row] = await db.execute<{ product: string; path: string; note: string }>(sql`
    select coalesce(c.content #>> array['texts', ${locale}::text, 'name'], translate_product_text(c.content #>> '{texts,en,name}', ${locale})) as product,
      '/merchant/' || m.handle || '/changes/' || c.id as path, coalesce(c.note, '') as note
    from product_changes c join merchants m on m.id = c.merchant_id where c.id = ${id} and c.state = ${state}`);
  return row ?? null;
}

/** What the email about products that the shop changed says; null: nothing is left of it. */
export async function findProductsChanged(
  merchantId: string,
  changeIds: readonly string[],
  locale: Locale,
): Promise<MailProps["products-changed"] | null> {
  const rows = await db.execute<{ name: string; handle: string }>(sql`
    select coalesce(c.content #>> array['texts', ${locale}::text, 'name'], translate_product_text(c.content #>> '{texts,en,name}', ${locale})) as name, m.handle
    from product_changes c join merchants m on m.id = c.merchant_id
    where c.merchant_id = ${merchantId} and c.id = any(${sql.param([...changeIds])}::text[]) order by name`);
  const [first] = rows;
  if (!first) return null;
  const path = `/merchant/${first.handle}/changes${rows.length === 1 ? `/${changeIds[0]}` : ""}`;
  return { products: rows.map(({ name }) => name), path };
}

type PausedPlan = { name: string; handle: string; by: string | null; type: PassType; days: number | null };

/** The email to an owner about plans of a product that a member took off sale, and that no one has resumed since. */
export async function findPauseMail(
  merchantId: string,
  { productId, plans, actor, locale }: { productId: number; plans: string[]; actor: string; locale: Locale },
): Promise<MailProps["plan-paused"] | null> {
  const rows = await db.execute<PausedPlan>(sql`
    select coalesce(${productNameSql("p.id", locale)}, p.slug) as name, m.handle, ${memberNameSql(sql`${actor}`)} as by,
      x.type, x.duration_days as days
    from plans x join products p on p.id = x.product_id join merchants m on m.id = p.merchant_id
    where p.id = ${productId} and m.id = ${merchantId} and x.availability = 'paused'
      and x.type || coalesce(':' || x.duration_days, '') = any(${sql.param(plans)}::text[]) order by x.position`);
  const [first] = rows;
  if (!first) return null;
  const labels = rows.map(({ type, days }) => passLabel({ pass_type: type, duration_days: days }, locale));
  return { handle: first.handle, productId, product: first.name, plans: labels, by: first.by ?? actor };
}
