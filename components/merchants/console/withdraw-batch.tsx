"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import type { BatchWithdrawn } from "@/lib/merchants/key-files/contract";

/** Staff's withdrawal of the unsold codes of a merchant's batch, also from a request for another code (`requestId`). */
export function WithdrawBatch({ id, name, requestId }: { id: string; name: string; requestId?: string }) {
  const t = useTranslations("console.key_batches");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        look={requestId ? "quiet" : "secondary"}
        aria-label={t("withdraw_name", { batch: name })}
        onClick={() => setIsOpen(true)}
      >
        {t("withdraw")}
      </Button>
      <ActionDialog<BatchWithdrawn>
        open={isOpen}
        title={t("withdraw_title", { batch: name })}
        confirm={t("withdraw_now")}
        danger
        done={({ withdrawn }) => t("withdrawn_now", { count: withdrawn })}
        path={`/admin/keys/batches/${id}/withdraw`}
        body={() => ({ request_id: requestId })}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}
