import { useLocale, useTranslations } from "next-intl";
import { Emblem } from "@/components/ui/emblem";
import { Link } from "@/components/ui/link";
import type { PostItem } from "@/lib/blog/contract";
import { formatDate } from "@/lib/platform/format";

/** A post in the list: its image, summary and reading time. The whole card is a link. */
export function PostCard({
  post,
  first = false,
}: {
  post: PostItem;
  /** The image is in the first view. */
  first?: boolean;
}) {
  return (
    <article className="group relative flex items-start gap-4 border-t border-hairline py-6 md:gap-6">
      <Emblem
        src={post.image}
        size={112}
        sizes="(min-width: 768px) 112px, 72px"
        priority={first}
        className="size-18 md:size-28"
      />
      <div className="min-w-0 flex-1">
        <PostFacts post={post} />
        <h3 className="pt-1 text-17 md:text-21">
          <Link
            href={`/blog/detail/${post.slug}`}
            className="group-hover:underline after:absolute after:inset-0"
          >
            {post.title}
          </Link>
        </h3>
        <p className="max-w-text pt-1.5 text-quiet">{post.description}</p>
      </div>
    </article>
  );
}

/** Date, category and reading time, such as "7 November 2026 · Writing · 4 min read". */
export function PostFacts({ post }: { post: PostItem }) {
  const t = useTranslations("blog");
  const locale = useLocale();
  return (
    <p className="text-13 text-quiet *:whitespace-nowrap">
      <time dateTime={post.published_at}>{formatDate(post.published_at, locale)}</time>
      {" · "}
      <span>{post.category_name}</span>
      {" · "}
      <span>{t("minutes", { count: post.reading_minutes })}</span>
    </p>
  );
}

/** A short list of posts in the sidebar. */
export function PostLinks({ id, title, posts }: { id: string; title: string; posts: readonly PostItem[] }) {
  if (posts.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="pb-2 text-17">
        {title}
      </h2>
      <ul className="border-b border-hairline">
        {posts.map((post) => (
          <li key={post.post_id} className="border-t border-hairline">
            <Link
              href={`/blog/detail/${post.slug}`}
              className="flex min-h-11 items-center py-2.5 hover:underline"
            >
              {post.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
