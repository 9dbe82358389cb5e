"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { DealClock } from "@/components/catalog/product/deal-clock";
import { UnitPrice } from "@/components/catalog/product/unit-price";
import { usePassLabels } from "@/components/catalog/use-pass-labels";
import { RefundLine } from "@/components/payments/refund-line";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dated } from "@/components/ui/dated";
import { Emblem } from "@/components/ui/emblem";
import { FieldError } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { LocalTimes } from "@/components/ui/local-times";
import { Price } from "@/components/ui/price";
import { QuantityStepper } from "@/components/ui/quantity-stepper";
import { TicketLine } from "@/components/ui/ticket/ticket-line";
import { showToast } from "@/components/ui/toast";
import type { CartItem } from "@/lib/cart/contract";
import { LOW_STOCK } from "@/lib/catalog/rules";
import { preOrderDeadline } from "@/lib/delivery/rules";
import { durationSpan, formatDate, formatDay, formatMoment } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { CartPlanDialog } from "./cart-plan-dialog";
import { canCheckOut } from "./selected-lines";
import type { LineChange } from "./use-cart";

export function CartLine({
  item,
  serverTime,
  problem,
  onChange,
  onRemove,
}: {
  item: CartItem;
  serverTime: string;
  problem?: string;
  onChange: (cartId: string, change: LineChange) => void;
  onRemove: (item: CartItem) => void;
}) {
  const t = useTranslations("cart.line");
  const labels = usePassLabels();
  const locale = useLocale();
  const [choosingPlan, setChoosingPlan] = useState(false);
  const name = item.product_name;
  const available = canCheckOut(item);
  const soldOut = item.stock_state === "sold_out";

  return (
    <TicketLine
      level="h2"
      title={name}
      href={`/product/${item.slug}`}
      lang={item.language === locale ? undefined : item.language}
      lead={
        <Checkbox
          hideLabel
          label={t("choose", { name })}
          checked={item.selected && available}
          disabled={!available}
          onChange={(event) => onChange(item.cart_id, { selected: event.target.checked })}
        />
      }
      emblem={<Emblem src={item.product_image} size={80} className={soldOut ? "opacity-50" : undefined} />}
      hero={durationSpan(item.duration_days, locale)}
      heroLabel={t("lifetime")}
      price={<LinePrice item={item} />}
      note={<UnitPrice line={item} />}
      subtitle={
        <>
          <p>
            {item.maker} · {labels.name(item)}
          </p>
          <CartLineNotes item={item} serverTime={serverTime} />
          {!soldOut && <RefundLine refund={item.refund} />}
        </>
      }
    >
      {!soldOut && (
        <QuantityStepper
          value={item.quantity}
          max={item.max_quantity}
          labels={{ label: t("quantity", { name }), less: t("less"), more: t("more") }}
          onChange={(quantity) => onChange(item.cart_id, { quantity })}
          onCapped={() => showToast(t("at_most", { count: item.max_quantity, name }))}
        />
      )}
      <div className="flex">
        <Button
          look="quiet"
          aria-label={t("change_plan_named", { name })}
          onClick={() => setChoosingPlan(true)}
        >
          {t("change_plan")}
        </Button>
        <Button look="quiet" aria-label={t("remove_named", { name })} onClick={() => onRemove(item)}>
          <Icon name="trash" size={18} />
          <span className="max-sm:sr-only">{t("remove")}</span>
        </Button>
      </div>
      {problem && (
        <div role="alert" className="w-full">
          <FieldError id={`problem-${item.cart_id}`}>{problem}</FieldError>
        </div>
      )}
      <CartPlanDialog
        item={item}
        open={choosingPlan}
        onClose={() => setChoosingPlan(false)}
        onChoose={(vip_id) => onChange(item.cart_id, { vip_id })}
      />
    </TicketLine>
  );
}

function LinePrice({ item }: { item: CartItem }) {
  const t = useTranslations("cart.line");
  const locale = useLocale();
  const { compared } = usePassLabels();
  const money = (amount: number) => formatPrice(toCents(amount), locale);
  if (item.line_total === 0) return <Price text={t("free")} />;
  return <Price text={money(item.line_total)} list={compared(item, item.quantity)} />;
}

function CartLineNotes({ item, serverTime }: { item: CartItem; serverTime: string }) {
  const t = useTranslations("cart.line");
  const locale = useLocale();
  if (item.stock_state === "sold_out") return <p className="font-medium text-bad">{t("sold_out")}</p>;
  const tooMany = item.quantity > item.max_quantity;
  const lowStock = item.stock_state === "low" && item.stock <= LOW_STOCK;
  return (
    <>
      {tooMany && <p className="font-medium text-bad">{t("too_many", { count: item.max_quantity })}</p>}
      {lowStock && !tooMany && <p className="font-medium text-warn">{t("few", { count: item.stock })}</p>}
      {item.added_price !== null && (
        <p className="font-medium text-warn">
          {t("price_rose", { price: formatPrice(toCents(item.added_price), locale) })}
        </p>
      )}
      {item.purchase_limit !== null && <p>{t("limit", { limit: item.purchase_limit })}</p>}
      {item.releases_at && item.stock_state === "pre_order" && (
        <p>
          <LocalTimes of={[preOrderDeadline(item.releases_at)]}>
            {t("pre_order", { date: formatDay(preOrderDeadline(item.releases_at), locale) })}
          </LocalTimes>
        </p>
      )}
      {item.redeem_by && (
        <p>
          <Dated>{t("redeem_by", { count: item.quantity, date: formatDate(item.redeem_by, locale) })}</Dated>
        </p>
      )}
      {item.deal && (
        <DealClock
          endsAt={Date.parse(item.deal.ends_at)}
          now={Date.parse(serverTime)}
          dayUnit={t("day_unit")}
          spoken={t("deal_ends", { moment: formatMoment(item.deal.ends_at, locale) })}
          until={t("deal_ends", { moment: formatDay(item.deal.ends_at, locale) })}
          left={t("deal_left", { count: item.deal.items_left })}
        />
      )}
    </>
  );
}
