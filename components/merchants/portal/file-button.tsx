"use client";

import { useTranslations } from "next-intl";
import { downloadFile } from "@/components/console/download";
import { type FilterValues, filterQuery, filtersOf } from "@/components/console/list/filter-values";
import { TOOL } from "@/components/console/list/list-toolbar";
import { Icon } from "@/components/ui/icon";
import { useTimeZone } from "@/components/ui/local-time";
import { Spinner } from "@/components/ui/spinner";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ApiResult } from "@/lib/platform/api/client";
import { fetchCall } from "@/lib/platform/api/light-client";

type Props = {
  /** whose member downloads it */
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

async function fetchFile({ handle, call, values }: Props, network: string): Promise<ApiResult<Blob>> {
  try {
    const headers = { "passlane-merchant": handle };
    const response = await fetchCall(call + filterQuery(values ?? {}), { headers });
    if (response.ok) return { ok: true, data: await response.blob() };
    const { code, message, errors = [] } = await response.json();
    return { ok: false, code, message, errors };
  } catch {
    return { ok: false, code: "", message: network, errors: [] };
  }
}

/** Downloads what a list's filters show as CSV, or a file that has none. */
export function FileButton(props: Props) {
  const t = useTranslations("console.merchant");
  const timeZone = useTimeZone();
  const { pending, run } = useCall(useTranslations("errors")("network"));
  async function download() {
    const result = await run(({ networkMessage }) =>
      fetchFile(
        { ...props, ...(props.values && { values: { ...filtersOf(props.values), time_zone: timeZone } }) },
        networkMessage,
      ),
    );
    if (result.ok) downloadFile(result.data, props.file);
    else showToast(result.message, "bad");
  }
  return (
    <button
      type="button"
      aria-label={t("file")}
      title={t("file")}
      aria-busy={pending || undefined}
      onClick={() => void (pending || download())}
      className={TOOL}
    >
      {pending ? <Spinner /> : <Icon name="table" size={16} />}
      CSV
    </button>
  );
}
