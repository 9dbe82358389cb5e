import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { planKind } from "@/lib/catalog/import/rules-line";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { applyChange, mailPause } from "./apply-change";
import type { PlanPaused } from "./contract";
import { insertDraft } from "./create-change";
import { lockPlan, type PlanOfProduct, withPlan } from "./lock-plan";
import { AUTOMATIC } from "./rules";

/** Revisions that record who paused a plan. */
const REVISIONS_READ = 200;

/** Whether the plan's pause was the merchant's own: it wrote the revision in which the plan became paused. */
async function isOwnPause(
  tx: Tx,
  { merchant }: MerchantViewer,
  { productId, kind }: PlanOfProduct,
): Promise<boolean> {
  const [row] = await tx.execute<{ own: boolean }>(sql`
    with newest as (select revision, by, line from product_revisions where product_id = ${productId} order by revision desc limit ${REVISIONS_READ}),
      paused as (select revision, by, exists (select from jsonb_array_elements(line->'plans') x
          where (x->>'type') || coalesce(':' || (x->>'duration_days'), '') = ${kind} and x->>'availability' = 'paused') as is_paused from newest),
      begun as (select by from (select *, lag(is_paused) over (order by revision) as was_paused from paused) p
        where is_paused and (was_paused is false or (was_paused is null and revision = 1)) order by revision desc limit 1)
    select exists (select from merchant_members m where m.merchant_id = ${merchant.id} and m.user_id = begun.by)
      or exists (select from api_tokens t where t.merchant_id = ${merchant.id} and 'token:' || t.id = begun.by) as own from begun`);
  return row?.own ?? false;
}

/**
 * Takes a plan off sale immediately and mails the owners, or puts it back on sale if the merchant itself paused it. A plan in
 * that state already stays as it is.
 * @throws ShopError product_unknown, pause_by_shop, invalid_input with the problems of fields
 */
export async function pausePlan(
  viewer: MerchantViewer,
  planId: number,
  { paused, locale }: { paused: boolean; locale: Locale },
): Promise<PlanPaused> {
  return transaction(async (tx) => {
    const plan = await lockPlan(tx, viewer, planId);
    const current = plan.line.plans.find((one) => planKind(one) === plan.kind);
    if ((current?.availability === "paused") === paused)
      return { vip_id: planId, paused, revision: plan.revision };
    if (!paused && !(await isOwnPause(tx, viewer, plan))) throw new ShopError("pause_by_shop");
    const resumed = current?.releases_on ? "pre_order" : "in_stock";
    const content = withPlan(plan.line, plan.kind, { availability: paused ? "paused" : resumed });
    const id = await insertDraft(tx, viewer, {
      productId: plan.productId,
      baseRevision: plan.revision,
      kind: "availability",
      risk: "low",
      content,
      needs_approval: false,
      changes: [],
      prices: [],
    });
    const [change] = await tx
      .update(productChanges)
      .set({ state: "proposed", proposedAt: sql`shop_now()` })
      .where(eq(productChanges.id, id))
      .returning();
    const revision = await applyChange(tx, change!, { decidedBy: AUTOMATIC, locale });
    const detail = { product: plan.productId, plan: plan.kind, change: id, revision };
    const action = paused ? "plan.paused" : "plan.resumed";
    await audit({ actor: viewer.actor, action, subject: `plan:${planId}`, detail }, tx);
    if (paused) await mailPause(tx, viewer, { productId: plan.productId, plans: [plan.kind] });
    return { vip_id: planId, paused, revision };
  });
}
