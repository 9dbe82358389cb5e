"use client";

import { useTranslations } from "next-intl";
import { downloadFile, getFile } from "@/components/console/download";
import { CsvButton } from "@/components/console/list/csv-button";
import { type FilterValues, filterQuery, filtersOf } from "@/components/console/list/filter-values";
import { useTimeZone } from "@/components/ui/local-time";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";

type Props = {
  /** the handle of the merchant */
  handle: string;
  /** the call, and the name of the file */
  call:
    | "/merchant/sales.csv"
    | "/merchant/money/entries.csv"
    | "/merchant/prices.csv"
    | "/merchant/keys/restock.csv";
  file: string;
  /** of the list; absent: the file has no filters */
  values?: FilterValues;
};

/** Downloads the filtered rows of a list as CSV, or a file without filters. */
export function FileButton({ handle, call, file, values }: Props) {
  const t = useTranslations("console.merchant");
  const timeZone = useTimeZone();
  const { pending, run } = useCall(useTranslations("errors")("network"));
  async function download() {
    const query = values ? filterQuery({ ...filtersOf(values), time_zone: timeZone }) : "";
    const headers = { "passlane-merchant": handle };
    const result = await run(({ networkMessage }) => getFile(call + query, networkMessage, headers));
    if (result.ok) downloadFile(result.data, file);
    else showToast(result.message, "bad");
  }
  return <CsvButton label={t("file")} pending={pending} onDownload={() => void download()} />;
}
