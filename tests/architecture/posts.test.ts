import { describe } from "vitest";
import { PostFile } from "@/lib/blog/import/contract";
import { findTextProblems } from "@/lib/blog/import/rules";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { check, repository, type Tree } from "./tree";

const FOLDER = "db/seed/blog/";
const LEAST = 12;

const postsOf = (tree: Tree) => [
  ...new Set(tree.files.filter((path) => path.startsWith(FOLDER)).map((path) => path.split("/")[3] ?? "")),
];

/** Texts that are there, by language. */
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
    ? [...problems, `only ${posts.length} posts, at least ${LEAST} are asked for`]
    : problems;
}

const unshowable = (tree: Tree): string[] =>
  postsOf(tree).flatMap((post) => [
    ...textsOf(tree, post).flatMap(({ locale, path, text }) =>
      findTextProblems(text, locale).map(({ line, message }) => `${path}:${line} ${message}`),
    ),
    ...(tree.files.includes(`${FOLDER}${post}/post.json`)
      ? (PostFile.safeParse(JSON.parse(tree.read(`${FOLDER}${post}/post.json`))).error?.issues ?? []).map(
          ({ path, message }) => `${FOLDER}${post}/post.json ${path.join(".")} ${message}`,
        )
      : []),
  ]);

type Line = { kind: string; slug: string; texts?: Partial<Record<Locale, { name: string }>> };

/** What the demo sells, by slug. */
const productsOf = (tree: Tree) =>
  new Map(
    tree
      .read("db/seed/catalog.jsonl")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
      .flatMap((line) => (line.kind === "product" ? [[line.slug, line] as const] : [])),
  );

/** Products and posts that are linked or named, and are not in the demo. */
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

/** Words outside the links that begin like a name and do not go on like it. */
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

/** Products that a post calls otherwise than the shop does in that language, in a link or in running text. */
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
        return [...wrong].map((words) => `${path} says “${words}”, the shop says “${name}”`);
      }),
    );
}

/** Translations say the same: as many headings, the same links, numbers and lines of tables. */
function unequal(tree: Tree): string[] {
  const marks: Record<string, (text: string) => unknown> = {
    headings: (text) => text.match(/^##+ /gm)?.length ?? 0,
    links: (text) => linksIn(text).sort(),
    numbers: (text) => (text.match(/\{[a-z_]+\}/g) ?? []).sort(),
    "lines of tables": (text) => text.match(/^\|/gm)?.length ?? 0,
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

const _file = (body: string) => `---\ntitle: 题 a\ndescription: 说明 a\n---\n${body}`;
const _catalogue = { "db/seed/catalog.jsonl": '{"kind":"product","slug":"quillon-draft"}' };
const _named = {
  "db/seed/catalog.jsonl": JSON.stringify({
    kind: "product",
    slug: "quillon-draft",
    texts: { en: { name: "Quillon Draft" }, zh: { name: "Quillon 写稿" } },
  }),
};

describe("posts", () => {
  check("every post is there in three languages", incomplete);
  check(
    "every post can be shown: placeholders known, links to pages that are, nothing left in English",
    unshowable,
  );
  check("products and posts that posts name are in the demo", unknown);
  check("posts call a product what the shop calls it in that language", misnamed);
  check("translations of a post say the same", unequal);
});
