import { placeholderValues } from "@/lib/blog/rules";
import { translationProblem } from "@/lib/catalog/translation/rules";
import { parseContentFile, unknownPlaceholders } from "@/lib/platform/content/content-file";
import type { Locale } from "@/lib/platform/i18n/locales";
import { parsePath } from "@/lib/platform/routing/paths";
import { routeOf } from "@/lib/platform/routing/routes";

/** A reason why a post is refused, with its file and line. */
export type PostProblem = { file: string; line?: number; message: string };

/** In bytes. */
export const POST_FILE_LIMIT = 200_000;

/** A line with fewer Latin letters may be a name or a price, which is equal in every language. */
const NAME_LETTERS = 25;

const LINK = /\]\(\s*<?([^)\s>]*)[^)]*\)/g;

/** The problems of a post's text in one language; empty when it can be published. */
export function findTextProblems(text: string, locale: Locale): PostProblem[] {
  const file = `${locale}.md`;
  try {
    parseContentFile(text);
  } catch (error) {
    return [{ file, line: 1, message: `The file ${error instanceof Error ? error.message : error}.` }];
  }
  let code = false;
  return text.split("\n").flatMap((line, i) => {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) code = !code;
    const messages = code || fence ? placeholderProblems(line, locale) : lineProblems(line, locale);
    return messages.map((message) => ({ file, line: i + 1, message }));
  });
}

function lineProblems(line: string, locale: Locale): string[] {
  const bare = line.replace(/`[^`]*`/g, "");
  const problems = placeholderProblems(line, locale);
  if (/^#\s/.test(bare)) problems.push("The title is the only heading of the first level: write ##.");
  if (/!\[[^\]]*\]\(/.test(bare)) problems.push("Pictures are not taken: each post has its drawing.");
  if (/<\/?[a-z][^>]*>/i.test(bare.replace(/<(?:https?:|mailto:)[^>]*>/g, "")))
    problems.push("HTML would be shown as text: write Markdown.");
  for (const [, target = ""] of bare.matchAll(LINK)) problems.push(...linkProblems(target));
  const foreign = foreignProblem(bare, locale);
  return foreign ? [...problems, foreign] : problems;
}

const placeholderProblems = (line: string, locale: Locale) =>
  unknownPlaceholders(line, placeholderValues(locale)).map((name) => `There is no placeholder {${name}}.`);

/** Finds a line left in another language. */
function foreignProblem(line: string, locale: Locale): string | null {
  const named = /^(?:title|description):/;
  const words = line
    .replace(named, "")
    .replace(/\{[a-z_]+\}/g, "1")
    .replace(LINK, "]");
  const letters = words.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return translationProblem(locale, words, { mayBeLatin: !named.test(line) && letters < NAME_LETTERS });
}

/** Problems of a link. Internal pages are written as the desktop path without language: `/product/x`. */
function linkProblems(target: string): string[] {
  if (/^(?:https?:\/\/[^/]|mailto:.|#.)/.test(target)) return [];
  const [path = ""] = target.split(/[?#]/, 1);
  if (!path.startsWith("/") || path.startsWith("//")) return [`${target || "An empty link"} is no address.`];
  const place = parsePath(path);
  if (place.prefixed || place.surface === "mobile")
    return [`${target}: write the path without language and without /mobile.`];
  return routeOf(path) ? [] : [`${target}: there is no such page.`];
}
