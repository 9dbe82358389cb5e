import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { products } from "@/db/schema/catalog";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { WeakCodes } from "./contract-editor";

/**
 * Sets whether a product accepts codes that may be mistaken for words (lib/delivery/import/rules-form.ts).
 * @throws ShopError product_unknown, nothing_changes
 */
export async function allowWeakCodes(
  { userId: actor }: StaffViewer,
  id: number,
  allowed: boolean,
): Promise<WeakCodes> {
  return transaction(async (tx) => {
    const isProduct = eq(products.id, id);
    const [product] = await tx
      .select({ allowed: products.weakKeys })
      .from(products)
      .where(isProduct)
      .for("update");
    if (!product) throw new ShopError("product_unknown");
    if (product.allowed === allowed) throw new ShopError("nothing_changes");
    await tx.update(products).set({ weakKeys: allowed }).where(isProduct);
    const detail = { before: { weak_codes: !allowed }, after: { weak_codes: allowed } };
    await audit({ actor, action: "product.weak_codes", subject: `product:${id}`, detail }, tx);
    return { product_id: id, allowed };
  });
}
