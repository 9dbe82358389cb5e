"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { countryNames } from "@/components/catalog/product/country-names";
import { useActorName } from "@/components/console/actor";
import { ReasonArea } from "@/components/console/reason-area";
import { ActionDialog } from "@/components/staff/action-dialog";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import type { ConsoleRefund } from "@/lib/orders/console/contract-refunds";
import { formatPrice, toCents } from "@/lib/platform/money";

export type RefundDecision = "approve" | "refuse" | "overrule" | "settle";

/** The reason of a refusal, and how a refund was paid by other means. */
const FIELDS: Partial<Record<RefundDecision, "reason" | "note">> = { refuse: "reason", settle: "note" };

export const passName = ({ product_name, vip_type }: ConsoleRefund) =>
  product_name && [product_name, vip_type].filter(Boolean).join(" · ");

/** Why a refund waits for somebody, in words. */
export function useRefundWhy(): (refund: ConsoleRefund) => string {
  const t = useTranslations("console.refunds");
  const actorName = useActorName();
  const { locale } = useSurface();
  return (refund) => {
    if (refund.failure) return t("why_failed", { reason: refund.failure });
    if (refund.decided_by) return t("why_refused", { who: actorName(refund.decided_by) });
    if (refund.stated_country)
      return t("why_country", {
        stated: countryNames([refund.stated_country], locale),
        order: refund.order_country ? countryNames([refund.order_country], locale) : t("country_unknown"),
      });
    return refund.codes_seen > 0
      ? t("why_seen", { seen: refund.codes_seen, codes: refund.codes })
      : t("why_unseen");
  };
}

/** Asks before a refund is decided, with what it will do. */
export function RefundDialog({
  kind,
  refund,
  onClose,
}: {
  kind: RefundDecision;
  refund: ConsoleRefund;
  onClose: () => void;
}) {
  const t = useTranslations("console.refunds");
  const { locale } = useSurface();
  const verb = kind === "overrule" ? "approve" : kind;
  const field = FIELDS[kind];
  const area = { name: field, required: true, minLength: 3, maxLength: 500, rows: 3 };
  const fields: ReactNode =
    field === "reason" ? (
      <ReasonArea
        {...area}
        kind="refund"
        reader={refund.reader}
        sends
        label={t("refuse_reason")}
        hint={t("refuse_hint")}
      />
    ) : (
      field && <TextArea {...area} label={t("settle_note")} hint={t("settle_hint")} />
    );
  return (
    <ActionDialog
      open
      title={t(`${verb}_title`, {
        amount: formatPrice(toCents(refund.amount), locale),
        pass: passName(refund) ?? t("whole_order"),
        number: refund.order_number,
      })}
      confirm={t(verb)}
      danger
      done={t(`${verb}_done`)}
      path={`/admin/refunds/${refund.refund_id}/${verb}`}
      body={(values) => ({
        version: refund.version,
        ...(field && { [field]: String(values.get(field) ?? "").trim() }),
        ...(verb === "approve" && { overrule: kind === "overrule" }),
      })}
      fields={fields}
      quotes={field === "reason" ? field : undefined}
      onClose={onClose}
    />
  );
}
