import type { Page } from "@playwright/test";
import { createCategory } from "@/db/factories/catalog";
import { createStaff } from "@/db/factories/staff";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { expectAccessible } from "./axe";
import { consolePath, consoleTexts, signInAs } from "./console-steps";
import { expect, test, waitUntilInteractive } from "./fixtures";

const TEXTS = {
  en: {
    title: "Written in a browser",
    description: "A post of a journey.",
    body: "## A part\n\nSome words.",
  },
  zh: { title: "在浏览器里写的", description: "一次测试的文章。", body: "## 一节\n\n几句话。" },
  ja: {
    title: "ブラウザーで書きました",
    description: "テストの記事です。",
    body: "## 節\n\nいくつかの言葉です。",
  },
};
const NAMES = { en: "English", zh: "简体中文", ja: "日本語" };

test("a post is written, published and shown on the site, and a second tab loses nothing", {
  tag: "@all",
}, async ({ page, context, baseURL, locale, request, watch }) => {
  watch.allow(400, 409);
  const t = consoleTexts(locale);
  await signInAs(context, baseURL!, await createStaff({ roles: ["catalogue"] }));
  await createCategory({ slug: "journeys" });
  const slug = `journey-${Date.now()}`;
  const field = (tab: Page, name: "title" | "description" | "body") =>
    tab.getByLabel(t(`console.posts.text_fields.${name}`), { exact: true });
  await page.goto(consolePath("/console/posts", locale));
  await waitUntilInteractive(page);
  await page.getByRole("link", { name: t("console.posts.new") }).click();
  await page.waitForURL((url) => url.pathname.endsWith("/console/posts/new"));
  await page.getByLabel(t("console.posts.slug"), { exact: true }).fill(slug);
  await page.getByLabel(t("console.posts.author"), { exact: true }).fill("Ines Harrow");
  await page.getByLabel(t("console.posts.category"), { exact: true }).selectOption("journeys");
  await field(page, "title").fill(TEXTS.en.title);
  await page.getByRole("button", { name: t("console.posts.publish") }).click();
  // What is missing is named, and nothing is published.
  await expect(page.getByRole("alert").filter({ hasText: NAMES.ja })).toBeVisible();
  for (const language of LOCALES) {
    await page.getByRole("button", { name: NAMES[language], exact: true }).click();
    for (const name of ["title", "description", "body"] as const)
      await field(page, name).fill(TEXTS[language][name]);
  }
  await expect(page.getByRole("article").getByRole("heading", { name: "節" })).toBeVisible();
  await expectAccessible(page, "editor");
  await page.getByRole("button", { name: t("console.posts.publish") }).click();
  await expect(page.getByRole("button", { name: t("console.posts.withdraw") })).toBeVisible();
  await page.waitForURL((url) => /\/console\/posts\/\d+$/.test(url.pathname));

  await expect(async () => {
    const post = await request.get(consolePath(`/blog/detail/${slug}`, "en"));
    const text = await post.text();
    expect(text).toContain(TEXTS.en.title);
    expect(text).toContain('"@type":"BlogPosting"');
    expect(await (await request.get(consolePath("/blog", "zh"))).text()).toContain(TEXTS.zh.title);
    expect(await (await request.get("/sitemaps/posts.xml")).text()).toContain(slug);
  }).toPass({ timeout: 120_000 });

  const other = await context.newPage();
  await other.goto(page.url());
  await waitUntilInteractive(other);
  await field(other, "title").fill("Theirs");
  await other.getByRole("button", { name: t("console.posts.save") }).click();
  await expect(other.getByText(t("console.posts.revision", { number: 2 }))).toBeVisible();
  await page.getByRole("button", { name: NAMES.en, exact: true }).click();
  await field(page, "title").fill("Mine");
  await page.getByRole("button", { name: t("console.posts.save") }).click();
  await expect(page.getByText(t("console.posts.conflict"))).toBeVisible();
  await expect(field(page, "title")).toHaveValue("Mine");
  await page.getByRole("button", { name: t("console.posts.save_over") }).click();
  await expect(page.getByText(t("console.posts.revision", { number: 3 }))).toBeVisible();
  await expect(page.getByText(t("console.posts.conflict"))).toBeHidden();
});
