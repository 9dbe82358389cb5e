import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { importFolder, importPostFiles, POST_CATEGORY, postFolder } from "@/tests/setup/post-import";
import { call } from "./call";

beforeAll(async () => {
  await createCategory({ slug: POST_CATEGORY });
  await importPostFiles({
    "first-post": { facts: { published_on: "2026-01-01", recommended: true } },
    "second-post": { facts: { published_on: "2026-02-01", updated_on: "2026-07-01" } },
  });
});
afterAll(closeDatabase);

const listPosts = async (query = "") => {
  const { status, body } = await call(list, "/blog/list", { query });
  return {
    status,
    code: body.code,
    titles: body.data?.posts?.map((post: { slug: string }) => post.slug),
  };
};
const getPost = (id: string, query = "") => call(detail, `/blog/detail/${id}`, { params: { id }, query });

describe("blog calls", () => {
  it("return the contract's fields in the envelope to guests", async () => {
    const { status, body } = await call(list, "/blog/list");
    expect([status, body.code, body.state, body.success]).toEqual([200, "200", 0, true]);
    expect(PostListView.parse(body.data).total).toBe(2);
    const page = PostPage.parse((await getPost("second-post")).body.data);
    expect([page.previous?.slug, page.next]).toEqual(["first-post", null]);
  });

  it("accept page, size, keyword and type, and reject invalid values", async () => {
    expect((await listPosts("page=2&size=1")).titles).toEqual(["first-post"]);
    expect((await listPosts("type=recommended")).titles).toEqual(["first-post"]);
    expect((await listPosts("type=hot&keyword=words&source=a")).titles).toEqual([
      "first-post",
      "second-post",
    ]);
    expect((await listPosts("type=newest&keyword=absent")).titles).toEqual([]);
    for (const query of [
      "type=best",
      "page=0",
      "size=101",
      "size=a",
      `keyword=${"x".repeat(201)}`,
      "colour=red",
    ])
      expect([query, (await listPosts(query)).code]).toEqual([query, "40000"]);
  });

  it("follow target_lang", async () => {
    expect((await getPost("first-post", "target_lang=zh")).body.data.post).toMatchObject({
      title: "一篇文章",
      language: "zh",
    });
    expect((await call(list, "/blog/list", { query: "keyword=記事&target_lang=ja" })).body.data.total).toBe(
      2,
    );
  });

  it("find a post by number or slug, and respond 40404 otherwise", async () => {
    const { body } = await getPost("first-post");
    expect((await getPost(String(body.data.post.post_id))).body.data).toEqual(body.data);
    for (const id of ["no-such-post", "99999999"]) {
      const { status, body } = await getPost(id);
      expect([status, body.code, body.success]).toEqual([404, "40404", false]);
    }
    expect((await getPost("../etc")).body.code).toBe("40000");
  });
});

describe("post image", () => {
  const getImage = (id: string, query = "", headers: Record<string, string> = {}) =>
    image(new Request(`http://localhost:3000/api/v1/blog/image/${id}?${query}`, { headers }), {
      params: Promise.resolve({ id }),
    });

  it("has an accepted format and one of the served widths", async () => {
    for (const [accept, format] of [
      ["image/avif,image/webp,*/*", "heif"],
      ["image/webp,*/*", "webp"],
      ["*/*", "png"],
    ] as const) {
      const response = await getImage("first-post", "width=96", { accept });
      const metadata = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect([metadata.format, metadata.width, metadata.height]).toEqual([format, 96, 96]);
      expect(response.headers.get("vary")).toBe("Accept");
    }
    expect((await getImage("first-post", "width=97")).status).toBe(400);
    expect((await getImage("no-such-post")).status).toBe(404);
  });

  it("with `figure`, is a figure of this post's text in its own proportions", async () => {
    const folder = postFolder({ charted: { en: { body: "![A week](week.svg)" } } });
    writeFileSync(
      join(folder, "charted", "week.svg"),
      '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="400"><rect width="9" height="9"/></svg>',
    );
    expect(await importFolder(folder)).toMatchObject({ added: 1, refused: 0 });
    const { body } = await call(detail, "/blog/detail/charted", { params: { id: "charted" } });
    const html: string = PostPage.parse(body.data).post.html;
    const [address = ""] = /\/api\/v1\/blog\/image[^"]*/.exec(html.replaceAll("&amp;", "&")) ?? [];
    const { search } = new URL(address, "http://shop");
    const response = await getImage("charted", search.slice(1));
    expect(response.headers.get("cache-control")).toContain("immutable");
    const metadata = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([metadata.width, metadata.height]).toEqual([960, 400]);
    expect((await getImage("first-post", search.slice(1))).status).toBe(404);
    expect((await getImage("charted", "figure=week.svg")).status).toBe(400);
  });

  it("is immutable at its versioned URL, and revalidated at others", async () => {
    const version = new URL(postImagePath("first-post", PLACEHOLDER), "http://shop").searchParams.get("v");
    const response = await getImage("first-post", `width=96&v=${version}`);
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect((await getImage("first-post", "width=96&v=1")).headers.get("cache-control")).not.toContain(
      "immutable",
    );
    const etag = response.headers.get("etag")!;
    expect((await getImage("first-post", "width=96", { "if-none-match": etag })).status).toBe(304);
    expect((await getImage("first-post", "width=192", { "if-none-match": etag })).status).toBe(200);
  });
});
