import { useTranslations } from "next-intl";
import { FieldError } from "@/components/ui/field";
import { useSurface } from "@/components/ui/surface";
import type { PriceShown } from "@/lib/catalog/console/contract-editor";
import type { PlanEffect } from "@/lib/catalog/console/rules-effect";
import type { PriceProblem } from "@/lib/catalog/pricing/rules-guardrails";
import { formatPrice, toCents } from "@/lib/platform/money";

const ERRORS = {
  too_soon: "price_too_soon",
  too_many: "price_too_many",
  needs_approval: "price_needs_approval",
  raised_recently: "price_raised",
} as const satisfies Record<PriceProblem, string>;

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
