import { useTranslations } from "next-intl";
import { ButtonLink } from "@/components/ui/button";

/** The way to the neighbouring pages of a list; nothing where one page holds all. `query` is the list's own state. */
export function Pager({
  path,
  query,
  page,
  size,
  total,
}: {
  path: string;
  query: Readonly<Record<string, string>>;
  page: number;
  size: number;
  total: number;
}) {
  const t = useTranslations("catalog.pager");
  const pages = Math.ceil(total / size);
  if (pages <= 1 && page === 1) return null;
  const at = (wanted: number) => {
    const search = new URLSearchParams(wanted === 1 ? query : { ...query, page: String(wanted) });
    return search.size > 0 ? `${path}?${search}` : path;
  };
  return (
    <nav aria-label={t("label")} className="flex items-center justify-between gap-4 pt-8">
      {page > 1 ? <ButtonLink href={at(Math.min(page - 1, pages))}>{t("previous")}</ButtonLink> : <span />}
      <p className="figures text-quiet">{t("page", { page, pages })}</p>
      {page < pages ? <ButtonLink href={at(page + 1)}>{t("next")}</ButtonLink> : <span />}
    </nav>
  );
}
