import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importPosts, type PostImportCounts, type PostImportError } from "@/lib/blog/import/import-posts";

/** Folders of blog posts, and their import. */

type Text = { title?: string; description?: string; body?: string };
export type PostFiles = {
  facts?: Record<string, unknown>;
  en?: Text | string;
  zh?: Text | string;
  ja?: Text | string;
  /** an SVG that `post.json` names as `picture.svg` */
  picture?: string;
};

const TEXTS = {
  en: { title: "A post", description: "It says something.", body: "Some words." },
  zh: { title: "一篇文章", description: "一句说明。", body: "几句话。" },
  ja: { title: "記事", description: "説明です。", body: "いくつかの言葉です。" },
};

const SEED = "db/seed/blog";
const root = mkdtempSync(join(tmpdir(), "posts-"));
process.once("exit", () => rmSync(root, { recursive: true, force: true }));

let lastFolder = 0;

/** The default category of the posts. */
export const POST_CATEGORY = "of-posts";

/** Writes a folder with a folder for each post, by slug; returns its path. `without` leaves files out. */
export function postFolder(posts: Record<string, PostFiles & { without?: string[] }>): string {
  const folder = join(root, String(++lastFolder));
  mkdirSync(folder);
  for (const [slug, { facts, without = [], picture, ...texts }] of Object.entries(posts)) {
    const files: Record<string, string> = {
      "post.json": JSON.stringify(
        {
          slug,
          author: "Ines Harrow",
          category: POST_CATEGORY,
          recommended: false,
          related: [],
          published_on: "2026-06-09",
          updated_on: "2026-06-09",
          ...(picture !== undefined && { image: "picture.svg" }),
          ...facts,
        },
        null,
        2,
      ),
    };
    if (picture !== undefined) files["picture.svg"] = picture;
    for (const [locale, defaults] of Object.entries(TEXTS)) {
      const text = texts[locale as keyof typeof TEXTS];
      const { title, description, body } = { ...defaults, ...(typeof text === "object" && text) };
      files[`${locale}.md`] =
        typeof text === "string" ? text : `---\ntitle: ${title}\ndescription: ${description}\n---\n${body}\n`;
    }
    mkdirSync(join(folder, slug));
    for (const [name, content] of Object.entries(files))
      if (!without.includes(name)) writeFileSync(join(folder, slug, name), content);
  }
  return folder;
}

/** A folder of the first posts of the demo, or of all, with the products that they name. */
export function copySeedPosts(count?: number): { folder: string; related: string[] } {
  const folder = join(root, String(++lastFolder));
  const slugs = readdirSync(SEED).slice(0, count);
  for (const slug of slugs) cpSync(join(SEED, slug), join(folder, slug), { recursive: true });
  const related = slugs.flatMap(
    (slug): string[] => JSON.parse(readFileSync(join(SEED, slug, "post.json"), "utf8")).related,
  );
  return { folder, related };
}

type Outcome = PostImportCounts & { refusals: PostImportError[] };

export async function importFolder(folder: string, preview = false, takeOver = false): Promise<Outcome> {
  const refusals: PostImportError[] = [];
  const counts = await importPosts(folder, {
    preview,
    takeOver,
    onRefused: (refusal) => refusals.push(refusal),
  });
  return { ...counts, refusals };
}

/** Writes the posts and imports them. */
export const importPostFiles = (posts: Parameters<typeof postFolder>[0]) => importFolder(postFolder(posts));
