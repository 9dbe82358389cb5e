import type { ProductRecord } from "@/lib/catalog/import/contract";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { findTranslationFlaw, type TranslationFlaw } from "./rules";

/** What the shop does with the texts of one language: shows them, shows the English ones instead, or refuses the record. */
export type GateVerdict = {
  language: Locale;
  state: "shown" | "english" | "refused";
  flaws: (TranslationFlaw & { path: string })[];
};

type Translated = { path: string; text: string; mayBeLatin?: boolean };

/** The translated texts of a product in one language, with the path of each. */
function textsIn({ texts, activation, plans }: ProductRecord, locale: Locale): Translated[] {
  const own = texts[locale];
  const steps = (path: string, guide: ProductRecord["activation"] | null) =>
    guide?.steps[locale] ? [{ path: `${path}.steps.${locale}`, text: guide.steps[locale].join("\n") }] : [];
  return [
    ...(own
      ? [
          { path: `texts.${locale}.name`, text: own.name, mayBeLatin: true },
          { path: `texts.${locale}.tagline`, text: own.tagline },
          { path: `texts.${locale}.description`, text: own.description },
          { path: `texts.${locale}.includes`, text: own.includes.join("\n") },
        ]
      : []),
    ...steps("activation", activation),
    ...plans.flatMap((plan, i) => [
      ...steps(`plans.${i}.activation`, plan.activation),
      ...(plan.includes?.[locale]
        ? [{ path: `plans.${i}.includes.${locale}`, text: plan.includes[locale].join("\n") }]
        : []),
    ]),
  ];
}

/** The verdict of the translation gate for each language. An empty text is not the gate's matter. */
export const gateVerdicts = (line: ProductRecord): GateVerdict[] =>
  LOCALES.map((language) => {
    const flaws = textsIn(line, language).flatMap(({ path, text, mayBeLatin }) => {
      const flaw = text.trim() === "" ? null : findTranslationFlaw(language, text, { mayBeLatin });
      return flaw ? [{ ...flaw, path }] : [];
    });
    const state = flaws.length > 0 ? "refused" : line.texts[language] ? "shown" : "english";
    return { language, state, flaws };
  });
