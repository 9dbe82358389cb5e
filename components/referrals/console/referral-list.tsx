"use client";

import { useTranslations } from "next-intl";
import { columnsOf, NOTHING } from "@/components/console/list/columns";
import type { Tone } from "@/components/console/pill";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { StaffList } from "@/components/staff/staff-list";
import type { ConsoleReferral, ConsoleReferralList } from "@/lib/referrals/console/contract";
import { REFERRAL_STATES } from "@/lib/referrals/rules";
import type { StaffListData } from "@/lib/staff/lists/contract";

type State = ConsoleReferral["state"];
const TONES: Record<State, Tone> = { registered: "plain", pending: "warn", paid: "good", refused: "bad" };
const column = columnsOf<ConsoleReferral>();

/** Invitations for staff, who may refuse undecided ones. */
export function ConsoleReferrals(data: StaffListData<ConsoleReferralList>) {
  const t = useTranslations("console.referrals");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        empty: t("empty"),
        rowId: ({ referral_id }) => referral_id,
        rowName: ({ inviter, friend }) => `${inviter.email} → ${friend.email}`,
        texts: { main: "email", values: { state: (value) => t(`states.${value as State}`) } },
        views: [
          { id: "all", label: t("all"), filters: {} },
          ...REFERRAL_STATES.map((name) => ({
            id: name,
            label: t(`states.${name}`),
            filters: { state: name },
          })),
        ],
        columns: [
          column.customer("inviter", t("inviter"), ({ inviter }) => inviter, { main: true }),
          column.customer("friend", t("friend"), ({ friend }) => friend),
          column.time("when", t("registered"), ({ created_at }) => created_at),
          column.state("state", t("state"), ({ state: name, reason }) => [
            { text: t(`states.${name}`), tone: TONES[name] },
            reason && { text: t(`reason.${reason}`) },
          ]),
          column.order(t("order"), ({ order_number }) => order_number),
          column.cell(
            "decision",
            t("decision"),
            ({ due_at, decided_at }) =>
              decided_at ? (
                <ShortTime at={decided_at} />
              ) : due_at ? (
                <>
                  {t("due")} <ShortTime at={due_at} />
                </>
              ) : (
                NOTHING
              ),
            { width: 168 },
          ),
          column.link(
            "coupon",
            t("coupon"),
            ({ coupon_code: code }) =>
              code ? { text: code, href: `/console/campaigns?coupon=${encodeURIComponent(code)}` } : null,
            { width: 132, minor: true },
          ),
        ],
        actions: [
          {
            id: "refuse",
            key: "r",
            label: t("refuse"),
            danger: true,
            when: (row) => row.state === "registered" || row.state === "pending",
            dialog: ({ referral_id, inviter, friend, version }, onClose) => (
              <ActionDialog
                open
                title={t("refuse_title", { inviter: inviter.email, friend: friend.email })}
                confirm={t("refuse")}
                danger
                done={t("refused")}
                path={`/admin/referrals/${referral_id}/refuse`}
                body={() => ({ version })}
                onClose={onClose}
              />
            ),
          },
        ],
      }}
    />
  );
}
