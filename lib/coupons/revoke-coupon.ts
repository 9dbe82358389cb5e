import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { returnBudget } from "@/lib/coupons/campaigns/charge-budget";
import { audit } from "@/lib/platform/audit";

/** Revokes an unused coupon. Returns `in_use` when an order holds or used it, and null for an unknown code. */
export async function revokeCoupon(
  code: string,
  reason: string,
  by: string,
): Promise<"done" | "already" | "in_use" | null> {
  return transaction(async (tx) => {
    const [coupon] = await tx.select().from(coupons).where(eq(coupons.code, code)).for("update");
    if (!coupon) return null;
    if (coupon.state === "revoked") return "already";
    if (coupon.state !== "open") return "in_use";
    await tx.update(coupons).set({ state: "revoked", promisedCents: 0 }).where(eq(coupons.id, coupon.id));
    await returnBudget(tx, coupon);
    await audit({ actor: by, action: "coupon_revoked", subject: coupon.id, detail: { reason } }, tx);
    return "done";
  });
}
