"use client";

import { useTranslations } from "next-intl";
import { Facts } from "@/components/console/record";
import { useSurface } from "@/components/ui/surface";
import type { KeyFileCounts } from "@/lib/merchants/key-files/contract";

/** What an import of codes did, or would do, in numbers. */
export function KeyNumbers({ counts }: { counts: KeyFileCounts }) {
  const t = useTranslations("console.imports");
  const { locale } = useSurface();
  const number = (value: number) => <span className="figures text-17">{value.toLocaleString(locale)}</span>;
  return (
    <Facts
      rows={[
        [t("added"), number(counts.new)],
        [t("unchanged"), number(counts.known)],
        [t("refused"), number(counts.refused)],
      ]}
    />
  );
}
