import { desc, eq } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { billingAddresses } from "@/db/schema/accounts";
import type { CardView } from "@/lib/payments/contract-cards";
import { peekCards } from "@/lib/payments/queries-cards";
import type { UserViewer } from "@/lib/session";
import type { BillingAddress, BillingList } from "./contract-billing";

/** The viewer's billing addresses, the default first, then the newest (spec §7 auth/billing/list). */
export async function listBillingAddresses(viewer: UserViewer): Promise<BillingList> {
  return { addresses: await addressesOf(db, viewer.userId) };
}

export function addressesOf(from: Pick<Db, "select">, userId: string): Promise<BillingAddress[]> {
  return from
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

/** What the page shows; `cards` null: the payment provider does not answer now. */
export type BillingPage = { addresses: BillingAddress[]; cards: CardView[] | null };

export async function getBillingPage(viewer: UserViewer): Promise<BillingPage> {
  const [{ addresses }, cards] = await Promise.all([listBillingAddresses(viewer), peekCards(viewer)]);
  return { addresses, cards };
}
