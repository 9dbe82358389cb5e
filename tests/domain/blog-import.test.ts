import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createCategory } from "@/db/factories/catalog";
import { getPostPage, getPostView } from "@/lib/blog/find-post-page";
import { getPostFigure } from "@/lib/blog/get-post-image";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { importLines, seedLines } from "@/tests/setup/catalog-import";
import {
  copySeedPosts,
  importFolder,
  importPostFiles,
  POST_CATEGORY,
  postFolder,
} from "@/tests/setup/post-import";
import { isComplete } from "@/tests/setup/rounds";

const listPostRows = () =>
  client()`select * from posts p join post_texts t on t.post_id = p.id order by p.id, t.locale`;
const formatErrors = ({
  refusals,
}: {
  refusals: { post: string; file: string; line?: number; message: string }[];
}) => refusals.map(({ post, file, line, message }) => `${post}/${file}:${line ?? ""} ${message}`).join("\n");

beforeAll(async () => {
  await createCategory({ slug: POST_CATEGORY });
});
afterAll(closeDatabase);

describe("the posts of the demo", () => {
  it("are reported and skipped when their categories are missing", async () => {
    const { folder } = copySeedPosts(isComplete ? undefined : 2);
    expect(formatErrors(await importFolder(folder))).toMatch(
      /before-you-upload\/post\.json: There is no category/,
    );
    expect(await listPostRows()).toHaveLength(0);
  });

  it("are previewed without changes, imported once, unchanged by a second import, and readable in every language", async () => {
    const posts = copySeedPosts(isComplete ? undefined : 3);
    await importLines(seedLines(posts.related));
    const preview = await importFolder(posts.folder, true);
    expect(preview).toMatchObject({ changed: 0, unchanged: 0, refused: 0, refusals: [] });
    expect(preview.added).toBeGreaterThanOrEqual(isComplete ? 12 : 3);
    expect(await listPostRows()).toHaveLength(0);
    expect(await importFolder(posts.folder)).toEqual(preview);
    const first = await listPostRows();
    expect(first).toHaveLength(preview.added * LOCALES.length);
    expect(await importFolder(posts.folder)).toMatchObject({ added: 0, unchanged: preview.added });
    expect(await listPostRows()).toEqual(first);

    for (const { slug } of await client()<{ slug: string }[]>`select slug from posts`)
      for (const locale of LOCALES) {
        const view = await getPostView(slug, { locale, surface: "desktop" });
        expect(view?.page.post.language).toBe(locale);
        expect(view?.page.post.html).not.toMatch(/\{[a-z_]+\}/);
        expect(view?.related.map((product) => product.slug)).toEqual(view?.page.post.related);
      }
  });
});

