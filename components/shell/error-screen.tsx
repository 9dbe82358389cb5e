"use client";

import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { SearchLabels } from "@/components/shell/search/search-labels";

export type ErrorTexts = { title: string; text: string; retry: string };

/** The root layout provides the texts on every page. */
const Texts = createContext({} as ErrorTexts);

/** Provides the localized texts of the error page, which cannot load them from the server. */
export function ErrorTextsProvider({ texts, children }: { texts: ErrorTexts; children: ReactNode }) {
  return <Texts value={texts}>{children}</Texts>;
}

/** The content of a page that failed to render. Every page carries it, so it uses plain elements. */
export function ErrorScreen({ error, retry }: { error: Error; retry: () => void }) {
  const texts = useContext(Texts);
  useEffect(() => console.error(error), [error]);
  return (
    <main id="content" tabIndex={-1} className="measure pt-6 pb-20 outline-none md:pt-10">
      <h1 className="text-28 md:text-40">{texts.title}</h1>
      <p className="pt-2 pb-6 text-17 text-quiet">{texts.text}</p>
      <button type="button" className="button button-primary" onClick={retry}>
        {texts.retry}
      </button>
    </main>
  );
}

export type NotFoundHelpProps = { search: SearchLabels; title: string };

/**
 * Loads the search and suggestions of the not-found page, which every page would carry otherwise. It is
 * in this file because each file of a `not-found` boundary is sent with every page.
 */
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
