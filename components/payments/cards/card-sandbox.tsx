"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { SandboxChallenge } from "@/components/payments/paying/sandbox-challenge";
import { Checkbox } from "@/components/ui/checkbox";
import { type SandboxCard, SELECTABLE_CARDS, type SelectableCard } from "@/lib/payments/cards/rules";
import { api } from "@/lib/platform/api/client";
import type { StoreCard, StoreCardResult } from "./card-fields";

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
  const [selected, setSelected] = useState<SelectableCard>("visa");
  const [bankOpen, setBankOpen] = useState(false);
  const resolveBank = useRef<(approved: boolean) => void>(undefined);
  const decide = (approved: boolean) => resolveBank.current?.(approved);

  const confirm = useCallback(
    async (card: SandboxCard): Promise<StoreCardResult> => {
      const result = await api.post(
        "/payment/sandbox/confirm-setup",
        { client_secret: clientSecret, card },
        { networkMessage: network },
      );
      if (!result.ok) return { problem: result.message };
      const { status, problem } = result.data;
      if (status === "succeeded") return "stored";
      if (status !== "requires_action") return problem === "card_declined" ? "declined" : "refused";
      setBankOpen(true);
      const approved = await new Promise<boolean>((resolve) => {
        resolveBank.current = resolve;
      });
      setBankOpen(false);
      return confirm(approved ? "approved" : "refused");
    },
    [clientSecret, network],
  );
  useEffect(() => {
    onReady(() => confirm(selected));
    return () => onReady(null);
  }, [onReady, confirm, selected]);

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
              checked={selected === card}
              onChange={() => setSelected(card)}
              label={t(`sandbox.${card}`)}
            />
          ))}
        </div>
      </fieldset>
      <SandboxChallenge
        open={bankOpen}
        text={t("challenge_text")}
        closeLabel={t("close")}
        onClose={() => decide(false)}
        onDecide={decide}
      />
    </>
  );
}
