import { importKeys } from "@/lib/delivery/import/import-keys";
import type { KeyImportCounts } from "@/lib/delivery/import/import-options";
import type { BatchReportLine } from "@/lib/merchants/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type FileStream, watchFile } from "@/lib/platform/imports/file";
import { countHeld } from "@/lib/platform/imports/rules";
import type { KeyFilePreview, KeyListInput } from "./contract";
import { findBatchOfFile, toRefusedLines } from "./get-key-batch";
import { type Confirmed, dryImport, uploadOfList } from "./read-upload";

/**
 * Previews an import of the file, line by line. Reads the file once as a stream, and writes, locks and stores nothing.
 * Only plans of the merchant's own products exist for it.
 */
export async function previewKeyFile(
  viewer: MerchantViewer,
  file: FileStream,
  locale: Locale,
  { confirm_held: confirmHeld }: Confirmed = {},
): Promise<KeyFilePreview> {
  const watched = watchFile(file);
  const result = await dryImport(viewer, (options) =>
    importKeys(watched.content(), { ...options, confirmHeld }),
  );
  return toPreview(viewer, { ...(await watched.end()), ...result }, locale);
}

/** Like `previewKeyFile`, for a list of codes of one plan. */
export async function previewKeyList(
  viewer: MerchantViewer,
  input: KeyListInput,
  locale: Locale,
): Promise<KeyFilePreview> {
  const upload = uploadOfList(input);
  return toPreview(viewer, { ...upload, ...(await dryImport(viewer, upload.import)) }, locale);
}

async function toPreview(
  viewer: MerchantViewer,
  result: { sha256: string; lines: number; counts: KeyImportCounts; report: BatchReportLine[] },
  locale: Locale,
): Promise<KeyFilePreview> {
  const { sha256, lines, report } = result;
  const { added, unchanged, refused } = result.counts;
  const batch = await findBatchOfFile(viewer, sha256);
  return {
    sha256,
    lines,
    counts: { new: added, known: unchanged, refused },
    refused: toRefusedLines(report, locale),
    held: countHeld(report),
    batch_id: batch?.id ?? null,
  };
}
