import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { client } from "@/db/client";
import { SLUG_PATTERN } from "@/lib/catalog/rules";
import { translationProblem } from "@/lib/catalog/rules-translation";
import { LOCALES, type Locale } from "@/lib/i18n";
import { type ContentFile, readContentFile, unknownPlaceholders } from "@/lib/markdown";
import { reasonOf } from "@/lib/reason";
import { ruleNumbers } from "./rules";

/** `post.json` of a post's folder. */
const PostFile = z.strictObject({
  slug: z.string().regex(SLUG_PATTERN).max(80),
  author: z.string().min(1).max(80),
  category: z.string().min(1).max(60),
  recommended: z.boolean(),
  related: z.array(z.string().regex(SLUG_PATTERN)).max(6),
  published_on: z.iso.date(),
  updated_on: z.iso.date(),
});

export type PostImportCounts = { added: number; changed: number; unchanged: number; refused: number };
type ImportOptions = { preview?: boolean; onRefused?: (refusal: { post: string; message: string }) => void };

type Post = z.output<typeof PostFile> & { texts: Record<Locale, ContentFile>; hash: string };

/**
 * Imports posts from a folder that holds one folder a post: `post.json`, `en.md`, `zh.md`, `ja.md`. The same files
 * twice change nothing; a post is taken whole or refused with a reason.
 */
export async function importPosts(folder: string, options: ImportOptions = {}): Promise<PostImportCounts> {
  const counts: PostImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const entries = await readdir(folder, { withFileTypes: true });
  for (const { name } of entries
    .filter((entry) => entry.isDirectory())
    .sort((a, b) => (a.name < b.name ? -1 : 1))) {
    try {
      counts[await storePost(await readPost(join(folder, name), name), options.preview ?? false)] += 1;
    } catch (error) {
      counts.refused += 1;
      options.onRefused?.({ post: name, message: messageOf(error) });
    }
  }
  return counts;
}

const messageOf = (error: unknown) =>
  error instanceof z.ZodError
    ? error.issues.map(({ path, message }) => `post.json ${path.join(".")}: ${message}`).join("; ")
    : reasonOf(error);

async function readPost(folder: string, name: string): Promise<Post> {
  const facts = await readFile(join(folder, "post.json"), "utf8");
  const post = PostFile.parse(JSON.parse(facts));
  if (post.slug !== name) throw new Error(`the folder ${name} holds the post ${post.slug}`);
  const files = await Promise.all(
    LOCALES.map(async (locale) => {
      const text = await readFile(join(folder, `${locale}.md`), "utf8");
      return [locale, checkedText(text, locale)] as const;
    }),
  );
  const texts = Object.fromEntries(files) as Record<Locale, ContentFile>;
  const hash = createHash("sha256")
    .update(JSON.stringify([post, texts]))
    .digest("base64url");
  return { ...post, texts, hash };
}

function checkedText(text: string, locale: Locale): ContentFile {
  const file = readContentFile(text);
  const values = ruleNumbers(locale);
  for (const [field, value] of Object.entries(file)) {
    const [unknown] = unknownPlaceholders(value, values);
    if (unknown !== undefined) throw new Error(`${locale}.md ${field}: unknown placeholder {${unknown}}`);
    const plain = value.replace(/\{[a-z_]+\}/g, "1").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const problem = translationProblem(locale, plain);
    if (problem) throw new Error(`${locale}.md ${field}: ${problem}`);
  }
  return file;
}

async function storePost(post: Post, preview: boolean): Promise<"added" | "changed" | "unchanged"> {
  const { texts, hash, published_on, updated_on, ...facts } = post;
  return client().begin(async (sql) => {
    const [category] = await sql`select 1 from categories where slug = ${facts.category}`;
    if (!category) throw new Error(`There is no category ${facts.category}.`);
    const [before] = await sql<{ id: number; hash: string }[]>`
      select id, import_hash as hash from posts where slug = ${facts.slug} for update`;
    if (before?.hash === hash) return "unchanged";
    if (preview) return before ? "changed" : "added";
    const [row] = await sql<{ id: number }[]>`
      insert into posts (slug, author, category, recommended, related, published_at, updated_at, import_hash)
      values (${facts.slug}, ${facts.author}, ${facts.category}, ${facts.recommended},
        ${JSON.stringify(facts.related)}::text::jsonb, ${published_on}::date, ${updated_on}::date, ${hash})
      on conflict (slug) do update set author = excluded.author, category = excluded.category,
        recommended = excluded.recommended, related = excluded.related, published_at = excluded.published_at,
        updated_at = excluded.updated_at, import_hash = excluded.import_hash, listed = true
      returning id`;
    for (const locale of LOCALES) {
      const { title, description, body } = texts[locale];
      await sql`
        insert into post_texts (post_id, locale, title, description, body)
        values (${row!.id}, ${locale}, ${title}, ${description}, ${body})
        on conflict (post_id, locale) do update set title = excluded.title,
          description = excluded.description, body = excluded.body`;
    }
    return before ? "changed" : "added";
  });
}
