"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useRef, useState } from "react";
import { CouponField, useCoupon } from "@/components/coupons/coupon-field";
import { announceCartChange } from "@/components/shell/session-summary";
import { ButtonLink } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { EmptyState } from "@/components/ui/empty-state";
import { useNavigate } from "@/components/ui/link";
import { ErrorNotice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useReloadOnRestore } from "@/components/ui/use-reload-on-restore";
import type { CartItem, CartView } from "@/lib/cart/contract";
import type { CartCoupons } from "@/lib/coupons/contract";
import { sortCouponsForCart } from "@/lib/coupons/rules-discount";
import { api, newIdempotencyKey } from "@/lib/platform/api/client";
import { toCents, toDecimal } from "@/lib/platform/money";
import { removeStoredCoupon } from "@/lib/platform/routing/stored-attribution";
import { CartLine } from "./cart-line";
import { CartSummary } from "./cart-summary";
import { canCheckOut, selectLines } from "./selected-lines";
import { useCart } from "./use-cart";

const SECOND_PRESS_MS = 500;

export function CartContents({
  initial,
  coupons,
  tax,
  addedBps,
}: {
  initial: CartView;
  coupons: CartCoupons;
  /** the note about included tax; null for none */
  tax: string | null;
  /** the rate of the tax that is added to the prices; 0: they include it, or it is not known */
  addedBps: number;
}) {
  const t = useTranslations("cart");
  const network = useTranslations("errors")("network");
  const list = useRef<HTMLUListElement>(null);
  const cartState = useCart(initial, network);
  const { cart, problems, change, restore, whenSettled } = cartState;
  const chosen = selectLines(cart.cart_items);
  const lines = chosen.ids.map((id) => `${id}:${quantityOf(cart, id)}`).join();
  const [best] = sortCouponsForCart(coupons, chosen.totalCents);
  const coupon = useCoupon({
    ids: chosen.ids,
    lines,
    best: best && best.discountCents > 0 ? best.coupon.coupon_code : "",
    whenSettled,
    network,
  });
  const offer = coupon.state.offer?.lines === lines ? coupon.state.offer : null;
  const discountCents = offer ? toCents(offer.discount_amount) : 0;
  const { pending: checkingOut, checkOut } = useCheckOut(cartState, {
    couponCode: offer?.coupon_code,
    totalCents: chosen.totalCents - discountCents,
    onRefused: () => coupon.state.code && coupon.recheck(coupon.state.code),
  });

  const removedAt = useRef(Number.NEGATIVE_INFINITY);
  const remove = useCallback(
    (item: CartItem) => {
      // After a removal the next line moves under the pointer. The second press of a double click must not remove it
      // too.
      const now = performance.now();
      if (now - removedAt.current < SECOND_PRESS_MS) return;
      removedAt.current = now;
      change(item.cart_id, "remove");
      showToast(t("line.removed", { name: item.product_name }), "plain", {
        text: t("line.undo"),
        run: () => void restore(item),
        undoes: true,
      });
      // The pressed button is removed with its line, so the list takes the focus.
      requestAnimationFrame(() => list.current?.focus());
    },
    [change, restore, t],
  );

  if (cart.cart_items.length === 0)
    return (
      <EmptyState
        title={t("empty_title")}
        action={<ButtonLink href="/top-trending">{t("empty_action")}</ButtonLink>}
      >
        {t("empty_text")}
      </EmptyState>
    );

  return (
    <div className="flex flex-col gap-x-10 gap-y-6 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
      <div className="flex min-w-0 flex-col gap-4">
        <ChooseAll items={cart.cart_items} onChange={change} />
        <ErrorNotice>{problems[""]}</ErrorNotice>
        <ul ref={list} tabIndex={-1} aria-label={t("list")} className="flex flex-col gap-4 outline-none">
          {cart.cart_items.map((item) => (
            <li key={item.cart_id}>
              <CartLine
                item={item}
                serverTime={cart.server_time}
                problem={problems[item.cart_id]}
                onChange={change}
                onRemove={remove}
              />
            </li>
          ))}
        </ul>
      </div>
      <CartSummary
        chosen={chosen}
        discountCents={discountCents}
        tax={tax}
        addedBps={addedBps}
        pending={checkingOut || (coupon.state.pending && chosen.ids.length > 0)}
        onCheckOut={checkOut}
        coupon={<CouponField coupon={coupon} ownCoupons={coupons} subtotalCents={chosen.totalCents} />}
      />
    </div>
  );
}

const quantityOf = (cart: CartView, cartId: string) =>
  cart.cart_items.find((item) => item.cart_id === cartId)?.quantity;

function ChooseAll({
  items,
  onChange,
}: {
  items: readonly CartItem[];
  onChange: (cartId: string, change: { selected: boolean }) => void;
}) {
  const t = useTranslations("cart");
  const available = items.filter(canCheckOut);
  const chosen = available.filter((item) => item.selected).length;
  const all = available.length > 0 && chosen === available.length;
  return (
    <div className="flex items-center justify-between gap-4 pl-4">
      <Checkbox
        label={t("choose_all")}
        checked={all}
        disabled={available.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && !all;
        }}
        onChange={() => {
          for (const item of available) if (item.selected === all) onChange(item.cart_id, { selected: !all });
        }}
      />
      <p className="figures text-quiet">{t("chosen", { chosen, count: items.length })}</p>
    </div>
  );
}

/**
 * Creates the order of the selected lines and navigates to its checkout. It is pending from the first press until the
 * new page loads. After a lost response, the same lines are sent with the same key, so only one order is created.
 */
function useCheckOut(
  { cart, whenSettled, showProblem }: ReturnType<typeof useCart>,
  /** `totalCents`: what the page shows; an order of another total is refused, and the page then shows that one. */
  shown: { couponCode: string | undefined; totalCents: number; onRefused: () => void },
) {
  const network = useTranslations("errors")("network");
  const navigate = useNavigate();
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const latest = useRef({ items: cart.cart_items, ...shown });
  latest.current = { items: cart.cart_items, ...shown };
  const lastSubmission = useRef({ lines: "", key: "" });

  // After the checkout the ordered lines are no longer in the cart.
  useReloadOnRestore();

  const checkOut = useCallback(async () => {
    setPending(true);
    const accepted = await whenSettled();
    const { items, couponCode, totalCents } = latest.current;
    const { ids } = selectLines(items);
    if (!accepted || ids.length === 0) return setPending(false);
    const body = { cart_record_ids: ids, coupon_code: couponCode, expected_total: toDecimal(totalCents) };
    const lines = JSON.stringify(body);
    if (lastSubmission.current.lines !== lines) lastSubmission.current = { lines, key: newIdempotencyKey() };
    const options = { networkMessage: network, idempotencyKey: lastSubmission.current.key };
    const result = await api.post("/order/create", body, options);
    if (result.ok) {
      removeStoredCoupon();
      announceCartChange();
      return navigate(`/checkout?order_id=${result.data.order_id}`);
    }
    // Without a response the order may exist. Only in that case is the key kept for the next attempt.
    if (result.code !== "") lastSubmission.current = { lines: "", key: "" };
    setPending(false);
    showProblem(result.message);
    latest.current.onRefused();
    router.refresh();
  }, [whenSettled, showProblem, network, navigate, router]);

  return { pending, checkOut };
}
