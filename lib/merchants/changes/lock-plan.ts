import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { PlanRecord, ProductRecord } from "@/lib/catalog/import/contract";
import { readProductRecords } from "@/lib/catalog/import/read-product-records";
import { planKind } from "@/lib/catalog/import/rules-line";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";

/** A plan that a merchant changes outside the editor. It is recorded as a change too. */
export type PlanOfProduct = { productId: number; revision: number; kind: string; line: ProductRecord };

/** A listed plan of the merchant and its product's record. Locks the product. @throws ShopError product_unknown */
export async function lockPlan(tx: Tx, { merchant }: MerchantViewer, planId: number): Promise<PlanOfProduct> {
  const [found] = await tx.execute<Omit<PlanOfProduct, "line">>(sql`
    select p.id as "productId", p.revision, pl.type || coalesce(':' || pl.duration_days, '') as kind
    from plans pl join products p on p.id = pl.product_id
    where pl.id = ${planId} and pl.listed and p.merchant_id = ${merchant.id} for no key update of p`);
  const line = found && (await readProductRecords([found.productId], tx)).get(found.productId);
  if (!found || !line) throw new ShopError("product_unknown");
  return { ...found, line };
}

export const withPlan = (line: ProductRecord, kind: string, fields: Partial<PlanRecord>): ProductRecord => ({
  ...line,
  plans: line.plans.map((plan) => (planKind(plan) === kind ? { ...plan, ...fields } : plan)),
});

/**
 * Locks a product of the merchant, and returns it with its record.
 * @throws ShopError product_unknown
 */
export async function lockOwnProduct(
  tx: Tx,
  { merchant }: MerchantViewer,
  id: number,
): Promise<Omit<PlanOfProduct, "kind">> {
  const [found] = await tx.execute<{ productId: number; revision: number }>(sql`
    select p.id as "productId", p.revision from products p where p.id = ${id} and p.merchant_id = ${merchant.id} for no key update`);
  const line = found && (await readProductRecords([found.productId], tx)).get(found.productId);
  if (!found || !line) throw new ShopError("product_unknown");
  return { ...found, line };
}
