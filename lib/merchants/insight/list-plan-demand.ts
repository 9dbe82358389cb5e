import type { DemandInput, PlanDemandList } from "@/lib/merchants/insight/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import { readPlans, toPlanName } from "./list-plan-figures";
import { readDemand } from "./read-demand";

/**
 * The stock, wait-list and forecast of each plan; each statement reads at most 2,100 rows.
 * @throws ShopError cursor_invalid
 */
export async function listPlanDemand(
  viewer: MerchantViewer,
  input: DemandInput,
  locale: Locale,
): Promise<PlanDemandList> {
  const page = await readPlans(viewer, input, locale);
  const demand = await readDemand(page.items.map(({ vip_id }) => vip_id));
  const items = page.items.map((row) => ({ ...toPlanName(row, locale), ...demand.get(row.vip_id)!.shown }));
  return { ...page, items };
}
