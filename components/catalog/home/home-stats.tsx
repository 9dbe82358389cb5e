import { useFormatter, useTranslations } from "next-intl";
import type { ShopStats } from "@/lib/catalog/contract";

const SHOWN = ["products", "vendors", "plans", "delivered"] as const;

/** Shop statistics as of page rendering. Zero values are omitted. */
export function HomeStats({ stats }: { stats: ShopStats }) {
  const t = useTranslations("catalog.home");
  const format = useFormatter();
  return (
    <section aria-labelledby="stats" className="pt-14 md:pt-18">
      <h2 id="stats" className="sr-only">
        {t("stats")}
      </h2>
      <dl className="grid grid-cols-2 gap-x-10 gap-y-6 border-y border-hairline py-8 md:flex md:justify-between">
        {SHOWN.filter((name) => stats[name] > 0).map((name) => (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dt className="text-quiet">{t(`stats_${name}`, { count: stats[name] })}</dt>
            <dd className="figures text-28 font-semibold">{format.number(stats[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
