import { useLocale, useTranslations } from "next-intl";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { Emblem } from "@/components/ui/emblem";
import { Icon } from "@/components/ui/icon";
import type { LibraryItem } from "@/lib/delivery/contract";
import { formatDate } from "@/lib/platform/format";
import { PassCode } from "./owned-pass";
import { RevealLog } from "./reveal-log";

/** An expired pass: one line, with its code and its log collapsed. */
export function ExpiredPass({ item }: { item: LibraryItem }) {
  const t = useTranslations("delivery.library");
  const pass = usePassLabels();
  const locale = useLocale();
  const lang = item.language === locale ? undefined : item.language;
  return (
    <details className="group py-3">
      <summary className="hit flex cursor-pointer items-center gap-3">
        <span className="size-8 flex-none opacity-60 [&>img]:size-full">
          <Emblem src={item.product_image} size={32} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="font-medium" lang={lang}>
            {item.product_name}
          </span>{" "}
          <span className="text-quiet">
            {pass.name(item)} · {item.ends_at && t("ended_on", { date: formatDate(item.ends_at, locale) })}
          </span>
        </span>
        <Icon name="down" size={18} className="text-quiet group-open:rotate-180" />
      </summary>
      <div className="@container flex flex-col gap-4 pt-3 pb-2">
        <PassCode item={item} />
        <RevealLog reveals={item.reveals} />
      </div>
    </details>
  );
}
