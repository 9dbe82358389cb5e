import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { posts } from "@/db/schema/blog";
import { categories } from "@/db/schema/catalog";
import { FIGURE_LINE, figureTarget } from "@/lib/blog/rules";
import { lockPostSlug, writePost } from "@/lib/blog/write-post";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { storePicture } from "@/lib/catalog/images/store-picture";
import { InvalidPictureError, type Picture, validatePicture } from "@/lib/catalog/images/validate-picture";
import { findTextsWithCode } from "@/lib/delivery/code-text/find-codes";
import { type ContentFile, parseContentFile } from "@/lib/platform/content/content-file";
import { detectEncoding } from "@/lib/platform/content/encoding";
import { reason } from "@/lib/platform/error-messages";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { serializeError } from "@/lib/platform/serialize-error";
import { PostFile } from "./contract";
import { findTextProblems, POST_FILE_LIMIT, type PostProblem } from "./rules";

export type PostImportCounts = { added: number; changed: number; unchanged: number; refused: number };
export type PostImportError = PostProblem & { post: string };
type ImportOptions = {
  preview?: boolean;
  /** Replaces posts that were edited in the console since their last import; otherwise they are refused. */
  takeOver?: boolean;
  onRefused?: (refusal: PostImportError) => void;
};

type ParsedPost = Omit<PostFile, "image"> & {
  texts: Record<Locale, ContentFile>;
  /** the hash of the post's picture, or the placeholder */
  image: string;
  pictures: Picture[];
  hash: string;
};
type Figure = Picture & { width: number; height: number };

/** A post that cannot be imported, with all its problems. */
class RejectedPostError extends Error {
  constructor(readonly problems: PostProblem[]) {
    super("refused");
  }
}

/**
 * Imports posts, one folder each: `post.json`, a file for each language (`en.md`), a picture and the figures of the texts. The same files twice change
 * nothing; a post is imported in all languages or refused with its files, lines and reasons.
 */
export async function importPosts(folder: string, options: ImportOptions = {}): Promise<PostImportCounts> {
  const counts: PostImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const entries = await readdir(folder, { withFileTypes: true });
  for (const name of entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()) {
    try {
      counts[await storePost(await readPost(join(folder, name), name), options)] += 1;
    } catch (error) {
      counts.refused += 1;
      const problems =
        error instanceof RejectedPostError
          ? error.problems
          : [{ file: "post.json", message: serializeError(error).message }];
      for (const problem of problems) options.onRefused?.({ post: name, ...problem });
    }
  }
  return counts;
}

/** @throws RejectedPostError with all problems of its files */
async function readPost(folder: string, name: string): Promise<ParsedPost> {
  const problems: PostProblem[] = [];
  const columns = await readText(folder, "post.json", problems);
  const post = columns === null ? null : parsePostFile(columns, name, problems);
  const texts: Partial<Record<Locale, ContentFile>> = {};
  for (const locale of LOCALES) {
    const text = await readText(folder, `${locale}.md`, problems);
    if (text === null) continue;
    const textProblems = findTextProblems(text, locale);
    problems.push(...textProblems);
    if (textProblems.length === 0) texts[locale] = parseContentFile(text);
  }
  const picture = post?.image === undefined ? null : await readPicture(folder, post.image, problems);
  const figures = await readFigures(folder, Object.values(texts), problems);
  for (const text of Object.values(texts)) text.body = withFigures(text.body, figures);
  if (!post || !hasEveryLanguage(texts) || problems.length > 0) throw new RejectedPostError(problems);
  const hash = createHash("sha256")
    .update(JSON.stringify([post, ...LOCALES.map((locale) => texts[locale]), picture?.hash]))
    .digest("base64url");
  const pictures = [...(picture ? [picture] : []), ...figures.values()];
  return { ...post, texts, image: picture?.hash ?? PLACEHOLDER, pictures, hash };
}

const hasEveryLanguage = (
  texts: Partial<Record<Locale, ContentFile>>,
): texts is Record<Locale, ContentFile> => LOCALES.every((locale) => texts[locale]);

