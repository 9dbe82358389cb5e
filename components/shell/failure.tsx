"use client";

import { createContext, type ReactNode, useContext, useEffect } from "react";

export type FailureTexts = { title: string; text: string; retry: string };

const Texts = createContext<FailureTexts>({
  title: "Something went wrong on our side",
  text: "Please try again in a moment.",
  retry: "Try again",
});

/** Hands the error page its words in the page's language: an error page cannot ask the server for them. */
export function FailureTextsProvider({ texts, children }: { texts: FailureTexts; children: ReactNode }) {
  return <Texts value={texts}>{children}</Texts>;
}

/** What a page shows when it fails. */
export function Failure({ error, retry }: { error: Error; retry: () => void }) {
  const texts = useContext(Texts);
  useEffect(() => console.error(error), [error]);
  return (
    <main
      id="content"
      className="mx-auto flex min-h-[60vh] max-w-xl flex-col items-start justify-center gap-4 px-6"
    >
      <h1 className="text-2xl font-semibold">{texts.title}</h1>
      <p>{texts.text}</p>
      <button type="button" className="underline" onClick={retry}>
        {texts.retry}
      </button>
    </main>
  );
}
