"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { AudienceProvider } from "@/components/catalog/editor/audience";
import { ChangesList } from "@/components/catalog/editor/changes-list";
import { ConsoleLink } from "@/components/console/link";
import { ConsoleHeader } from "@/components/console/page-header";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { useStartAgain } from "@/components/console/use-start-again";
import {
  CheckNotices,
  checkLabels,
  hasProblems,
  ShownPrices,
} from "@/components/merchants/changes/change-check";
import { CHANGE_TONES } from "@/components/merchants/changes/tones";
import { useAction } from "@/components/merchants/portal/use-action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import type { ChangeMoved, MerchantChangeDetail } from "@/lib/merchants/changes/contract";
import { EDITABLE_STATES, OPEN_STATES } from "@/lib/merchants/changes/rules";
import { api } from "@/lib/platform/api/client";

type Props = { home: string; change: Omit<MerchantChangeDetail, "line">; mayWrite: boolean };

/** One of the merchant's changes: what differs, its state, and its possible actions. */
export function MerchantChangePage({ home, change, mayWrite }: Props) {
  const t = useTranslations("console.merchant_changes");
  const table = useTranslations("console.table");
  const { pending, problem, setProblem, act } = useAction();
  const startAgain = useStartAgain();
  const [cancelling, setCancelling] = useState(false);
  const { change_id, version, product_id, product_name, state, check, note } = change;
  const isEditable = mayWrite && EDITABLE_STATES.includes(state);
  const isOpen = mayWrite && OPEN_STATES.includes(state);

  async function move(step: "propose" | "cancel"): Promise<void> {
    const path = `/merchant/changes/${change_id}/${step}`;
    const result = await act((options) => api.post<ChangeMoved>(path, { version }, options));
    setCancelling(false);
    if (startAgain(result)) return setProblem("");
    if (!result.ok) return;
    const words = { proposed: "proposed", approved: "passed", cancelled: "cancelled" } as const;
    const { state: now } = result.data;
    if (now === "proposed" || now === "approved" || now === "cancelled") showToast(t(words[now]), "good");
  }

  return (
    <AudienceProvider audience="merchant">
      <ConsoleHeader
        title={t("edit_title", { product: product_name })}
        lead={<Pill tone={CHANGE_TONES[state]}>{t(`states.${state}`)}</Pill>}
      >
        <span className="flex flex-wrap gap-2">
          {isOpen && (
            <Button look="quiet" onClick={() => setCancelling(true)}>
              {t("cancel")}
            </Button>
          )}
          {isEditable && (
            <>
              <ConsoleLink href={`${home}/changes/${change_id}/edit`} className="button button-secondary">
                {t("edit")}
              </ConsoleLink>
              <Button
                look="primary"
                pending={pending}
                disabled={check?.stale || hasProblems(check)}
                onClick={() => void move("propose")}
              >
                {t("propose_now")}
              </Button>
            </>
          )}
        </span>
      </ConsoleHeader>
      <ErrorNotice className="mb-4">{problem}</ErrorNotice>
      {note !== null && (
        <Notice kind={state === "approved" ? "info" : "warn"} title={t("note")} className="mb-5">
          <p className="wrap-anywhere whitespace-pre-line">{note}</p>
        </Notice>
      )}
      {check && <CheckNotices check={check} labels={checkLabels(t)} />}
      <div className="pb-7">
        <Facts
          rows={[
            product_id !== null && [
              t("product"),
              <ConsoleLink key="p" href={`${home}/products/${product_id}`} className="text-link">
                {product_name}
              </ConsoleLink>,
            ],
            [t("kind"), t(`kinds.${change.kind}`)],
            [t("by"), change.by_shop ? t("by_shop") : change.created_by],
            [t("created"), <ShortTime key="c" at={change.created_at} />],
            change.decided_at !== null && [
              t("decided"),
              <>
                <ShortTime at={change.decided_at} /> {change.automatic && t("automatic")}
              </>,
            ],
            change.revision !== null && [t("version"), change.revision],
          ]}
        />
      </div>
      <RecordSection title={t("what_changes")}>
        {check && <ShownPrices check={check} label={t("buyers_will_see")} />}
        <ChangesList changes={change.changes} />
      </RecordSection>
      <Dialog
        open={cancelling}
        onClose={() => setCancelling(false)}
        title={t("cancel_title", { product: product_name })}
        closeLabel={table("close")}
        actions={
          <>
            <Button look="quiet" onClick={() => setCancelling(false)}>
              {t("keep")}
            </Button>
            <Button look="danger" pending={pending} onClick={() => void move("cancel")}>
              {t("cancel")}
            </Button>
          </>
        }
      >
        <p>{t("cancel_text")}</p>
      </Dialog>
    </AudienceProvider>
  );
}
