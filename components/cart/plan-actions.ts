import { announceCartChange } from "@/components/shell/session-summary";
import { api } from "@/lib/platform/api/client";
import { buyNow } from "./buy-now";
import { claimFreePass } from "./claim-free-pass";

type Plan = { productId: number; vipId: number };
/** Where the pass went: a page to open, or the cart; or why it could not be done. */
export type Done = { href: string } | "in_cart" | { code: string; message: string };

/** The calls of a product's buttons. They load with the first press, so that public pages do not carry them. */
export async function sendPlanAction(
  action: "buy" | "cart" | "claim",
  plan: Plan,
  networkMessage: string,
): Promise<Done> {
  if (action === "buy") {
    const result = await buyNow(plan.vipId, networkMessage);
    return result.ok ? { href: `/checkout?order_id=${result.data.order_id}` } : result;
  }
  if (action === "claim") {
    const result = await claimFreePass(plan, networkMessage);
    return result.ok ? { href: `/payment/success?order_id=${result.data.order_id}` } : result;
  }
  const body = { product_id: plan.productId, vip_id: plan.vipId, quantity: 1 };
  const result = await api.post("/cart/add", body, { networkMessage });
  if (!result.ok) return result;
  announceCartChange(result.data.total);
  return "in_cart";
}
