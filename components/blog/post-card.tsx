import { useLocale, useTranslations } from "next-intl";
import { Link } from "@/components/ui/link";
import type { PostItem } from "@/lib/blog/contract";
import { formatDate } from "@/lib/format";

/** A post in the list: what it is about, and what it takes to read it. */
export function PostCard({ post, level: Heading = "h2" }: { post: PostItem; level?: "h2" | "h3" }) {
  return (
    <article className="border-t border-hairline py-6">
      <PostFacts post={post} />
      <Heading className="pt-1 text-21">
        <Link href={`/blog/detail/${post.slug}`} className="hover:underline">
          {post.title}
        </Link>
      </Heading>
      <p className="max-w-text pt-1.5 text-quiet">{post.description}</p>
    </article>
  );
}

/** "7 November 2026 · Writing · 4 min". */
export function PostFacts({ post }: { post: PostItem }) {
  const t = useTranslations("blog");
  const locale = useLocale();
  return (
    <p className="text-13 text-quiet">
      <time dateTime={post.published_at}>{formatDate(post.published_at, locale)}</time>
      {` · ${post.category_name} · ${t("minutes", { count: post.reading_minutes })}`}
    </p>
  );
}

/** A short list beside the posts. */
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
