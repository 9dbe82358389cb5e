import { listProductsOf } from "@/lib/catalog/queries";
import type { Locale } from "@/lib/i18n";
import type { Surface } from "@/lib/navigation";
import { findPostPage } from "./queries";

/** All that a post's page shows, with the passes that it is about; null when there is no such post. */
export async function getPostView(id: string, locale: Locale, surface: Surface) {
  const page = await findPostPage(id, locale, surface);
  if (!page) return null;
  const related = await listProductsOf(page.post.related, locale);
  return { page, related: related.items };
}
