"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { downloadFile, fetchFile } from "@/components/console/download";
import { columnsOf } from "@/components/console/list/columns";
import { FILE_TONES } from "@/components/merchants/trade-file/tones";
import { StaffList } from "@/components/staff/staff-list";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { ErrorNotice } from "@/components/ui/notice";
import { useReauthentication } from "@/components/ui/reauthentication";
import { Select } from "@/components/ui/select";
import { useCall } from "@/components/ui/use-call";
import type { TradeFileList, TradeFileRow } from "@/lib/merchants/console/contract-trade-files";
import {
  TRADE_FILE_STATES,
  TRADE_REPORTS,
  type TradeField,
  type TradeFileState,
} from "@/lib/merchants/trade-file/rules";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffListData } from "@/lib/staff/lists/contract";

const column = columnsOf<TradeFileRow>();
const hrefOf = ({ merchant_id }: TradeFileRow) => `/console/merchants/${merchant_id}?tab=trade`;

/** Trader files of merchants with an owner: what is missing, what waits for a check, and the reports for authorities. */
export function TradeFiles(data: StaffListData<TradeFileList>) {
  const t = useTranslations("console.trade_files");
  const file = useTranslations("console.trade_file");
  const names = (fields: readonly TradeField[]) => fields.map((field) => file(`fields.${field}`)).join(" · ");
  const stateName = (state: TradeFileState) => file(`filestate.${state}`);
  return (
    <StaffList
      {...data}
      declared={{
        title: t("title"),
        lead: t("lead"),
        empty: t("empty"),
        rowId: ({ merchant_id }) => merchant_id,
        rowName: ({ name }) => name,
        href: hrefOf,
        texts: { values: { state: (value) => stateName(value as TradeFileState) } },
        views: [
          { id: "all", label: t("all"), filters: {} },
          ...TRADE_FILE_STATES.map((state) => ({ id: state, label: stateName(state), filters: { state } })),
          { id: "held", label: t("held_filter"), filters: { held: "true" } },
        ],
        tools: mayStaff(data.roles, "trade.export") && <ReportButton />,
        columns: [
          column.link("merchant", t("merchant"), (row) => ({ text: row.name, href: hrefOf(row) }), {
            main: true,
          }),
          column.state(
            "state",
            t("state"),
            ({ state, held_at }) => [
              { text: stateName(state), tone: FILE_TONES[state] },
              held_at !== null && { text: t("held_filter"), tone: "bad" },
            ],
            { width: 190 },
          ),
          column.text("missing", t("missing"), ({ missing }) => names(missing), { card: "sub" }),
          column.text("unchecked", t("unchecked"), ({ unchecked }) => names(unchecked)),
          column.time("due", t("due"), ({ due_at }) => due_at),
          column.time("updated", t("updated"), ({ updated_at }) => updated_at),
        ],
      }}
    />
  );
}

const FIRST_YEAR = 2024;

/** Exports a report for authorities, after choosing the report and the year. */
function ReportButton() {
  const t = useTranslations("console.trade_files");
  const table = useTranslations("console.table");
  const withReauthentication = useReauthentication();
  const { pending, problem, run } = useCall(useTranslations("errors")("network"));
  const [isOpen, setIsOpen] = useState(false);
  const [report, setReport] = useState<(typeof TRADE_REPORTS)[number]>("dac7");
  const thisYear = new Date().getUTCFullYear();
  async function download(fields: FormData) {
    const year = Number(fields.get("year") ?? thisYear);
    const body = { report, ...(report === "dac7" && { year }) };
    const result = await run(({ networkMessage }) =>
      withReauthentication(() => fetchFile("/admin/trade-files/export", body, networkMessage)),
    );
    if (!result.ok) return;
    downloadFile(result.data, report === "dac7" ? `dac7-${year}.csv` : "dsa.csv");
    setIsOpen(false);
  }
  return (
    <>
      <Button look="secondary" onClick={() => setIsOpen(true)}>
        <Icon name="table" size={18} />
        {t("report")}
      </Button>
      <Dialog open={isOpen} onClose={() => setIsOpen(false)} title={t("report")} closeLabel={table("close")}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void download(new FormData(event.currentTarget));
          }}
        >
          <Select
            name="report"
            label={t("report")}
            value={report}
            onChange={({ target }) => setReport(TRADE_REPORTS.find((one) => one === target.value) ?? "dac7")}
            options={TRADE_REPORTS.map((value) => ({ value, label: t(`report_${value}`) }))}
          />
          {report === "dac7" && (
            <Select
              name="year"
              label={t("year")}
              options={Array.from({ length: thisYear - FIRST_YEAR + 1 }, (_, index) => {
                const value = String(thisYear - index);
                return { value, label: value };
              })}
            />
          )}
          <ErrorNotice>{problem}</ErrorNotice>
          <Button type="submit" look="primary" pending={pending}>
            {t("download")}
          </Button>
        </form>
      </Dialog>
    </>
  );
}
