import { createTranslator, type MessageKeys, type NamespaceKeys, type NestedKeyOf } from "next-intl";
import type consoleMessages from "@/messages/console/en.json";
import { byLocale, LOCALES, type Locale, type LocaleTable, TIME_ZONE } from "./locales";

export type ConsoleMessages = typeof consoleMessages;
type ConsoleNamespace = NamespaceKeys<ConsoleMessages, NestedKeyOf<ConsoleMessages>>;
export type ConsoleMessageKey = MessageKeys<ConsoleMessages, NestedKeyOf<ConsoleMessages>>;

/** The texts of the consoles, which only their pages load. */
export async function loadConsoleMessages(locale: Locale): Promise<ConsoleMessages> {
  const { default: messages } = await import(`@/messages/console/${locale}.json`);
  return messages;
}

export type UsualReasonTexts = LocaleTable<ConsoleMessages["console"]["reasons"]>;

/**
 * The usual reasons of decisions in every language, because the recipient may read another language than the page's.
 */
export async function loadUsualReasons(): Promise<UsualReasonTexts> {
  const loaded = await Promise.all(LOCALES.map(loadConsoleMessages));
  return byLocale((locale) => loaded[LOCALES.indexOf(locale)]!.console.reasons);
}

/** A translator of the console's texts for server components; client components have `useTranslations`. */
export async function consoleTranslations<Namespace extends ConsoleNamespace>({
  locale,
  namespace,
}: {
  locale: Locale;
  namespace: Namespace;
}) {
  const messages = await loadConsoleMessages(locale);
  return createTranslator<ConsoleMessages, Namespace>({ locale, messages, namespace, timeZone: TIME_ZONE });
}

/** A text of the consoles without parameters. */
export async function consoleText(locale: Locale, key: ConsoleMessageKey): Promise<string> {
  const messages = await loadConsoleMessages(locale);
  return createTranslator<ConsoleMessages>({ locale, messages, timeZone: TIME_ZONE })(key);
}
