import type { FilterValues } from "@/components/console/list/filter-values";
import type { FilterSpec } from "@/lib/platform/console/filter-spec";
import { RELATIVE_DAYS, type RelativeDays } from "@/lib/platform/console/relative-days";
import { parseTypedNumber } from "@/lib/platform/typed-number";

/** A filter with its name and the names of its values in the reader's language. */
export type NamedFilter = FilterSpec & { label: string; valueLabel: (value: string) => string };
export type FilterWords = {
  filters: readonly NamedFilter[];
  /** The filter of a text without a word. */
  main?: string;
  days: Readonly<Record<RelativeDays, string>>;
};
export type Suggestion = {
  label: string;
  /** The filter that the value is of, where it is not the one being typed. */
  of?: string | undefined;
  /** The text of the field once it is chosen. */
  rest: string;
  /** The filters that it sets; without any, the field goes on with the filter's word. */
  values?: FilterValues;
};

/** A name as it is typed: in small letters, without spaces. */
const toWord = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/g, "-");
const isNamed = (word: string, ...names: string[]) => names.some((name) => toWord(name) === toWord(word));
const begins = (text: string, typed: string) =>
  toWord(text).startsWith(toWord(typed)) || toWord(text).includes(`-${toWord(typed)}`);

/** `word:`, `word:value`, `word:"a value"` or a plain word; Chinese and Japanese keyboards write a wide colon. */
const TOKEN = /([^\s:："]+)[:：](?:"([^"]*)"?|(\S*))|"([^"]*)"?|(\S+)/gu;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The days of a filter in an address, or of none. */
const WITHOUT_DAYS = { days: undefined, from: undefined, to: undefined } as const;

/** The value of a filter as a person wrote it; undefined: the filter has no such value. */
function readValue(filter: NamedFilter, text: string): string | undefined {
  if (filter.kind === "flag")
    return ["true", "false"].find((value) => isNamed(text, value, filter.valueLabel(value)));
  if (filter.kind === "choice")
    return filter.options.find((option) => isNamed(text, option, filter.valueLabel(option)));
  if (filter.kind === "number") {
    const number = parseTypedNumber(text);
    return Number.isNaN(number) ? undefined : String(number);
  }
  return text || undefined;
}

/** The words of several that name a range of days: "last week". */
function takeDays(text: string, { days }: FilterWords): { rest: string; name?: RelativeDays } {
  for (const name of RELATIVE_DAYS) {
    const at = text.toLowerCase().indexOf(days[name].toLowerCase());
    const after = text[at + days[name].length] ?? " ";
    if (at >= 0 && (at === 0 || /\s/.test(text[at - 1]!)) && /\s/.test(after))
      return { rest: `${text.slice(0, at)} ${text.slice(at + days[name].length)}`, name };
  }
  return { rest: text };
}

/**
 * The filters that a text names, such as `status:paid vendor:kettle last week`; `unknown`: the first word that names none, or a
 * value that its filter does not have.
 */
export function parseFilters(text: string, words: FilterWords): { values: FilterValues; unknown?: string } {
  const { rest, name: days } = words.filters.some(({ kind }) => kind === "days")
    ? takeDays(text, words)
    : { rest: text };
  let values: FilterValues = days ? { ...WITHOUT_DAYS, days } : {};
  const plain: string[] = [];
  for (const [whole, word, quoted, value, quotedPlain, single] of rest.matchAll(TOKEN)) {
    if (word === undefined) {
      const typed = quotedPlain ?? single ?? "";
      const flag = words.filters.find((one) => one.kind === "flag" && isNamed(typed, one.name, one.label));
      if (flag) values = { ...values, [flag.name]: "true" };
      else if (typed) plain.push(typed);
      continue;
    }
    const written = quoted ?? value ?? "";
    const isDay = ["from", "to"].includes(word.toLowerCase()) && DAY.test(written);
    const filter = words.filters.find((one) => isNamed(word, one.name, one.label));
    if (isDay) values = { ...values, days: undefined, [word.toLowerCase()]: written };
    else if (filter?.kind === "days") {
      const range = RELATIVE_DAYS.find((name) => isNamed(written, name, words.days[name]));
      if (range) values = { ...values, ...WITHOUT_DAYS, days: range };
      else if (DAY.test(written)) values = { ...values, days: undefined, from: written, to: written };
      else return { values, unknown: whole };
    } else {
      const read = filter && readValue(filter, written);
      if (!filter || read === undefined) return { values, unknown: whole };
      values = { ...values, [filter.name]: read };
    }
  }
  if (plain.length === 0) return { values };
  if (words.main === undefined) return { values, unknown: plain[0]! };
  return { values: { ...values, [words.main]: plain.join(" ") } };
}

/** The word at the end of a text that is typed, with the filter before its colon; `rest`: what stands before it. */
function lastWord(text: string): { rest: string; word?: string; typed: string } {
  const found = /([^\s:："]+)[:：](?:"([^"]*)|([^\s"]*))$/u.exec(text);
  if (found) return { rest: text.slice(0, found.index), word: found[1]!, typed: found[2] ?? found[3] ?? "" };
  const typed = /[^\s"]*$/u.exec(text)?.[0] ?? "";
  return { rest: text.slice(0, text.length - typed.length), typed };
}

const MAX_SUGGESTIONS = 12;

/** What a text may be completed to: filters, values, ranges of days. */
export function suggestFilters(text: string, words: FilterWords): Suggestion[] {
  const { rest, word, typed } = lastWord(text);
  const optionsOf = (filter: NamedFilter) =>
    filter.kind === "choice" ? filter.options : filter.kind === "flag" ? ["true", "false"] : [];
  const valuesOf = (filter: NamedFilter, of?: string): Suggestion[] =>
    filter.kind === "days"
      ? RELATIVE_DAYS.filter((name) => begins(words.days[name], typed)).map((name) => ({
          label: words.days[name],
          of,
          rest,
          values: { ...WITHOUT_DAYS, days: name },
        }))
      : optionsOf(filter)
          .filter((option) => begins(filter.valueLabel(option), typed) || begins(option, typed))
          .map((option) => ({
            label: filter.valueLabel(option),
            of,
            rest,
            values: { [filter.name]: option },
          }));
  if (word !== undefined) {
    const named = words.filters.find((one) => isNamed(word, one.name, one.label));
    return named ? valuesOf(named).slice(0, MAX_SUGGESTIONS) : [];
  }
  const filters = words.filters
    .filter(({ label, name }) => begins(label, typed) || begins(name, typed))
    .map(({ label }): Suggestion => ({ label, rest: `${rest}${toWord(label)}:` }));
  const values = typed
    ? words.filters.filter(({ kind }) => kind !== "flag").flatMap((filter) => valuesOf(filter, filter.label))
    : [];
  const main = words.filters.find(({ name }) => name === words.main);
  const plain: Suggestion[] =
    typed && main
      ? [{ label: text.trim(), of: main.label, rest: "", values: { [main.name]: text.trim() } }]
      : [];
  return [...values, ...filters, ...plain].slice(0, MAX_SUGGESTIONS);
}

/** A text that the list's field reads: its first choice, and the last week. */
export function filterExample({ filters, days }: FilterWords): string {
  const choice = filters.find((one) => one.kind === "choice");
  const word = choice?.kind === "choice" ? choice.options[0] : undefined;
  return [
    ...(choice && word !== undefined ? [`${toWord(choice.label)}:${toWord(choice.valueLabel(word))}`] : []),
    ...(filters.some(({ kind }) => kind === "days") ? [days.last_week.toLowerCase()] : []),
    ...(choice ? [] : filters.slice(0, 1).map(({ label }) => `${toWord(label)}:…`)),
  ].join(" ");
}
