"use client";

import { useTranslations } from "next-intl";
import { downloadFile } from "@/components/console/download";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useReauthentication } from "@/components/ui/reauthentication";
import { showToast } from "@/components/ui/toast";
import { useCall } from "@/components/ui/use-call";
import type { ApiResult } from "@/lib/platform/api/client";
import { fetchCall } from "@/lib/platform/api/light-client";

type Evidence = { file: Blob; name: string };

/** Fetches the file, so that a refusal can be shown and the reauthentication asked for. */
async function fetchEvidence(disputeId: string, networkMessage: string): Promise<ApiResult<Evidence>> {
  const failed: ApiResult<Evidence> = { ok: false, code: "", message: networkMessage, errors: [] };
  try {
    const response = await fetchCall(`/admin/disputes/${encodeURIComponent(disputeId)}/evidence`);
    if (response.ok) {
      const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
      return { ok: true, data: { file: await response.blob(), name: name ?? "evidence.pdf" } };
    }
    const { code, message, errors = [] } = await response.json();
    return { ok: false, code, message, errors };
  } catch {
    return failed;
  }
}

/** Downloads the evidence for a dispute, after the reauthentication. */
export function useEvidence() {
  const t = useTranslations("console.disputes");
  const network = useTranslations("errors")("network");
  const withReauthentication = useReauthentication();
  const { pending, run } = useCall(network);
  async function download(disputeId: string) {
    const result = await run(({ networkMessage }) =>
      withReauthentication(() => fetchEvidence(disputeId, networkMessage)),
    );
    if (result.ok) {
      downloadFile(result.data.file, result.data.name);
      showToast(t("evidence_made"), "good");
    } else if (result.message) showToast(result.message, "bad");
  }
  return { pending, download };
}

export function EvidenceButton({ disputeId, look }: { disputeId: string; look?: "primary" | "secondary" }) {
  const t = useTranslations("console.disputes");
  const { pending, download } = useEvidence();
  return (
    <Button look={look} pending={pending} onClick={() => void download(disputeId)}>
      {look === "primary" && <Icon name="table" size={18} />}
      {t("evidence")}
    </Button>
  );
}