describe("a second import", () => {
  it("keeps the post's id and counts only changed posts", async () => {
    const folder = postFolder({ steady: {}, moving: {} });
    expect(await importFolder(folder)).toMatchObject({ added: 2, refused: 0 });
    const before = (await getPostPage("moving", "zh")).post;
    writeFileSync(
      join(folder, "moving", "zh.md"),
      "---\ntitle: 新题目\ndescription: 说明。\n---\n新的正文。\n",
    );
    expect(await importFolder(folder, true)).toMatchObject({ changed: 1, unchanged: 1 });
    expect((await getPostPage("moving", "zh")).post).toEqual(before);
    expect(await importFolder(folder)).toMatchObject({ changed: 1, unchanged: 1 });
    const after = (await getPostPage("moving", "zh")).post;
    expect([after.post_id, after.title, after.html]).toEqual([before.post_id, "新题目", "<p>新的正文。</p>"]);
  });

  it("changes the address of a changed picture", async () => {
    const svg = (size: number) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"/>`;
    const folder = postFolder({ drawn: { picture: svg(8) }, plain: {} });
    expect(await importFolder(folder)).toMatchObject({ added: 2, refused: 0 });
    const getImage = async (slug: string) => (await getPostPage(slug, "en")).post.image;
    const before = await getImage("drawn");
    expect(await getImage("plain")).toBe("/api/v1/blog/image/plain?v=placeholder");
    writeFileSync(join(folder, "drawn", "picture.svg"), svg(9));
    expect(await importFolder(folder)).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await getImage("drawn")).not.toBe(before);
  });

  it("stores the figures of the texts and serves them in their own proportions, with their own post only", async () => {
    const body = "Words.\n\n![A week](week.svg)";
    const folder = postFolder({ charted: { en: { body } }, other: {} });
    expect(formatErrors(await importFolder(folder))).toContain(
      "charted/week.svg: The picture cannot be read.",
    );
    const svg = (width: number) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="400"><rect width="9" height="9"/></svg>`;
    writeFileSync(join(folder, "charted", "week.svg"), svg(960));
    expect(await importFolder(folder)).toMatchObject({ added: 1, unchanged: 1, refused: 0 });
    const readFigure = async () => {
      const { html } = (await getPostPage("charted", "en")).post;
      expect(html).toMatch(/<figure><img .* width="\d+" height="400" .*<figcaption>A week<\/figcaption>/);
      return /\?figure=([0-9a-f]{64})&amp;/.exec(html)?.[1] ?? "";
    };
    const figure = await readFigure();
    const size = { width: 480, format: "png" } as const;
    const { bytes } = await getPostFigure("charted", figure, size);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 480, height: 200 });
    await expect(getPostFigure("other", figure, size)).rejects.toThrow("post_unknown");

    writeFileSync(join(folder, "charted", "week.svg"), svg(800));
    expect(await importFolder(folder)).toMatchObject({ changed: 1, unchanged: 1 });
    expect(await readFigure()).not.toBe(figure);
  });

  it("does not count changed line ends", async () => {
    const folder = postFolder({ "from-windows": {} });
    await importFolder(folder);
    writeFileSync(
      join(folder, "from-windows", "en.md"),
      "---\r\ntitle: A post\r\ndescription: It says something.\r\n---\r\nSome words.\r\n",
    );
    expect(await importFolder(folder)).toMatchObject({ unchanged: 1, refused: 0 });
  });

  it("leaves one copy of each post after 4 concurrent imports", async () => {
    const folder = postFolder(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`crowd-${i}`, {}])));
    const results = await Promise.all([1, 2, 3, 4].map(() => importFolder(folder)));
    expect(results.map(({ refused }) => refused)).toEqual([0, 0, 0, 0]);
    expect(await client()`select 1 from posts where slug like 'crowd-%'`).toHaveLength(10);
  });
});

describe("a post with errors", () => {
  it("is rejected with all errors by file and line, while other posts are imported", async () => {
    const outcome = await importPostFiles({
      "good-one": {},
      "bad-one": {
        facts: { related: ["Not a slug"], updated_on: "soon" },
        en: { body: "One line.\n\nWithin {refund_daze} days, see [this](/nowhere)." },
        zh: { body: "Nobody translated this paragraph, it seems." },
        without: ["ja.md"],
      },
    });
    expect(outcome).toMatchObject({ added: 1, refused: 1 });
    const output = formatErrors(outcome);
    expect(output).toMatch(/bad-one\/post\.json:\d+ related/);
    expect(output).toMatch(/bad-one\/post\.json:10 updated_on/);
    expect(output).toContain("bad-one/en.md:7 There is no placeholder {refund_daze}.");
    expect(output).toContain("bad-one/en.md:7 /nowhere: there is no such page.");
    expect(output).toContain("bad-one/zh.md:5 The Chinese text has no Chinese character in it.");
    expect(output).toContain("bad-one/ja.md: The file is missing.");
    expect(await client()`select 1 from posts where slug = 'bad-one'`).toHaveLength(0);
  });

  it.each([
    ["no JSON", { facts: {}, without: ["post.json"] }, /post\.json: The file is missing/],
    ["an unknown category", { facts: { category: "nowhere" } }, /There is no category nowhere/],
    ["another slug", { facts: { slug: "elsewhere" } }, /holds the post elsewhere/],
    ["a picture elsewhere", { facts: { image: "../picture.svg" } }, /image: A picture is/],
    ["a missing picture", { facts: { image: "none.png" } }, /none\.png: The picture cannot be read/],
    ["no picture", { picture: "a letter" }, /picture\.svg: This file is not a picture/],
    ["a broken picture", { picture: "<svg><g></svg>" }, /picture\.svg: The picture is broken/],
    [
      "a vast drawing",
      { picture: '<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>' },
      /picture\.svg: The picture has too many pixels: at most 40 million/,
    ],
    [
      "a drawing with entities",
      {
        picture:
          '<!DOCTYPE svg [<!ENTITY a "a">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      },
      /picture\.svg: This SVG contains something that the shop cannot draw: !DOCTYPE/,
    ],
    ["an unknown field", { facts: { colour: "red" } }, /colour/],
    ["no front matter", { ja: "本文だけです。" }, /ja\.md:1 The file does not begin with front matter/],
    ["too long a text", { ja: { body: "長".repeat(70_000) } }, /ja\.md: The file is larger/],
  ])("is rejected for %s", async (_, post, message) => {
    const outcome = await importPostFiles({ "rejected-post": post });
    expect(outcome).toMatchObject({ added: 0, refused: 1 });
    expect(formatErrors(outcome)).toMatch(message);
  });

  it("is rejected for invalid JSON and invalid UTF-8", async () => {
    const folder = postFolder({ "odd-bytes": {} });
    writeFileSync(join(folder, "odd-bytes", "post.json"), "{");
    writeFileSync(join(folder, "odd-bytes", "en.md"), Buffer.from([0x2d, 0xff, 0xfe]));
    const output = formatErrors(await importFolder(folder));
    expect(output).toMatch(/post\.json: The file is not valid JSON/);
    expect(output).toMatch(/en\.md: The file cannot be read as text/);
  });

  it("keeps its earlier version", async () => {
    const folder = postFolder({ "stays-as-it-was": {} });
    await importFolder(folder);
    const before = await getPostPage("stays-as-it-was", "en");
    writeFileSync(join(folder, "stays-as-it-was", "zh.md"), "");
    expect(await importFolder(folder)).toMatchObject({ refused: 1 });
    expect(await getPostPage("stays-as-it-was", "en")).toEqual(before);
  });
});
