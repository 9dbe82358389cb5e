"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Pill } from "@/components/console/pill";
import { RecordTable } from "@/components/console/record";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import { formatPrice, toCents } from "@/lib/platform/money";

type Shown = {
  price: number;
  list_price: number | null;
  list_price_kind: string | null;
  lowest_price_30d: number | null;
  percent: number | null;
};
type Effect = {
  line: number;
  vip_id: number;
  product: string;
  plan: string;
  before: number;
  after: number;
  shown: Shown;
  needs_approval: boolean;
};

const PAGE = 50;

/** What buyers will see of each plan whose price changes, fifty at a time. `count`: of all, also those that are not listed. */
export function PriceEffects({ effects, count }: { effects: readonly Effect[]; count: number }) {
  const t = useTranslations("console.bulk");
  const { locale } = useSurface();
  const shownText = useShown();
  const [start, setStart] = useState(0);
  if (effects.length === 0) return null;
  const money = (usd: number) => formatPrice(toCents(usd), locale);
  return (
    <section aria-label={t("effects")} className="flex flex-col gap-3">
      <h2 className="text-17 font-semibold">{t("effects")}</h2>
      <RecordTable
        label={t("effects")}
        rows={effects.slice(start, start + PAGE)}
        rowId={({ vip_id }) => String(vip_id)}
        empty=""
        columns={[
          {
            name: t("pass"),
            cell: ({ product, plan }) => (
              <>
                {product} <code className="font-mono text-13 text-quiet">{plan}</code>
              </>
            ),
          },
          { name: t("before"), end: true, cell: ({ before }) => money(before) },
          { name: t("after"), end: true, cell: ({ after }) => money(after) },
          {
            name: t("shown"),
            cell: ({ shown, needs_approval }) => (
              <>
                {shownText(shown)} {needs_approval && <Pill tone="warn">{t("needs_staff")}</Pill>}
              </>
            ),
          },
        ]}
      />
      {effects.length > PAGE && (
        <div className="flex flex-wrap items-center gap-3">
          <Button look="secondary" onClick={() => setStart(Math.max(0, start - PAGE))}>
            {t("previous")}
          </Button>
          <Button look="secondary" onClick={() => start + PAGE < effects.length && setStart(start + PAGE)}>
            {t("next")}
          </Button>
          <p role="status" className="text-quiet">
            {t("shown_of", { from: start + 1, to: Math.min(start + PAGE, effects.length), total: count })}
          </p>
        </div>
      )}
    </section>
  );
}

function useShown() {
  const t = useTranslations("console.editor");
  const { locale } = useSurface();
  const money = (usd: number) => formatPrice(toCents(usd), locale);
  return ({ price, list_price, list_price_kind, lowest_price_30d, percent }: Shown): string => {
    if (list_price === null) return t("shows", { price: money(price) });
    if (list_price_kind === "vendor" || lowest_price_30d === null)
      return t("shows_vendor", { price: money(price), list: money(list_price) });
    const [list, lowest] = [money(list_price), money(lowest_price_30d)];
    return t("shows_reduced", { price: money(price), list, lowest, percent: percent ?? 0 });
  };
}
