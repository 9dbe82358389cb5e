import { client } from "@/db/client";
import type { Locale } from "@/lib/platform/i18n/locales";
import { findProductName } from "./database";
import { expect, type ShopPage, test } from "./fixtures";
import { button, link } from "./screens";

type Written = { slug: string; title: string; related: string[] };

/** The posts in a language, the newest first. */
const written = (locale: Locale) => client()<Written[]>`
  select p.slug, t.title, p.related from posts p join post_texts t on t.post_id = p.id and t.locale = ${locale}
  where p.listed order by p.published_at desc, p.id desc`;

const search = async ({ page, t }: ShopPage, text: string) => {
  const box = page.getByRole("main").getByRole("searchbox", { name: t("blog.search") });
  await box.fill(text);
  await box.press("Enter");
};

const robots = ({ page }: ShopPage) => page.locator('head meta[name="robots"]');

test("the blog list leads to a post, its neighbour and a related product", {
  tag: ["@all", "@matrix"],
}, async ({ shop }) => {
  const { page, t, locale, go, arrive } = shop;
  const [newest, second] = await written(locale);
  await go("/blog");
  await page.getByRole("heading", { level: 3, name: newest!.title, exact: true }).click();
  await arrive(`/blog/detail/${newest!.slug}`);
  await expect(page.getByRole("heading", { level: 1, name: newest!.title, exact: true })).toBeVisible();
  await expect(page.locator(".prose")).not.toContainText(/\{\w+\}/);

  const neighbours = page.getByRole("navigation", { name: t("blog.neighbours") });
  await expect(neighbours.getByRole("link")).toHaveCount(1);
  await neighbours.getByRole("link", { name: second!.title }).click();
  await arrive(`/blog/detail/${second!.slug}`);
  await expect(neighbours.getByRole("link", { name: newest!.title })).toBeVisible();

  const slug = second!.related[0]!;
  const passes = page.getByRole("region", { name: t("blog.related") });
  await passes.getByRole("link", { name: await findProductName(slug, locale), exact: true }).click();
  await arrive(`/product/${slug}`);
});

test("the blog search finds part of a word, is not indexed, and shows an empty result", {
  tag: "@all",
}, async ({ shop }) => {
  const { page, t, locale, go, arrive } = shop;
  const [newest] = await written(locale);
  const part = newest!.title.slice(1, 6).trim();
  await go("/blog");
  await expect(robots(shop)).toHaveCount(0);
  await search(shop, part);
  await arrive(`/blog?q=${encodeURIComponent(part)}`);
  await expect(page.getByRole("heading", { name: t("blog.results") })).toBeVisible();
  await expect(link(shop, newest!.title).first()).toBeVisible();
  await expect(robots(shop)).toHaveAttribute("content", /noindex/);

  await search(shop, "zzzz");
  await arrive("/blog?q=zzzz");
  await expect(page.getByText(t("blog.none"))).toBeVisible();
  await link(shop, t("blog.all")).click();
  await arrive("/blog");
  await expect(page.getByRole("heading", { name: t("blog.newest") })).toBeVisible();
});

test("the blog list has paginated addresses and responds 404 after the last page", { tag: "@all" }, async ({
  shop,
  watch,
}) => {
  const { page, t, locale, at, go, arrive } = shop;
  const posts = await written(locale);
  await go("/blog");
  // The prefetch of a page with another query must not be used for this one.
  const prefetched = page.waitForResponse((response) => response.url().includes("/blog?page=2"));
  await link(shop, t("catalog.pager.next")).hover();
  await prefetched;
  await link(shop, t("catalog.pager.next")).click();
  await arrive("/blog?page=2");
  await expect(page).toHaveTitle(new RegExp(t("blog.title_page", { page: 2 })));
  await expect(page.locator('head link[rel="canonical"]')).toHaveAttribute("href", /\/blog\?page=2$/);
  await expect(page.locator("article h3").last()).toHaveText(posts.at(-1)!.title);
  await link(shop, t("catalog.pager.previous")).click();
  await arrive("/blog");
  await expect(page.locator("article h3").first()).toHaveText(posts[0]!.title);

  watch.allow(404);
  expect((await page.goto(at("/blog?page=99")))?.status()).toBe(404);
});

test("copying a post's link gives its desktop address in the current language", { tag: "@all" }, async ({
  shop,
  context,
  baseURL,
}) => {
  const { page, t, locale, go } = shop;
  const [post] = await written(locale);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await go(`/blog/detail/${post!.slug}`);
  await button(shop, t("blog.copy")).click();
  await expect(page.getByText(t("blog.copied"))).toBeVisible();
  const prefix = locale === "en" ? "" : `/${locale}`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${baseURL}${prefix}/blog/detail/${post!.slug}`,
  );
});

test("a link in a post navigates in the browser, in its language, with the attribution parameters", {
  tag: "@all",
}, async ({ shop }) => {
  const { page, at, go, arrive } = shop;
  await go("/blog/detail/how-long-a-pass?source=letter");
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await page.locator(`.prose a[href="${at("/product/quillon-draft")}"]`).click();
  await arrive("/product/quillon-draft?source=letter");
  expect(await page.evaluate(() => "stays" in window)).toBe(true);
});

test("the most read post is shown beside the list", { tag: "@all" }, async ({ shop }) => {
  const { page, t, locale, go } = shop;
  const post = (await written(locale)).at(-1)!;
  await client()`insert into visits (path, locale, device_type)
    select ${`/blog/detail/${post.slug}`}, 'en', 'desktop' from generate_series(1, 50)`;
  await client()`select pg_notify('page_tags', 'posts')`; // the cached page may be a minute old in this
  await go("/blog");
  const hot = page.getByRole("region", { name: t("blog.hot") });
  await expect(hot.getByRole("link").first()).toHaveText(post.title);
});

test("an unknown post is not found, in every language", { tag: ["@all", "@matrix"] }, async ({
  shop,
  watch,
}) => {
  watch.allow(404);
  const { page, at } = shop;
  expect((await page.goto(at("/blog/detail/no-such-post")))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
