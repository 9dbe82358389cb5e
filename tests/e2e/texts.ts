import type { Page } from "@playwright/test";
import type { Locale } from "@/lib/platform/i18n/locales";
import consoleEn from "@/messages/console/en.json" with { type: "json" };
import consoleJa from "@/messages/console/ja.json" with { type: "json" };
import consoleZh from "@/messages/console/zh.json" with { type: "json" };
import en from "@/messages/en.json" with { type: "json" };
import ja from "@/messages/ja.json" with { type: "json" };
import zh from "@/messages/zh.json" with { type: "json" };

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, path = ""): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "string"
      ? [[path + name, value] as [string, string]]
      : flatten(value, `${path}${name}.`),
  );
}

const MESSAGES: Record<Locale, Map<string, string>> = {
  en: new Map([...flatten(en), ...flatten(consoleEn)]),
  zh: new Map([...flatten(zh), ...flatten(consoleZh)]),
  ja: new Map([...flatten(ja), ...flatten(consoleJa)]),
};
const LANG: Record<Locale, string> = { en: "en", zh: "zh-Hans", ja: "ja" };

/** English messages that another language translates: sentences, because short words may also be names. */
const englishOnly = (locale: Locale) =>
  [...MESSAGES.en].flatMap(([key, text]) => {
    const isSentence = text.length >= 16 && text.includes(" ") && !/[{<]/.test(text);
    return isSentence && MESSAGES[locale].get(key) !== text ? [text] : [];
  });

/** All texts of the page for readers and screen readers, one per line. */
const readTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // biome-ignore lint/performance/useDomNodeTextContent: textContent holds scripts and hidden texts as well.
    const texts = [document.title, document.body.innerText];
    for (const name of ["aria-label", "placeholder", "alt", "title"])
      for (const node of document.querySelectorAll(`[${name}]`)) texts.push(node.getAttribute(name) ?? "");
    return texts.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
  });

/**
 * Finds problems in the texts of the current page: a message key or a placeholder instead of a text, an English
 * sentence in another language, a wrong `lang`, or content wider than the window.
 */
export async function findTextProblems(page: Page, locale: Locale): Promise<string[]> {
  const lines = await readTexts(page);
  const problems: string[] = [];
  for (const line of lines) {
    const keys = (line.match(/\w+(?:\.\w+)+/g) ?? []).filter((key) => MESSAGES.en.has(key));
    if (keys.length > 0) problems.push(`message key: ${keys.join(", ")}`);
    if (/\{\w+\}/.test(line)) problems.push(`placeholder: ${line}`);
  }
  if (locale !== "en") {
    const all = lines.join("\n");
    for (const text of englishOnly(locale)) if (all.includes(text)) problems.push(`English: ${text}`);
  }
  const [lang, content, viewport] = await page.evaluate(
    () => [document.documentElement.lang, document.documentElement.scrollWidth, window.innerWidth] as const,
  );
  if (lang !== LANG[locale]) problems.push(`lang ${lang}`);
  if (content > viewport) problems.push(`${content} px wide in a window of ${viewport} px`);
  return problems;
}
