import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { type LockedMerchant, lockMerchant, MERCHANT_VERSION } from "@/lib/merchants/states/change-state";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";

/** @throws ShopError merchant_unknown */
export async function requireMerchant(tx: Tx, id: string): Promise<LockedMerchant> {
  const merchant = await lockMerchant(tx, id);
  if (!merchant) throw new ShopError("merchant_unknown");
  return merchant;
}

/**
 * Like `requireMerchant`, for a merchant that has not changed since it was shown.
 * @throws ShopError merchant_unknown, revision_conflict
 */
export async function requireShownMerchant(tx: Tx, id: string, seen: SeenVersion): Promise<LockedMerchant> {
  const merchant = await requireMerchant(tx, id);
  await requireShownRow(tx, seen, { version: MERCHANT_VERSION, from: sql`merchants m where m.id = ${id}` });
  return merchant;
}
