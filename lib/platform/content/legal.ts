import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locale } from "@/lib/platform/i18n/locales";
import { memoize } from "@/lib/platform/memoize";
import { localizedPath, type Surface } from "@/lib/platform/routing/paths";
import { fillPlaceholders, parseContentFile } from "./content-file";
import { markdownToHtml } from "./markdown";

/** The legal texts, by the path of their page; content files beside the posts (docs/architecture.md). */
export const LEGAL_TEXTS = [
  "privacy-policy",
  "terms-of-service",
  "refund-policy",
  "cookies",
  "accessibility",
  "ranking-and-reviews",
] as const;
export type LegalText = (typeof LEGAL_TEXTS)[number];

/** Files change only with a release, so each is read once. */
const loadFile = memoize((name) =>
  readFile(join(process.cwd(), "db/seed/legal", name), "utf8").then(parseContentFile),
);

/**
 * A legal text as safe HTML with placeholders filled in.
 * @throws Error when a placeholder has no value
 */
export async function readLegal(
  text: LegalText,
  { locale, surface }: { locale: Locale; surface: Surface },
  values: Readonly<Record<string, string>>,
): Promise<{ title: string; description: string; html: string }> {
  const { title, description, body } = await loadFile(`${text}.${locale}.md`);
  const html = markdownToHtml(fillPlaceholders(body, values), (path) =>
    localizedPath(path, { locale, surface }),
  );
  return { title, description, html };
}
