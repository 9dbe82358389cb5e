"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useId } from "react";
import { filterQuery } from "@/components/console/filter-query";
import { useConsoleAddress } from "@/components/console/link";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { useTimeZone } from "@/components/ui/local-time";
import { Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import { parseTypedNumber } from "@/lib/platform/typed-number";
import { NumberInput } from "./number-input";

export type Filter = {
  name: string;
  label: string;
  kind: "text" | "date" | "number" | "choice";
  /** of a `choice` */
  options?: readonly { value: string; label: string }[];
  /** what a `choice` without a value means; "Any" by default */
  anyLabel?: string;
  /** shown outside "More filters" */
  first?: boolean;
};
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** The filters of a list, kept in its address, so that a link to a list includes its filters. `/` focuses the first. */
export function FilterBar({
  path,
  filters,
  values,
}: {
  path: string;
  filters: readonly Filter[];
  values: FilterValues;
}) {
  const t = useTranslations("console.table");
  const router = useRouter();
  const address = useConsoleAddress();
  const id = useId();
  const timeZone = useTimeZone();
  const open = (next: FilterValues) => router.push(address(path + filterQuery(next)));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const entered = filters.map(({ name, kind }) => {
      const text = String(fields.get(name) ?? "").trim();
      return [name, kind === "number" && text ? String(parseTypedNumber(text)) : text];
    });
    // The days are those of the reader's clock, in which the list shows its times.
    const hasDays = filters.some(({ name, kind }) => kind === "date" && fields.get(name));
    // Parameters of the address without a field here are kept, such as the state of a queue.
    open({ ...values, ...Object.fromEntries(entered), time_zone: hasDays ? timeZone : undefined });
  };
  if (filters.length === 0) return null;
  const active = filters.filter(({ name }) => values[name]);
  const rest = filters.filter(({ first }) => !first);
  return (
    // The key renders the fields again when the address changes, as by "back".
    <form key={filterQuery(values)} onSubmit={submit} className="flex flex-col gap-3 pb-4">
      <div className="flex flex-wrap items-end gap-3">
        {filters
          .filter(({ first }) => first)
          .map((filter) => (
            <FilterField key={filter.name} filter={filter} value={values[filter.name]} />
          ))}
        <Button type="submit">{t("apply")}</Button>
      </div>
      {rest.length > 0 && (
        <details>
          <summary className="inline-flex min-h-11 cursor-pointer items-center gap-2 font-medium">
            <Icon name="filter" size={18} />
            {t("more_filters")}
          </summary>
          <div className="flex flex-wrap items-end gap-3 pt-1">
            {rest.map((filter) => (
              <FilterField key={filter.name} filter={filter} value={values[filter.name]} />
            ))}
          </div>
        </details>
      )}
      {active.length > 0 && (
        <ul aria-label={t("active_filters")} id={id} className="flex flex-wrap gap-2">
          {active.map((filter) => (
            <li key={filter.name}>
              <button
                type="button"
                aria-label={t("remove_filter", { name: filter.label })}
                onClick={() => open({ ...values, [filter.name]: undefined })}
                className="inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-control border border-control px-2.5 text-13 hover:border-ink"
              >
                {filter.label}: {describe(filter, values[filter.name])}
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              onClick={() => open({})}
              className="text-link min-h-9 cursor-pointer px-1 text-13"
            >
              {t("clear_filters")}
            </button>
          </li>
        </ul>
      )}
    </form>
  );
}

const describe = ({ options }: Filter, value = "") =>
  options?.find((option) => option.value === value)?.label ?? value;

function FilterField({ filter, value = "" }: { filter: Filter; value?: string }) {
  const t = useTranslations("console.table");
  const { name, label, kind, options = [], anyLabel = t("any") } = filter;
  const className = classNames("w-[calc(50%-0.375rem)]", kind === "text" ? "sm:w-56" : "sm:w-40");
  if (kind === "choice")
    return (
      <Select
        name={name}
        label={label}
        defaultValue={value}
        options={[{ value: "", label: anyLabel }, ...options]}
        className={className}
      />
    );
  if (kind === "number")
    return <NumberInput name={name} label={label} defaultValue={value} className={className} />;
  return (
    <TextInput
      name={name}
      label={label}
      defaultValue={value}
      type={kind}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      className={className}
    />
  );
}
