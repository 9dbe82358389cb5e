"use client";

import { useTranslations } from "next-intl";
import { downloadFile } from "@/components/console/download";
import type { FilterValues } from "@/components/console/filter-bar";
import { filterQuery } from "@/components/console/filter-query";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ApiResult } from "@/lib/platform/api/client";
import { fetchCall } from "@/lib/platform/api/light-client";

type Props = {
  /** whose member downloads it */
  handle: string;
  /** the call, and the name of the file */
  call: "/merchant/sales.csv" | "/merchant/money/entries.csv";
  file: string;
  values: FilterValues;
};

async function fetchFile({ handle, call, values }: Props, network: string): Promise<ApiResult<Blob>> {
  try {
    const headers = { "passlane-merchant": handle };
    const response = await fetchCall(call + filterQuery(values), { headers });
    if (response.ok) return { ok: true, data: await response.blob() };
    const { code, message, errors = [] } = await response.json();
    return { ok: false, code, message, errors };
  } catch {
    return { ok: false, code: "", message: network, errors: [] };
  }
}

/** Downloads what a list's filters show as CSV. */
export function FileButton(props: Props) {
  const t = useTranslations("console.merchant");
  const { pending, run } = useCall(useTranslations("errors")("network"));
  async function download() {
    const result = await run(({ networkMessage }) => fetchFile(props, networkMessage));
    if (result.ok) downloadFile(result.data, props.file);
    else showToast(result.message, "bad");
  }
  return (
    <Button look="secondary" pending={pending} onClick={() => void download()}>
      <Icon name="table" size={18} />
      {t("file")}
    </Button>
  );
}
