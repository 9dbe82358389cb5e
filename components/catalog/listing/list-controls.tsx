import { useTranslations } from "next-intl";
import { Checkbox } from "@/components/ui/checkbox";
import { QueryForm } from "@/components/ui/query-form";
import { Select } from "@/components/ui/select";
import { PASS_TYPES, type ProductSort } from "@/lib/catalog/rules";
import { SortSelect } from "./sort-select";

/**
 * Filters and sort order of a list. A filter continues in the search with what the list has in common (`of`, fields of a
 * search), because the list itself is kept as one page for all. Without `sort` it has one order.
 */
export function ListControls({
  path,
  of,
  sort,
}: {
  path: string;
  of: Readonly<Record<string, string>>;
  sort?: ProductSort;
}) {
  const t = useTranslations("catalog");
  const lengths = PASS_TYPES.map((type) => ({ value: type, label: t(`pass_type.${type}`) }));
  return (
    <div className="list-controls">
      <QueryForm path="/search" values={{}} apply={t("apply")} role="search" aria-label={t("search.filters")}>
        {Object.entries(of).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Select
          name="vip_type"
          label={t("search.type")}
          hideLabel
          options={[{ value: "", label: t("search.type_any") }, ...lengths]}
        />
        <Checkbox name="in_stock" value="true" label={t("search.in_stock")} />
      </QueryForm>
      {sort && (
        <QueryForm path={path} values={sort === "recommend" ? {} : { sort }} apply={t("apply")}>
          <SortSelect sort={sort} hideLabel />
        </QueryForm>
      )}
    </div>
  );
}
