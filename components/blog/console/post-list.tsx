"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { columnsOf } from "@/components/console/list/columns";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsolePostItem, ConsolePostList } from "@/lib/blog/console/contract";
import type { StaffListData } from "@/lib/staff/lists/contract";

const PATH = "/console/posts";
const STATES = ["published", "draft"] as const;
const column = columnsOf<ConsolePostItem>();
const hrefOf = ({ post_id }: ConsolePostItem) => `${PATH}/${post_id}`;

/** The posts for staff: published ones and drafts. */
export function ConsolePosts({
  categories,
  ...data
}: StaffListData<ConsolePostList> & { categories: readonly { slug: string; name: string }[] }) {
  const t = useTranslations("console.posts");
  const nameOf = ({ title, slug }: ConsolePostItem) => title || slug;
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ post_id }) => String(post_id),
        rowName: nameOf,
        href: hrefOf,
        texts: {
          main: "q",
          values: { state: (value) => t(`states.${value as (typeof STATES)[number]}`) },
          options: { category: categories.map(({ slug, name }) => ({ value: slug, label: name })) },
        },
        views: [
          { id: "all", label: t("all"), filters: {} },
          ...STATES.map((state) => ({ id: state, label: t(`states.${state}`), filters: { state } })),
        ],
        columns: [
          column.link("title", t("title_field"), (row) => ({ text: nameOf(row), href: hrefOf(row) }), {
            main: true,
          }),
          column.text("slug", t("slug"), ({ slug }) => slug, { minor: true }),
          column.state(
            "state",
            t("state"),
            ({ listed, edited, recommended }) => [
              { text: t(`states.${listed ? "published" : "draft"}`), tone: listed ? "good" : "warn" },
              recommended && { text: t("recommended_short") },
              edited && { text: t("edited") },
            ],
            { width: 190 },
          ),
          column.text(
            "category",
            t("category"),
            ({ category }) => categories.find(({ slug }) => slug === category)?.name ?? category,
            { width: 140, card: "sub" },
          ),
          column.text("author", t("author"), ({ author }) => author, { width: 120, minor: true }),
          column.text("published", t("published_on"), (post) => post.published_on, {
            width: 104,
            card: "time",
          }),
          column.time("updated", t("updated"), ({ updated_at }) => updated_at),
        ],
        tools: (
          <ConsoleLink href={`${PATH}/new`} className="button button-primary">
            {t("new")}
          </ConsoleLink>
        ),
      }}
    />
  );
}
