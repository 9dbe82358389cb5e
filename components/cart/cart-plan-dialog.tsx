"use client";

import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/notice";
import { Price } from "@/components/ui/price";
import { Skeleton } from "@/components/ui/skeleton";
import { TicketChoice, TicketChoices } from "@/components/ui/ticket/ticket-choice";
import type { CartItem } from "@/lib/cart/contract";
import type { VipOption } from "@/lib/catalog/contract";
import { api } from "@/lib/platform/api/client";
import { durationSpan, spanText } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";

/** Selects another plan of the same product for a line. The plans are loaded when the dialog opens. */
export function CartPlanDialog({
  item,
  open,
  onClose,
  onChoose,
}: {
  item: CartItem;
  open: boolean;
  onClose: () => void;
  onChoose: (planId: number) => void;
}) {
  const t = useTranslations("cart.plan");
  const line = useTranslations("cart.line");
  const { perDay } = usePassLabels();
  const locale = useLocale();
  const { plans, problem, retry } = usePlans(item.product_id, open);
  const [chosen, setChosen] = useState(item.vip_id);
  useEffect(() => setChosen(item.vip_id), [item.vip_id]);
  const chosenDays = (plans?.find(({ vip_id }) => vip_id === chosen) ?? item).duration_days;
  const toSpan = (days: number | null) =>
    days === null ? line("lifetime") : spanText(durationSpan(days, locale), locale);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("title", { name: item.product_name })}
      closeLabel={t("close")}
      actions={
        <>
          <Button onClick={onClose}>{t("keep", { span: toSpan(item.duration_days) })}</Button>
          <Button
            look="primary"
            disabled={!plans || chosen === item.vip_id}
            onClick={() => {
              onChoose(chosen);
              onClose();
            }}
          >
            {t("save", { span: toSpan(chosenDays) })}
          </Button>
        </>
      }
    >
      <ErrorNotice action={<Button onClick={retry}>{t("retry")}</Button>}>{problem}</ErrorNotice>
      {plans ? (
        <TicketChoices legend={t("legend")}>
          {plans.map((plan) => {
            const soldOut = plan.stock_state === "sold_out";
            return (
              <TicketChoice
                key={plan.vip_id}
                name="plan"
                value={String(plan.vip_id)}
                hero={durationSpan(plan.duration_days, locale)}
                heroLabel={line("lifetime")}
                price={
                  <Price text={plan.price === 0 ? line("free") : formatPrice(toCents(plan.price), locale)} />
                }
                perDay={perDay(plan)}
                aside={soldOut ? t("sold_out") : undefined}
                disabled={soldOut}
                checked={plan.vip_id === chosen}
                onChange={() => setChosen(plan.vip_id)}
              />
            );
          })}
        </TicketChoices>
      ) : (
        problem === null && (
          <div role="status" className="ticket-choices">
            <span className="sr-only">{t("loading")}</span>
            <Skeleton className="h-36" />
            <Skeleton className="h-36" />
            <Skeleton className="h-36" />
          </div>
        )
      )}
    </Dialog>
  );
}

function usePlans(productId: number, enabled: boolean) {
  const network = useTranslations("errors")("network");
  const [plans, setPlans] = useState<readonly VipOption[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    setProblem(null);
    const path = `/product/detail/${productId}` as const;
    const result = await api.get(path, {}, { networkMessage: network });
    if (result.ok) setPlans(result.data.vip_options);
    else setProblem(result.message);
  }, [productId, network]);
  useEffect(() => {
    if (enabled) void load();
  }, [enabled, load]);
  return { plans, problem, retry: load };
}
