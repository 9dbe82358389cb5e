"use client";

import { useTranslations } from "next-intl";
import { TimeLeft } from "@/components/console/time";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import type { KeyBatchItem, KeysPutBack } from "@/lib/merchants/key-files/contract";
import { api } from "@/lib/platform/api/client";

/** Puts the withdrawn codes of a batch back on sale, with the time that is left for it. */
export function BatchUndo({
  batch,
  until,
}: {
  batch: Pick<KeyBatchItem, "batch_id" | "name">;
  until: string;
}) {
  const t = useTranslations("console.key_batches");
  const { pending, problem, act } = useAction();
  async function undo() {
    const result = await act((options) =>
      api.post<KeysPutBack>(`/merchant/keys/batches/${batch.batch_id}/undo-withdrawal`, {}, options),
    );
    if (result.ok) showToast(t("undone", { count: result.data.restored }), "good");
  }
  return (
    <div className="flex flex-col gap-2">
      <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          pending={pending}
          aria-label={t("undo_name", { batch: batch.name })}
          onClick={() => void undo()}
        >
          {t("undo")}
        </Button>
        <span className="text-13 text-quiet">
          {t("undo_left")} <TimeLeft until={until} late={t("undo_over")} />
        </span>
      </span>
      <ErrorNotice>{problem}</ErrorNotice>
    </div>
  );
}
