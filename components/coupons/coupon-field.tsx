"use client";

import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dated } from "@/components/ui/dated";
import { FieldError } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { useTimeZone } from "@/components/ui/local-time";
import { LocalTimes } from "@/components/ui/local-times";
import { TextInput } from "@/components/ui/text-input";
import type { CartCoupons, CouponOffer } from "@/lib/coupons/contract";
import {
  type CartCoupon,
  type CouponRejectionReason,
  sortCouponsForCart,
} from "@/lib/coupons/rules-discount";
import { api } from "@/lib/platform/api/client";
import { formatDate } from "@/lib/platform/format";
import { formatPrice, toCents } from "@/lib/platform/money";
import { removeStoredCoupon, storedCouponCode } from "@/lib/platform/routing/stored-attribution";
import { BindCoupon, BindErrorLink } from "./bind-coupon";
import { useCouponTerms } from "./use-coupon-terms";

/** The coupon of the cart: the user's coupons, a code field and the applied discount. */
export function CouponField({
  coupon,
  ownCoupons,
  subtotalCents,
}: {
  coupon: ReturnType<typeof useCoupon>;
  ownCoupons: CartCoupons;
  /** The subtotal of the selected lines, which determines the applicable coupons. */
  subtotalCents: number;
}) {
  const { code, offer, problem, pending } = coupon.state;
  // A coupon that does not apply stays selected, and the other coupons remain selectable.
  const showOthers = !code || (!offer && (problem !== null || !pending));
  return (
    <div className="flex flex-col gap-4">
      {code && <Applied coupon={coupon} />}
      {showOthers && <OwnCoupons {...{ ownCoupons, subtotalCents }} applied={code} onApply={coupon.apply} />}
      {showOthers && <CodeForm key={code} onApply={coupon.apply} />}
    </div>
  );
}

function CodeForm({ onApply }: { onApply: (code: string) => void }) {
  const t = useTranslations("coupons.field");
  const [error, setError] = useState<string>();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("coupon_code")).trim();
    if (code) onApply(code);
    else setError(t("missing"));
  }
  return (
    <form noValidate onSubmit={submit} onChange={() => setError(undefined)} className="flex items-end gap-2">
      <TextInput
        label={t("code")}
        error={error}
        name="coupon_code"
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="min-w-0 flex-1"
      />
      <Button type="submit" className={error ? "mb-6" : undefined}>
        {t("apply")}
      </Button>
    </form>
  );
}

function Applied({ coupon }: { coupon: ReturnType<typeof useCoupon> }) {
  const { code, offer, problem, pending } = coupon.state;
  const t = useTranslations("coupons.field");
  const locale = useLocale();
  const shownCode = offer?.coupon_code ?? code;
  const discountText = offer && `−${formatPrice(toCents(offer.discount_amount), locale)}`;
  const [returnPath, setReturnPath] = useState("");
  useEffect(() => setReturnPath(location.pathname), []);
  return (
    <div className="flex flex-col gap-1.5" aria-live="polite">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{offer?.title ?? t("code")}</p>
          <p className="text-13 text-quiet wrap-anywhere">{shownCode}</p>
        </div>
        {discountText && <span className="figures font-semibold text-good">{discountText}</span>}
        {pending && !offer && !problem && <span className="text-13 text-quiet">{t("checking")}</span>}
        <button
          type="button"
          aria-label={t("remove", { code: shownCode })}
          onClick={coupon.remove}
          className="hit -mr-2 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
        >
          <Icon name="close" size={18} />
        </button>
      </div>
      {problem && (
        <div role="alert" className="flex flex-col items-start gap-2">
          <FieldError>{problem.message}</FieldError>
          <BindErrorLink code={problem.code} returnPath={returnPath} />
        </div>
      )}
      {offer && !offer.bound && <BindCoupon code={code} onBound={coupon.recheck} />}
    </div>
  );
}

const ROW =
  "col-span-2 grid grid-cols-subgrid items-baseline rounded-control border border-hairline px-3 py-2";

/** More coupons would push the total out of view. */
const INITIAL_COUNT = 4;

