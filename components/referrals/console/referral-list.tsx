"use client";

import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import type { Column } from "@/components/console/data-table";
import type { FilterValues } from "@/components/console/filter-bar";
import { ConsoleLink } from "@/components/console/link";
import { ListScreen } from "@/components/console/list-screen";
import { Pill, type Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import type { ConsoleReferral, ConsoleReferralList } from "@/lib/referrals/console/contract";
import { REFERRAL_STATES } from "@/lib/referrals/rules";

const TONES: Record<ConsoleReferral["state"], Tone> = {
  registered: "plain",
  pending: "warn",
  paid: "good",
  refused: "bad",
};

/** Invitations for staff, who may refuse undecided ones. */
export function ConsoleReferrals({ list, values }: { list: ConsoleReferralList; values: FilterValues }) {
  const t = useTranslations("console.referrals");
  const [refused, setRefused] = useState<ConsoleReferral>();
  const columns = useMemo((): Column<ConsoleReferral>[] => {
    const person = ({ customer_id, email }: ConsoleReferral["inviter"]) => (
      <ConsoleLink
        href={`/console/customers/${customer_id}`}
        className="text-link inline-block wrap-anywhere min-[900px]:min-w-40"
      >
        {email}
      </ConsoleLink>
    );
    return [
      { id: "inviter", header: t("inviter"), main: true, cell: ({ inviter }) => person(inviter) },
      { id: "friend", header: t("friend"), cell: ({ friend }) => person(friend) },
      { id: "when", header: t("registered"), cell: ({ created_at }) => <ShortTime at={created_at} /> },
      {
        id: "state",
        header: t("state"),
        cell: ({ state, reason }) => (
          <>
            <Pill tone={TONES[state]}>{t(`states.${state}`)}</Pill>{" "}
            {reason && <span className="text-13 text-quiet">{t(`reason.${reason}`)}</span>}
          </>
        ),
      },
      {
        id: "order",
        header: t("order"),
        oneLine: true,
        cell: ({ order_number }) =>
          order_number ? (
            <ConsoleLink href={`/console/orders/${order_number}`} className="text-link">
              {order_number}
            </ConsoleLink>
          ) : (
            "–"
          ),
      },
      {
        id: "decision",
        header: t("decision"),
        cell: ({ due_at, decided_at, coupon_code }) => (
          <>
            {decided_at ? (
              <ShortTime at={decided_at} />
            ) : due_at ? (
              <>
                {t("due")} <ShortTime at={due_at} />
              </>
            ) : (
              "–"
            )}
            {coupon_code && (
              <ConsoleLink
                href={`/console/campaigns?coupon=${encodeURIComponent(coupon_code)}`}
                className="text-link block"
              >
                {coupon_code}
              </ConsoleLink>
            )}
          </>
        ),
      },
      {
        id: "actions",
        header: t("actions"),
        main: true,
        cell: (referral) =>
          (referral.state === "registered" || referral.state === "pending") && (
            <button
              type="button"
              className="text-link min-h-11 cursor-pointer min-[900px]:min-h-9"
              onClick={() => setRefused(referral)}
            >
              {t("refuse")}
            </button>
          ),
      },
    ];
  }, [t]);
  return (
    <>
      <ListScreen
        name="referrals"
        title={t("title")}
        list={list}
        values={values}
        filters={[
          { name: "email", label: t("email"), kind: "text", first: true },
          {
            name: "state",
            label: t("state"),
            kind: "choice",
            first: true,
            options: REFERRAL_STATES.map((value) => ({ value, label: t(`states.${value}`) })),
          },
          { name: "from", label: t("from"), kind: "date" },
          { name: "to", label: t("to"), kind: "date" },
        ]}
        columns={columns}
        rowId={({ referral_id }) => referral_id}
        rowName={({ inviter, friend }) => `${inviter.email} → ${friend.email}`}
        empty={t("empty")}
      />
      {refused && (
        <ActionDialog
          open
          title={t("refuse_title", { inviter: refused.inviter.email, friend: refused.friend.email })}
          confirm={t("refuse")}
          danger
          done={t("refused")}
          path={`/admin/referrals/${refused.referral_id}/refuse`}
          body={() => ({ version: refused.version })}
          onClose={() => setRefused(undefined)}
        />
      )}
    </>
  );
}
