import { createTranslator } from "next-intl";
import type { Locale } from "@/lib/platform/i18n/locales";
import en from "@/messages/en.json";
import ja from "@/messages/ja.json";
import zh from "@/messages/zh.json";
import type { ErrorName, ErrorParams } from "./errors";

const CATALOGUES = { en, zh, ja };
type ErrorMessages = Record<string, string>;

/** The message of an error in one language; `params` fill its placeholders. */
export function errorMessage(name: ErrorName | "none", locale: Locale, params: ErrorParams = {}): string {
  const errors: ErrorMessages = CATALOGUES[locale].errors;
  const text = errors[name] ?? (en.errors as ErrorMessages)[name] ?? name;
  // In Next's bundles a message with placeholders is precompiled
  // (docs/decisions/0022-prepare-browser-files-in-the-build.md).
  if (typeof text === "string" && !text.includes("{")) return text;
  const translate = createTranslator<{ errors: ErrorMessages }>({ locale, messages: { errors } });
  return translate(`errors.${name}`, params);
}
