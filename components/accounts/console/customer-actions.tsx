"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useActorName } from "@/components/console/actor";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { useCouponTerms } from "@/components/staff/coupon-terms";
import { Button } from "@/components/ui/button";
import { ErrorNotice, Notice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Select } from "@/components/ui/select";
import { useSurface } from "@/components/ui/surface";
import { TextInput } from "@/components/ui/text-input";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import { api } from "@/lib/platform/api/client";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { ConsoleCustomerDetail, CouponChoices, Unlocked } from "@/lib/staff/customers/contract";
import { NEW_PASSWORD_REQUIRED } from "@/lib/staff/customers/rules";

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

/** Says that the account waits until its owner sets a new password: who required it, when and why. */
export function NewPasswordNotice({ customer }: { customer: ConsoleCustomerDetail }) {
  const t = useTranslations("console.customer");
  const actorName = useActorName();
  const at = customer.new_password_required_at;
  if (!at) return null;
  const change = customer.access_changes.find(({ action }) => action === NEW_PASSWORD_REQUIRED);
  return (
    <Notice kind="warn" title={t("password_required")} className="mb-6">
      <p>{t("password_required_text", { email: customer.email })}</p>
      <div className="flex flex-wrap gap-x-2 pt-2">
        <ShortTime at={at} />
        {change && <span className="wrap-anywhere">{actorName(change.by.email ?? change.by.id)}</span>}
        {change?.reason && <span className="wrap-anywhere">{change.reason}</span>}
      </div>
    </Notice>
  );
}

/** Closes an account that someone else has entered, until its owner sets a new password. */
export function RequireNewPassword({ customer }: { customer: ConsoleCustomerDetail }) {
  const t = useTranslations("console.customer");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("require_password")}</Button>
      <ActionDialog
        open={open}
        title={t("require_password_of", { name: customer.email })}
        confirm={t("require_password")}
        danger
        done={t("password_now_required")}
        path={callPath(customer, "new-password")}
        body={(values) => ({ reason: values.get("reason") })}
        fields={
          <>
            <p>{t("require_password_hint", { email: customer.email })}</p>
            <ReasonField />
          </>
        }
        onClose={() => setOpen(false)}
      />
    </>
  );
}

/** Why staff act, for the audit log. */
function ReasonField() {
  const t = useTranslations("console.customer");
  return (
    <TextInput
      name="reason"
      label={t("reason")}
      hint={t("reason_hint")}
      required
      minLength={3}
      maxLength={500}
      autoComplete="off"
    />
  );
}

/** Gives the customer a coupon of a running campaign, and says what the customer gets before it is sent. */
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
  const [chosen, setChosen] = useState<string>();
  const { worth, terms } = useCouponTerms();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const item = items.find(({ campaign }) => campaign === chosen) ?? items[0];
  if (!item) return <p className="text-quiet">{t("no_choices")}</p>;
  return (
    <>
      <Button
        onClick={() => {
          setChosen(undefined);
          setOpen(true);
        }}
      >
        {t("give")}
      </Button>
      <ActionDialog
        open={open}
        title={t("give_title", { name: customer.email })}
        confirm={t("give")}
        done={t("given")}
        path={callPath(customer, "coupon")}
        body={(values) => ({ campaign: values.get("campaign"), reason: values.get("reason") })}
        fields={
          <>
            <Select
              name="campaign"
              label={t("campaign")}
              hint={left === null ? undefined : t("give_left", { amount: usd(left) })}
              options={items.map((choice) => ({
                value: choice.campaign,
                label: `${choice.title} · ${worth(choice)}`,
              }))}
              value={item.campaign}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
            <div aria-live="polite" className="rounded-control border border-hairline bg-raised p-3">
              <p className="text-13 text-quiet">{t("customer_gets")}</p>
              <ul>
                {terms(item).map((term) => (
                  <li key={term}>{term}</li>
                ))}
              </ul>
            </div>
            <ReasonField />
          </>
        }
        onClose={() => setOpen(false)}
      />
    </>
  );
}
