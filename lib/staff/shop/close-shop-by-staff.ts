import { db } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { closeShop, openShop } from "@/lib/platform/shop-closure";
import type { CloseShopInput, ShopState } from "@/lib/staff/shop/contract";
import { getShopState } from "./get-shop-state";

/**
 * Closes the shop (docs/operations.md#close-the-shop).
 * @throws ShopError nothing_changes: it is closed, with its first reason; note_has_code
 */
export async function closeShopByStaff(
  { userId }: StaffViewer,
  { reason }: CloseShopInput,
): Promise<ShopState> {
  await requireNoCode(db, reason);
  if (!(await closeShop(reason, userId))) throw new ShopError("nothing_changes");
  return getShopState();
}

/** Opens the shop; jobs and emails that waited go on. @throws ShopError nothing_changes: it is open */
export async function openShopByStaff({ userId }: StaffViewer): Promise<ShopState> {
  if (!(await openShop(userId))) throw new ShopError("nothing_changes");
  return getShopState();
}
