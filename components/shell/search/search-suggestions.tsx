"use client";

import { useEffect, useId, useReducer, useRef, useState } from "react";
import { Emblem } from "@/components/ui/emblem";
import { Icon } from "@/components/ui/icon";
import { useNavigate } from "@/components/ui/link";
import { useSurface } from "@/components/ui/surface";
import type { Suggestions } from "@/lib/catalog/search/contract";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import { clearRecentSearches, recentSearches } from "./search-history";
import type { SearchLabels, SuggestionsProps } from "./search-labels";

const GROUPS = ["recent", "products", "categories", "passes"] as const;

/**
 * The suggestion list below a search field, following the ARIA combobox pattern. The focus stays in the field, the
 * arrow keys move the selection, Enter chooses it or searches, and Escape closes the list. Loaded on first focus.
 */
export function SearchSuggestions({ input, labels }: SuggestionsProps) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(input.current?.value ?? "");
  const [open, setOpen] = useState(document.activeElement === input.current);
  const [activeIndex, setActiveIndex] = useState(-1);
  const [historyVersion, onHistoryCleared] = useReducer((n: number) => n + 1, 0);
  const { locale } = useSurface();
  const choices = useSuggestions(typed, labels, { locale, historyVersion }) ?? [];
  const shown = open && choices.length > 0;
  const active = shown ? choices[activeIndex] : undefined;

  const choose = ({ href, group, text }: Choice) => {
    const field = input.current;
    setOpen(false);
    setActiveIndex(-1);
    field?.blur();
    // A field that shows the current search keeps its text. Other fields are cleared.
    if (field) field.value = group === "recent" && field.defaultValue ? text : field.defaultValue;
    navigate(href);
  };

  useEffect(() => {
    const field = input.current;
    if (!field) return;
    const listeners = new AbortController();
    const on = <K extends keyof HTMLElementEventMap>(name: K, run: (event: HTMLElementEventMap[K]) => void) =>
      field.addEventListener(name, run, { signal: listeners.signal });
    const show = () => {
      setTyped(field.value);
      setOpen(true);
      setActiveIndex(-1);
    };
    on("input", show);
    on("focus", show);
    on("click", show);
    on("blur", () => setOpen(false));
    field.form?.addEventListener("submit", () => setOpen(false), { signal: listeners.signal });
    on("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === "Escape" && shown) setOpen(false);
      else if (event.key === "Enter" && active) choose(active);
      else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        if (!shown) return show();
        // The field itself is a stop before the first and after the last choice.
        const stops = choices.length + 1;
        setActiveIndex((index) => ((index + 1 + (event.key === "ArrowDown" ? 1 : stops - 1)) % stops) - 1);
      } else return;
      event.preventDefault();
    });
    return () => listeners.abort();
  });

  useEffect(() => {
    const field = input.current;
    field?.setAttribute("aria-expanded", String(shown));
    if (shown) field?.setAttribute("aria-controls", `${id}list`);
    else field?.removeAttribute("aria-controls");
    if (shown && activeIndex >= 0) {
      field?.setAttribute("aria-activedescendant", `${id}${activeIndex}`);
      document.getElementById(`${id}${activeIndex}`)?.scrollIntoView({ block: "nearest" });
    } else field?.removeAttribute("aria-activedescendant");
  }, [input, shown, activeIndex, id]);

  return (
    <>
      <p role="status" className="sr-only">
        {open && (shown ? labels.available : typed.trim() && labels.none)}
      </p>
      {shown && (
        // biome-ignore lint/a11y/noStaticElementInteractions: a press on the list must not take the focus from the field
        <div
          role="presentation"
          onMouseDown={(event) => event.preventDefault()}
          className="absolute top-full left-0 z-40 w-full min-w-[min(24rem,calc(100vw-2rem))] mt-1.5 max-h-[min(28rem,60vh)] overflow-y-auto rounded-control border border-hairline bg-raised py-2 text-15"
        >
          <div role="listbox" id={`${id}list`} aria-label={labels.label}>
            {GROUPS.map((group) => {
              const groupChoices = choices.filter((choice) => choice.group === group);
              return groupChoices.length === 0 ? null : (
                // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
                <div key={group} role="group" aria-labelledby={`${id}${group}`}>
                  <p id={`${id}${group}`} role="presentation" className="px-3.5 pt-2 pb-1 text-13 text-quiet">
                    {labels[group]}
                  </p>
                  {groupChoices.map((choice) => {
                    const index = choices.indexOf(choice);
                    return (
                      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys (aria-activedescendant)
                      // biome-ignore lint/a11y/useFocusableInteractive: as above
                      <div
                        key={choice.key}
                        id={`${id}${index}`}
                        role="option"
                        aria-selected={index === activeIndex}
                        onClick={() => choose(choice)}
                        onPointerMove={() => setActiveIndex(index)}
                        className="flex min-h-11 cursor-pointer items-center gap-3 px-3.5 py-1.5 aria-selected:bg-tint"
                      >
                        {group === "recent" && (
                          <Icon name="clock" size={18} className="flex-none text-quiet" />
                        )}
                        {choice.image && <Emblem src={choice.image} size={44} className="flex-none" />}
                        <span className="min-w-0 flex-1">
                          <span className="block truncate" lang={choice.lang}>
                            {choice.text}
                          </span>
                          {choice.note && (
                            <span className="block truncate text-13 text-quiet" lang={choice.lang}>
                              {choice.note}
                            </span>
                          )}
                        </span>
                        {choice.price && <span className="figures flex-none">{choice.price}</span>}
                      </div>
                    );
                  })}
                </div>
              );
            })}
          </div>
          {choices[0]?.group === "products" && (
            <button
              type="button"
              tabIndex={-1}
              onClick={() => {
                setOpen(false);
                navigate("/ranking-and-reviews");
              }}
              className="text-link mx-3.5 mt-1 flex min-h-11 cursor-pointer items-center text-13"
            >
              {labels.how}
            </button>
          )}
          {choices[0]?.group === "recent" && (
            <button
              type="button"
              tabIndex={-1}
              onClick={() => {
                clearRecentSearches();
                onHistoryCleared();
              }}
              className="text-link mx-3.5 mt-1 flex min-h-11 cursor-pointer items-center text-13"
            >
              {labels.clear}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** An item of the list: its target, its text and its group. */
type Choice = {
  key: string;
  href: string;
  text: string;
  note?: string;
  image?: string;
  price?: string;
  lang?: string;
  group: "recent" | "products" | "categories" | "passes";
};

const DEBOUNCE_MS = 120;
const MAX_CACHED = 40;
const cache = new Map<string, Suggestions>();

const searchFor = (query: string) => `/search?q=${encodeURIComponent(query)}`;

/** The choices for the text in a field: recent searches while it is empty, otherwise the shop's suggestions. */
function useSuggestions(
  typed: string,
  labels: SearchLabels,
  { locale, historyVersion }: { locale: string; historyVersion: number },
): Choice[] | null {
  const query = typed.trim();
  const [response, setResponse] = useState<{ query: string; found: Suggestions } | null>(null);
  const lastChoices = useRef<Choice[] | null>(null);
  useEffect(() => {
    if (!query) return;
    const cached = cache.get(query);
    if (cached) return setResponse({ query, found: cached });
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const result = await api.get("/product/suggest", { keyword: query }, { signal: controller.signal });
      if (!result.ok || controller.signal.aborted) return;
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(query, result.data);
      setResponse({ query, found: result.data });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query]);
  // `fresh` changes whenever the list of recent searches changes.
  if (!query) lastChoices.current = historyVersion >= 0 ? recentChoices() : null;
  else if (response?.query === query) lastChoices.current = toChoices(response.found, labels, locale);
  // The previous choices stay visible until the next response arrives, which avoids flicker.
  return lastChoices.current;
}

const recentChoices = (): Choice[] =>
  recentSearches().map((text) => ({ key: `r:${text}`, href: searchFor(text), text, group: "recent" }));

const toChoices = (
  { products, categories, vip_types }: Suggestions,
  labels: SearchLabels,
  locale: string,
): Choice[] => [
  ...products.map(
    ({ product_id, slug, product_name, product_tagline, product_image, price, language }): Choice => ({
      key: `p:${product_id}`,
      href: `/product/${slug}`,
      text: product_name,
      note: product_tagline,
      image: product_image,
      price:
        price === 0
          ? labels.free
          : labels.priceFrom.replace("{price}", () => formatPrice(toCents(price), locale)),
      lang: language,
      group: "products",
    }),
  ),
  ...categories.map(
    ({ category, category_name }): Choice => ({
      key: `c:${category}`,
      href: `/category/${encodeURIComponent(category)}`,
      text: category_name,
      group: "categories",
    }),
  ),
  ...vip_types.map(
    (type): Choice => ({
      key: `t:${type}`,
      href: `/search?vip_type=${type}`,
      text: labels.types[type],
      group: "passes",
    }),
  ),
];
