"use client";

import { useTranslations } from "next-intl";
import { Facts } from "@/components/console/record";
import { useSurface } from "@/components/ui/surface";
import type { ImportCounts, ImportKind } from "@/lib/staff/imports/rules";

/** What an import did, or would do, in numbers. */
export function ImportNumbers({ counts, kind }: { counts: ImportCounts; kind: ImportKind }) {
  const t = useTranslations("console.imports");
  const { locale } = useSurface();
  const number = (value: number) => <span className="figures text-17">{value.toLocaleString(locale)}</span>;
  return (
    <Facts
      rows={[
        [t("added"), number(counts.added)],
        // A code is never changed.
        kind !== "keys" && [t("changed"), number(counts.changed)],
        [t("unchanged"), number(counts.unchanged)],
        [t("refused"), number(counts.refused)],
      ]}
    />
  );
}
