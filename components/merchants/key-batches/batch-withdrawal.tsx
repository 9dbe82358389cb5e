"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EffectsDialog } from "@/components/console/effects-dialog";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { KeysWithdrawn } from "@/lib/merchants/key-files/contract";
import { type ApiResult, api } from "@/lib/platform/api/client";

type Props = {
  id: string;
  name: string;
  /** The merchant's call, or that of staff. */
  of: "merchant" | "admin";
  /** The request for another code that shows staff that the batch is bad. */
  requestId?: string;
};

/** Withdraws the unsold codes of a batch, after saying how many they are. */
export function BatchWithdrawal({ id, name, of, requestId }: Props) {
  const t = useTranslations("console.key_batches");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const asking = useCall(network);
  const acting = useCall(network);
  const [planned, setPlanned] = useState<KeysWithdrawn>();
  const send = (preview: boolean, options: { networkMessage: string }): Promise<ApiResult<KeysWithdrawn>> =>
    withReauthentication(() =>
      of === "merchant"
        ? api.post(`/merchant/keys/batches/${id}/withdraw`, { preview }, options)
        : api.post(`/admin/keys/batches/${id}/withdraw`, { preview, request_id: requestId }, options),
    );
  async function open() {
    const result = await asking.run((options) => send(true, options));
    if (result.ok) setPlanned(result.data);
  }
  async function withdraw() {
    const result = await acting.run((options) => send(false, options));
    if (!result.ok) return;
    setPlanned(undefined);
    showToast(t("withdrawn_now", { count: result.data.withdrawn }));
    router.refresh();
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        look={requestId ? "quiet" : "secondary"}
        pending={asking.pending}
        className="self-start"
        aria-label={t("withdraw_name", { batch: name })}
        onClick={() => void open()}
      >
        {t("withdraw")}
      </Button>
      <ErrorNotice>{asking.problem}</ErrorNotice>
      <EffectsDialog
        open={planned !== undefined}
        title={t("withdraw_title", { batch: name })}
        effects={
          planned
            ? [
                t("effect_withdrawn", { count: planned.withdrawn }),
                t("effect_reserved", { count: planned.reserved }),
                t(of === "merchant" ? "effect_undo" : "effect_final"),
                ...(of === "admin" && planned.undo_until !== null ? [t("effect_undo_ends")] : []),
              ]
            : []
        }
        confirm={t("withdraw_now")}
        danger
        pending={acting.pending}
        problem={acting.problem}
        onConfirm={() => void withdraw()}
        onClose={() => setPlanned(undefined)}
      />
    </div>
  );
}