/** The text of a file with normalised line ends; null, with a problem added, when it cannot be read. */
async function readText(folder: string, file: string, problems: PostProblem[]): Promise<string | null> {
  try {
    const bytes = await readFile(join(folder, file));
    if (bytes.length <= POST_FILE_LIMIT)
      return new TextDecoder(detectEncoding(bytes), { fatal: true }).decode(bytes).replace(/\r\n?/g, "\n");
    problems.push({ file, message: "The file is larger than 200 kB." });
  } catch (error) {
    const missing = serializeError(error).code === "ENOENT";
    problems.push({ file, message: missing ? "The file is missing." : "The file cannot be read as text." });
  }
  return null;
}

async function readPicture(folder: string, file: string, problems: PostProblem[]): Promise<Figure | null> {
  try {
    return await validatePicture(await readFile(join(folder, file)), { patient: true });
  } catch (error) {
    const isInvalid = error instanceof InvalidPictureError;
    problems.push({ file, message: isInvalid ? error.message : "The picture cannot be read." });
    return null;
  }
}

/** The figures that the texts name, by file. */
async function readFigures(
  folder: string,
  texts: ContentFile[],
  problems: PostProblem[],
): Promise<Map<string, Figure>> {
  const files = texts
    .flatMap(({ body }) => body.split("\n"))
    .flatMap((line) => FIGURE_LINE.exec(line)?.[2] ?? []);
  const figures = new Map<string, Figure>();
  for (const file of new Set(files)) {
    const picture = await readPicture(folder, file, problems);
    if (picture) figures.set(file, picture);
  }
  return figures;
}

/** The text with the stored pictures in place of the files. */
const withFigures = (body: string, figures: Map<string, Figure>) =>
  body
    .split("\n")
    .map((line) => {
      const [, caption, file = ""] = FIGURE_LINE.exec(line) ?? [];
      const figure = figures.get(file);
      return figure ? `![${caption}${figureTarget(figure.hash)}${figure.width}x${figure.height})` : line;
    })
    .join("\n");

function parsePostFile(text: string, name: string, problems: PostProblem[]): PostFile | null {
  const addProblem = (message: string, field?: unknown) => {
    const lineIndex = text.split("\n").findIndex((line) => line.includes(`"${String(field)}"`));
    problems.push({ file: "post.json", ...(lineIndex >= 0 && { line: lineIndex + 1 }), message });
    return null;
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return addProblem(`The file is not valid JSON: ${serializeError(error).message}`);
  }
  const { data, error } = PostFile.safeParse(json);
  if (data && data.slug !== name)
    return addProblem(`The folder ${name} holds the post ${data.slug}.`, "slug");
  for (const { path, message } of error?.issues ?? [])
    addProblem(path.length > 0 ? `${path.join(".")}: ${message}` : message, path[0]);
  return data ?? null;
}

/** @throws RejectedPostError: a file contains an activation code */
async function rejectActivationCodes(tx: Tx, { slug, author, texts }: Omit<ParsedPost, "pictures" | "hash">) {
  const files = [
    { file: "post.json", text: `${slug}\n${author}` },
    ...LOCALES.map((locale) => ({ file: `${locale}.md`, text: Object.values(texts[locale]).join("\n") })),
  ];
  const found = await findTextsWithCode(
    tx,
    files.map(({ text }) => text),
  );
  const problems = files.filter((_, i) => found[i]).map(({ file }) => ({ file, ...reason("note_has_code") }));
  if (problems.length > 0) throw new RejectedPostError(problems);
}

async function storePost(
  post: ParsedPost,
  { preview = false, takeOver = false }: ImportOptions,
): Promise<"added" | "changed" | "unchanged"> {
  const { pictures, hash, ...content } = post;
  if (!preview) for (const picture of pictures) await transaction((tx) => storePicture(tx, picture));
  return transaction(async (tx) => {
    await lockPostSlug(tx, content.slug);
    const refuse = (message: string) => new RejectedPostError([{ file: "post.json", message }]);
    if ((await tx.$count(categories, eq(categories.slug, content.category))) === 0)
      throw refuse(`There is no category ${content.category}.`);
    const [existing] = await tx.select().from(posts).where(eq(posts.slug, content.slug)).for("update");
    if (existing?.importHash === hash && !(existing.edited && takeOver)) return "unchanged";
    if (existing?.edited && !takeOver)
      throw refuse("The post was edited in the console since; --take-over replaces it.");
    await rejectActivationCodes(tx, content);
    if (preview) return existing ? "changed" : "added";
    await writePost(tx, existing?.id ?? null, content, { listed: true, importHash: hash, edited: false });
    return existing ? "changed" : "added";
  });
}