/** The user's coupons in the cart: applicable coupons as buttons, then the others with the reason. */
function OwnCoupons({
  ownCoupons,
  applied,
  subtotalCents,
  onApply,
}: {
  ownCoupons: CartCoupons;
  applied: string;
  subtotalCents: number;
  onApply: (code: string) => void;
}) {
  const t = useTranslations("coupons.field");
  const rows = sortCouponsForCart(ownCoupons, subtotalCents).filter(
    ({ coupon }) => coupon.coupon_code !== applied,
  );
  const [showAll, setShowAll] = useState(false);
  const shown = showAll ? rows : rows.slice(0, INITIAL_COUNT);
  if (rows.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{t("own")}</p>
      <ul className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2">
        {shown.map((row) => (
          <li key={row.coupon.coupon_code} className="col-span-2 grid grid-cols-subgrid">
            {row.rejectionReason ? (
              <RejectedCoupon {...row} rejectionReason={row.rejectionReason} subtotalCents={subtotalCents} />
            ) : (
              <button
                type="button"
                onClick={() => onApply(row.coupon.coupon_code)}
                className={`${ROW} min-h-11 cursor-pointer bg-paper text-left hover:border-ink`}
              >
                <Columns {...row} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <button
          type="button"
          onClick={() => setShowAll(true)}
          className="text-link min-h-11 cursor-pointer self-start text-13 font-medium"
        >
          {t("all", { count: rows.length })}
        </button>
      )}
    </div>
  );
}

function Columns({ coupon }: CartCoupon) {
  const { worth, terms } = useCouponTerms();
  return (
    <>
      <span className="figures text-right font-semibold whitespace-nowrap">{worth(coupon)}</span>
      <span className="min-w-0">
        <span className="block">{coupon.title}</span>
        <span className="block text-13 text-quiet first-letter:uppercase">
          <LocalTimes of={[coupon.starts_at, coupon.expires_at]}>{terms(coupon)}</LocalTimes>
        </span>
      </span>
    </>
  );
}

function RejectedCoupon({
  coupon,
  rejectionReason,
  subtotalCents,
}: CartCoupon & { rejectionReason: CouponRejectionReason; subtotalCents: number }) {
  const t = useTranslations("coupons.field.misfit");
  const locale = useLocale();
  const timeZone = useTimeZone();
  const { worth } = useCouponTerms();
  const values = {
    missing: formatPrice(Math.max(0, toCents(coupon.min_amount) - subtotalCents), locale),
    minimum: formatPrice(toCents(coupon.min_amount), locale),
    date: formatDate(coupon.starts_at ?? 0, locale, timeZone),
  };
  return (
    <div className={`${ROW} border-dashed text-quiet`}>
      <span className="figures text-right whitespace-nowrap">{worth(coupon)}</span>
      <span className="min-w-0">
        <span className="block">{coupon.title}</span>
        <span className="block text-13">
          <Dated>{t(rejectionReason, values)}</Dated>
        </span>
        {rejectionReason === "held" && coupon.order_id && (
          <Link href={`/order-history?order_id=${coupon.order_id}`} className="text-link text-13">
            {t("order")}
          </Link>
        )}
      </span>
    </div>
  );
}

/** `lines` identifies the lines that the offer was calculated for. A changed selection requests a new offer. */
type CouponState = {
  code: string;
  offer: (CouponOffer & { lines: string }) | null;
  problem: { code: string; message: string } | null;
  pending: boolean;
};

const NONE: CouponState = { code: "", offer: null, problem: null, pending: false };
const DEBOUNCE_MS = 300;

const WITHOUT = "without_coupon";
const keepWithoutCoupon = () => sessionStorage.setItem(WITHOUT, "1");
const isWithoutCoupon = () => sessionStorage.getItem(WITHOUT) !== null;

/**
 * The coupon of a cart. It is checked again whenever the selected lines change, and kept while it does not apply. A
 * coupon from a link fills the field until it is removed (docs/product.md#24-navigation), else the account's best one; after a
 * removal none applies by itself in this tab.
 */
export function useCoupon({
  ids,
  lines,
  best,
  whenSettled,
  network,
}: {
  ids: readonly string[];
  lines: string;
  /** the code of the account's best coupon, which is applied automatically; "" for none */
  best: string;
  whenSettled: () => Promise<boolean>;
  network: string;
}) {
  const [state, setState] = useState(NONE);
  const latest = useRef({ ids, lines, requestNumber: 0 });
  latest.current.ids = ids;
  latest.current.lines = lines;

  const check = useCallback(
    async (code: string) => {
      latest.current.requestNumber += 1;
      const { requestNumber } = latest.current;
      // A repeated check keeps the previous state until the response arrives.
      setState((previous) => ({ ...(previous.code === code ? previous : NONE), code, pending: true }));
      await whenSettled();
      const { ids: cart_ids, lines: forLines } = latest.current;
      const body = { coupon_code: code, cart_ids };
      const result =
        cart_ids.length > 0 && (await api.post("/auth/coupon/query", body, { networkMessage: network }));
      if (latest.current.requestNumber !== requestNumber) return;
      if (!result) setState({ ...NONE, code });
      else if (result.ok) setState({ ...NONE, code, offer: { ...result.data, lines: forLines } });
      else setState({ ...NONE, code, problem: result });
    },
    [whenSettled, network],
  );

  /** Applies another coupon. The coupon from the link is not restored. */
  const apply = useCallback(
    (code: string) => {
      removeStoredCoupon();
      void check(code);
    },
    [check],
  );

  const remove = useCallback(() => {
    latest.current.requestNumber += 1;
    setState(NONE);
    removeStoredCoupon();
    keepWithoutCoupon();
  }, []);

  const initial = useRef(best);
  useEffect(() => {
    const linked = storedCouponCode() || (isWithoutCoupon() ? "" : initial.current);
    if (linked) void check(linked);
  }, [check]);

  const { code } = state;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the coupon is checked again when the selected lines change
  useEffect(() => {
    if (!code) return;
    const timer = setTimeout(() => void check(code), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [lines]);

  return { state, apply, recheck: check, remove };
}
