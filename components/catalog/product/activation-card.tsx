import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { DefinitionRows } from "@/components/ui/definition-rows";
import type { ActivationView, ProductDetail, VipOption } from "@/lib/catalog/contract";
import { formatDate } from "@/lib/platform/format";
import { countryNames } from "./country-names";
import { Steps } from "./text-blocks";

type Guide = { guide: ActivationView; plans: VipOption[] };

/** Where and how a code is redeemed. A pass with different instructions has its own card. */
export function Activation({ product, lang }: { product: ProductDetail; lang?: string }) {
  const t = useTranslations("catalog.product");
  const labels = usePassLabels();
  const guides = groupByGuide(product);
  if (guides.length === 0) return null;
  return (
    <section aria-labelledby="activate">
      <h2 id="activate" className="pb-3 text-21">
        {t("activate")}
      </h2>
      <div className="flex flex-col gap-5">
        {guides.map(({ guide, plans }) => (
          <div key={plans[0]?.vip_id} className="rounded-ticket border border-hairline bg-raised p-5">
            {guides.length > 1 && (
              <h3 className="pb-3 font-medium">{plans.map((plan) => labels.name(plan)).join(" · ")}</h3>
            )}
            <Steps texts={guide.steps} lang={lang} />
            <Conditions guide={guide} plans={plans} />
          </div>
        ))}
      </div>
    </section>
  );
}

function groupByGuide({ vip_options }: ProductDetail): Guide[] {
  const guides = new Map<string, Guide>();
  for (const plan of vip_options) {
    const key = JSON.stringify(plan.activation);
    const group = guides.get(key) ?? { guide: plan.activation, plans: [] };
    guides.set(key, { ...group, plans: [...group.plans, plan] });
  }
  return [...guides.values()].filter(({ guide }) => guide.steps.length > 0);
}

function Conditions({ guide, plans }: Guide) {
  const t = useTranslations("catalog.product");
  const locale = useLocale();
  const formatShared = useSharedValue(plans);
  const region = ({ region }: VipOption) =>
    region.includes("worldwide") ? t("region_worldwide") : countryNames(region, locale);
  const redeemBy = ({ redeem_by }: VipOption) => (redeem_by === null ? null : formatDate(redeem_by, locale));
  const by = formatShared(redeemBy, t("no_date"));
  const host = guide.url !== null && (
    <a href={guide.url} rel="noopener nofollow" className="text-link [overflow-wrap:anywhere]">
      {new URL(guide.url).host}
    </a>
  );
  return (
    <DefinitionRows
      className="mt-4 border-t border-hairline text-13"
      rows={[
        host && { term: t("redeem_at"), value: host },
        { term: t("region"), value: formatShared(region) },
        by !== null && { term: t("redeem_until"), value: by },
      ]}
    />
  );
}

/** Formats a value once when all passes share it, else next to each name. Null when no pass has it. */
function useSharedValue(plans: readonly VipOption[]) {
  const labels = usePassLabels();
  return (format: (plan: VipOption) => string | null, none?: string) => {
    const values = plans.map((plan) => ({ plan, text: format(plan) }));
    const [first] = values;
    if (!values.some(({ text }) => text !== null)) return null;
    if (values.every(({ text }) => text === first?.text)) return first?.text;
    return values.map(({ plan, text }) => (
      <span key={plan.vip_id} className="block">
        {`${labels.name(plan)} · ${text ?? none}`}
      </span>
    ));
  };
}
