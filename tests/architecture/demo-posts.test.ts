import { describe } from "vitest";
import { PostFile } from "@/lib/blog/import/contract";
import { findTextProblems } from "@/lib/blog/import/rules";
import { FIGURE_LINE } from "@/lib/blog/rules";
import { parseContentFile } from "@/lib/platform/content/content-file";
import { markdownToHtml } from "@/lib/platform/content/markdown";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { check, isFile, type Repository, repository } from "./repository";

const FOLDER = "db/seed/blog/";
const MIN_POSTS = 12;

const listPosts = (repo: Repository) => [
  ...new Set(repo.files.filter((path) => path.startsWith(FOLDER)).map((path) => path.split("/")[3] ?? "")),
];

/** The existing texts by language. */
const readTexts = (repo: Repository, post: string) =>
  LOCALES.flatMap((locale) => {
    const path = `${FOLDER}${post}/${locale}.md`;
    return isFile(repo, path) ? [{ locale, path, text: repo.read(path) }] : [];
  });

const findLinks = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target.split(/[?#]/, 1)[0] ?? "");

function incompletePosts(repo: Repository): string[] {
  const posts = listPosts(repo);
  const problems = posts.flatMap((post) =>
    ["post.json", ...LOCALES.map((locale) => `${locale}.md`)]
      .filter((file) => !isFile(repo, `${FOLDER}${post}/${file}`))
      .map((file) => `${FOLDER}${post} has no ${file}`),
  );
  return posts.length < MIN_POSTS && repo === repository
    ? [...problems, `only ${posts.length} posts, at least ${MIN_POSTS} are required`]
    : problems;
}

const invalidPosts = (repo: Repository): string[] =>
  listPosts(repo).flatMap((post) => [
    ...readTexts(repo, post).flatMap(({ locale, path, text }) =>
      findTextProblems(text, locale).map(({ line, message }) => `${path}:${line} ${message}`),
    ),
    ...(isFile(repo, `${FOLDER}${post}/post.json`)
      ? (PostFile.safeParse(JSON.parse(repo.read(`${FOLDER}${post}/post.json`))).error?.issues ?? []).map(
          ({ path, message }) => `${FOLDER}${post}/post.json ${path.join(".")} ${message}`,
        )
      : []),
  ]);

/** Emphasis that is shown as asterisks, e.g. because it ends with a punctuation mark before a Chinese character. */
const openEmphasis = (repo: Repository): string[] =>
  listPosts(repo).flatMap((post) =>
    readTexts(repo, post).flatMap(({ path, text }) =>
      [...markdownToHtml(parseContentFile(text).body, (target) => target).matchAll(/.*\*\*.*/g)].map(
        ([line]) => `${path} shows ${line.slice(0, 60)}`,
      ),
    ),
  );

type Line = { kind: string; slug: string; texts?: Partial<Record<Locale, { name: string }>> };

/** The products of the demo by slug. */
const readProducts = (repo: Repository) =>
  new Map(
    repo
      .read("db/seed/catalog.jsonl")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
      .flatMap((line) => (line.kind === "product" ? [[line.slug, line] as const] : [])),
  );

/** Linked or related products and posts that are not in the demo. */
function unknownTargets(repo: Repository): string[] {
  const posts = listPosts(repo);
  const products = readProducts(repo);
  const exists = (target: string) => {
    const [, kind, slug = ""] = /^\/(product|blog\/detail)\/(.+)$/.exec(target) ?? [];
    if (kind === undefined) return true;
    return kind === "product" ? products.has(slug) : posts.includes(slug);
  };
  return posts.flatMap((post) => {
    const path = `${FOLDER}${post}/post.json`;
    const { related = [] } = isFile(repo, path)
      ? (JSON.parse(repo.read(path)) as { related?: string[] })
      : {};
    return [
      ...related.filter((slug) => !products.has(slug)).map((slug) => `${path} names the product ${slug}`),
      ...readTexts(repo, post).flatMap(({ path, text }) =>
        findLinks(text)
          .filter((target) => !exists(target))
          .map((target) => `${path} links to ${target}`),
      ),
    ];
  });
}

/** Text outside links that starts like a product name and continues differently. */
const wrongMentions = (text: string, name: string) => {
  const [reference = name] = name.split(" ");
  return text
    .replace(/\[[^\]]*\]\([^)]*\)/g, "")
    .split(reference)
    .slice(1)
    .map((rest) => `${reference}${rest}`)
    .filter((words) => !words.startsWith(name))
    .map((words) => words.slice(0, name.length).split("\n", 1)[0] ?? "");
};

