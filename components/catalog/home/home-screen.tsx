import { useFormatter, useTranslations } from "next-intl";
import { HowItWorks } from "@/components/catalog/how-it-works";
import { CategoryButtons } from "@/components/catalog/listing/category-buttons";
import { CategoryChips } from "@/components/catalog/listing/category-chips";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { useRecentLabels } from "@/components/catalog/recent/recent-labels";
import { RecentSection } from "@/components/catalog/recent/recent-section";
import { Section } from "@/components/catalog/section";
import { SubscribeSection } from "@/components/notifications/subscribe-section";
import { SearchBox } from "@/components/shell/search/search-box";
import { Page } from "@/components/ui/page";
import type { CategoryView, ProductItem, ShopStats } from "@/lib/catalog/contract";
import { shownStats } from "@/lib/catalog/rules";
import type { Surface } from "@/lib/platform/routing/paths";

import { TaskTiles } from "./task-tiles";

type HomeView = {
  featured: ProductItem[];
  deals: ProductItem[];
  free: ProductItem[];
  categories: CategoryView[];
  stats: ShopStats;
};

const LISTS = [
  { id: "deals", href: "/limited-offer" },
  { id: "free", href: "/free-voucher" },
] as const;

export function HomeScreen({ home, surface, jsonLd }: { home: HomeView; surface: Surface; jsonLd: unknown }) {
  const t = useTranslations("catalog.home");
  const total = home.categories.reduce((sum, category) => sum + category.total, 0);
  return (
    <Page jsonLd={jsonLd} className={surface === "mobile" ? "pt-3!" : undefined}>
      <h1 className="text-28 md:text-40 [&:lang(zh)]:break-keep">{t("heading")}</h1>
      {/* Desktop pages have the search in their header. */}
      {surface === "mobile" && (
        <>
          <div className="flex pt-4">
            <SearchBox surface={surface} />
          </div>
          {/* Phones have no header menu. */}
          <CategoryChips
            label={t("categories")}
            categories={home.categories.map(({ category, category_name: name }) => ({ category, name }))}
          />
        </>
      )}
      <Section
        id="popular"
        title={t("popular")}
        compact
        more={{ href: "/top-trending", text: t("popular_all", { count: total }) }}
      >
        <ProductTickets items={home.featured} level="h3" first />
      </Section>
      <TaskTiles />
      <HowItWorks />
      <Promises />
      {LISTS.map(
        ({ id, href }) =>
          home[id].length > 0 && (
            <Section
              key={id}
              id={id}
              title={t(id)}
              lead={t(`${id}_lead`)}
              more={{ href, text: t(`${id}_all`) }}
            >
              <ProductTickets items={home[id]} level="h3" exact />
            </Section>
          ),
      )}
      {surface === "desktop" && (
        <Section
          id="categories"
          title={t("categories")}
          more={{ href: "/categories", text: t("categories_all") }}
        >
          <CategoryButtons categories={home.categories} />
        </Section>
      )}
      <RecentSection labels={useRecentLabels()} />
      <HomeStats stats={home.stats} />
      <SubscribeSection />
    </Page>
  );
}

const PROMISES = ["official", "plain", "delivered"] as const;

function Promises() {
  const t = useTranslations("catalog.home");
  return (
    <section aria-labelledby="promises" className="pt-14 md:pt-18">
      <h2 id="promises" className="sr-only">
        {t("promises")}
      </h2>
      <ul className="grid gap-x-10 gap-y-8 md:grid-cols-3">
        {PROMISES.map((promise) => (
          <li key={promise} className="border-t-2 border-ink pt-4">
            <h3 className="text-17">{t(promise)}</h3>
            <p className="pt-1.5 text-quiet">{t(`${promise}_text`)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shop statistics as of page rendering; nothing until a number means something. */
function HomeStats({ stats }: { stats: ShopStats }) {
  const t = useTranslations("catalog.home");
  const format = useFormatter();
  const shown = shownStats(stats);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="stats" className="pt-14 md:pt-18">
      <h2 id="stats" className="sr-only">
        {t("stats")}
      </h2>
      <dl className="grid grid-cols-2 gap-x-10 gap-y-6 border-y border-hairline py-8 md:flex md:justify-between">
        {shown.map((name) => (
          <div key={name} className="flex flex-col-reverse justify-end">
            <dt className="text-quiet">{t(`stats_${name}`, { count: stats[name] })}</dt>
            <dd className="figures text-28 font-semibold">{format.number(stats[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
