import { useTranslations } from "next-intl";
import { Pager } from "@/components/catalog/listing/pager";
import { Button, ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Page } from "@/components/ui/page";
import { QueryForm } from "@/components/ui/query-form";
import { TextInput } from "@/components/ui/text-input";
import type { ListPostsInput, PostItem, PostListView } from "@/lib/blog/contract";
import type { PostList } from "@/lib/blog/rules";
import { PostCard, PostLinks } from "./post-card";

export type BlogView = {
  list: ListPostsInput;
  found: PostListView;
  besides: Record<PostList, readonly PostItem[]>;
};

/** The newest posts are also shown beside the list when the list does not start with them. */
export function BlogScreen({
  list,
  found,
  besides: { hot, recommended, newest },
  jsonLd,
}: BlogView & { jsonLd: unknown }) {
  const fromNewest = !list.keyword && list.page === 1;
  const t = useTranslations("blog");
  const query: Record<string, string> = list.keyword ? { q: list.keyword } : {};
  return (
    <Page
      jsonLd={jsonLd}
      title={t("title")}
      lead={list.keyword ? t("found", { count: found.total, q: list.keyword }) : t("lead")}
      aside={
        <QueryForm
          path="/blog"
          values={query}
          role="search"
          aria-label={t("search")}
          className="flex items-end gap-2 max-md:w-full"
        >
          <TextInput
            type="search"
            name="q"
            label={t("search")}
            defaultValue={list.keyword}
            maxLength={200}
            enterKeyHint="search"
            className="min-w-0 flex-1 md:min-w-52"
          />
          <Button type="submit">{t("search_submit")}</Button>
        </QueryForm>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)_17rem] items-start gap-x-16 gap-y-12 max-lg:grid-cols-1">
        <section aria-labelledby="posts">
          <h2 id="posts" className="pb-3 text-17">
            {list.keyword ? t("results") : fromNewest ? t("newest") : t("all")}
          </h2>
          {found.posts.map((post, i) => (
            <PostCard key={post.post_id} post={post} first={i < 3} />
          ))}
          {found.posts.length === 0 && (
            <EmptyState
              level="h3"
              title={t("none")}
              action={<ButtonLink href="/blog">{t("all")}</ButtonLink>}
            >
              {t("none_text")}
            </EmptyState>
          )}
          <Pager path="/blog" {...{ query, page: list.page, size: list.size, total: found.total }} />
        </section>
        <div className="flex flex-col gap-10">
          <PostLinks id="hot" title={t("hot")} posts={hot} />
          <PostLinks id="recommended" title={t("recommended")} posts={recommended} />
          {!fromNewest && <PostLinks id="newest" title={t("newest")} posts={newest} />}
        </div>
      </div>
    </Page>
  );
}
