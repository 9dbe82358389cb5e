import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createCategory, createProduct } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { ConsolePostsInput, PostInput } from "@/lib/blog/console/contract";
import { getConsolePost } from "@/lib/blog/console/get-console-post";
import { listConsolePosts, listPostCategories } from "@/lib/blog/console/list-console-posts";
import { listPostPictures } from "@/lib/blog/console/list-post-pictures";
import { previewPost } from "@/lib/blog/console/preview-post";
import { createPost, savePost } from "@/lib/blog/console/save-post";
import { ListPostsInput } from "@/lib/blog/contract";
import { findPostPage } from "@/lib/blog/find-post-page";
import { listPosts } from "@/lib/blog/list-posts";
import { postJsonLd } from "@/lib/blog/seo";
import { streamPostPages } from "@/lib/blog/stream-post-pages";
import { findImage } from "@/lib/catalog/images/render-image";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { importFolder, importPostFiles, POST_CATEGORY, postFolder } from "@/tests/setup/post-import";

let viewer: StaffViewer;
beforeAll(async () => {
  viewer = (await createStaff({ roles: ["catalogue"] })).viewer;
  await createCategory({ slug: POST_CATEGORY, names: { en: "Notes", zh: "笔记", ja: "メモ" } });
});
afterAll(closeDatabase);

const TEXTS = {
  en: { title: "A written post", description: "Written in the console.", body: "Some words." },
  zh: { title: "一篇写好的文章", description: "在后台写的。", body: "几句话。" },
  ja: { title: "書いた記事", description: "コンソールで書きました。", body: "いくつかの言葉です。" },
};
let lastNumber = 0;
const postInput = (fields: Partial<PostInput> = {}): PostInput => ({
  slug: `written-${++lastNumber}`,
  author: "Ines Harrow",
  category: POST_CATEGORY,
  image: null,
  recommended: false,
  related: [],
  published_on: "2026-06-09",
  listed: true,
  texts: TEXTS,
  ...fields,
});
const issuesOf = async (promise: Promise<unknown>) => {
  const error = await promise.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ShopError);
  const { error: name, issues = [] } = error as ShopError;
  return { name, issues: issues.map(({ path, message }) => `${path}: ${message}`) };
};
const onSite = async (slug: string) => (await findPostPage(slug, "en", "desktop"))?.post;

