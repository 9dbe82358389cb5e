"use client";

import { Icon } from "@/components/ui/icon";

type Texts = { texts: readonly string[]; lang?: string };

export function CheckList({ texts, lang }: Texts) {
  return (
    <ul className="flex flex-col gap-2" lang={lang}>
      {texts.map((text) => (
        <li key={text} className="flex gap-2.5">
          <Icon name="check" className="mt-0.5 text-good" />
          {text}
        </li>
      ))}
    </ul>
  );
}

export function Paragraphs({ texts, lang }: Texts) {
  return (
    <div className="flex flex-col gap-3" lang={lang}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** A numbered list of steps with large numerals. */
export function Steps({ texts, lang }: Texts) {
  return (
    <ol className="flex flex-col gap-3" lang={lang}>
      {texts.map((text, i) => (
        <li key={text} className="flex gap-3">
          <span aria-hidden="true" className="step-figure figures">
            {i + 1}
          </span>
          <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
        </li>
      ))}
    </ol>
  );
}
