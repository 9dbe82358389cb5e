"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ImportReport } from "@/components/console/import-parts";
import { PriceEffects } from "@/components/console/price-effects";
import { Facts } from "@/components/console/record";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { BulkPreview } from "@/lib/merchants/bulk/contract";
import type { Applied } from "./use-parts";

/** The preview of bulk work, and the button that applies it. */
export function BulkCheck({
  preview,
  pending,
  onApply,
  tools,
}: {
  preview: BulkPreview;
  pending: boolean;
  onApply: () => void;
  tools?: ReactNode;
}) {
  const t = useTranslations("console.bulk");
  const { counts, effects, refused, automatic } = preview;
  return (
    <section
      aria-label={t("check")}
      className="flex flex-col gap-5 rounded-control border border-hairline bg-raised p-4"
    >
      <div>
        <h2 className="text-17 font-semibold">{t("check")}</h2>
        <p className="pt-1 text-quiet">{t("nothing_yet")}</p>
      </div>
      <Facts
        rows={[
          [t("changed"), counts.changed],
          [t("unchanged"), counts.unchanged],
          [t("refused"), counts.refused],
        ]}
      />
      {counts.changed > 0 && <Notice kind="info">{t(automatic ? "live_at_once" : "staff_decide")}</Notice>}
      <div className="flex flex-wrap gap-3">
        {counts.changed > 0 && (
          <Button look="primary" pending={pending} onClick={onApply}>
            {t(automatic ? "apply" : "propose", { count: counts.changed })}
          </Button>
        )}
        {tools}
      </div>
      <PriceEffects effects={effects} count={counts.changed} />
      <ImportReport report={refused} refused={counts.refused} />
    </section>
  );
}

/** The result so far. */
export function BulkDone({ applied: { counts, refused }, running }: { applied: Applied; running: boolean }) {
  const t = useTranslations("console.bulk");
  return (
    <section
      aria-label={t("result")}
      className="flex flex-col gap-5 rounded-control border border-hairline bg-raised p-4"
    >
      <h2 className="text-17 font-semibold" role="status">
        {t(running ? "running" : "result")}
      </h2>
      <Facts
        rows={[
          [t("changed"), counts.changed],
          counts.waiting > 0 && [t("waiting"), counts.waiting],
          [t("unchanged"), counts.unchanged],
          [t("refused"), counts.refused],
        ]}
      />
      <ImportReport report={refused} refused={counts.refused} />
    </section>
  );
}
