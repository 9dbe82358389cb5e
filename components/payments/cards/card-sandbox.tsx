"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { type SandboxCard, SELECTABLE_CARDS, type SelectableCard } from "@/lib/payments/cards/rules";
import { api } from "@/lib/platform/api/client";
import type { StoreCard, StoreCardResult } from "./card-fields";

type BankAnswer = "approved" | "refused";

/** The sandbox replacement of the provider's fields: a picker of test cards without any input. */
export function CardSandbox({
  clientSecret,
  pending,
  onReady,
}: {
  clientSecret: string;
  pending: boolean;
  onReady: (store: StoreCard | null) => void;
}) {
  const t = useTranslations("payments.cards");
  const network = useTranslations("errors")("network");
  const [picked, setPicked] = useState<SelectableCard>("visa");
  const [asking, setAsking] = useState(false);
  const decided = useRef<(answer: BankAnswer) => void>(undefined);

  const confirm = useCallback(
    async (card: SandboxCard): Promise<StoreCardResult> => {
      const answer = await api.post(
        "/payment/sandbox/confirm-setup",
        { client_secret: clientSecret, card },
        { networkMessage: network },
      );
      if (!answer.ok) return { problem: answer.message };
      const { status, problem } = answer.data;
      if (status === "succeeded") return "stored";
      if (status !== "requires_action") return problem === "card_declined" ? "declined" : "refused";
      setAsking(true);
      const said = await new Promise<BankAnswer>((resolve) => {
        decided.current = resolve;
      });
      setAsking(false);
      return confirm(said);
    },
    [clientSecret, network],
  );
  useEffect(() => {
    onReady(() => confirm(picked));
    return () => onReady(null);
  }, [onReady, confirm, picked]);

  return (
    <>
      <fieldset disabled={pending} className="rounded-ticket border border-dashed border-control p-4 pt-3">
        <legend className="sr-only">{t("sandbox_title")}</legend>
        <p className="font-semibold" aria-hidden="true">
          {t("sandbox_title")}
        </p>
        <p className="text-quiet">{t("sandbox_text")}</p>
        <div className="grid gap-x-6 pt-2 sm:grid-cols-2">
          {SELECTABLE_CARDS.map((card) => (
            <Checkbox
              key={card}
              type="radio"
              name="sandbox-card"
              value={card}
              checked={picked === card}
              onChange={() => setPicked(card)}
              label={t(`sandbox.${card}`)}
            />
          ))}
        </div>
      </fieldset>
      <BankQuestion open={asking} onDecide={(answer) => decided.current?.(answer)} />
    </>
  );
}

/** The simulated bank confirmation, labeled as such. Closing it declines. */
function BankQuestion({ open, onDecide }: { open: boolean; onDecide: (answer: BankAnswer) => void }) {
  const t = useTranslations("payments.cards");
  const sandbox = useTranslations("payments.sandbox");
  return (
    <Dialog
      open={open}
      onClose={() => onDecide("refused")}
      title={sandbox("challenge_title")}
      closeLabel={t("close")}
      actions={
        <>
          <Button onClick={() => onDecide("refused")}>{sandbox("refuse")}</Button>
          <Button look="primary" onClick={() => onDecide("approved")}>
            {sandbox("approve")}
          </Button>
        </>
      }
    >
      <p>{t("challenge_text")}</p>
    </Dialog>
  );
}