describe("a post written in the console", () => {
  it("is a draft visible to staff only until it is published, and then appears in list, sitemap and markup", async () => {
    const input = postInput({ listed: false });
    const created = await createPost(viewer, input);
    expect(created).toMatchObject({ revision: 1, listed: false });
    expect(await onSite(input.slug)).toBeUndefined();
    expect(await getConsolePost(created.post_id)).toMatchObject({ ...input, edited: true, revision: 1 });
    const published = await savePost(viewer, created.post_id, { ...input, listed: true, revision: 1 });
    expect(published).toMatchObject({ revision: 2, listed: true });
    const post = (await onSite(input.slug))!;
    expect(post.title).toBe("A written post");
    const { posts } = await listPosts(ListPostsInput.parse({ size: 100 }), "ja");
    expect(posts.find(({ slug }) => slug === input.slug)?.title).toBe("書いた記事");
    const pages: string[] = [];
    for await (const { path } of streamPostPages()) pages.push(path);
    expect(pages).toContain(`/blog/detail/${input.slug}`);
    const urls = { origin: "https://shop.example", locale: "en", brand: "Passlane" } as Parameters<
      typeof postJsonLd
    >[1];
    expect(postJsonLd(post, urls, { home: "Home", blog: "Blog" })[0]).toMatchObject({
      headline: "A written post",
      datePublished: "2026-06-09T00:00:00.000Z",
    });
    await savePost(viewer, created.post_id, { ...input, listed: false, revision: 2 });
    expect(await onSite(input.slug)).toBeUndefined();
    const audited = await db.execute<{ action: string }>(sql`
      select action from audit_entries where subject = ${`post ${created.post_id}`} and actor = ${viewer.userId} order by id`);
    expect(audited.map(({ action }) => action)).toEqual(["post.created", "post.published", "post.withdrawn"]);
  });

  it("is not overwritten by someone who opened an earlier version", async () => {
    const input = postInput();
    const { post_id } = await createPost(viewer, input);
    const mine = { ...input, texts: { ...TEXTS, en: { ...TEXTS.en, body: "Mine." } }, revision: 1 };
    const theirs = { ...input, texts: { ...TEXTS, en: { ...TEXTS.en, body: "Theirs." } }, revision: 1 };
    const results = await Promise.allSettled([
      savePost(viewer, post_id, mine),
      savePost(viewer, post_id, theirs),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = results.find((result) => result.status === "rejected")!;
    expect(await issuesOf(Promise.reject(lost.reason))).toEqual({
      name: "revision_conflict",
      issues: ["revision: 2"],
    });
    const { revision, texts } = await getConsolePost(post_id);
    expect([revision, ["Mine.", "Theirs."].includes(texts.en.body)]).toEqual([2, true]);
  });

  it("is published only when it is complete in three languages and everything it refers to exists", async () => {
    const product = await createProduct();
    const hash = "0".repeat(64);
    const incomplete = postInput({
      author: "",
      image: hash,
      related: [product.slug, "no-such-product"],
      published_on: "2999-01-01",
      texts: {
        ...TEXTS,
        zh: {
          title: "An English title of some length",
          description: "",
          body: "看 [这里](/no-page)。\n\n{no_value}",
        },
        ja: { ...TEXTS.ja, body: `言葉。\n\n![図](figure/${hash}/960x480)` },
      },
    });
    const { name, issues } = await issuesOf(createPost(viewer, incomplete));
    expect(name).toBe("post_incomplete");
    expect(issues).toEqual([
      "image: The shop has no such picture. Upload it again.",
      "texts.ja.body: The shop has no such picture. Upload it again.",
      "related: There is no product no-such-product.",
      "author: The author is missing.",
      "published_on: A post is published on its day, and that day is still to come.",
      expect.stringMatching(/^texts\.zh\.title: /),
      "texts.zh.description: The text is missing.",
      "texts.zh.body:1: /no-page: there is no such page.",
      "texts.zh.body:3: There is no placeholder {no_value}.",
    ]);
    const draft = postInput({
      listed: false,
      texts: { ...TEXTS, zh: { title: "", description: "", body: "" } },
    });
    const { post_id } = await createPost(viewer, draft);
    const publish = savePost(viewer, post_id, { ...draft, listed: true, revision: 1 });
    expect((await issuesOf(publish)).issues).toHaveLength(3);
    expect(await getConsolePost(post_id)).toMatchObject({ listed: false, revision: 1 });
    const other = postInput({ listed: false, category: "no-such-category" });
    expect((await issuesOf(createPost(viewer, other))).issues).toEqual([
      "category: There is no category no-such-category.",
    ]);
  });

  it("has a unique address, which is kept once it is published", async () => {
    const input = postInput();
    const { post_id } = await createPost(viewer, input);
    expect((await issuesOf(createPost(viewer, postInput({ slug: input.slug })))).name).toBe(
      "post_slug_taken",
    );
    const moved = { ...input, slug: "moved-away", revision: 1 };
    expect((await issuesOf(savePost(viewer, post_id, moved))).name).toBe("post_slug_fixed");
    const draft = postInput({ listed: false });
    const second = await createPost(viewer, draft);
    const toTaken = { ...draft, slug: input.slug, revision: 1 };
    expect((await issuesOf(savePost(viewer, second.post_id, toTaken))).name).toBe("post_slug_taken");
    expect(
      await savePost(viewer, second.post_id, { ...draft, slug: "moved-draft", revision: 1 }),
    ).toMatchObject({
      slug: "moved-draft",
    });
    expect((await issuesOf(savePost(viewer, 999_999_999, { ...input, revision: 1 }))).name).toBe(
      "post_unknown",
    );
  });

  it("is listed by state, category and words, newest first", async () => {
    const find = async (input: object) =>
      (await listConsolePosts(ConsolePostsInput.parse(input), "zh")).items.map(({ slug }) => slug);
    const draft = postInput({ listed: false, slug: "listed-draft", published_on: "2026-02-01" });
    const published = postInput({ slug: "listed-published", published_on: "2026-03-01" });
    await createPost(viewer, draft);
    await createPost(viewer, published);
    expect(await find({ q: "listed-" })).toEqual(["listed-published", "listed-draft"]);
    expect(await find({ q: "listed-", state: "draft" })).toEqual(["listed-draft"]);
    expect(await find({ q: "listed-", state: "published", category: POST_CATEGORY })).toEqual([
      "listed-published",
    ]);
    expect(await find({ q: "写好的", state: "draft" })).toContain("listed-draft");
    expect(await find({ category: "no-such" })).toEqual([]);
  });

  it("is previewed as on the site, with its figures and what prevents its publication", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="480"/>';
    const imported = await importPostFiles({ "with-picture": { picture: svg } });
    expect(imported).toMatchObject({ added: 1 });
    const { items } = await listPostPictures();
    const picture = items.find(({ used_by }) => used_by === "with-picture")!;
    expect(picture).toMatchObject({ width: 960, height: 480 });
    const figure = `![A figure](figure/${picture.hash}/960x480)`;
    const text = { ...TEXTS.en, body: `Refunds within {refund_days} days.\n\n${figure}\n\n<b>bold</b>` };
    const preview = previewPost({ locale: "en", text }, "en");
    expect(preview.html).toContain(`/api/v1/admin/images/${picture.hash}?shape=figure`);
    expect(preview.html).not.toContain("{refund_days}");
    expect(preview.problems).toEqual([
      { field: "body", line: 5, message: "HTML would be shown as text: write Markdown." },
    ]);
    expect(previewPost({ locale: "en", text }, "ja").problems[0]?.message).toMatch(/Markdown で書いて/);
    const size = { width: 480, format: "png" } as const;
    expect((await findImage(picture.hash, size, "figure")).bytes.length).toBeGreaterThan(50);
    await expect(findImage("1".repeat(64), size)).rejects.toMatchObject({ error: "image_unknown" });
    const input = postInput({
      image: picture.hash,
      texts: { ...TEXTS, en: { ...TEXTS.en, body: `Words.\n\n${figure}` } },
    });
    const { post_id } = await createPost(viewer, input);
    expect((await onSite(input.slug))?.html).toContain(`figure=${picture.hash}`);
    expect((await getConsolePost(post_id)).image).toBe(picture.hash);
  });
});

it("post categories are named in the reader's language, or in English", async () => {
  const slug = await createCategory({ names: { en: "Tools" } });
  const categories = await listPostCategories("zh");
  expect(categories).toContainEqual({ slug: POST_CATEGORY, name: "笔记" });
  expect(categories).toContainEqual({ slug, name: "Tools" });
});

describe("a post import", () => {
  it("keeps a post that was edited in the console, unless told to take it over", async () => {
    const files = { edited: { en: { title: "From a file" } } };
    await importPostFiles(files);
    const [row] = await client()<{ id: number }[]>`select id from posts where slug = 'edited'`;
    const { post_id: _, edited, ...post } = await getConsolePost(row!.id);
    expect(edited).toBe(false);
    const texts = { ...post.texts, en: { ...post.texts.en, title: "From the console" } };
    await savePost(viewer, row!.id, { ...PostInput.parse({ ...post, texts }), revision: post.revision });
    expect((await onSite("edited"))?.title).toBe("From the console");
    expect(await importPostFiles(files)).toMatchObject({ unchanged: 1, refused: 0 });
    const changed = postFolder({ edited: { en: { title: "From a later file" } } });
    expect(await importFolder(changed)).toMatchObject({
      changed: 0,
      refusals: [{ post: "edited", message: expect.stringContaining("--take-over") }],
    });
    expect((await onSite("edited"))?.title).toBe("From the console");
    expect(await importFolder(changed, false, true)).toMatchObject({ changed: 1, refused: 0 });
    expect((await onSite("edited"))?.title).toBe("From a later file");
    expect(await importFolder(changed)).toMatchObject({ unchanged: 1 });
  });
});
