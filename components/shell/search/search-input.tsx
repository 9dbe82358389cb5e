"use client";

import { type ComponentType, useRef, useState } from "react";
import { Icon } from "@/components/ui/icon";
import type { SearchLabels, SuggestionsProps } from "./search-labels";

/**
 * A search field with its button. It must be rendered inside a form. Blank input is ignored
 * (docs/product.md#51-fields). Suggestions are loaded on first focus, because this file is part of every public page
 * and must stay small.
 */
export function SearchInput({ labels, value }: { labels: SearchLabels; value?: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps>>();
  const isBlank = () => !input.current?.value.trim();
  const load = () => {
    if (!Suggestions)
      import("./search-suggestions").then(
        (loaded) => setSuggestions(() => loaded.SearchSuggestions),
        () => {}, // Search works without suggestions.
      );
  };
  return (
    <div className="relative min-w-0 flex-1">
      <input
        ref={input}
        type="search"
        name="q"
        role="combobox"
        aria-expanded="false"
        aria-autocomplete="list"
        maxLength={200}
        autoComplete="off"
        autoCapitalize="off"
        enterKeyHint="search"
        aria-label={labels.label}
        placeholder={labels.placeholder}
        defaultValue={value}
        onFocus={load}
        onKeyDown={(event) => {
          if (event.key === "Enter" && isBlank()) event.preventDefault();
        }}
        className="control pr-12 [&::-webkit-search-cancel-button]:hidden"
      />
      <button
        type="submit"
        aria-label={labels.submit}
        onClick={(event) => {
          if (isBlank()) event.preventDefault();
        }}
        className="hit absolute inset-y-0 right-0 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
      >
        <Icon name="search" />
      </button>
      {Suggestions && <Suggestions input={input} labels={labels} />}
    </div>
  );
}
