import { transaction } from "@/db/client";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import { readOwnVersion } from "./change-version";
import { checkChange, toSaved } from "./check-change";
import type { ChangeSaved } from "./contract";
import { insertDraft } from "./create-change";
import { lockPlan, withPlan } from "./lock-plan";
import { proposeWithin } from "./propose-change";

/**
 * Proposes another price of a plan; with `preview` it returns what buyers would see and writes nothing, with `draft` it only files it,
 * for a person to propose. A price within
 * the guardrails of a trusted merchant is live immediately, and requires the member's second factor.
 * @throws ShopError product_unknown, revision_conflict, nothing_changes, invalid_input with the problems of fields,
 * second_factor_required, reauthentication_required
 */
export async function changePlanPrice(
  viewer: MerchantViewer,
  planId: number,
  {
    price,
    preview,
    draft = false,
    locale,
  }: { price: number; preview: boolean; draft?: boolean; locale: Locale },
): Promise<ChangeSaved> {
  const plan = await transaction((tx) => lockPlan(tx, viewer, planId));
  const line = withPlan(plan.line, plan.kind, { price });
  const content = { productId: plan.productId, baseRevision: plan.revision, line };
  const checked = await checkChange(viewer, content, locale);
  if (preview) return toSaved(viewer, checked, { id: null, state: "draft", version: null });
  return transaction(async (tx) => {
    const id = await insertDraft(tx, viewer, checked);
    const { state } = draft
      ? { state: "draft" as const }
      : await proposeWithin(tx, viewer, { id, checked, locale });
    return toSaved(viewer, checked, { id, state, version: await readOwnVersion(tx, id) });
  });
}
