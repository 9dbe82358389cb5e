"use client";

import { type ComponentType, useEffect, useState } from "react";
import type { SearchLabels } from "@/components/catalog/search/search-labels";

export type NotFoundHelpProps = { search: SearchLabels; title: string };

/** Loads the search and suggestions of the not-found page, which every page would carry otherwise. */
export function NotFoundSuggestions(props: NotFoundHelpProps) {
  const [Help, setHelp] = useState<ComponentType<NotFoundHelpProps>>();
  useEffect(() => {
    import("./not-found-help").then(
      (loaded) => setHelp(() => loaded.NotFoundHelp),
      () => {}, // The links of the page remain.
    );
  }, []);
  return <div className="min-h-11">{Help && <Help {...props} />}</div>;
}
