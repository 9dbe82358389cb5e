import { findContentProblems } from "@/lib/blog/import/rules";
import { draftFigureImage, placeholderValues, readingMinutes } from "@/lib/blog/rules";
import { fillKnownPlaceholders, plainText } from "@/lib/platform/content/content-file";
import { markdownToHtml } from "@/lib/platform/content/markdown";
import { reasonIn } from "@/lib/platform/error-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { PostPreview, PostPreviewInput } from "./contract";

/**
 * A text as the site shows it, with its links and figures, and, in the writer's language, what prevents publishing it.
 */
export function previewPost({ locale, text }: PostPreviewInput, language: Locale): PostPreview {
  const values = placeholderValues(locale);
  const markdown = fillKnownPlaceholders(text.body, values);
  return {
    title: fillKnownPlaceholders(text.title, values),
    description: fillKnownPlaceholders(text.description, values),
    html: markdownToHtml(markdown, (path) => localizedPath(path, { locale, surface: "desktop" }), {
      figure: draftFigureImage,
    }),
    reading_minutes: readingMinutes(plainText(text.body)),
    problems: findContentProblems(text, locale).map(({ field, line, ...why }) => ({
      field,
      line: line ?? null,
      message: reasonIn(language, why),
    })),
  };
}
