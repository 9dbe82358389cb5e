import { blogPageMetadata, renderBlogPage } from "@/components/blog/blog-page";
import type { PageProps } from "@/lib/platform/pages/page";

/** `/blog?q=…` (next.config.ts). */
export const generateMetadata = async ({ params, searchParams }: PageProps) =>
  blogPageMetadata(params, await searchParams);

export default async function BlogSearchPage({ params, searchParams }: PageProps) {
  return renderBlogPage(params, await searchParams);
}
