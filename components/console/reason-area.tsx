"use client";

import { useTranslations } from "next-intl";
import { type ComponentProps, createContext, type ReactNode, useContext, useRef } from "react";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import type { UsualReasonTexts } from "@/lib/platform/i18n/console-messages";
import { LANGUAGE_NAMES, type Locale } from "@/lib/platform/i18n/locales";

/** The usual reasons of each decision; `console.reasons.<kind>.<name>` is the text. */
const REASONS = {
  refund: ["used", "late", "again"],
  replacement: ["works", "steps", "account"],
  change: ["picture", "texts", "price", "page"],
  application: ["page", "rights", "fit"],
  mail: ["address", "late"],
} as const;
export type ReasonKind = keyof typeof REASONS;

const TextsContext = createContext<UsualReasonTexts | null>(null);

/** Gives the usual reasons in every language to the fields within. */
export function UsualReasons({ texts, children }: { texts: UsualReasonTexts; children: ReactNode }) {
  return <TextsContext value={texts}>{children}</TextsContext>;
}

/**
 * The field for the reason of a decision: a press writes a usual one in the language of its reader, which can be changed.
 * The buttons are in the language of the page.
 */
export function ReasonArea({
  kind,
  reader,
  sends = false,
  ...area
}: ComponentProps<typeof TextArea> & {
  kind: ReasonKind;
  /** default: the language of the page */
  reader?: Locale | null;
  /** A press on a usual reason sends the form, too: one that shows first what it will do. */
  sends?: boolean;
}) {
  const t = useTranslations("console.reasons");
  const { locale } = useSurface();
  const written = useContext(TextsContext)?.[reader ?? locale][kind] as Record<string, string> | undefined;
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="flex flex-col gap-2">
      <TextArea maxLength={500} rows={3} {...area} ref={field} />
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("usual")}</legend>
        {REASONS[kind].map((name) => {
          const text = t(`${kind}.${name}` as "change.picture");
          return (
            <button
              key={name}
              type="button"
              onClick={() => {
                if (!field.current) return;
                field.current.value = written?.[name] ?? text;
                field.current.focus();
                if (sends) field.current.form?.requestSubmit();
              }}
              className="min-h-8 cursor-pointer rounded-control border border-control px-2.5 py-1 text-left text-13 hover:border-ink max-[899px]:min-h-11"
            >
              {text}
            </button>
          );
        })}
      </fieldset>
      {reader && reader !== locale && (
        <p className="text-13 text-quiet">{t("reader", { language: LANGUAGE_NAMES[reader] })}</p>
      )}
    </div>
  );
}
