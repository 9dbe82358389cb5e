import type { CurrentPrice } from "@/lib/catalog/pricing/rules";
import { reductionPercent } from "@/lib/catalog/pricing/rules-effect";
import { toDecimal } from "@/lib/platform/money";
import type { PriceShown } from "./contract-editor";

const toUsd = (cents: number | null): number | null => (cents === null ? null : toDecimal(cents));

/** What buyers see of a plan, as the API says it. */
export const toPriceShown = (plan: string, shown: CurrentPrice): PriceShown => ({
  plan,
  price: toDecimal(shown.priceCents),
  list_price: toUsd(shown.comparison?.cents ?? null),
  list_price_kind: shown.comparison?.kind ?? null,
  lowest_price_30d: toUsd(shown.comparison?.lowestCents ?? null),
  percent: reductionPercent(shown),
});
