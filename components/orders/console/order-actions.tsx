"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { NumberInput } from "@/components/console/number-input";
import { SMALL_BUTTON } from "@/components/console/record-page";
import { ActionDialog } from "@/components/staff/action-dialog";
import { AskColleague } from "@/components/staff/inbox/ask-colleague";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import { TextArea } from "@/components/ui/text-input";
import { REPLACEMENT_REASON_MAX } from "@/lib/delivery/rules";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import type { RefundRequestView } from "@/lib/orders/refunds/contract";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import { VENDOR_CONFIRMATION_HOURS } from "@/lib/payments/refunds/rules";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { formatPrice, toCents } from "@/lib/platform/money";
import { parseTypedAmount } from "@/lib/platform/typed-number";

/** What the viewer may do with an order. */
export type OrderRights = {
  write: boolean;
  refunds: boolean;
  replacements: boolean;
  goodwill: GoodwillRights | null;
};

/** How much may be given of one order beyond the refund rule, all gestures together. */
export type GoodwillRights = {
  /** null: as much as was paid */
  limitCents: number | null;
  /** whose limit it is */
  role: StaffRole;
  /** Above this a second person decides. */
  secondPersonAboveCents: number;
};

type Line = ConsoleOrderDetail["order_products"][number];

/** Whether a request for another code in place of this one is open. */
const hasOpenReplacement = ({ requests }: ConsoleOrderDetail, keyId: string): boolean =>
  requests.replacements.some(({ key_id }) => key_id === keyId);

/** The actions about the whole order: mail its codes again, cancel it while it is unpaid, ask a role about it. */
export function OrderActions({ order, may }: { order: ConsoleOrderDetail; may: OrderRights }) {
  const t = useTranslations("console.order_actions");
  const [action, setAction] = useState<"resend" | "cancel">();
  const hasSeenCode = order.keys.some(
    ({ state, mailed_at, revealed_at }) => state === "assigned" && (mailed_at ?? revealed_at) !== null,
  );
  const canCancel = isPayable(order.status) && !order.cancel_requested;
  if (!may.write) return null;
  const shown = action ?? "resend";
  return (
    <>
      {hasSeenCode && (
        <Button className={SMALL_BUTTON} onClick={() => setAction("resend")}>
          {t("resend")}
        </Button>
      )}
      {canCancel && (
        <Button className={SMALL_BUTTON} onClick={() => setAction("cancel")}>
          {t("cancel")}
        </Button>
      )}
      <AskColleague orderId={order.order_id} className={SMALL_BUTTON} />
      <ActionDialog<{ status?: OrderStatus }>
        open={action !== undefined}
        title={t(`${shown}_title`, { number: order.order_number })}
        confirm={t(shown)}
        danger={shown === "cancel"}
        dismiss={shown === "cancel" ? t("cancel_keep") : undefined}
        done={({ status }) =>
          t(shown === "cancel" && status !== "cancelled" ? "cancel_asked" : `${shown}_done`)
        }
        path={`/admin/orders/${order.order_id}/${shown}`}
        body={() => (shown === "cancel" ? { version: order.version } : {})}
        onClose={() => setAction(undefined)}
      />
    </>
  );
}

