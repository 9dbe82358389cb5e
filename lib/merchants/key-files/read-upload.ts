import { createHash } from "node:crypto";
import { repeatsCode } from "@/lib/delivery/code-text/find-codes";
import { importKeyList, importKeys } from "@/lib/delivery/import/import-keys";
import type { KeyImportCounts, KeyImportError, KeyImportOptions } from "@/lib/delivery/import/import-options";
import { type KeyList, readKeyFile } from "@/lib/delivery/import/read-key-rows";
import type { BatchReportLine } from "@/lib/merchants/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { inMemory, openReport } from "@/lib/platform/imports/file";
import { runInBackground } from "@/lib/platform/request-scope";
import type { KeyListInput } from "./contract";

/** Whether the merchant has confirmed codes that look like numbers or dates. */
export type Confirmed = { confirm_held?: boolean | undefined };

/** Codes that a merchant sends: their import, which can be repeated, and the hash and size of the file. */
export type Upload = {
  import: (options: KeyImportOptions) => Promise<KeyImportCounts>;
  /** Whether one of these texts contains one of the codes. */
  isQuoted: (texts: readonly string[]) => Promise<boolean>;
  sha256: string;
  lines: number;
};

export const uploadOfFile = (
  chunks: readonly Buffer[],
  content: { sha256: string; lines: number },
  { confirm_held: confirmHeld }: Confirmed,
): Upload => ({
  import: (options) => importKeys(inMemory(chunks), { ...options, confirmHeld }),
  isQuoted: (texts) => repeatsCode(readKeyFile(inMemory(chunks)), texts),
  ...content,
});

export function uploadOfList({ plan_id, keys, redeem_by, confirm_held: confirmHeld }: KeyListInput): Upload {
  const list: KeyList = { planId: plan_id, keys, redeemBy: redeem_by ?? null };
  const sha256 = createHash("sha256")
    .update(JSON.stringify([plan_id, redeem_by ?? null, keys]))
    .digest("hex");
  async function* codes() {
    for (const key of keys) yield { key };
  }
  return {
    import: (options) => importKeyList(list, { ...options, confirmHeld }),
    isQuoted: (texts) => repeatsCode(codes(), texts),
    sha256,
    lines: keys.length,
  };
}

/** A rejected line as reports store it. Every reason of a code import has a name. */
export const toReportLine = ({ line, error = "line_refused", values }: KeyImportError): BatchReportLine => ({
  line,
  error,
  ...(values && { values }),
});

/** Runs an import that writes nothing, and returns its counts and rejected lines. */
export async function dryImport(
  { merchant }: MerchantViewer,
  run: Upload["import"],
  { knowsForeign = false } = {},
): Promise<{ counts: KeyImportCounts; report: BatchReportLine[] }> {
  const { report, onRefused } = openReport<BatchReportLine>();
  const counts = await runInBackground(() =>
    run({
      preview: true,
      owner: { merchantId: merchant.id, batchId: null, knowsForeign },
      onStock: async () => {},
      onRefused: (refusal) => onRefused(toReportLine(refusal)),
    }),
  );
  return { counts, report: report() };
}
