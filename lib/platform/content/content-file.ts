import { parse } from "yaml";
import { z } from "zod";

const PLACEHOLDER = /\{([a-z_]+)\}/g;

type Values = Readonly<Record<string, string>>;

/** Placeholders in a text without a value. */
export function unknownPlaceholders(markdown: string, values: Values): string[] {
  return [...markdown.matchAll(PLACEHOLDER)]
    .map(([, name]) => name ?? "")
    .filter((name) => !Object.hasOwn(values, name));
}

/**
 * Fills placeholders: `{refund_days}` → `15`.
 * @throws Error for an unknown placeholder
 */
export function fillPlaceholders(markdown: string, values: Values): string {
  const [unknown] = unknownPlaceholders(markdown, values);
  if (unknown !== undefined) throw new Error(`no value for the placeholder {${unknown}}`);
  return fillKnownPlaceholders(markdown, values);
}

/** The same for imported content: unknown placeholders stay as they are. */
export const fillKnownPlaceholders = (markdown: string, values: Values): string =>
  markdown.replace(PLACEHOLDER, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? placeholder) : placeholder,
  );

/** The plain words of a Markdown text, for excerpts and reading time. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*\|?[\s|:-]+\|?\s*$/gm, " ")
    .replace(/^[#>\s]+/gm, " ")
    .replace(/[*_`|]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

export type ContentFile = { title: string; description: string; body: string };

const FrontMatter = z.object({ title: z.string().optional(), description: z.string().optional() });

/**
 * A content file: YAML front matter of `title` and `description` between `---` lines, then Markdown.
 * @throws Error in a sentence when it is not of that form
 */
export function parseContentFile(text: string): ContentFile {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text);
  if (!match) throw new Error("does not begin with front matter between --- lines");
  const { title, description } = readFrontMatter(match[1] ?? "");
  const body = match[2]?.trim();
  if (!title) throw new Error("has no title");
  if (!description) throw new Error("has no description");
  if (!body) throw new Error("has no text");
  return { title, description, body };
}

function readFrontMatter(yaml: string): z.infer<typeof FrontMatter> {
  try {
    // "failsafe" reads every value as text, also a title that is a year.
    return FrontMatter.parse(parse(yaml, { schema: "failsafe" }));
  } catch (cause) {
    throw new Error("has front matter that is not YAML of title and description", { cause });
  }
}
