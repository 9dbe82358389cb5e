"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ConsoleLink, useConsoleAddress } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { Facts } from "@/components/console/record";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { useCouponTerms } from "@/components/staff/coupon-terms";
import { Button } from "@/components/ui/button";
import { useSurface } from "@/components/ui/surface";
import { TextInput } from "@/components/ui/text-input";
import type { ConsoleCoupon } from "@/lib/coupons/console/contract";
import { formatPrice, toCents } from "@/lib/platform/money";

/** A coupon by its code, and the button that revokes it. The code is in the address, so that it can be linked. */
export function CouponLookup({ typed, coupon }: { typed: string; coupon: ConsoleCoupon | null }) {
  const t = useTranslations("console.campaigns");
  const router = useRouter();
  const address = useConsoleAddress();
  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("coupon") ?? "").trim();
    router.push(address(`/console/campaigns${code ? `?coupon=${encodeURIComponent(code)}` : ""}`), {
      scroll: false,
    });
  }
  return (
    <div className="flex flex-col gap-5">
      <form key={typed} onSubmit={find} className="flex flex-wrap items-end gap-3">
        <TextInput
          name="coupon"
          label={t("coupon_code")}
          defaultValue={typed}
          required
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="w-full sm:w-64"
        />
        <Button type="submit">{t("find")}</Button>
      </form>
      {typed && !coupon && (
        <p role="status" className="text-quiet">
          {t("coupon_none")}
        </p>
      )}
      {coupon && <Coupon key={coupon.coupon_code} coupon={coupon} />}
    </div>
  );
}

function Coupon({ coupon }: { coupon: ConsoleCoupon }) {
  const t = useTranslations("console.campaigns");
  const stateName = useTranslations("console.customer.coupon_state");
  const { locale } = useSurface();
  const [revokes, setRevokes] = useState(false);
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const { worth } = useCouponTerms();
  const { coupon_code, customer, order_number, state } = coupon;
  const owner = customer ? (
    <ConsoleLink href={`/console/customers/${customer.customer_id}`} className="text-link">
      {customer.email}
    </ConsoleLink>
  ) : (
    t("first_user")
  );
  const order = order_number ? (
    <ConsoleLink href={`/console/orders/${order_number}`} className="text-link">
      {order_number}
    </ConsoleLink>
  ) : (
    "–"
  );
  return (
    <div className="flex flex-col items-start gap-4 rounded-control border border-hairline bg-raised p-4">
      <p className="flex flex-wrap items-center gap-3 text-17 font-semibold">
        {coupon_code} <Pill tone={state === "revoked" ? "bad" : "plain"}>{stateName(state)}</Pill>
      </p>
      <div className="w-full">
        <Facts
          rows={[
            [t("campaign"), `${coupon.title} (${coupon.campaign})`],
            [t("worth"), worth(coupon)],
            [t("minimum"), coupon.minimum > 0 ? usd(coupon.minimum) : "–"],
            [t("owner"), owner],
            [t("order"), order],
            [t("issued"), <ShortTime key="issued" at={coupon.created_at} />],
            [t("expires"), coupon.expires_at ? <ShortTime key="expires" at={coupon.expires_at} /> : "–"],
          ]}
        />
      </div>
      {state === "open" && <Button onClick={() => setRevokes(true)}>{t("revoke")}</Button>}
      <ActionDialog
        open={revokes}
        title={t("revoke_title", { code: coupon_code })}
        confirm={t("revoke")}
        danger
        done={t("revoked")}
        path="/admin/coupons/revoke"
        body={(values) => ({ coupon_code, reason: values.get("reason") })}
        fields={
          <TextInput
            name="reason"
            label={t("reason")}
            hint={t("reason_hint")}
            required
            minLength={3}
            maxLength={500}
          />
        }
        onClose={() => setRevokes(false)}
      />
    </div>
  );
}
