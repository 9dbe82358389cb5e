import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** A page of a list. `query` is the list's own state. */
type Paged = {
  path: string;
  query: Readonly<Record<string, string>>;
  page: number;
  size: number;
  total: number;
};

type PagerLabels = { label?: string; previous?: string; next?: string; position?: string };

/** Links to the previous and next page of a list. Renders nothing for a single page. */
export function Pager({ path, query, page, size, total, labels }: Paged & { labels?: PagerLabels }) {
  const t = useTranslations("catalog.pager");
  const pages = Math.ceil(total / size);
  if (pages <= 1 && page === 1) return null;
  const pageUrl = (target: number) => listUrl({ path, query }, target);
  return (
    <nav aria-label={labels?.label ?? t("label")} className="flex items-center justify-between gap-4 pt-8">
      {page > 1 ? (
        <ButtonLink href={pageUrl(Math.min(page - 1, pages))}>{labels?.previous ?? t("previous")}</ButtonLink>
      ) : (
        <span />
      )}
      <p className="figures text-quiet">{labels?.position ?? t("page", { page, pages })}</p>
      {page < pages ? (
        <ButtonLink href={pageUrl(page + 1)}>{labels?.next ?? t("next")}</ButtonLink>
      ) : (
        <span />
      )}
    </nav>
  );
}

/** Shown when the requested page is past the end of the list. Links to the last page. */
export function PastLastPage({ path, query, page, size, total }: Paged) {
  const t = useTranslations("catalog.pager");
  const last = Math.ceil(total / size);
  return (
    <EmptyState
      title={t("past_end", { page })}
      action={<ButtonLink href={listUrl({ path, query }, last)}>{t("last", { page: last })}</ButtonLink>}
    />
  );
}

export const isPastLastPage = ({ page, size, total }: Pick<Paged, "page" | "size" | "total">) =>
  total > 0 && page > Math.ceil(total / size);

function listUrl({ path, query }: Pick<Paged, "path" | "query">, page: number): string {
  const search = new URLSearchParams(page === 1 ? query : { ...query, page: String(page) });
  return search.size > 0 ? `${path}?${search}` : path;
}
