"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useReauthentication } from "@/components/accounts/reauthentication/reauthentication-provider";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { ConsoleCustomerDetail, CouponChoices, Unlocked } from "@/lib/staff/customers/contract";

const callPath = ({ customer_id }: ConsoleCustomerDetail, action: string) =>
  `/admin/customers/${customer_id}/${action}`;

/** Says that the account is locked, and unlocks it. */
export function CustomerLocks({
  customer,
  mayUnlock,
}: {
  customer: ConsoleCustomerDetail;
  mayUnlock: boolean;
}) {
  const t = useTranslations("console.customer");
  const network = useTranslations("errors")("network");
  const router = useRouter();
  const withReauthentication = useReauthentication();
  const { pending, problem, run } = useCall(network);
  const { sign_in, second_factor } = customer.locks;
  if (!sign_in && !second_factor) return null;
  async function unlock() {
    const result = await run((options) =>
      withReauthentication(() => api.post<Unlocked>(callPath(customer, "unlock"), {}, options)),
    );
    if (!result.ok) return;
    showToast(t("unlocked"), "good");
    router.refresh();
  }
  return (
    <Notice kind="warn" title={t("locked")} className="mb-6">
      <ul>
        {sign_in && (
          <li>
            {t("locked_sign_in")} <ShortTime at={sign_in} />
          </li>
        )}
        {second_factor && (
          <li>
            {t("locked_factor")} <ShortTime at={second_factor} />
          </li>
        )}
      </ul>
      {mayUnlock && (
        <Button className="mt-3" pending={pending} onClick={() => void unlock()}>
          {t("unlock")}
        </Button>
      )}
      <ErrorNotice>{problem}</ErrorNotice>
    </Notice>
  );
}

/** Signs the customer out: on one device, or on all without `device`. */
export function EndSessions({
  customer,
  device,
}: {
  customer: ConsoleCustomerDetail;
  device?: ConsoleCustomerDetail["sessions"][number];
}) {
  const t = useTranslations("console.customer");
  const [open, setOpen] = useState(false);
  return (
    <>
      {device ? (
        <button
          type="button"
          className="text-link min-h-11 cursor-pointer"
          aria-label={t("end_session_of", { device: device.device })}
          onClick={() => setOpen(true)}
        >
          {t("end_session")}
        </button>
      ) : (
        <Button onClick={() => setOpen(true)}>{t("end_all")}</Button>
      )}
      <ActionDialog
        open={open}
        title={device ? t("end_session_of", { device: device.device }) : t("end_all")}
        confirm={t("end_confirm")}
        danger
        done={t("sessions_ended")}
        path={callPath(customer, "sessions/end")}
        body={() => (device ? { session_id: device.session_id } : {})}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** Gives the customer a coupon of a running campaign. */
export function GiveCoupon({
  customer,
  choices: { items, left },
}: {
  customer: ConsoleCustomerDetail;
  choices: CouponChoices;
}) {
  const t = useTranslations("console.customer");
  const { locale } = useSurface();
  const [open, setOpen] = useState(false);
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const describe = ({ title, amount, percent, max_discount, minimum }: CouponChoices["items"][number]) =>
    [
      title,
      amount === null
        ? `${percent} %${max_discount === null ? "" : ` (≤ ${usd(max_discount)})`}`
        : usd(amount),
      ...(minimum > 0 ? [t("coupon_from", { amount: usd(minimum) })] : []),
    ].join(" · ");
  if (items.length === 0) return <p className="text-quiet">{t("no_choices")}</p>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("give")}</Button>
      <ActionDialog
        open={open}
        title={t("give_title", { name: customer.email })}
        confirm={t("give")}
        done={t("given")}
        path={callPath(customer, "coupon")}
        body={(values) => ({ campaign: values.get("campaign") })}
        fields={
          <Select
            name="campaign"
            label={t("campaign")}
            hint={left === null ? undefined : t("give_left", { amount: usd(left) })}
            options={items.map((item) => ({ value: item.campaign, label: describe(item) }))}
          />
        }
        onClose={() => setOpen(false)}
      />
    </>
  );
}
