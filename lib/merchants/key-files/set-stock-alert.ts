import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { StockAlertSet } from "./contract";
import { DEFAULT_ALERT, type StockAlert } from "./rules";

/** Sets when the owners are notified that the codes of a plan run low. @throws ShopError plan_unknown */
export async function setStockAlert(
  { merchant, actor }: MerchantViewer,
  planId: number,
  { kind, value }: StockAlert,
): Promise<StockAlertSet> {
  return transaction(async (tx) => {
    const [own] = await tx.execute<{ kind: StockAlert["kind"] | null; value: number | null }>(sql`
      select a.kind, a.value from plans x join products p on p.id = x.product_id left join stock_alerts a on a.plan_id = x.id
      where x.id = ${planId} and p.merchant_id = ${merchant.id} for update of x`);
    if (!own) throw new ShopError("plan_unknown");
    const before = own.kind === null ? DEFAULT_ALERT : own;
    if (before.kind !== kind || before.value !== value) {
      await tx.execute(sql`
        insert into stock_alerts (plan_id, kind, value) values (${planId}, ${kind}, ${value})
        on conflict (plan_id) do update set kind = excluded.kind, value = excluded.value, notified_at = null`);
      const detail = { merchant: merchant.id, before, after: { kind, value } };
      await audit({ actor, action: "stock_alert.set", subject: String(planId), detail }, tx);
    }
    return { plan_id: planId, kind, value };
  });
}