/** The actions about one pass: its refund by the rule, and a part of its price as a gesture. */
export function LineActions({
  order,
  line,
  may,
}: {
  order: ConsoleOrderDetail;
  line: Line;
  may: OrderRights;
}) {
  const t = useTranslations("console.order_actions");
  const { locale } = useSurface();
  const [action, setAction] = useState<"refund" | "goodwill">();
  const leftCents = toCents(line.total) - toCents(line.refunded_amount);
  const isReturnable =
    order.paid_at !== null && leftCents > 0 && line.state !== "refunded" && !order.disputed;
  const isAsked = line.refund_request?.state === "asked" || line.refund_request?.state === "approved";
  const canRefund = may.refunds && isReturnable && line.refund.refundable && !isAsked;
  const canGive = may.goodwill !== null && isReturnable;
  if (!canRefund && !canGive) return null;
  const pass = `${line.product_name} · ${line.vip_type}`;
  const usd = (cents: number) => formatPrice(cents, locale);
  const giving = action === "goodwill";
  const asksVendor = !line.refund_at_once;
  return (
    <span className="flex flex-wrap gap-2">
      {canRefund && (
        <Button
          className={SMALL_BUTTON}
          aria-label={t("refund_name", { pass })}
          onClick={() => setAction("refund")}
        >
          {t("refund")}
        </Button>
      )}
      {canGive && (
        <Button
          className={SMALL_BUTTON}
          aria-label={t("goodwill_name", { pass })}
          onClick={() => setAction("goodwill")}
        >
          {t("goodwill")}
        </Button>
      )}
      <ActionDialog<{ state?: RefundRequestView["state"] }>
        open={action !== undefined}
        title={t(giving ? "goodwill_title" : asksVendor ? "refund_ask_title" : "refund_title", { pass })}
        confirm={t(giving ? "goodwill_confirm" : asksVendor ? "refund_ask" : "refund")}
        danger={!giving}
        consequences={
          !giving && asksVendor ? [t("refund_ask_text", { hours: VENDOR_CONFIRMATION_HOURS })] : undefined
        }
        done={({ state }) => t(giving ? "goodwill_done" : state === "asked" ? "refund_asked" : "refund_done")}
        path={`/admin/orders/${order.order_id}/${giving ? "goodwill" : "refund"}`}
        body={(values) => ({
          order_product_id: line.order_product_id,
          version: line.version,
          ...(giving && {
            amount: parseTypedAmount(String(values.get("amount"))),
            refunded_amount: line.refunded_amount,
            reason: String(values.get("reason") ?? "").trim(),
          }),
        })}
        fields={
          giving ? (
            <>
              <p className="text-quiet">{t("goodwill_text", { left: usd(leftCents) })}</p>
              {may.goodwill && <GoodwillLimit order={order} rights={may.goodwill} />}
              <NumberInput name="amount" label={t("goodwill_amount")} required className="max-w-48" />
              <TextArea
                name="reason"
                label={t("goodwill_reason")}
                hint={t("goodwill_hint")}
                required
                minLength={3}
                maxLength={500}
                rows={2}
              />
            </>
          ) : undefined
        }
        onClose={() => setAction(undefined)}
      />
    </span>
  );
}

/**
 * Whose limit applies, how much of it was given for this order, and what is left; or above which amount a second person
 * decides.
 */
export function GoodwillLimit({
  order,
  rights: { limitCents, role, secondPersonAboveCents },
}: {
  order: Pick<ConsoleOrderDetail, "goodwill_given">;
  rights: GoodwillRights;
}) {
  const t = useTranslations("console.order_actions");
  const roleName = useTranslations("console.roles");
  const { locale } = useSurface();
  const usd = (cents: number) => formatPrice(cents, locale);
  const givenCents = toCents(order.goodwill_given);
  const given = usd(givenCents);
  return (
    <p className="text-quiet">
      {limitCents === null
        ? t("goodwill_second_person", { limit: usd(secondPersonAboveCents), given })
        : t("goodwill_limit", {
            role: roleName(role),
            limit: usd(limitCents),
            given,
            left: usd(Math.max(0, limitCents - givenCents)),
          })}
    </p>
  );
}

/** Asks for another code in place of one that does not work, like its owner would. */
export function KeyActions({
  order,
  code: { key_id, state, version },
}: {
  order: ConsoleOrderDetail;
  code: ConsoleOrderDetail["keys"][number];
}) {
  const t = useTranslations("console.order_actions");
  const [asking, setAsking] = useState(false);
  if (state !== "assigned") return null;
  if (hasOpenReplacement(order, key_id)) return <span>{t("replace_open")}</span>;
  return (
    <>
      <Button
        className={SMALL_BUTTON}
        aria-label={t("replace_name", { key: key_id })}
        onClick={() => setAsking(true)}
      >
        {t("replace")}
      </Button>
      <ActionDialog
        open={asking}
        title={t("replace_title", { key: key_id })}
        confirm={t("replace_confirm")}
        done={t("replace_done")}
        path={`/admin/orders/${order.order_id}/replace`}
        body={(values) => ({ key_id, version, reason: String(values.get("reason") ?? "").trim() })}
        fields={
          <>
            <p className="text-quiet">{t("replace_text")}</p>
            <TextArea
              name="reason"
              label={t("replace_reason")}
              hint={t("replace_hint")}
              required
              minLength={3}
              maxLength={REPLACEMENT_REASON_MAX}
              rows={2}
            />
          </>
        }
        onClose={() => setAsking(false)}
      />
    </>
  );
}
