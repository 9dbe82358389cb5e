import { createTranslator } from "next-intl";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { MESSAGES } from "@/lib/platform/i18n/messages";
import type { ErrorName, ErrorParams } from "./errors";

type ErrorMessages = Record<string, string>;

const translator = (locale: Locale) =>
  createTranslator<{ errors: ErrorMessages }>({ locale, messages: { errors: MESSAGES[locale].errors } });
const TRANSLATORS = new Map(LOCALES.map((locale) => [locale, translator(locale)]));

/** The message of an error in one language; `params` fill its placeholders. */
export function errorMessage(name: ErrorName | "none", locale: Locale, params: ErrorParams = {}): string {
  const errors: ErrorMessages = MESSAGES[locale].errors;
  const text = errors[name] ?? (MESSAGES.en.errors as ErrorMessages)[name] ?? name;
  // In Next's bundles a message with placeholders is precompiled
  // (docs/decisions/0022-prepare-browser-files-in-the-build.md).
  if (typeof text === "string" && !text.includes("{")) return text;
  return TRANSLATORS.get(locale)!(`errors.${name}`, params);
}

/** Why a line of a file or a field of a text is refused: by name, and in English as commands print it. */
export type Reason = { message: string; error?: ErrorName; values?: ErrorParams };

export const reason = (error: ErrorName, values?: ErrorParams) => ({
  error,
  ...(values && { values }),
  message: errorMessage(error, "en", values),
});

/** A reason in one language; one without a name stays as it is. */
export const reasonIn = (locale: Locale, { message, error, values }: Reason): string =>
  error ? errorMessage(error, locale, values) : message;
