"use client";

import { useTranslations } from "next-intl";
import { ConsoleLink } from "@/components/console/link";
import { Age } from "@/components/console/time";

/** A queue in which something waits: how much, and since when. */
export function QueueCard({
  href,
  name,
  count,
  oldestAt,
}: {
  href: string;
  name: string;
  count: string;
  oldestAt: string | null;
}) {
  const t = useTranslations("console.today");
  return (
    <ConsoleLink
      href={href}
      className="flex h-full items-center gap-4 rounded-control border border-hairline bg-raised p-4 hover:border-ink"
    >
      <span className="figures text-28 font-semibold">{count}</span>
      <span className="min-w-0">
        <span className="block font-medium">{name}</span>
        {oldestAt && (
          <span className="block text-13 text-quiet">
            {t("oldest")} <Age at={oldestAt} />
          </span>
        )}
      </span>
    </ConsoleLink>
  );
}
