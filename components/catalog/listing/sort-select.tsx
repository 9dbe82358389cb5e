import { useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { PRODUCT_SORTS, type ProductSort } from "@/lib/catalog/rules";

/**
 * The sort orders of a list. The default order, by relevance where words are searched and else by popularity, has an empty
 * value, so it adds nothing to the URL.
 */
export function SortSelect({
  sort,
  searched,
  hideLabel,
}: {
  sort: ProductSort;
  searched?: boolean;
  hideLabel?: boolean;
}) {
  const t = useTranslations("catalog.sort");
  return (
    <div className={hideLabel ? "flex flex-wrap items-center gap-x-3" : "flex flex-col gap-1"}>
      <Select
        name="sort"
        label={t("label")}
        defaultValue={sort === "recommend" ? "" : sort}
        options={PRODUCT_SORTS.map((option) => ({
          value: option === "recommend" ? "" : option,
          label: t(option === "recommend" && searched ? "relevance" : option),
        }))}
        hideLabel={hideLabel}
      />
      <Link
        href="/ranking-and-reviews"
        className="inline-flex min-h-11 items-center text-13 whitespace-nowrap text-quiet underline"
      >
        {t("how")}
      </Link>
    </div>
  );
}
