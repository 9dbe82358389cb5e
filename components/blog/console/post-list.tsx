"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Column } from "@/components/console/data-table";
import type { Filter, FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import type { ConsolePostItem, ConsolePostList } from "@/lib/blog/console/contract";

const PATH = "/console/posts";
type Category = { slug: string; name: string };

/** The posts for staff: published ones and drafts. */
export function ConsolePosts({
  list,
  values,
  categories,
}: {
  list: ConsolePostList;
  values: FilterValues;
  categories: readonly Category[];
}) {
  const t = useTranslations("console.posts");
  const filters: Filter[] = [
    { name: "q", label: t("q"), kind: "text", first: true },
    {
      name: "state",
      label: t("state"),
      kind: "choice",
      first: true,
      options: (["published", "draft"] as const).map((value) => ({ value, label: t(`states.${value}`) })),
    },
    {
      name: "category",
      label: t("category"),
      kind: "choice",
      first: true,
      options: categories.map(({ slug, name }) => ({ value: slug, label: name })),
    },
  ];
  const columns = useMemo(
    (): Column<ConsolePostItem>[] => [
      {
        id: "title",
        header: t("title_field"),
        main: true,
        cell: ({ post_id, title, slug }) => (
          <>
            <ConsoleLink href={`${PATH}/${post_id}`} className="text-link">
              {title || slug}
            </ConsoleLink>
            <span className="block text-13 font-normal text-quiet wrap-anywhere">{slug}</span>
          </>
        ),
      },
      {
        id: "state",
        header: t("state"),
        cell: ({ listed, edited, recommended }) => (
          <span className="flex flex-wrap gap-1.5">
            <Pill tone={listed ? "good" : "warn"}>{t(`states.${listed ? "published" : "draft"}`)}</Pill>
            {recommended && <Pill>{t("recommended_short")}</Pill>}
            {edited && <Pill>{t("edited")}</Pill>}
          </span>
        ),
      },
      {
        id: "category",
        header: t("category"),
        cell: ({ category }) => categories.find(({ slug }) => slug === category)?.name ?? category,
      },
      { id: "author", header: t("author"), cell: ({ author }) => author || "–" },
      { id: "published", header: t("published_on"), oneLine: true, cell: (post) => post.published_on },
      { id: "updated", header: t("updated"), cell: ({ updated_at }) => <ShortTime at={updated_at} /> },
    ],
    [t, categories],
  );
  return (
    <ListScreen
      name="posts"
      title={t("title")}
      lead={t("lead")}
      list={list}
      values={values}
      filters={filters}
      columns={columns}
      rowId={({ post_id }) => String(post_id)}
      rowName={({ title, slug }) => title || slug}
      href={({ post_id }) => `${PATH}/${post_id}`}
      empty={t("empty")}
      tools={
        <ConsoleLink href={`${PATH}/new`} className="button button-primary">
          {t("new")}
        </ConsoleLink>
      }
    />
  );
}
