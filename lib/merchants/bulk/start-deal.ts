import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { PlanEdit } from "@/lib/catalog/bulk/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { applyEdits, previewEdits } from "./apply-edits";
import type { DealInput, DealResult } from "./contract";
import { DEAL_PLANS } from "./rules";

/**
 * Starts a deal for all plans that the merchant has on sale: a percentage off the price until a time. Rejects plans
 * with another deal, free plans, and plans whose price was raised in the last 30 days, each by name. `preview` writes
 * nothing.
 * @throws ShopError invalid_input: the end is not in the future; second_factor_required, reauthentication_required
 */
export async function startDeal(
  viewer: MerchantViewer,
  { percent, ends_at, quantity, preview, after }: DealInput,
  locale: Locale,
): Promise<DealResult> {
  const [clock] = await db.execute<{ ahead: boolean }>(
    sql`select ${ends_at}::timestamptz > shop_now() as ahead`,
  );
  if (!clock!.ahead)
    throw new ShopError("invalid_input", {
      issues: [{ path: "ends_at", message: errorMessage("field_time", locale) }],
    });
  const plans = await db.execute<{ id: number }>(sql`
    select pl.id from plans pl join products p on p.id = pl.product_id
    where p.merchant_id = ${viewer.merchant.id} and p.published and pl.listed and pl.availability <> 'paused' and pl.price_cents > 0
    order by p.id, pl.position, pl.id limit ${DEAL_PLANS}`);
  const endsAt = new Date(ends_at).toISOString();
  const edits = plans.map(
    ({ id }, i): PlanEdit => ({ line: i + 1, planId: id, kind: "deal", percent, endsAt, quantity }),
  );
  const read = { edits, refused: [] };
  return preview
    ? { preview: await previewEdits(viewer, read, { sha256: null, locale }), applied: null }
    : { preview: null, applied: await applyEdits(viewer, read, { after, locale }) };
}
