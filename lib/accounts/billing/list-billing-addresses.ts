import { desc, eq } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { billingAddresses } from "@/db/schema/accounts";
import { listCardsWithTimeout } from "@/lib/payments/cards/list-cards";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { BillingAddress, BillingList, BillingPage } from "./contract";

/** The viewer's billing addresses, the default first, then the newest (auth/billing/list, docs/product.md#72-accounts). */
export async function listBillingAddresses(viewer: UserViewer): Promise<BillingList> {
  return { addresses: await selectBillingAddresses(db, viewer.userId) };
}

export function selectBillingAddresses(tx: Pick<Db, "select">, userId: string): Promise<BillingAddress[]> {
  return tx
    .select({
      address_id: billingAddresses.id,
      full_name: billingAddresses.fullName,
      line1: billingAddresses.line1,
      line2: billingAddresses.line2,
      city: billingAddresses.city,
      region: billingAddresses.region,
      postal_code: billingAddresses.postalCode,
      country: billingAddresses.country,
      is_default: billingAddresses.isDefault,
    })
    .from(billingAddresses)
    .where(eq(billingAddresses.userId, userId))
    .orderBy(desc(billingAddresses.isDefault), desc(billingAddresses.createdAt), desc(billingAddresses.id));
}

export async function getBillingPage(viewer: UserViewer): Promise<BillingPage> {
  const [{ addresses }, cards] = await Promise.all([
    listBillingAddresses(viewer),
    listCardsWithTimeout(viewer),
  ]);
  return { addresses, cards };
}
