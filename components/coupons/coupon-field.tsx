"use client";

import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { TextInput } from "@/components/ui/text-input";
import type { CouponView } from "@/lib/coupons/contract";
import { formatPrice, toCents } from "@/lib/money";
import { BindCoupon } from "./bind-coupon";
import type { CouponState } from "./use-coupon";
import { useCouponTerms } from "./use-coupon-terms";

/** The coupon of the cart: one's own to choose from, a field for a code, and what the applied one takes off. */
export function CouponField({
  state,
  own,
  onApply,
  onRemove,
  onBound,
}: {
  state: CouponState;
  own: readonly CouponView[];
  onApply: (code: string) => void;
  onRemove: () => void;
  onBound: (code: string) => void;
}) {
  const t = useTranslations("coupons.field");
  if (state.code) return <Applied state={state} onRemove={onRemove} onBound={onBound} />;
  return (
    <div className="flex flex-col gap-3">
      {own.length > 0 && (
        <div className="flex flex-col gap-2">
          <p className="font-medium">{t("own")}</p>
          <ul className="flex flex-col gap-2">
            {own.map((coupon) => (
              <li key={coupon.coupon_code}>
                <OwnCoupon coupon={coupon} onApply={onApply} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <CodeForm onApply={onApply} />
    </div>
  );
}

function OwnCoupon({ coupon, onApply }: { coupon: CouponView; onApply: (code: string) => void }) {
  const { worth, terms } = useCouponTerms();
  return (
    <button
      type="button"
      onClick={() => onApply(coupon.coupon_code)}
      className="flex min-h-11 w-full cursor-pointer items-baseline gap-3 rounded-control border border-hairline bg-paper px-3 py-2 text-left hover:border-ink"
    >
      <span className="figures font-semibold whitespace-nowrap">{worth(coupon)}</span>
      <span className="min-w-0 flex-1">
        <span className="block">{coupon.title}</span>
        <span className="block text-13 text-quiet first-letter:uppercase">{terms(coupon)}</span>
      </span>
    </button>
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
        maxLength={60}
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

function Applied({
  state: { code, offer, problem, pending },
  onRemove,
  onBound,
}: {
  state: CouponState;
  onRemove: () => void;
  onBound: (code: string) => void;
}) {
  const t = useTranslations("coupons.field");
  const locale = useLocale();
  const shown = offer?.coupon_code ?? code;
  const minus = offer && `−${formatPrice(toCents(offer.discount_amount), locale)}`;
  return (
    <div className="flex flex-col gap-1.5" aria-live="polite">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <p className="font-medium wrap-anywhere">{offer?.title ?? t("code")}</p>
          <p className="text-13 text-quiet wrap-anywhere">{shown}</p>
        </div>
        {minus && <span className="figures font-semibold text-good">{minus}</span>}
        {pending && !offer && <span className="text-13 text-quiet">{t("checking")}</span>}
        <button
          type="button"
          aria-label={t("remove", { code: shown })}
          onClick={onRemove}
          className="hit -mr-2 grid cursor-pointer place-items-center rounded-control text-quiet hover:text-ink"
        >
          <Icon name="close" size={18} />
        </button>
      </div>
      {problem && (
        <p role="alert" className="flex items-start gap-1.5 text-13 text-bad">
          <Icon name="warn" size={16} className="mt-0.5" />
          {problem}
        </p>
      )}
      {offer && !offer.bound && <BindCoupon code={code} onBound={onBound} />}
    </div>
  );
}
