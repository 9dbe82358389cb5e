"use client";

import { useTranslations } from "next-intl";
import { columnsOf } from "@/components/console/list/columns";
import { ShortTime } from "@/components/console/time";
import { ActionDialog } from "@/components/staff/action-dialog";
import { StaffList } from "@/components/staff/staff-list";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-input";
import type { StaffListData } from "@/lib/staff/lists/contract";
import type { ConsoleReport, ConsoleReportList } from "@/lib/support/reports/contract";
import {
  APPEAL_OUTCOMES,
  MAX_REPORT,
  MIN_REPORT,
  REPORT_OUTCOMES,
  REPORT_STATES,
} from "@/lib/support/reports/rules";

const column = columnsOf<ConsoleReport>();
const isOpen = ({ decided_at }: ConsoleReport) => decided_at === null;

/** Reports of products, reviews and sellers, with the decisions and objections. */
export function ConsoleReports(data: StaffListData<ConsoleReportList>) {
  const t = useTranslations("console.reports");
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ report_id }) => report_id,
        rowName: ({ target_name }) => target_name,
        texts: { values: { state: (value) => t(`views.${value as (typeof REPORT_STATES)[number]}`) } },
        views: REPORT_STATES.map((state) => ({
          id: state,
          label: t(`views.${state}`),
          filters: state === "open" ? {} : { state },
        })),
        columns: [
          column.link("target", t("target"), ({ target_name, path }) => ({ text: target_name, href: path }), {
            main: true,
          }),
          column.text("kind", t("kind"), ({ kind }) => t(`kinds.${kind}`), { width: 110 }),
          column.text("reason", t("reason"), ({ reason }) => t(`reasons.${reason}`), { card: "sub" }),
          column.state("state", t("state"), (row) => stateOf(row, t)),
          column.time("reported", t("reported"), ({ created_at }) => created_at),
          column.longText("words", t("words"), ({ text }) => text),
          column.text("email", t("email"), ({ email }) => email ?? t("no_email"), { panel: true }),
          column.longText("statement", t("statement"), ({ statement }) => statement),
          column.text("by", t("by"), ({ decided_by }) => decided_by, { panel: true }),
          column.cell("appeals", t("appeals"), ({ appeals }) => <Appeals appeals={appeals} />, {
            panel: true,
          }),
        ],
        actions: [
          {
            id: "decide",
            key: "a",
            label: t("decide"),
            when: isOpen,
            dialog: (row, onClose) => <DecisionDialog report={row} onClose={onClose} />,
          },
          {
            id: "appeal",
            key: "a",
            label: t("decide_appeal"),
            when: ({ appealed, own_decision }) => appealed && !own_decision,
            dialog: (row, onClose) => <DecisionDialog appeal report={row} onClose={onClose} />,
          },
        ],
      }}
    />
  );
}

type Texts = ReturnType<typeof useTranslations<"console.reports">>;

function stateOf({ outcome, appealed, own_decision }: ConsoleReport, t: Texts) {
  if (appealed) return { text: t(own_decision ? "appealed_own" : "appealed"), tone: "warn" as const };
  if (!outcome) return { text: t("views.open"), tone: "warn" as const };
  return { text: t(`outcomes.${outcome}`), tone: outcome === "restricted" ? ("bad" as const) : undefined };
}

function Appeals({ appeals }: { appeals: ConsoleReport["appeals"] }) {
  const t = useTranslations("console.reports");
  if (appeals.length === 0) return <>–</>;
  return (
    <ul className="flex flex-col gap-3">
      {appeals.map(({ party, text, created_at, outcome, statement }) => (
        <li key={party} className="whitespace-pre-wrap">
          <p className="text-13 text-quiet">
            {t(`parties.${party}`)} · <ShortTime at={created_at} />
          </p>
          <q>{text}</q>
          {outcome && (
            <p>
              {t(`appeal_outcomes.${outcome}`)}: {statement}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The decision with its reasons. `appeal`: about the objection that has waited longest. */
function DecisionDialog({
  report: { report_id, target_name, version, kind, changes_shop, may_change },
  appeal = false,
  onClose,
}: {
  report: ConsoleReport;
  appeal?: boolean;
  onClose: () => void;
}) {
  const t = useTranslations("console.reports");
  const options = appeal
    ? APPEAL_OUTCOMES.map((value) => ({ value, label: t(`appeal_outcomes.${value}`) }))
    : REPORT_OUTCOMES.map((value) => ({ value, label: t(`choices.${value}`) }));
  return (
    <ActionDialog
      open
      title={t(appeal ? "appeal_title" : "decide_title", { name: target_name })}
      confirm={t(appeal ? "decide_appeal" : "decide")}
      done={t("done")}
      path={`/admin/reports/${report_id}/${appeal ? "appeal" : "decide"}`}
      fields={
        <>
          {changes_shop && (
            <p className="text-13 text-quiet">{t(may_change ? `restricts.${kind}` : "right_missing")}</p>
          )}
          <Select name="outcome" label={t("outcome")} options={[...options].reverse()} />
          <TextArea
            name="statement"
            label={t("statement")}
            hint={t("statement_hint")}
            maxLength={MAX_REPORT}
            required
          />
        </>
      }
      check={(fields) =>
        String(fields.get("statement")).trim().length < MIN_REPORT ? t("statement_short") : ""
      }
      body={(fields) => ({
        version,
        outcome: String(fields.get("outcome")),
        statement: String(fields.get("statement")).trim(),
      })}
      onClose={onClose}
    />
  );
}
