import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as getPicture } from "@/app/api/v1/admin/images/[hash]/route";
import { GET as listPictures } from "@/app/api/v1/admin/images/route";
import { POST as previewPost } from "@/app/api/v1/admin/post-preview/route";
import { GET as getPost, POST as savePost } from "@/app/api/v1/admin/posts/[id]/route";
import { POST as createPost, GET as listPosts } from "@/app/api/v1/admin/posts/route";
import { GET as publicPost } from "@/app/api/v1/blog/detail/[id]/route";
import { closeDatabase, db } from "@/db/client";
import { createCategory } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { productImages } from "@/db/schema/catalog";
import type { PostInput } from "@/lib/blog/console/contract";
import { authHeaders, call } from "./call";

const CATEGORY = "console-posts";
let headers: Record<string, string>;
beforeAll(async () => {
  await createCategory({ slug: CATEGORY });
  headers = authHeaders(await createStaff({ roles: ["catalogue"] }));
});
afterAll(closeDatabase);

const post = (slug: string, fields: Partial<PostInput> = {}): PostInput => ({
  slug,
  author: "Ines Harrow",
  category: CATEGORY,
  image: null,
  recommended: false,
  related: [],
  published_on: "2026-06-09",
  listed: true,
  texts: {
    en: { title: "A post", description: "It says something.", body: "Some words." },
    zh: { title: "一篇文章", description: "一句说明。", body: "几句话。" },
    ja: { title: "記事", description: "説明です。", body: "いくつかの言葉です。" },
  },
  ...fields,
});
const create = (body: object) => call(createPost, "/admin/posts", { body, headers });
const save = (id: number, body: object) =>
  call(savePost, `/admin/posts/${id}`, { params: { id: String(id) }, body, headers });

it("a post is written, found, saved and read on the site", async () => {
  const created = await create(post("api-post", { listed: false }));
  expect(created.body.data).toMatchObject({ revision: 1, listed: false });
  const id = created.body.data.post_id as number;
  const onSite = () => call(publicPost, "/blog/detail/api-post", { params: { id: "api-post" } });
  expect((await onSite()).body.code).toBe("40404");
  const read = await call(getPost, `/admin/posts/${id}`, { params: { id: String(id) }, headers });
  expect(read.body.data).toMatchObject({ slug: "api-post", revision: 1, texts: { ja: { title: "記事" } } });
  expect((await save(id, { ...post("api-post"), revision: 1 })).body.data).toMatchObject({ revision: 2 });
  expect((await onSite()).body.data.post.title).toBe("A post");
  const list = await call(listPosts, "/admin/posts", { query: "q=api-post&state=published", headers });
  expect(list.body.data.items.map(({ slug }: { slug: string }) => slug)).toEqual(["api-post"]);
  const pictures = await call(listPictures, "/admin/images", { headers });
  expect(pictures.body.data.items).toEqual([]);
});

it("a product's picture can be shown in posts", async () => {
  const hash = "ab".repeat(32);
  const bytes = await sharp({ create: { width: 400, height: 200, channels: 3, background: "teal" } })
    .webp()
    .toBuffer();
  await db.insert(productImages).values({ hash, mime: "image/webp", bytes });
  const request = new Request(`http://localhost:3000/api/v1/admin/images/${hash}?width=192&shape=figure`, {
    headers,
  });
  const answer = await getPicture(request, { params: Promise.resolve({ hash }) });
  expect(answer.status).toBe(200);
  // It keeps its proportions; pictures of products are square.
  expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ width: 192, height: 96 });
});

it("a post's text may be longer than other request bodies, in every language", async () => {
  const body = "字".repeat(50_000);
  const { texts } = post("long-post");
  const long = { ...texts, zh: { ...texts.zh, body }, ja: { ...texts.ja, body } };
  const created = await create(post("long-post", { listed: false, texts: long }));
  expect(created.body.code).toBe("200");
  const preview = { body: { locale: "zh", text: long.zh }, headers };
  expect((await call(previewPost, "/admin/post-preview", preview)).body.data).toMatchObject({
    problems: [],
    html: expect.stringContaining("字字字"),
  });
  const tooLong = { ...texts, en: { ...texts.en, body: "a".repeat(700_000) } };
  expect((await create(post("too-long", { texts: tooLong }))).body.code).toBe("413");
});

it("an invalid post is refused, and nothing changes", async () => {
  const { body } = await create(post("refused-post"));
  const id = body.data.post_id as number;
  const codeOf = async (result: ReturnType<typeof save>) => (await result).body.code;
  expect(await codeOf(create(post("refused-post")))).toBe("40961");
  expect(await codeOf(create(post("another-post", { category: "no-such" })))).toBe("40000");
  const conflict = await save(id, { ...post("refused-post"), revision: 7 });
  expect(conflict.body).toMatchObject({ code: "40940", errors: [{ path: "revision", message: "1" }] });
  expect(await codeOf(save(id, { ...post("moved-post"), revision: 1 }))).toBe("40962");
  expect(await codeOf(save(id, { ...post("refused-post", { author: "" }), revision: 1 }))).toBe("40000");
  const draft = await create(post("draft-post", { listed: false }));
  const taken = { ...post("refused-post", { listed: false }), revision: 1 };
  expect(await codeOf(save(draft.body.data.post_id, taken))).toBe("40961");
  expect(await codeOf(save(1_999_999_999, { ...post("x-post"), revision: 1 }))).toBe("40404");
  const missing = { params: { id: "1999999999" }, headers };
  expect((await call(getPost, "/admin/posts/1999999999", missing)).body.code).toBe("40404");
  const hash = "0".repeat(64);
  const picture = { params: { hash }, headers };
  expect((await call(getPicture, `/admin/images/${hash}`, picture)).body.code).toBe("40428");
  expect((await call(listPosts, "/admin/posts", { query: "cursor=x", headers })).status).toBe(400);
  const read = await call(getPost, `/admin/posts/${id}`, { params: { id: String(id) }, headers });
  expect(read.body.data).toMatchObject({ revision: 1, author: "Ines Harrow" });
});
