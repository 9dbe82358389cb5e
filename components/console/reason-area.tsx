"use client";

import { useTranslations } from "next-intl";
import { type ComponentProps, useRef } from "react";
import { TextArea } from "@/components/ui/text-input";

/** The usual reasons of each decision; `console.reasons.<kind>.<name>` is the text. */
const REASONS = {
  refund: ["used", "late", "again"],
  replacement: ["works", "steps", "account"],
  change: ["picture", "texts", "price", "page"],
  application: ["page", "rights", "fit"],
  mail: ["address", "late"],
} as const;
export type ReasonKind = keyof typeof REASONS;

/** The field for the reason of a decision: a press writes a usual one, which can be changed. */
export function ReasonArea({ kind, ...area }: ComponentProps<typeof TextArea> & { kind: ReasonKind }) {
  const t = useTranslations("console.reasons");
  const field = useRef<HTMLTextAreaElement>(null);
  const texts = REASONS[kind].map((name) => t(`${kind}.${name}` as "change.picture"));
  return (
    <div className="flex flex-col gap-2">
      <TextArea maxLength={500} rows={3} {...area} ref={field} />
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("usual")}</legend>
        {texts.map((text) => (
          <button
            key={text}
            type="button"
            onClick={() => {
              if (!field.current) return;
              field.current.value = text;
              field.current.focus();
            }}
            className="min-h-8 cursor-pointer rounded-control border border-control px-2.5 py-1 text-left text-13 hover:border-ink max-[899px]:min-h-11"
          >
            {text}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
