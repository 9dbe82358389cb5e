"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CUSTOMER_TONES } from "@/components/accounts/console/customer-list";
import { ActorName } from "@/components/console/actor";
import { ConsoleLink } from "@/components/console/link";
import { Pill } from "@/components/console/pill";
import { Facts, RecordSection, RecordTable } from "@/components/console/record";
import { RecordBar } from "@/components/console/record-page";
import { ShortTime } from "@/components/console/time";
import { useCouponTerms } from "@/components/staff/coupon-terms";
import { Notes } from "@/components/staff/notes";
import { useSurface } from "@/components/ui/surface";
import type { IdentityProvider } from "@/lib/accounts/rules";
import { LANGUAGE_NAMES, type Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents } from "@/lib/platform/money";
import type { ConsoleCustomerDetail, CouponChoices } from "@/lib/staff/customers/contract";
import type { AccessChange } from "@/lib/staff/customers/rules";
import type { Mentionable } from "@/lib/staff/notes/rules";
import {
  CustomerLocks,
  EndSessions,
  GiveCoupon,
  NewPasswordNotice,
  RequireNewPassword,
} from "./customer-actions";

const PROVIDERS: Record<IdentityProvider, string> = { google: "Google", github: "GitHub" };

type Props = {
  customer: ConsoleCustomerDetail;
  /** whom notes may name */
  people: readonly Mentionable[];
  mayWrite: boolean;
  /** may end sessions and unlock */
  mayAccess: boolean;
  /** null: may give no coupon */
  choices: CouponChoices | null;
  /** The tables of the customer's orders and emails, which the page puts in. */
  orders: ReactNode;
  mails: ReactNode;
};

