import { useLocale, useTranslations } from "next-intl";
import { ProductTickets } from "@/components/catalog/listing/product-ticket";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { CopyButton } from "@/components/ui/copy-button";
import { Dated } from "@/components/ui/dated";
import { Link } from "@/components/ui/link";
import { Page } from "@/components/ui/page";
import { Prose } from "@/components/ui/prose";
import type { PostItem, PostPage } from "@/lib/blog/contract";
import type { ProductItem } from "@/lib/catalog/contract";
import { formatDate } from "@/lib/platform/format";
import { PostFacts } from "./post-card";

export type PostView = { page: PostPage; related: readonly ProductItem[]; address: string; jsonLd: unknown };

/** A blog post: its text, the related passes, and the previous and next post. */
export function PostScreen({ page: { post, previous, next }, related, address, jsonLd }: PostView) {
  const t = useTranslations("blog");
  const locale = useLocale();
  const path = [{ text: t("home"), href: "/" }, { text: t("title"), href: "/blog" }, { text: post.title }];
  return (
    <Page jsonLd={jsonLd} above={<Breadcrumb label={t("path")} items={path} />}>
      <article className="mx-auto max-w-(--prose-measure)">
        <header className="pb-8">
          <PostFacts post={post} />
          <h1 className="pt-2 text-28 md:text-40">{post.title}</h1>
          <p className="pt-3 text-17 text-quiet">{post.description}</p>
          <p className="pt-3 text-13 text-quiet">
            {t("by", { author: post.author })}
            {post.updated_at > post.published_at && (
              <Dated>{` · ${t("updated", { date: formatDate(post.updated_at, locale) })}`}</Dated>
            )}
          </p>
        </header>
        <Prose html={post.html} />
        <div className="pt-8">
          <CopyButton
            text={address}
            labels={{ copy: t("copy"), copied: t("copied"), failed: t("copy_failed") }}
          />
        </div>
      </article>
      {related.length > 0 && (
        <section aria-labelledby="related" className="pt-14">
          <h2 id="related" className="pb-5 text-21">
            {t("related")}
          </h2>
          <ProductTickets items={related} level="h3" />
        </section>
      )}
      <nav
        aria-label={t("neighbours")}
        className="mt-14 grid gap-x-10 gap-y-4 border-t border-hairline pt-6 md:grid-cols-2"
      >
        <Neighbour post={previous} label={t("previous")} />
        <Neighbour post={next} label={t("next")} end />
      </nav>
    </Page>
  );
}

function Neighbour({ post, label, end }: { post: PostItem | null; label: string; end?: boolean }) {
  if (!post) return <span className="max-md:hidden" />;
  return (
    <Link href={`/blog/detail/${post.slug}`} className={`group block py-2 ${end ? "md:text-right" : ""}`}>
      <span className="block text-13 text-quiet">{label}</span>
      <span className="group-hover:underline">{post.title}</span>
    </Link>
  );
}
