import { getTranslations } from "next-intl/server";
import { PlanScreen } from "@/components/agents/plan/plan-screen";
import { planPassesFor } from "@/lib/agents/planning/plan-passes";
import { parsePlanQuery } from "@/lib/agents/planning/rules-query";
import { publicMetadata, webPageJsonLd } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation } from "@/lib/platform/pages/page";

/** Only the empty form is indexed: every question is a different address. */
export async function generateMetadata({ params, searchParams }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "agents.plan" });
  const labels = { title: t("page_title"), description: t("description") };
  return publicMetadata("/plan", location, { ...labels, indexed: parsePlanQuery(await searchParams).blank });
}

export default async function PlanPage({ params, searchParams }: PageProps) {
  const location = await pageLocation(params);
  const query = parsePlanQuery(await searchParams);
  const planned = query.input && (await planPassesFor(query.input, location.locale));
  const t = await getTranslations({ locale: location.locale });
  const page = {
    name: t("agents.plan.title"),
    description: t("agents.plan.description"),
    home: t("catalog.product.home"),
  };
  return <PlanScreen query={query} planned={planned} jsonLd={webPageJsonLd("/plan", location, page)} />;
}
