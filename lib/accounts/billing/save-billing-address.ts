import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { billingAddresses, users } from "@/db/schema/accounts";
import { MAX_BILLING_ADDRESSES } from "@/lib/accounts/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { BillingSaved, DeleteBillingInput, SaveBillingInput } from "./contract";
import { selectBillingAddresses } from "./list-billing-addresses";

/**
 * Creates or changes a billing address (docs/product.md#72-accounts). A user with addresses has exactly one default.
 * @throws ShopError address_unknown (also for another user's address), addresses_full, account_missing
 */
export function saveBillingAddress({ userId }: UserViewer, input: SaveBillingInput): Promise<BillingSaved> {
  return withUserLock(userId, async (tx) => {
    const existing = await selectBillingAddresses(tx, userId);
    if (input.address_id && !existing.some((address) => address.address_id === input.address_id))
      throw new ShopError("address_unknown");
    if (!input.address_id && existing.length >= MAX_BILLING_ADDRESSES)
      throw new ShopError("addresses_full", { params: { limit: MAX_BILLING_ADDRESSES } });
    const id = input.address_id ?? newId("adr");
    await storeAddress(tx, userId, id, input);
    if (input.is_default || existing.length === 0) await makeDefault(tx, userId, id);
    return { address_id: id, addresses: await selectBillingAddresses(tx, userId) };
  });
}

async function storeAddress(tx: Tx, userId: string, id: string, input: SaveBillingInput): Promise<void> {
  const values = {
    fullName: input.full_name,
    line1: input.line1,
    line2: input.line2,
    city: input.city,
    region: input.region,
    postalCode: input.postal_code,
    country: input.country,
  };
  if (input.address_id) await tx.update(billingAddresses).set(values).where(eq(billingAddresses.id, id));
  else await tx.insert(billingAddresses).values({ id, userId, ...values });
}

async function makeDefault(tx: Tx, userId: string, id: string): Promise<void> {
  await tx
    .update(billingAddresses)
    .set({ isDefault: false })
    .where(and(eq(billingAddresses.userId, userId), sql`is_default and id <> ${id}`));
  await tx.update(billingAddresses).set({ isDefault: true }).where(eq(billingAddresses.id, id));
}

/**
 * Removes a billing address; the newest remaining one becomes the default (auth/billing/delete, docs/product.md#72-accounts).
 * @throws ShopError address_unknown (also for another user's address), account_missing
 */
export function deleteBillingAddress({ userId }: UserViewer, { address_id: id }: DeleteBillingInput) {
  return withUserLock(userId, async (tx) => {
    const isOwn = and(eq(billingAddresses.id, id), eq(billingAddresses.userId, userId));
    const [deleted] = await tx.delete(billingAddresses).where(isOwn).returning();
    if (!deleted) throw new ShopError("address_unknown");
    const [newest] = deleted.isDefault ? await selectBillingAddresses(tx, userId) : [];
    if (newest) await makeDefault(tx, userId, newest.address_id);
    return { addresses: await selectBillingAddresses(tx, userId) };
  });
}

/** Locks the user's row, which serializes the address changes of one user. */
function withUserLock<T>(userId: string, change: (tx: Tx) => Promise<T>): Promise<T> {
  return transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), sql`deleted_at is null`))
      .for("no key update");
    if (!user) throw new ShopError("account_missing");
    return change(tx);
  });
}

/** Stores where a person lives, ISO 3166-1 with two letters, which later orders use (docs/product.md#82-withdrawal). */
export async function saveCountry(tx: Tx, userId: string, country: string): Promise<void> {
  await tx.update(users).set({ country }).where(eq(users.id, userId));
}
