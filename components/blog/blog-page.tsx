import { cache } from "react";
import { NotFoundScreen, notFoundMetadata } from "@/components/shell/not-found-screen";
import { findBlogView } from "@/lib/blog/queries";
import { blogJsonLd, blogMetadata } from "@/lib/blog/seo";
import type { PageUrls } from "@/lib/platform/pages/metadata";
import { type PageProps, pageLocation, respondNotFound } from "@/lib/platform/pages/page";
import { BlogScreen } from "./blog-screen";
import { blogLabels, listLabels } from "./post-labels";

type Params = PageProps["params"];
/** Null: the address of no list. */
type Query = Record<string, string | string[] | undefined> | null;

const load = cache(async (location: PageUrls, query: Query) => {
  const view = query && (await findBlogView(query, location.locale));
  return view && { view, labels: await listLabels(location.locale, view.list.page) };
});

/** The metadata of a list of posts, or of a search in them. */
export async function blogPageMetadata(params: Params, query: Query) {
  const location = await pageLocation(params);
  const found = await load(location, query);
  return found ? blogMetadata(found.view.list, location, found.labels) : notFoundMetadata({ params });
}

/** A list of posts, or a search in them. */
export async function renderBlogPage(params: Params, query: Query) {
  const location = await pageLocation(params);
  const found = await load(location, query);
  if (!found) {
    respondNotFound();
    return <NotFoundScreen />;
  }
  const { home, blog } = await blogLabels(location.locale);
  const { description } = found.labels;
  const jsonLd = blogJsonLd(found.view.found.posts, location, { home, title: blog, description });
  return <BlogScreen {...found.view} jsonLd={jsonLd} />;
}
