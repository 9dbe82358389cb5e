import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { planKind } from "@/lib/catalog/import/rules-line";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { applyChange, mailPause } from "./apply-change";
import type { PlanPaused, ProductPaused } from "./contract";
import { insertDraft } from "./create-change";
import { lockOwnProduct, lockPlan, type PlanOfProduct, withPlan } from "./lock-plan";
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

/** A product that a merchant pauses or resumes, and the kinds of its plans that change. */
type PausedProduct = Omit<PlanOfProduct, "kind"> & { kinds: readonly string[] };

/** Writes plans as paused, or as sold again, as one change of a locked product, and mails the owners. Returns its revision. */
async function writePause(
  tx: Tx,
  viewer: MerchantViewer,
  { productId, revision: baseRevision, line, kinds }: PausedProduct,
  { paused, locale }: { paused: boolean; locale: Locale },
): Promise<number> {
  let content = line;
  for (const plan of line.plans)
    if (kinds.includes(planKind(plan))) {
      const resumed = plan.releases_on ? "pre_order" : "in_stock";
      content = withPlan(content, planKind(plan), { availability: paused ? "paused" : resumed });
    }
  const id = await insertDraft(tx, viewer, {
    productId,
    baseRevision,
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
  const detail = { product: productId, plans: kinds, change: id, revision };
  const action = paused ? "plan.paused" : "plan.resumed";
  await audit({ actor: viewer.actor, action, subject: `product:${productId}`, detail }, tx);
  if (paused) await mailPause(tx, viewer, { productId, plans: kinds });
  return revision;
}

const isPaused = ({ availability }: { availability: string }) => availability === "paused";

/**
 * Takes a plan off sale immediately and mails the owners, or puts it back on sale if the merchant itself paused it. A plan in
 * that state already stays as it is. Proposals that wait keep waiting.
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
    const revision = await writePause(tx, viewer, { ...plan, kinds: [plan.kind] }, { paused, locale });
    return { vip_id: planId, paused, revision };
  });
}

/**
 * The same for all plans of a product: pauses those on sale, or resumes those that the merchant itself paused.
 * @throws ShopError product_unknown, pause_by_shop: every paused plan was paused by the shop, invalid_input
 */
export async function pauseProduct(
  viewer: MerchantViewer,
  productId: number,
  { paused, locale }: { paused: boolean; locale: Locale },
): Promise<ProductPaused> {
  return transaction(async (tx) => {
    const product = await lockOwnProduct(tx, viewer, productId);
    const kinds: string[] = [];
    const changing = product.line.plans.filter((plan) => isPaused(plan) !== paused).map(planKind);
    for (const kind of changing)
      if (paused || (await isOwnPause(tx, viewer, { ...product, kind }))) kinds.push(kind);
    if (changing.length > 0 && kinds.length === 0) throw new ShopError("pause_by_shop");
    if (kinds.length === 0) return { product_id: productId, plans: [], revision: product.revision };
    const revision = await writePause(tx, viewer, { ...product, kinds }, { paused, locale });
    return { product_id: productId, plans: kinds, revision };
  });
}
