import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { stockState } from "@/lib/catalog/pricing/rules";
import { AVAILABILITY_NOW, type Availability, MAX_QUANTITY, SELLABLE_KEY } from "@/lib/catalog/rules";
import { ShopError } from "@/lib/platform/errors";
import { COUNTED_CLAIM } from "./cart-lines";

type PlanRow = {
  id: number;
  product_id: number;
  price_cents: number;
  availability: Availability;
  purchase_limit: number | null;
  stock: number;
  already_bought: number;
};

export async function findPlan(tx: Tx, userId: string, planId: number): Promise<PlanRow | undefined> {
  const [plan] = await tx.execute<PlanRow>(sql`
    select pl.id, pl.product_id, pl.price_cents, ${sql.raw(AVAILABILITY_NOW)} as availability, pl.purchase_limit,
      (select count(*)::int from (select 1 from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)} limit ${MAX_QUANTITY}) s) as stock,
      (select count(*)::int from purchase_claims pc where pc.plan_id = pl.id and pc.user_id = ${userId}
        and ${sql.raw(COUNTED_CLAIM)}) as already_bought
    from plans pl join products p on p.id = pl.product_id
    where pl.id = ${planId} and pl.listed and p.listed`);
  return plan;
}

export function assertSellable(plan: PlanRow, quantity: number): void {
  const state = stockState(plan);
  if (state === "sold_out") throw new ShopError("sold_out");
  const limit = plan.purchase_limit;
  const exceedsLimit = (units: number) => limit !== null && plan.already_bought + units > limit;
  // A limit that is used up is named before short stock, because more stock would not help.
  const isShort = state !== "pre_order" && plan.stock < quantity;
  if (isShort && !exceedsLimit(1)) throw new ShopError("stock_short", { params: { count: plan.stock } });
  if (limit !== null && exceedsLimit(quantity)) throw new ShopError("purchase_limit", { params: { limit } });
}
