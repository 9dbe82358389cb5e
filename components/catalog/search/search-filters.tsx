import { useTranslations } from "next-intl";
import { Checkbox } from "@/components/ui/checkbox";
import { Link } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import type { CategoryView } from "@/lib/catalog/contract";
import type { SearchQuery } from "@/lib/catalog/listing/contract";
import { PASS_TYPES } from "@/lib/catalog/rules";

/** The query of the URL as form names and values, without defaults. */
export function searchValues({ search }: SearchQuery): Record<string, string> {
  const { keyword, sort, category, vip_type, in_stock, price_from, price_to, price_per_day_to } = search;
  const values = {
    q: keyword || undefined,
    sort: sort === "recommend" ? undefined : sort,
    category,
    vip_type,
    in_stock: in_stock ? "true" : undefined,
    price_from,
    price_to,
    price_per_day_to,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

export type SearchPath = "/search" | "/search-results";

/** The same page for another keyword, without filters. */
export const searchFor = (keyword: string, path: SearchPath = "/search") =>
  keyword ? `${path}?q=${encodeURIComponent(keyword)}` : path;

/** The filter fields of a search. They must be rendered inside its form. */
export function SearchFilters({
  path,
  query,
  categories,
}: {
  path: SearchPath;
  query: SearchQuery;
  categories: readonly CategoryView[];
}) {
  const t = useTranslations("catalog");
  const { keyword, category, vip_type, in_stock, price_from, price_to, price_per_day_to } = query.search;
  const types = PASS_TYPES.map((type) => ({ value: type, label: t(`pass_type.${type}`) }));
  const names = categories.map((option) => ({ value: option.category, label: option.category_name }));
  const price = { type: "number", min: 0, step: "any", inputMode: "decimal" } as const;
  return (
    <div className="flex flex-col gap-4">
      <Select
        name="category"
        label={t("search.category")}
        defaultValue={category}
        options={[{ value: "", label: t("search.category_all") }, ...names]}
      />
      <Select
        name="vip_type"
        label={t("search.type")}
        defaultValue={vip_type}
        options={[{ value: "", label: t("search.type_any") }, ...types]}
      />
      <div className="grid grid-cols-2 items-end gap-3">
        <TextInput {...price} name="price_from" label={t("search.price_from")} defaultValue={price_from} />
        <TextInput {...price} name="price_to" label={t("search.price_to")} defaultValue={price_to} />
      </div>
      <TextInput
        {...price}
        name="price_per_day_to"
        label={t("search.price_per_day_to")}
        defaultValue={price_per_day_to}
      />
      <Checkbox name="in_stock" value="true" label={t("search.in_stock")} defaultChecked={in_stock} />
      {query.filtered > 0 && (
        <Link href={searchFor(keyword, path)} className="text-link flex min-h-11 items-center self-start">
          {t("search.clear")}
        </Link>
      )}
    </div>
  );
}
