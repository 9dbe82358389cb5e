import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import type { MERCHANT_TRUST } from "@/lib/merchants/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { requireShownMerchant } from "./require-merchant";

/**
 * Sets whether low-risk changes of a merchant need no approval.
 * @throws ShopError merchant_unknown, revision_conflict, nothing_changes
 */
export async function changeTrust(
  { userId: actor }: StaffViewer,
  id: string,
  { trust, ...seen }: SeenVersion & { trust: (typeof MERCHANT_TRUST)[number] },
) {
  return transaction(async (tx) => {
    const merchant = await requireShownMerchant(tx, id, seen);
    if (merchant.trust === trust) throw new ShopError("nothing_changes");
    await tx.update(merchants).set({ trust }).where(eq(merchants.id, id));
    const detail = { before: { trust: merchant.trust }, after: { trust } };
    await audit({ actor, action: "merchant.trust", subject: id, detail }, tx);
    return { merchant_id: id, trust };
  });
}
