"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { useCalls } from "@/components/accounts/use-calls";
import { SandboxChallenge, SandboxChoice } from "@/components/payments/paying/sandbox";
import { Button } from "@/components/ui/button";
import { ErrorNotice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useSurface } from "@/components/ui/surface";
import { useRequest } from "@/components/ui/use-call";
import type { CardView, SetupOpened } from "@/lib/payments/cards/contract";
import { type SandboxCard, SELECTABLE_CARDS, type SelectableCard } from "@/lib/payments/cards/rules";
import { api } from "@/lib/platform/api/client";
import { localizedPath } from "@/lib/platform/routing/paths";
import type { StoreCard, StoreCardResult } from "./card-fields";

const CardFields = dynamic(() => import("./card-fields").then((file) => file.CardFields), {
  ssr: false,
  loading: () => <Skeleton className="h-28" />,
});

/** Stores another card with the provider's fields, or with a picker of test cards in the sandbox. */
export function CardAdd({ onAdded, onClose }: { onAdded: (card: CardView) => void; onClose: () => void }) {
  const t = useTranslations("payments.cards");
  const page = useSurface();
  const heading = useRef<HTMLHeadingElement>(null);
  const networkMessage = useTranslations("errors")("network");
  const { result, retry } = useRequest(
    useCallback(() => api.post<SetupOpened>("/payment/add", {}, { networkMessage }), [networkMessage]),
  );
  const setup = result?.ok ? result.data : null;
  const problem = result?.ok === false && result.message;
  const { pending, failure, store } = useStore(setup, onAdded);
  const [fields, setFields] = useState<{ store: StoreCard } | null>(null);
  const onReady = useCallback((ready: StoreCard | null) => setFields(ready && { store: ready }), []);
  useEffect(() => heading.current?.focus(), []);

  const sandbox = setup?.payment_mode === "sandbox";
  return (
    <div className="@container flex flex-col gap-4 rounded-ticket border border-hairline bg-raised p-5">
      <h3 ref={heading} tabIndex={-1} className="text-17 outline-none">
        {t("add_title")}
      </h3>
      <ErrorNotice title={t("unopened_title")} action={<Button onClick={retry}>{t("again")}</Button>}>
        {problem}
      </ErrorNotice>
      {!setup && !problem && <Skeleton className="h-44" />}
      {setup && !sandbox && (
        <CardFields
          publishableKey={setup.publishableKey}
          clientSecret={setup.client_secret}
          returnUrl={location.origin + localizedPath("/payment-billing", page)}
          onReady={onReady}
        />
      )}
      {setup && sandbox && (
        <CardSandbox clientSecret={setup.client_secret} onReady={onReady} pending={pending} />
      )}
      <ErrorNotice>{failure}</ErrorNotice>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button
          look="primary"
          pending={pending}
          disabled={!fields}
          onClick={() => fields && void store(fields.store)}
        >
          {t("save")}
        </Button>
      </div>
      <p className="text-13 text-quiet">{t("kept_where")}</p>
    </div>
  );
}

/** Stores the card after the button is pressed. Only the server's response determines the result. */
function useStore(setup: SetupOpened | null, onAdded: (card: CardView) => void) {
  const t = useTranslations("payments.cards");
  const networkMessage = useTranslations("errors")("network");
  const [failure, setFailure] = useState("");
  const { pending, run } = useCalls(networkMessage);

  async function runAttempt(attempt: StoreCard): Promise<CardView | string> {
    const outcome = await attempt();
    if (outcome === "stopped") return "";
    if (outcome === "declined" || outcome === "refused") return t(outcome);
    if (outcome !== "stored") return outcome.problem;
    const body = { setup_id: setup?.setup_id };
    const result = await api.post<CardView>("/payment/add", body, { networkMessage });
    return result.ok ? result.data : result.message;
  }

  const store = (attempt: StoreCard) =>
    run("store", async () => {
      setFailure("");
      const result = await runAttempt(attempt);
      if (typeof result === "string") setFailure(result);
      else onAdded(result);
    });
  return { pending: pending !== undefined, failure, store };
}

/** The sandbox replacement of the provider's fields: a picker of test cards without any input. */
function CardSandbox({
  clientSecret,
  pending,
  onReady,
}: {
  clientSecret: string;
  pending: boolean;
  onReady: (store: StoreCard | null) => void;
}) {
  const t = useTranslations("payments.cards");
  const networkMessage = useTranslations("errors")("network");
  const [selected, setSelected] = useState<SelectableCard>("visa");
  const [bankOpen, setBankOpen] = useState(false);
  const resolveBank = useRef<(approved: boolean) => void>(undefined);
  const decide = (approved: boolean) => resolveBank.current?.(approved);

  const confirm = useCallback(
    async (card: SandboxCard): Promise<StoreCardResult> => {
      const body = { client_secret: clientSecret, card };
      const result = await api.post("/payment/sandbox/confirm-setup", body, { networkMessage });
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
    [clientSecret, networkMessage],
  );
  useEffect(() => {
    onReady(() => confirm(selected));
    return () => onReady(null);
  }, [onReady, confirm, selected]);

  return (
    <>
      <SandboxChoice
        title={t("sandbox_title")}
        text={t("sandbox_text")}
        disabled={pending}
        options={SELECTABLE_CARDS}
        label={(card) => t(`sandbox.${card}`)}
        value={selected}
        onChange={setSelected}
      />
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
