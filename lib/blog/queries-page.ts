import { listProductsBySlug } from "@/lib/catalog/queries";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { PageLocation } from "@/lib/platform/routing/paths";
import { parseBlogQuery } from "./contract";
import { findPostPage, listPosts, listSidebarPosts } from "./queries";

/** The data of the blog's list page; null past the last page. */
export async function findBlogView(query: Record<string, string | string[] | undefined>, locale: Locale) {
  const list = parseBlogQuery(query);
  const [found, besides] = await Promise.all([listPosts(list, locale), listSidebarPosts(locale)]);
  if (list.page > 1 && found.posts.length === 0) return null;
  return { list, found, besides };
}

/** The data of a post's page with its related passes; null when there is no such post. */
export async function getPostView(id: string, { locale, surface }: PageLocation) {
  const page = await findPostPage(id, locale, surface);
  if (!page) return null;
  const related = await listProductsBySlug(page.post.related, locale);
  return { page, related: related.items };
}
