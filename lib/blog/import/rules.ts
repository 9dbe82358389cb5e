import { FIGURE_LINE, placeholderValues, STORED_FIGURE_LINE } from "@/lib/blog/rules";
import { findTranslationFlaw, translationMessage } from "@/lib/catalog/translation/rules";
import { type ContentFile, parseContentFile, unknownPlaceholders } from "@/lib/platform/content/content-file";
import { type Reason, reason } from "@/lib/platform/error-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { parsePath } from "@/lib/platform/routing/paths";
import { findRoute } from "@/lib/platform/routing/routes";

/** A reason why a post is refused, with its file and line. */
export type PostProblem = { file: string; line?: number } & Reason;

/** In bytes. */
export const POST_FILE_LIMIT = 200_000;

/** A line with fewer Latin letters may be a name or a price, which is equal in every language. */
const MAX_NAME_LETTERS = 25;

/** A front matter line that is translated. */
const TITLE_LINE = /^(?:title|description):/;

const LINK = /\]\(\s*<?([^)\s>]*)[^)]*\)/g;

/** The problems of a post's text in one language; empty when it can be published. */
export function findTextProblems(text: string, locale: Locale): PostProblem[] {
  const file = `${locale}.md`;
  try {
    parseContentFile(text);
  } catch (error) {
    return [{ file, line: 1, message: `The file ${error instanceof Error ? error.message : error}.` }];
  }
  return findLineProblems(text, locale, FIGURE_LINE).map((problem) => ({ file, ...problem }));
}

/** The problems of the fields of a text that is written in the console, whose figures are stored already. */
export function findContentProblems(
  { title, description, body }: ContentFile,
  locale: Locale,
): FieldProblem[] {
  const ofField = (field: keyof ContentFile, text: string) =>
    text.trim() === ""
      ? [{ field, ...reason("post_text_missing") }]
      : findLineProblems(field === "body" ? text : `${field}: ${text}`, locale, STORED_FIGURE_LINE).map(
          ({ line, ...why }) => ({ field, ...(field === "body" && { line }), ...why }),
        );
  return [...ofField("title", title), ...ofField("description", description), ...ofField("body", body)];
}

/** A reason why a field of a post's text in one language is refused. */
export type FieldProblem = { field: keyof ContentFile; line?: number } & Reason;

function findLineProblems(text: string, locale: Locale, figureLine: RegExp): ({ line: number } & Reason)[] {
  let inCode = false;
  return text.split("\n").flatMap((line, i) => {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) inCode = !inCode;
    const reasons =
      inCode || isFence ? placeholderProblems(line, locale) : lineProblems(line, locale, figureLine);
    return reasons.map((why) => ({ line: i + 1, ...why }));
  });
}

function lineProblems(line: string, locale: Locale, figureLine: RegExp): Reason[] {
  const withoutCode = line.replace(/`[^`]*`/g, "");
  const problems = placeholderProblems(line, locale);
  if (/^#\s/.test(withoutCode)) problems.push(reason("post_heading"));
  const isFigure = figureLine.test(withoutCode);
  if (!isFigure && /!\[[^\]]*\]\(/.test(withoutCode))
    problems.push(reason("post_figure", { form: "![caption](file.svg)" }));
  if (/<\/?[a-z][^>]*>/i.test(withoutCode.replace(/<(?:https?:|mailto:)[^>]*>/g, "")))
    problems.push(reason("post_html"));
  if (!isFigure)
    for (const [, target = ""] of withoutCode.matchAll(LINK)) problems.push(...linkProblems(target));
  const languageProblem = findLanguageProblem(withoutCode, locale);
  if (languageProblem) problems.push(languageProblem);
  return problems;
}

const placeholderProblems = (line: string, locale: Locale): Reason[] =>
  unknownPlaceholders(line, placeholderValues(locale)).map((name) =>
    reason("post_placeholder", { placeholder: `{${name}}` }),
  );

/** Finds a line left in another language. */
function findLanguageProblem(line: string, locale: Locale): Reason | null {
  const prose = line
    .replace(TITLE_LINE, "")
    .replace(/\{[a-z_]+\}/g, "1")
    .replace(LINK, "]");
  const letters = prose.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const mayBeLatin = !TITLE_LINE.test(line) && letters < MAX_NAME_LETTERS;
  const flaw = findTranslationFlaw(locale, prose, { mayBeLatin });
  return flaw && { ...flaw, message: translationMessage(flaw) };
}

/** Problems of a link. Internal pages are written as the desktop path without language: `/product/x`. */
function linkProblems(target: string): Reason[] {
  if (/^(?:https?:\/\/[^/]|mailto:.|#.)/.test(target)) return [];
  const [path = ""] = target.split(/[?#]/, 1);
  if (!path.startsWith("/") || path.startsWith("//"))
    return [target ? reason("post_link", { target }) : reason("post_link_empty")];
  const location = parsePath(path);
  if (location.prefixed || location.surface === "mobile") return [reason("post_link_path", { target })];
  return findRoute(path) ? [] : [reason("post_link_page", { target })];
}
