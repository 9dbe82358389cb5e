import { transaction } from "@/db/client";
import type { MerchantState } from "@/lib/merchants/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import { changeState, lockMerchant, notifyOwners } from "./change-state";

/**
 * Takes the merchant's own products off the shop and mails all owners, or puts them back. Staff's suspension stays.
 * @throws ShopError merchant_state
 */
export async function changeOwnState(
  { merchant: { id }, actor }: MerchantViewer,
  change: "pause" | "resume",
): Promise<{ state: MerchantState }> {
  return transaction(async (tx) => {
    const merchant = await lockMerchant(tx, id);
    if (!merchant || (change === "resume" && merchant.state !== "paused"))
      throw new ShopError("merchant_state");
    const state = await changeState(tx, merchant, change, { actor });
    if (change === "pause") await notifyOwners(tx, merchant, state, "");
    return { state };
  });
}
