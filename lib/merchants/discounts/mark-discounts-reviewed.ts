import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import { requireShownRow, versionSql } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";

/** SQL: the shop's share `d` of a merchant's sales is high and not reviewed by staff. */
export const NEEDS_REVIEW = sql`d.high_since is not null and d.looked_at is null`;

/** SQL: the version of the shop's share `d`, with the sums that staff see. */
export const DISCOUNTS_VERSION = versionSql(
  sql`d.merchant_id`,
  sql`d.gross_cents`,
  sql`d.discount_cents`,
  sql`d.high_since`,
  sql`d.looked_at`,
);

/**
 * Records that staff have reviewed the shop's high share of a merchant's sales. The merchant must be locked.
 * @throws ShopError nothing_changes: it does not wait for staff; revision_conflict
 */
export async function markDiscountsReviewed(
  tx: Tx,
  merchantId: string,
  { actor, note, version }: SeenVersion & { actor: string; note?: string | undefined },
): Promise<void> {
  const from = sql`merchant_discounts d where d.merchant_id = ${merchantId}`;
  const [waiting] = await tx.execute<{ gross: number; paid: number }>(sql`
    select d.gross_cents::float8 as gross, d.discount_cents::float8 as paid from ${from} and ${NEEDS_REVIEW} for update`);
  if (!waiting) throw new ShopError("nothing_changes");
  await requireShownRow(tx, { version }, { version: DISCOUNTS_VERSION, from });
  await tx.execute(sql`
    update merchant_discounts d set looked_at = shop_now(), looked_gross_cents = gross_cents,
      looked_discount_cents = discount_cents where d.merchant_id = ${merchantId}`);
  const detail = { grossCents: waiting.gross, shopPaidCents: waiting.paid, ...(note && { note }) };
  await audit({ actor, action: "merchant.discounts_looked", subject: merchantId, detail }, tx);
}
