import { useTranslations } from "next-intl";
import { FieldError } from "@/components/ui/field";
import { useSurface } from "@/components/ui/surface";
import type { EditedPlan, PriceShown } from "@/lib/catalog/console/contract-editor";
import type { PlanLine } from "@/lib/catalog/import/contract";
import { type EditedPrices, priceEffect, reductionPercent } from "@/lib/catalog/pricing/rules-effect";
import type { PriceProblem } from "@/lib/catalog/pricing/rules-guardrails";
import type { PriceEntry } from "@/lib/catalog/pricing/rules-history";
import { formatPrice, toCents, toDecimal } from "@/lib/platform/money";

const ERRORS = {
  too_soon: "price_too_soon",
  too_many: "price_too_many",
  needs_approval: "price_needs_approval",
  raised_recently: "price_raised",
} as const satisfies Record<PriceProblem, string>;

const isAmount = (amount: number | null): amount is number =>
  amount !== null && Number.isFinite(amount) && amount >= 0 && Math.round(amount * 100) / 100 === amount;

/** The prices of a plan's line; null while they are no amounts. */
function toPrices(plan: PlanLine, claimed: number): EditedPrices | null {
  const { price, list_price, deal, duration_days: days } = plan;
  if (days !== null && !(Number.isSafeInteger(days) && days > 0)) return null;
  if (!isAmount(price) || (list_price !== null && !isAmount(list_price))) return null;
  const endsAt = deal ? Date.parse(deal.ends_at) : 0;
  if (deal && (!isAmount(deal.price) || !Number.isFinite(endsAt) || !(deal.quantity > 0))) return null;
  return {
    durationDays: days,
    regularCents: toCents(price),
    listPriceCents: list_price === null ? null : toCents(list_price),
    deal: deal && { cents: toCents(deal.price), endsAt, quantity: deal.quantity, claimed },
  };
}

const toHistory = ({ history }: EditedPlan): PriceEntry[] =>
  history.map(({ kind, price, at, deal_id }) => ({
    kind,
    cents: price === null ? null : toCents(price),
    at: Date.parse(at),
    dealId: deal_id,
  }));

export type PlanEffect = { shown: PriceShown; problem: PriceProblem | null };

/** What buyers will see of a plan, and the rule that its prices break; null while they are no amounts. */
export function planEffect(
  line: PlanLine,
  base: PlanLine | undefined,
  stored: EditedPlan | undefined,
): PlanEffect | null {
  const sold = stored?.deal_sold ?? 0;
  const keepsDeal = base?.deal?.ends_at === line.deal?.ends_at;
  const next = toPrices(line, keepsDeal ? sold : 0);
  if (!next) return null;
  const current = base ? toPrices(base, sold) : null;
  const { shown, problem } = priceEffect(current, next, stored ? toHistory(stored) : [], new Date());
  const usd = (cents: number | null | undefined) =>
    cents === null || cents === undefined ? null : toDecimal(cents);
  return {
    problem,
    shown: {
      plan: stored?.plan ?? "",
      price: toDecimal(shown.priceCents),
      list_price: usd(shown.comparison?.cents),
      list_price_kind: shown.comparison?.kind ?? null,
      lowest_price_30d: usd(shown.comparison?.lowestCents),
      percent: reductionPercent(shown),
    },
  };
}

/** What buyers see at a price: "$9.90, −12 % of $11.25; lowest in 30 days $11.25". */
export function useShownText() {
  const t = useTranslations("console.editor");
  const { locale } = useSurface();
  const money = (usd: number) => formatPrice(toCents(usd), locale);
  return ({ price, list_price, list_price_kind, lowest_price_30d, percent }: PriceShown): string => {
    if (list_price === null) return t("shows", { price: money(price) });
    if (list_price_kind === "vendor" || lowest_price_30d === null)
      return t("shows_vendor", { price: money(price), list: money(list_price) });
    const [list, lowest] = [money(list_price), money(lowest_price_30d)];
    return t("shows_reduced", { price: money(price), list, lowest, percent: percent ?? 0 });
  };
}

/** The effect of a plan's prices before they are saved. */
export function EffectLine({ effect, changed }: { effect: PlanEffect; changed: boolean }) {
  const t = useTranslations("console.editor");
  const errors = useTranslations("errors");
  const shownText = useShownText();
  return (
    <div className="flex flex-col gap-1">
      <p className="figures text-13 text-quiet">
        {t(changed ? "buyers_will_see" : "buyers_see")} {shownText(effect.shown)}
      </p>
      {effect.problem && <FieldError>{errors(ERRORS[effect.problem])}</FieldError>}
    </div>
  );
}
