import { getTranslations } from "next-intl/server";
import { BlogScreen } from "@/components/blog/blog-screen";
import { readBlogQuery } from "@/lib/blog/contract";
import { listBesides, listPosts } from "@/lib/blog/queries";
import { type PageProps, pageLocale } from "@/lib/page";
import { publicMetadata } from "@/lib/page-metadata";
import { pagePlace } from "@/lib/page-place";

export async function generateMetadata({ params, searchParams }: PageProps) {
  const locale = await pageLocale(params);
  const t = await getTranslations({ locale, namespace: "blog" });
  const words = { title: t("title"), description: t("description") };
  const indexed = readBlogQuery(await searchParams).plain;
  return publicMetadata("/blog", pagePlace(locale, "desktop"), { ...words, indexed });
}

export default async function BlogPage({ params, searchParams }: PageProps) {
  const locale = await pageLocale(params);
  const { list } = readBlogQuery(await searchParams);
  const [found, besides] = await Promise.all([listPosts(list, locale), listBesides(locale)]);
  return <BlogScreen list={list} found={found} {...besides} />;
}
