"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { useFilterLabel } from "@/components/console/list/filter-labels";
import type { FilterValues } from "@/components/console/list/filter-values";
import {
  type FilterWords,
  filterExample,
  parseFilters,
  suggestFilters,
} from "@/components/console/list/filter-words";
import { Icon } from "@/components/ui/icon";

type Props = {
  words: FilterWords;
  values: FilterValues;
  /** Shows the list with these filters. */
  onChange: (values: FilterValues) => void;
};

/**
 * The filters of a list as one field: chips for those that are on, and a text that completes (`status:paid vendor:kettle last week`).
 * Backspace in the empty field takes the last one away.
 */
export function FilterField({ words, values, onChange }: Props) {
  const t = useTranslations("console.filter");
  const { chips } = useFilterLabel(words);
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const [problem, setProblem] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const suggestions = isOpen ? suggestFilters(text, words) : [];
  const shown = chips(values);

  const type = (next: string) => {
    setText(next);
    setOpen(true);
    setActive(-1);
    setProblem("");
  };
  const apply = (typed: string, more: FilterValues = {}) => {
    const { values: read, unknown } = parseFilters(typed, words);
    if (unknown !== undefined) return setProblem(t("unknown", { word: unknown }));
    setText("");
    setOpen(false);
    onChange({ ...values, ...read, ...more });
  };
  const choose = (index: number) => {
    const suggestion = suggestions[index];
    if (!suggestion) return;
    if (suggestion.values) apply(suggestion.rest, suggestion.values);
    else type(suggestion.rest);
    input.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (active >= 0) choose(active);
    else if (text.trim()) apply(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = shown.at(-1);
    if (event.key === "Backspace" && text === "" && last) onChange({ ...values, ...last.without });
    if (event.key === "Escape") {
      if (isOpen) event.stopPropagation();
      else input.current?.blur();
      setOpen(false);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setOpen(true);
    const length = suggestions.length;
    setActive((from) =>
      length === 0 ? -1 : (from + step + length + (from < 0 && step < 0 ? 1 : 0)) % length,
    );
  };
  return (
    <form
      onSubmit={submit}
      className="relative flex h-8 min-w-52 flex-1 items-center gap-1 rounded-control border border-control bg-raised pr-1 pl-2 focus-within:border-ink max-[899px]:hidden"
    >
      <Icon name="search" size={16} className="text-quiet" />
      {shown.length > 0 && (
        <ul aria-label={t("active")} className="flex max-w-3/4 min-w-0 gap-1 overflow-x-auto">
          {shown.map(({ name, label, without }) => (
            <li key={name} className="flex-none">
              <button
                type="button"
                aria-label={t("remove", { name: label })}
                title={t("remove", { name: label })}
                onClick={() => onChange({ ...values, ...without })}
                className="flex h-6 max-w-56 cursor-pointer items-center gap-1 rounded-small bg-tint px-1.5 text-13"
              >
                <span className="truncate">{label}</span>
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        role="combobox"
        aria-label={t("field")}
        aria-expanded={suggestions.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={problem !== "" || undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        aria-keyshortcuts="/"
        placeholder={shown.length === 0 ? t("placeholder", { example: filterExample(words) }) : ""}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={(event) => type(event.target.value)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className="h-7 min-w-16 flex-1 bg-transparent text-13 outline-none placeholder:text-quiet"
      />
      {problem && (
        <p
          id={`${id}-problem`}
          role="alert"
          className="absolute top-full right-0 left-0 z-30 mt-1 rounded-control border border-bad bg-raised p-2 text-13 text-bad"
        >
          {problem}
        </p>
      )}
      <div
        id={id}
        role="listbox"
        tabIndex={-1}
        aria-label={t("suggestions")}
        hidden={suggestions.length === 0 || problem !== ""}
        className="absolute top-full left-0 z-30 mt-1 max-h-80 w-72 max-w-full overflow-y-auto rounded-control border border-hairline bg-raised p-1"
      >
        {suggestions.map(({ label, of, rest, values: sets }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys, as a combobox does
          <div
            key={`${of ?? ""} ${label} ${rest}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Before the field loses the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(index)}
            className="flex min-h-8 cursor-pointer items-center gap-2 rounded-small px-2 text-13 hover:bg-tint aria-selected:bg-tint"
          >
            {of && <span className="flex-none text-quiet">{of}</span>}
            <span className="truncate">
              {label}
              {!sets && ":"}
            </span>
          </div>
        ))}
      </div>
    </form>
  );
}
