"use client";

import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { SearchLabels } from "@/components/catalog/search/search-labels";
import { Button } from "@/components/ui/button";
import { Page } from "@/components/ui/page";

export type ErrorTexts = { title: string; text: string; retry: string };

const Texts = createContext<ErrorTexts>({
  title: "Something went wrong on our side",
  text: "Please try again in a moment.",
  retry: "Try again",
});

/** Provides the localized texts of the error page, which cannot load them from the server. */
export function ErrorTextsProvider({ texts, children }: { texts: ErrorTexts; children: ReactNode }) {
  return <Texts value={texts}>{children}</Texts>;
}

/** The content of a page that failed to render. */
export function ErrorScreen({ error, retry }: { error: Error; retry: () => void }) {
  const texts = useContext(Texts);
  useEffect(() => console.error(error), [error]);
  return (
    <Page narrow title={texts.title} lead={texts.text}>
      <Button look="primary" onClick={retry}>
        {texts.retry}
      </Button>
    </Page>
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
