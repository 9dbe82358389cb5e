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

const PAUSE_MS = 120;
const KEPT_ANSWERS = 40;
const answers = new Map<string, Suggestions>();

const searchFor = (words: string) => `/search?q=${encodeURIComponent(words)}`;

/** The choices for the text in a field: recent searches while it is empty, otherwise the shop's suggestions. */
export function useSuggestions(typed: string, words: SearchLabels, fresh: number): Choice[] | null {
  const asked = typed.trim();
  const [given, setGiven] = useState<{ asked: string; found: Suggestions } | null>(null);
  const last = useRef<Choice[] | null>(null);
  useEffect(() => {
    if (!asked) return;
    const kept = answers.get(asked);
    if (kept) return setGiven({ asked, found: kept });
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await api.get("/product/suggest", { keyword: asked }, { signal: stop.signal });
      if (!answer.ok || stop.signal.aborted) return;
      if (answers.size >= KEPT_ANSWERS) answers.clear();
      answers.set(asked, answer.data);
      setGiven({ asked, found: answer.data });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asked]);
  // `fresh` changes whenever the list of recent searches changes.
  if (!asked) last.current = fresh >= 0 ? recent() : null;
  else if (given?.asked === asked) last.current = choicesOf(given.found, words);
  // The previous choices stay visible until the next response arrives, which avoids flicker.
  return last.current;
}

const recent = (): Choice[] =>
  recentSearches().map((text) => ({ key: `r:${text}`, href: searchFor(text), text, group: "recent" }));

const choicesOf = ({ products, categories, vip_types }: Suggestions, words: SearchLabels): Choice[] => [
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
      text: words.types[type],
      group: "passes",
    }),
  ),
];
