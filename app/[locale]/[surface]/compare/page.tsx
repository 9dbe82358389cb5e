import { getTranslations } from "next-intl/server";
import { CompareScreen } from "@/components/catalog/compare/compare-screen";
import { listComparedPasses } from "@/lib/catalog/product/list-compared-passes";
import { parseComparedPlans } from "@/lib/catalog/rules";
import { publicMetadata } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, queryValue } from "@/lib/platform/pages/page";

/** Any choice of passes is its own page, so none is indexed. */
export async function generateMetadata({ params }: PageProps) {
  const location = await pageLocation(params);
  const t = await getTranslations({ locale: location.locale, namespace: "catalog.compare" });
  const labels = { title: t("title"), description: t("description") };
  return publicMetadata("/compare", location, { ...labels, indexed: false });
}

export default async function ComparePage({ params, searchParams }: PageProps) {
  const { locale } = await pageLocation(params);
  const plans = parseComparedPlans(await queryValue(searchParams, "plans"));
  return <CompareScreen passes={await listComparedPasses(plans, locale)} />;
}
