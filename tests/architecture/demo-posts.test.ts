import { describe } from "vitest";
import { PostFile } from "@/lib/blog/import/contract";
import { textProblems } from "@/lib/blog/import/rules";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { check, repository, type Tree } from "./repository";

const FOLDER = "db/seed/blog/";
const LEAST = 12;

const postsOf = (tree: Tree) => [
  ...new Set(tree.files.filter((path) => path.startsWith(FOLDER)).map((path) => path.split("/")[3] ?? "")),
];

/** The existing texts by language. */
const textsOf = (tree: Tree, post: string) =>
  LOCALES.flatMap((locale) => {
    const path = `${FOLDER}${post}/${locale}.md`;
    return tree.files.includes(path) ? [{ locale, path, text: tree.read(path) }] : [];
  });

const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target.split(/[?#]/, 1)[0] ?? "");

function incomplete(tree: Tree): string[] {
  const posts = postsOf(tree);
  const problems = posts.flatMap((post) =>
    ["post.json", ...LOCALES.map((locale) => `${locale}.md`)]
      .filter((file) => !tree.files.includes(`${FOLDER}${post}/${file}`))
      .map((file) => `${FOLDER}${post} has no ${file}`),
  );
  return posts.length < LEAST && tree === repository
    ? [...problems, `only ${posts.length} posts, at least ${LEAST} are required`]
    : problems;
}

const unshowable = (tree: Tree): string[] =>
  postsOf(tree).flatMap((post) => [
    ...textsOf(tree, post).flatMap(({ locale, path, text }) =>
      textProblems(text, locale).map(({ line, message }) => `${path}:${line} ${message}`),
    ),
    ...(tree.files.includes(`${FOLDER}${post}/post.json`)
      ? (PostFile.safeParse(JSON.parse(tree.read(`${FOLDER}${post}/post.json`))).error?.issues ?? []).map(
          ({ path, message }) => `${FOLDER}${post}/post.json ${path.join(".")} ${message}`,
        )
      : []),
  ]);

type Line = { kind: string; slug: string; texts?: Partial<Record<Locale, { name: string }>> };

/** The products of the demo by slug. */
const productsOf = (tree: Tree) =>
  new Map(
    tree
      .read("db/seed/catalog.jsonl")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
      .flatMap((line) => (line.kind === "product" ? [[line.slug, line] as const] : [])),
  );

/** Linked or related products and posts that are not in the demo. */
function unknown(tree: Tree): string[] {
  const posts = postsOf(tree);
  const products = productsOf(tree);
  const known = (target: string) => {
    const [, kind, slug = ""] = /^\/(product|blog\/detail)\/(.+)$/.exec(target) ?? [];
    if (kind === undefined) return true;
    return kind === "product" ? products.has(slug) : posts.includes(slug);
  };
  return posts.flatMap((post) => {
    const path = `${FOLDER}${post}/post.json`;
    const { related = [] } = tree.files.includes(path)
      ? (JSON.parse(tree.read(path)) as { related?: string[] })
      : {};
    return [
      ...related.filter((slug) => !products.has(slug)).map((slug) => `${path} names the product ${slug}`),
      ...textsOf(tree, post).flatMap(({ path, text }) =>
        linksIn(text)
          .filter((target) => !known(target))
          .map((target) => `${path} links to ${target}`),
      ),
    ];
  });
}

/** Text outside links that starts like a product name and continues differently. */
const unlike = (text: string, name: string) => {
  const [first = name] = name.split(" ");
  return text
    .replace(/\[[^\]]*\]\([^)]*\)/g, "")
    .split(first)
    .slice(1)
    .map((rest) => `${first}${rest}`)
    .filter((words) => !words.startsWith(name))
    .map((words) => words.slice(0, name.length).split("\n", 1)[0] ?? "");
};

/** Product names in links or text that differ from the name in that language. */
function misnamed(tree: Tree): string[] {
  const products = productsOf(tree);
  return postsOf(tree)
    .flatMap((post) => textsOf(tree, post))
    .flatMap(({ locale, path, text }) =>
      [...text.matchAll(/\[([^\]]*)\]\(\/product\/([^)\s?#]+)/g)].flatMap(([, said = "", slug = ""]) => {
        const texts = products.get(slug)?.texts;
        const name = texts?.[locale]?.name ?? texts?.en?.name;
        if (name === undefined) return [];
        const wrong = new Set([...(said === name ? [] : [said]), ...unlike(text, name)]);
        return [...wrong].map((words) => `${path} has “${words}”, the product name is “${name}”`);
      }),
    );
}

/** Translations with another number of headings or table lines, or other links or placeholders. */
function unequal(tree: Tree): string[] {
  const marks: Record<string, (text: string) => unknown> = {
    headings: (text) => text.match(/^##+ /gm)?.length ?? 0,
    links: (text) => linksIn(text).sort(),
    placeholders: (text) => (text.match(/\{[a-z_]+\}/g) ?? []).sort(),
    "table lines": (text) => text.match(/^\|/gm)?.length ?? 0,
  };
  return postsOf(tree).flatMap((post) => {
    const [first, ...others] = textsOf(tree, post);
    return others.flatMap(({ path, text }) =>
      Object.entries(marks)
        .filter(([, of]) => JSON.stringify(of(text)) !== JSON.stringify(of(first?.text ?? "")))
        .map(([what]) => `${path} has other ${what} than ${first?.locale}.md`),
    );
  });
}

describe("demo posts", () => {
  check("every post exists in three languages", incomplete);
  check(
    "every post has known placeholders, valid links and no untranslated text",
    unshowable,
  );
  check("linked products and posts exist in the demo", unknown);
  check("posts use the product names of their language", misnamed);
  check("translations of a post have the same structure", unequal);
});
