import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET as detail } from "@/app/api/v1/blog/detail/[id]/route";
import { GET as image } from "@/app/api/v1/blog/image/[id]/route";
import { GET as list } from "@/app/api/v1/blog/list/route";
import { closeDatabase } from "@/db/client";
import { createCategory } from "@/db/factories/catalog";
import { PostListView, PostPage } from "@/lib/blog/contract";
import { postImagePath } from "@/lib/blog/rules";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { importPostFiles, POST_CATEGORY } from "@/tests/setup/post-import";
import { call } from "./call";

beforeAll(async () => {
  await createCategory({ slug: POST_CATEGORY });
  await importPostFiles({
    "first-post": { facts: { published_on: "2026-01-01", recommended: true } },
    "second-post": { facts: { published_on: "2026-02-01", updated_on: "2026-07-01" } },
  });
});
afterAll(closeDatabase);

const posts = async (query = "") => {
  const { status, body } = await call(list, "/blog/list", { query });
  return { status, code: body.code, titles: body.data?.posts?.map((post: { slug: string }) => post.slug) };
};
const post = (id: string, query = "") => call(detail, `/blog/detail/${id}`, { params: { id }, query });

describe("blog calls", () => {
  it("answer guests in the envelope, with the contract's shapes", async () => {
    const { status, body } = await call(list, "/blog/list");
    expect([status, body.code, body.state, body.success]).toEqual([200, "200", 0, true]);
    expect(PostListView.parse(body.data).total).toBe(2);
    const page = PostPage.parse((await post("second-post")).body.data);
    expect([page.previous?.slug, page.next]).toEqual(["first-post", null]);
  });

  it("take page, size, keyword and type, and refuse what is none", async () => {
    expect((await posts("page=2&size=1")).titles).toEqual(["first-post"]);
    expect((await posts("type=recommended")).titles).toEqual(["first-post"]);
    expect((await posts("type=hot&keyword=words&source=a")).titles).toEqual(["first-post", "second-post"]);
    expect((await posts("type=newest&keyword=absent")).titles).toEqual([]);
    for (const query of [
      "type=best",
      "page=0",
      "size=101",
      "size=a",
      `keyword=${"x".repeat(201)}`,
      "colour=red",
    ])
      expect([query, (await posts(query)).code]).toEqual([query, "40000"]);
  });

  it("follow target_lang", async () => {
    expect((await post("first-post", "target_lang=zh")).body.data.post).toMatchObject({
      title: "一篇文章",
      language: "zh",
    });
    expect((await call(list, "/blog/list", { query: "keyword=記事&target_lang=ja" })).body.data.total).toBe(
      2,
    );
  });

  it("find a post by number or slug; an unknown one is 40404", async () => {
    const { body } = await post("first-post");
    expect((await post(String(body.data.post.post_id))).body.data).toEqual(body.data);
    for (const id of ["no-such-post", "99999999"]) {
      const { status, body } = await post(id);
      expect([status, body.code, body.success]).toEqual([404, "40404", false]);
    }
    expect((await post("../etc")).body.code).toBe("40000");
  });
});

describe("a post's picture", () => {
  const get = (id: string, query = "", headers: Record<string, string> = {}) =>
    image(new Request(`http://localhost:3000/api/v1/blog/image/${id}?${query}`, { headers }), {
      params: Promise.resolve({ id }),
    });

  it("comes in the format that is accepted, in the widths that are served", async () => {
    for (const [accept, format] of [
      ["image/avif,image/webp,*/*", "heif"],
      ["image/webp,*/*", "webp"],
      ["*/*", "png"],
    ] as const) {
      const answer = await get("first-post", "width=96", { accept });
      const picture = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([picture.format, picture.width, picture.height]).toEqual([format, 96, 96]);
      expect(answer.headers.get("vary")).toBe("Accept");
    }
    expect((await get("first-post", "width=97")).status).toBe(400);
    expect((await get("no-such-post")).status).toBe(404);
  });

  it("is kept for ever under the address that posts name, and asked again under others", async () => {
    const version = new URL(postImagePath("first-post", PLACEHOLDER), "http://shop").searchParams.get("v");
    const answer = await get("first-post", `width=96&v=${version}`);
    expect(answer.headers.get("cache-control")).toContain("immutable");
    expect((await get("first-post", "width=96&v=1")).headers.get("cache-control")).not.toContain("immutable");
    const etag = answer.headers.get("etag")!;
    expect((await get("first-post", "width=96", { "if-none-match": etag })).status).toBe(304);
    expect((await get("first-post", "width=192", { "if-none-match": etag })).status).toBe(200);
  });
});