/** Product names in links or text that differ from the name in that language. */
function wrongNames(repo: Repository): string[] {
  const products = readProducts(repo);
  return listPosts(repo)
    .flatMap((post) => readTexts(repo, post))
    .flatMap(({ locale, path, text }) =>
      [...text.matchAll(/\[([^\]]*)\]\(\/product\/([^)\s?#]+)/g)].flatMap(([, linkText = "", slug = ""]) => {
        const texts = products.get(slug)?.texts;
        const name = texts?.[locale]?.name ?? texts?.en?.name;
        if (name === undefined) return [];
        const wrong = new Set([...(linkText === name ? [] : [linkText]), ...wrongMentions(text, name)]);
        return [...wrong].map((words) => `${path} has “${words}”, the product name is “${name}”`);
      }),
    );
}

/** Translations with another number of headings or table lines, or other links or placeholders. */
function differentStructure(repo: Repository): string[] {
  const features: Record<string, (text: string) => unknown> = {
    headings: (text) => text.match(/^##+ /gm)?.length ?? 0,
    links: (text) => findLinks(text).sort(),
    placeholders: (text) => (text.match(/\{[a-z_]+\}/g) ?? []).sort(),
    "table lines": (text) => text.match(/^\|/gm)?.length ?? 0,
  };
  return listPosts(repo).flatMap((post) => {
    const [reference, ...others] = readTexts(repo, post);
    return others.flatMap(({ path, text }) =>
      Object.entries(features)
        .filter(
          ([, extract]) => JSON.stringify(extract(text)) !== JSON.stringify(extract(reference?.text ?? "")),
        )
        .map(([feature]) => `${path} has other ${feature} than ${reference?.locale}.md`),
    );
  });
}

/** The least length of a post: words in English, characters with their punctuation in Chinese and Japanese. */
const MIN_LENGTH: Record<Locale, number> = { en: 600, zh: 1000, ja: 1200 };

function countLength(text: string, locale: Locale): number {
  const [, , body = ""] = text.split(/^---$/m);
  const prose = body.replace(/\]\([^)]*\)/g, "]");
  const units =
    locale === "en"
      ? /[\p{L}\p{N}$.’']+/gu
      : /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー，。、：；？！（）“”「」]/gu;
  return prose.match(units)?.length ?? 0;
}

/** Posts that are too short, name no pass, or have no picture of their own or no figure. */
const thinPosts = (repo: Repository): string[] =>
  listPosts(repo).flatMap((post) =>
    readTexts(repo, post).flatMap(({ locale, path, text }) => {
      const length = countLength(text, locale);
      const figures = text.split("\n").flatMap((line) => FIGURE_LINE.exec(line)?.[2] ?? []);
      return [
        ...(length < MIN_LENGTH[locale] ? [`${path} has ${length} of ${MIN_LENGTH[locale]} words`] : []),
        ...(findLinks(text).some((target) => target.startsWith("/product/"))
          ? []
          : [`${path} links to no pass`]),
        ...(figures.length > 0 ? [] : [`${path} has no figure`]),
        ...["picture.svg", ...figures]
          .filter((file) => !isFile(repo, `${FOLDER}${post}/${file}`))
          .map((file) => `${FOLDER}${post} has no ${file}`),
      ];
    }),
  );

describe("demo posts", () => {
  check("every post exists in three languages", incompletePosts);
  check("every post has known placeholders, valid links and no untranslated text", invalidPosts);
  check("emphasis is closed", openEmphasis);
  check("linked products and posts exist in the demo", unknownTargets);
  check("posts use the product names of their language", wrongNames);
  check("translations of a post have the same structure", differentStructure);
  check("every post has its length, names a pass and shows a figure", thinPosts);
});
