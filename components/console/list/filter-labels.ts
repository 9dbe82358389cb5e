import { useTranslations } from "next-intl";
import type { FilterValues } from "@/components/console/list/filter-values";
import type { FilterWords, NamedFilter } from "@/components/console/list/filter-words";
import type { Option } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import type { FilterSpec } from "@/lib/platform/console/filter-spec";
import { RELATIVE_DAYS, type RelativeDays } from "@/lib/platform/console/relative-days";
import { formatDate } from "@/lib/platform/format";

/** What a list says about its filters. */
export type FilterTexts = {
  /** The names of a choice's values. */
  values?: Readonly<Record<string, (value: string) => string>>;
  /** The values of a text that is one of a few, which the list's call does not name. */
  options?: Readonly<Record<string, readonly Option[]>>;
  /** The name of a filter where it is not the one of `console.filter.name`. */
  labels?: Readonly<Record<string, string>>;
  /** The filter of a text without a word. */
  main?: string;
};

/** The filters of a list with their names in the reader's language. */
export function useFilterWords(specs: readonly FilterSpec[], texts: FilterTexts): FilterWords {
  const t = useTranslations("console.filter");
  const filters = specs.map((spec): NamedFilter => {
    const options = texts.options?.[spec.name];
    const named = options
      ? { name: spec.name, kind: "choice" as const, options: options.map(({ value }) => value) }
      : spec;
    const key = `name.${spec.name}` as "name.status";
    return {
      ...named,
      label: texts.labels?.[spec.name] ?? (t.has(key) ? t(key) : spec.name),
      valueLabel: (value) =>
        spec.kind === "flag"
          ? t(value === "true" ? "yes" : "no")
          : (options?.find((option) => option.value === value)?.label ??
            texts.values?.[spec.name]?.(value) ??
            value),
    };
  });
  const days = Object.fromEntries(RELATIVE_DAYS.map((name) => [name, t(`days.${name}`)])) as Record<
    RelativeDays,
    string
  >;
  return { filters, days, ...(texts.main !== undefined && { main: texts.main }) };
}

type Chip = { name: string; label: string; without: FilterValues };

/** The filters of an address in words. */
export function useFilterLabel(words: FilterWords) {
  const t = useTranslations("console.filter");
  const { locale } = useSurface();
  /** A calendar day has no zone. */
  const day = (value: string) => formatDate(`${value}T00:00:00Z`, locale, "UTC");
  const chips = (values: FilterValues): Chip[] => {
    const { days, from, to } = values;
    const range = days
      ? words.days[days as RelativeDays]
      : from && to && from !== to
        ? `${day(from)} – ${day(to)}`
        : from && to
          ? day(from)
          : from
            ? t("since", { day: day(from) })
            : to && t("until", { day: day(to) });
    const others = words.filters.flatMap((filter): Chip[] => {
      const value = values[filter.name];
      if (!value || filter.kind === "days") return [];
      const label =
        filter.kind === "flag" && value === "true"
          ? filter.label
          : `${filter.label}: ${filter.valueLabel(value)}`;
      return [{ name: filter.name, label, without: { [filter.name]: undefined } }];
    });
    const none = { days: undefined, from: undefined, to: undefined, time_zone: undefined };
    return range ? [...others, { name: "days", label: range, without: none }] : others;
  };
  return { chips };
}