/** One customer for staff: orders, passes by reference, coupons, devices, emails, notes. */
export function CustomerRecord({ customer, people, mayWrite, mayAccess, choices, orders, mails }: Props) {
  const t = useTranslations("console.customer");
  const list = useTranslations("console.customers");
  const { locale } = useSurface();
  const usd = (amount: number) => formatPrice(toCents(amount), locale);
  const more = (text: string) => (customer.orders_exact ? text : `${text}+`);
  const time = (at: string | null) => (at ? <ShortTime at={at} /> : "–");
  const { worth } = useCouponTerms();
  const signsInBy = [
    ...(customer.has_password ? [t("password")] : []),
    ...customer.providers.map((provider) => PROVIDERS[provider]),
  ].join(", ");
  return (
    <>
      <RecordBar
        title={customer.email}
        states={
          <>
            <span className="text-quiet">{customer.username}</span>
            <Pill tone={CUSTOMER_TONES[customer.state]}>{list(`states.${customer.state}`)}</Pill>
          </>
        }
      />
      <NewPasswordNotice customer={customer} />
      <CustomerLocks customer={customer} mayUnlock={mayAccess} />
      <div className="pb-7">
        <Facts
          rows={[
            [list("since"), time(customer.since)],
            [t("verified"), time(customer.email_verified_at)],
            [list("spent"), more(usd(customer.spent))],
            [list("refunded"), more(usd(customer.refunded))],
            [t("language"), LANGUAGE_NAMES[customer.locale as Locale]],
            [t("country"), customer.country ?? "–"],
            [t("sign_in"), customer.new_password_required_at ? t("no_sign_in") : signsInBy || "–"],
            [
              t("account_id"),
              <code key="id" className="whitespace-nowrap">
                {customer.customer_id}
              </code>,
            ],
          ]}
        />
      </div>
      <RecordSection title={t("orders")}>{orders}</RecordSection>
      <RecordSection title={t("library")}>
        <RecordTable
          label={t("library")}
          rows={customer.library}
          rowId={({ key_id }) => key_id}
          empty={t("no_library")}
          columns={[
            {
              name: t("pass"),
              cell: ({ product_name, vip_type, is_gift }) => (
                <>
                  {`${product_name} · ${vip_type} `}
                  {is_gift && <Pill>{t("gift")}</Pill>}
                </>
              ),
            },
            {
              name: t("order"),
              cell: ({ order_number }) => (
                <ConsoleLink href={`/console/orders/${order_number}`} className="text-link whitespace-nowrap">
                  {order_number}
                </ConsoleLink>
              ),
            },
            {
              name: t("reference"),
              cell: ({ key_id }) => <code className="font-mono text-13">{key_id}</code>,
            },
            { name: t("code"), cell: ({ masked_code }) => masked_code },
            { name: t("assigned"), cell: ({ assigned_at }) => time(assigned_at) },
            { name: t("revealed"), cell: ({ revealed_at }) => time(revealed_at) },
            { name: t("activated"), cell: ({ activated_at }) => time(activated_at) },
          ]}
        />
      </RecordSection>
      <RecordSection title={t("notes")}>
        <Notes
          path={`/admin/customers/${customer.customer_id}/note`}
          notes={customer.notes}
          people={people}
          mayWrite={mayWrite}
        />
      </RecordSection>
      <RecordSection title={t("coupons")}>
        <RecordTable
          label={t("coupons")}
          rows={customer.coupons}
          rowId={({ coupon_code }) => coupon_code}
          empty={t("no_coupons")}
          columns={[
            { name: t("coupon"), cell: ({ coupon_code }) => coupon_code },
            { name: t("campaign"), cell: ({ title }) => title },
            {
              name: t("worth"),
              end: true,
              cell: (coupon) => worth(coupon),
            },
            { name: t("minimum"), end: true, cell: ({ minimum }) => (minimum > 0 ? usd(minimum) : "–") },
            { name: t("state"), cell: ({ state }) => <Pill>{t(`coupon_state.${state}`)}</Pill> },
            { name: t("expires"), cell: ({ expires_at }) => time(expires_at) },
            {
              name: t("given_by"),
              cell: ({ given_by, reason }) =>
                given_by ? (
                  <>
                    <ActorName actor={given_by} />
                    {reason && <span className="block">{reason}</span>}
                  </>
                ) : (
                  "–"
                ),
            },
          ]}
        />
        {choices && (
          <div className="pt-4">
            <GiveCoupon customer={customer} choices={choices} />
          </div>
        )}
      </RecordSection>
      <RecordSection title={t("sessions")}>
        <RecordTable
          label={t("sessions")}
          rows={customer.sessions}
          rowId={({ session_id }) => session_id}
          empty={t("no_sessions")}
          columns={[
            { name: t("device"), cell: ({ device }) => device },
            { name: t("signed_in"), cell: ({ created_at }) => time(created_at) },
            { name: t("last_use"), cell: ({ seen_at }) => time(seen_at) },
            ...(mayAccess
              ? [
                  {
                    name: t("action"),
                    cell: (device: ConsoleCustomerDetail["sessions"][number]) => (
                      <EndSessions customer={customer} device={device} />
                    ),
                  },
                ]
              : []),
          ]}
        />
        {mayAccess && (
          <>
            <div className="flex flex-wrap gap-3 pt-4">
              {customer.sessions.length > 0 && <EndSessions customer={customer} />}
              {!customer.new_password_required_at && <RequireNewPassword customer={customer} />}
            </div>
            {!customer.new_password_required_at && (
              <p className="max-w-text pt-2 text-13 text-quiet">{t("sign_out_hint")}</p>
            )}
          </>
        )}
        {customer.access_changes.length > 0 && (
          <div className="pt-5">
            <h3 className="pb-2 font-semibold">{t("access_changes")}</h3>
            <RecordTable
              label={t("access_changes")}
              rows={customer.access_changes}
              rowId={({ action, at }) => `${action} ${at}`}
              empty=""
              columns={[
                { name: t("when"), cell: ({ at }) => <ShortTime at={at} /> },
                {
                  name: t("change"),
                  cell: ({ action, ended }) => (
                    <>
                      {t(`access_change.${accessChangeKey(action)}`)}
                      {ended !== null && (
                        <span className="text-quiet">{` · ${t("ended", { count: ended })}`}</span>
                      )}
                    </>
                  ),
                },
                { name: t("by"), cell: ({ by }) => <ActorName actor={by} /> },
                { name: t("reason"), cell: ({ reason }) => reason ?? "–" },
              ]}
            />
          </div>
        )}
      </RecordSection>
      <RecordSection title={t("mails")}>{mails}</RecordSection>
    </>
  );
}

/** The key of its text: messages have no dots in keys. */
const accessChangeKey = (action: AccessChange) =>
  action.slice("customer.".length) as "new_password_required" | "sessions_ended" | "unlocked";
