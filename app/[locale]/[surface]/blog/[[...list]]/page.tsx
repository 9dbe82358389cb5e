import { blogPageMetadata, renderBlogPage } from "@/components/blog/blog-page";
import { type ListPageProps, listQuery } from "@/lib/platform/pages/list-path";

export const dynamic = "force-static";

export const generateMetadata = async ({ params }: ListPageProps) =>
  blogPageMetadata(params, listQuery((await params).list));

export default async function BlogPage({ params }: ListPageProps) {
  return renderBlogPage(params, listQuery((await params).list));
}
