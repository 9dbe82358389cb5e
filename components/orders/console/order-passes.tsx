"use client";

import { useTranslations } from "next-intl";
import { Pill } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { KeyActions, LineActions, type OrderRights } from "@/components/orders/console/order-actions";
import { useSurface } from "@/components/ui/surface";
import type { ConsoleOrderDetail } from "@/lib/orders/console/contract-detail";
import { isGivenAway, isRefusedByStaff, staysInLibrary, whyKept } from "@/lib/orders/rules";
import { refundSentence } from "@/lib/payments/refunds/rules-wording";
import { formatPrice, toCents } from "@/lib/platform/money";

type Line = ConsoleOrderDetail["order_products"][number];
type Key = ConsoleOrderDetail["keys"][number];

/** The passes of an order: their price, what the refund rule says in the shopper's words, and the state of each code. */
export function OrderPasses({ order, may }: { order: ConsoleOrderDetail; may: OrderRights }) {
  return (
    <ul className="flex flex-col">
      {order.order_products.map((line) => (
        <li
          key={line.order_product_id}
          className="border-t border-hairline py-2 first:border-t-0 first:pt-0 last:pb-0"
        >
          <Pass order={order} line={line} may={may} />
        </li>
      ))}
    </ul>
  );
}

function Pass({ order, line, may }: { order: ConsoleOrderDetail; line: Line; may: OrderRights }) {
  const t = useTranslations("console.order");
  const rule = useTranslations("payments.refund");
  const keptText = useTranslations("console.kept_codes");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const reason = whyKept(line);
  const kept = reason && isGivenAway(order) ? ("gift" as const) : reason;
  const { refund_request: request } = line;
  const keys = order.keys.filter(({ order_product_id: id }) => id === line.order_product_id);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-medium">
            {line.product_name} · {line.vip_type}
            {line.quantity > 1 && ` × ${line.quantity}`}
          </span>
          <Pill tone={line.state === "assigned" ? "good" : line.state === "waiting" ? "warn" : "plain"}>
            {t(`line_state.${line.state}`)}
          </Pill>
          {kept && <Pill>{keptText(kept)}</Pill>}
          {line.state === "waiting" && line.deliver_by && (
            <span className="text-13 text-quiet">
              {t("deliver_by")} <ShortTime at={line.deliver_by} />
            </span>
          )}
        </p>
        <p className="text-13 text-quiet">
          {!isRefusedByStaff(line) && refundSentence(rule, line.refund, locale)}
          {line.refund.refundable && !line.refund_at_once && ` · ${t("vendor_first")}`}
          {request && (
            <span className="block">
              {request.refused_by
                ? t(`refused_by.${request.refused_by}`)
                : t(`request_state.${request.state}`)}
              {request.refusal_reason && <q className="block">{request.refusal_reason}</q>}
            </span>
          )}
        </p>
      </div>
      <p className="figures text-right">
        {usd(line.total)}
        {line.refunded_amount > 0 && (
          <span className="block text-13 text-quiet">
            {t("refunded")} {usd(line.refunded_amount)}
          </span>
        )}
      </p>
      <div className="col-span-2 flex flex-wrap items-center gap-x-4 gap-y-1 pt-1">
        <ul className="min-w-0 flex-1 max-sm:basis-full">
          {keys.map((code) => (
            <CodeState key={code.key_id} order={order} line={line} code={code} may={may} />
          ))}
          {keys.length === 0 && <li className="text-13 text-quiet">{t("no_keys")}</li>}
        </ul>
        {may.refunds && <LineActions order={order} line={line} may={may} />}
      </div>
    </div>
  );
}

/** One code by its reference: what became of it, and when. */
function CodeState({
  order,
  line,
  code,
  may,
}: {
  order: ConsoleOrderDetail;
  line: Line;
  code: Key;
  may: OrderRights;
}) {
  const t = useTranslations("console.order");
  const { state, redemption, mailed_at, revealed_at, activated_at } = code;
  const steps = [
    [t("mailed"), mailed_at],
    [t("revealed"), revealed_at],
    [t("activated"), activated_at],
  ] as const;
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-0.5 text-13 text-quiet">
      <code className="max-w-44 truncate font-mono" title={code.key_id}>
        {code.key_id}
      </code>
      <Pill tone={state === "assigned" ? "good" : "plain"}>{t(`key_state.${state}`)}</Pill>
      {redemption !== "unknown" && <Pill>{t(`redemption.${redemption}`)}</Pill>}
      {mailed_at === null && staysInLibrary(line) && <span>{t("not_mailed")}</span>}
      {steps.map(
        ([name, at]) =>
          at && (
            <span key={name}>
              {name} <ShortTime at={at} />
            </span>
          ),
      )}
      {may.replacements && state === "assigned" && <KeyActions order={order} code={code} />}
    </li>
  );
}
