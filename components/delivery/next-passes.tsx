import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { LocalTimes } from "@/components/ui/local-times";
import type { LibraryItem } from "@/lib/delivery/contract";
import { durationSpan, formatDate, spanText } from "@/lib/platform/format";

/** The codes that wait for the pass above them, each with its own days, stacked under it. */
export function NextPasses({
  running,
  next,
  children,
}: {
  running: LibraryItem;
  next: readonly LibraryItem[];
  /** a pass as the library shows it */
  children: (item: LibraryItem) => ReactNode;
}) {
  const t = useTranslations("delivery.library");
  const locale = useLocale();
  if (!running.ends_at || next.length === 0) return null;
  const date = formatDate(running.ends_at, locale);
  return (
    <ul className="mt-2 ml-4 flex flex-col gap-3 border-l-2 border-dashed border-hairline pl-4">
      {next.map((item) => (
        <li key={item.library_id}>
          <p className="pb-2 text-13 text-quiet">
            <LocalTimes of={[running.ends_at]}>
              {t("next", { span: spanText(durationSpan(item.duration_days, locale), locale), date })}
            </LocalTimes>
          </p>
          {children(item)}
        </li>
      ))}
    </ul>
  );
}
