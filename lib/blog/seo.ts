import type { Blog, BlogPosting, BreadcrumbList, WithContext } from "schema-dts";
import { HTML_LANG } from "@/lib/platform/i18n/locales";
import { breadcrumbs, type PageUrls, publicMetadata, shareImagePath } from "@/lib/platform/pages/metadata";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { ListPostsInput, PostDetail, PostItem } from "./contract";

const postPath = ({ slug }: Pick<PostDetail, "slug">) => `/blog/detail/${slug}`;

/** Metadata of the list: each page has its own canonical; search results are noindex. */
export function blogMetadata(
  { keyword, page }: Pick<ListPostsInput, "keyword" | "page">,
  pageUrls: PageUrls,
  labels: { title: string; description: string },
) {
  const path = page === 1 ? "/blog" : `/blog?page=${page}`;
  return publicMetadata(path, pageUrls, { ...labels, indexed: keyword === "" });
}

/** JSON-LD of the list: the blog with the posts of this page (docs/product.md#11-markup-for-search-engines). */
export function blogJsonLd(
  posts: readonly PostItem[],
  pageUrls: PageUrls,
  labels: { home: string; title: string; description: string },
): [WithContext<Blog>, WithContext<BreadcrumbList>] {
  const absoluteUrl = (path: string) =>
    pageUrls.origin + localizedPath(path, { locale: pageUrls.locale, surface: "desktop" });
  const url = absoluteUrl("/blog");
  return [
    {
      "@context": "https://schema.org",
      "@type": "Blog",
      "@id": `${url}#blog`,
      name: labels.title,
      description: labels.description,
      url,
      inLanguage: HTML_LANG[pageUrls.locale],
      publisher: { "@type": "Organization", "@id": `${pageUrls.origin}/#store`, name: pageUrls.brand },
      blogPost: posts.map((post) => ({
        "@type": "BlogPosting",
        "@id": `${postUrl(post, pageUrls)}#post`,
        headline: post.title,
        url: postUrl(post, pageUrls),
        datePublished: post.published_at,
        dateModified: post.updated_at,
        image: pageUrls.origin + shareImagePath(pageUrls.locale, "post", post.slug),
        author: { "@type": "Person", name: post.author },
      })),
    },
    breadcrumbs([labels.home, absoluteUrl("/")], [labels.title, url]),
  ];
}

/** The shared address: the desktop page in the reader's language. */
export const postUrl = (post: Pick<PostDetail, "slug">, { origin, locale }: PageUrls) =>
  origin + localizedPath(postPath(post), { locale, surface: "desktop" });

export function postMetadata(post: PostDetail, pageUrls: PageUrls) {
  const metadata = publicMetadata(postPath(post), pageUrls, {
    title: post.title,
    description: post.description,
    image: shareImagePath(pageUrls.locale, "post", post.slug),
  });
  return {
    ...metadata,
    openGraph: {
      ...metadata.openGraph,
      type: "article" as const,
      publishedTime: post.published_at,
      modifiedTime: post.updated_at,
      authors: [post.author],
    },
  };
}

/** JSON-LD of a post (docs/product.md#11-markup-for-search-engines). */
export function postJsonLd(
  post: PostDetail,
  pageUrls: PageUrls,
  labels: { home: string; blog: string },
): [WithContext<BlogPosting>, WithContext<BreadcrumbList>] {
  const url = postUrl(post, pageUrls);
  const absoluteUrl = (path: string) =>
    pageUrls.origin + localizedPath(path, { locale: pageUrls.locale, surface: "desktop" });
  return [
    {
      "@context": "https://schema.org",
      "@type": "BlogPosting",
      "@id": `${url}#post`,
      headline: post.title,
      description: post.description,
      url,
      mainEntityOfPage: url,
      inLanguage: HTML_LANG[pageUrls.locale],
      articleSection: post.category_name,
      datePublished: post.published_at,
      dateModified: post.updated_at,
      image: pageUrls.origin + shareImagePath(pageUrls.locale, "post", post.slug),
      author: { "@type": "Person", name: post.author },
      publisher: { "@type": "Organization", "@id": `${pageUrls.origin}/#store`, name: pageUrls.brand },
    },
    breadcrumbs([labels.home, absoluteUrl("/")], [labels.blog, absoluteUrl("/blog")], [post.title, url]),
  ];
}
