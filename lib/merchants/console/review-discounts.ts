import { transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { markDiscountsReviewed } from "@/lib/merchants/discounts/mark-discounts-reviewed";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import type { DiscountsReviewed } from "./contract-merchants";
import { requireMerchant } from "./require-merchant";

/**
 * Records that someone has reviewed the share of a merchant's sales that the shop's coupons paid. It is flagged again
 * once it has grown.
 * @throws ShopError merchant_unknown, nothing_changes, revision_conflict: it was recounted since, note_has_code
 */
export async function reviewDiscounts(
  { userId: actor }: StaffViewer,
  id: string,
  { note, ...seen }: SeenVersion & { note?: string | undefined },
): Promise<DiscountsReviewed> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    await requireMerchant(tx, id);
    await markDiscountsReviewed(tx, id, { actor, note, ...seen });
    return { merchant_id: id };
  });
}
