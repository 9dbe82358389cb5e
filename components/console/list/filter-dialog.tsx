"use client";

import { useTranslations } from "next-intl";
import type { FormEvent } from "react";
import type { FilterValues } from "@/components/console/list/filter-values";
import type { FilterWords, NamedFilter } from "@/components/console/list/filter-words";
import { NumberInput } from "@/components/console/number-input";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { type Option, Select } from "@/components/ui/select";
import { TextInput } from "@/components/ui/text-input";
import { RELATIVE_DAYS } from "@/lib/platform/console/relative-days";
import { parseTypedNumber } from "@/lib/platform/typed-number";

type Props = {
  open: boolean;
  words: FilterWords;
  values: FilterValues;
  /** The orders of the list; on phones they are here. */
  sorts: readonly Option[];
  /** The zone of the days. */
  timeZone: string;
  onChange: (values: FilterValues) => void;
  onClose: () => void;
};

/** Ids that only links set, such as those of a customer's orders, have a field while they are on. */
const isTyped = (values: FilterValues) => (filter: NamedFilter) =>
  filter.name !== "customer_id" || values[filter.name] !== undefined;

/** All filters of a list as fields; on phones a sheet. */
export function FilterDialog({ open, words, values, sorts, timeZone, onChange, onClose }: Props) {
  const t = useTranslations("console.filter");
  const table = useTranslations("console.table");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const read = (name: string) => String(fields.get(name) ?? "").trim();
    const next = words.filters.map(({ name, kind }) => {
      const text = kind === "days" ? read("days") : read(name);
      return [name, kind === "number" && text ? String(parseTypedNumber(text)) : text];
    });
    const days = read("days") ? {} : { from: read("from"), to: read("to") };
    onClose();
    onChange({
      ...values,
      from: undefined,
      to: undefined,
      ...Object.fromEntries(next),
      ...days,
      ...(sorts.length > 1 && { sort: read("sort") }),
    });
  };
  return (
    <Dialog open={open} onClose={onClose} title={t("title")} closeLabel={table("close")}>
      <form onSubmit={submit} className="grid grid-cols-2 gap-3">
        {words.filters.filter(isTyped(values)).map((filter) =>
          filter.kind === "days" ? (
            <fieldset key={filter.name} className="col-span-2 grid grid-cols-2 gap-3">
              <legend className="sr-only">{filter.label}</legend>
              <Select
                name="days"
                label={filter.label}
                defaultValue={values.days ?? ""}
                options={[
                  { value: "", label: t("any") },
                  ...RELATIVE_DAYS.map((name) => ({ value: name, label: words.days[name] })),
                ]}
                className="col-span-2"
              />
              <TextInput name="from" type="date" label={t("from")} defaultValue={values.from ?? ""} />
              <TextInput name="to" type="date" label={t("to")} defaultValue={values.to ?? ""} />
              <p className="col-span-2 text-13 text-quiet">{table("zone", { zone: timeZone })}</p>
            </fieldset>
          ) : (
            <Field key={filter.name} filter={filter} value={values[filter.name] ?? ""} />
          ),
        )}
        {sorts.length > 1 && (
          <Select
            name="sort"
            label={table("sort_label")}
            defaultValue={values.sort ?? sorts[0]?.value}
            options={sorts}
            className="col-span-2"
          />
        )}
        {/* In sight however long the form is. */}
        <div className="sticky bottom-0 col-span-2 -mx-5 -mb-5 flex justify-end gap-2 border-t border-hairline bg-raised p-4 sm:-mx-6 sm:-mb-6">
          <Button
            look="quiet"
            onClick={() => {
              onClose();
              onChange({ view: values.view });
            }}
          >
            {t("clear")}
          </Button>
          <Button type="submit" look="primary">
            {t("show")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Field({ filter, value }: { filter: NamedFilter; value: string }) {
  const t = useTranslations("console.filter");
  const { name, label, kind } = filter;
  const field = { name, label, defaultValue: value };
  if (kind === "number") return <NumberInput {...field} />;
  if (kind === "text" || kind === "days")
    return (
      <TextInput {...field} autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={254} />
    );
  const options = kind === "choice" ? filter.options : ["true", "false"];
  const named = options.map((option) => ({ value: option, label: filter.valueLabel(option) }));
  // A choice that always has a value has no "any".
  const isRequired = kind === "choice" && filter.standard !== undefined;
  return (
    <Select
      {...field}
      defaultValue={value || (isRequired ? filter.standard : "")}
      options={isRequired ? named : [{ value: "", label: t("any") }, ...named]}
    />
  );
}
