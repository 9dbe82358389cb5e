import { useEffect, useRef, useState } from "react";
import type { Suggestions } from "@/lib/catalog/search/contract";
import { api } from "@/lib/platform/api/client";
import { recentSearches } from "./search-history";
import type { SearchLabels } from "./search-labels";

/** An item of the list: its target, its text and its group. */
export type Choice = {
  key: string;
  href: string;
  text: string;
  note?: string;
  lang?: string;
  group: "recent" | "products" | "categories" | "passes";
};

const DEBOUNCE_MS = 120;
const MAX_CACHED = 40;
const cache = new Map<string, Suggestions>();

const searchFor = (query: string) => `/search?q=${encodeURIComponent(query)}`;

/** The choices for the text in a field: recent searches while it is empty, otherwise the shop's suggestions. */
export function useSuggestions(typed: string, labels: SearchLabels, historyVersion: number): Choice[] | null {
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
  else if (response?.query === query) lastChoices.current = toChoices(response.found, labels);
  // The previous choices stay visible until the next response arrives, which avoids flicker.
  return lastChoices.current;
}

const recentChoices = (): Choice[] =>
  recentSearches().map((text) => ({ key: `r:${text}`, href: searchFor(text), text, group: "recent" }));

const toChoices = ({ products, categories, vip_types }: Suggestions, labels: SearchLabels): Choice[] => [
  ...products.map(
    ({ product_id, slug, product_name, maker, language }): Choice => ({
      key: `p:${product_id}`,
      href: `/product/${slug}`,
      text: product_name,
      note: maker,
      lang: language,
      group: "products",
    }),
  ),
  ...categories.map(
    ({ category, category_name }): Choice => ({
      key: `c:${category}`,
      href: `/search?category=${encodeURIComponent(category)}`,
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
