import { readPriceFile } from "@/lib/catalog/bulk/price-file";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { collectFile, type FileStream, inMemory, watchFile } from "@/lib/platform/imports/file";
import { applyEdits, previewEdits } from "./apply-edits";
import type { BulkApplied, BulkPreview } from "./contract";

/** Previews a price file. Writes nothing, and does not store the file. */
export async function previewPrices(
  viewer: MerchantViewer,
  file: FileStream,
  locale: Locale,
): Promise<BulkPreview> {
  const watched = watchFile(inMemory(await collectFile(file)));
  const read = await readPriceFile(watched.content());
  const { sha256 } = await watched.end();
  return previewEdits(viewer, read, { sha256, locale });
}

/**
 * Applies the next part of the previewed file (`applyEdits`).
 * @throws ShopError import_file_differs, second_factor_required, reauthentication_required
 */
export async function applyPrices(
  viewer: MerchantViewer,
  file: FileStream,
  { sha256, after, locale }: { sha256: string; after: number; locale: Locale },
): Promise<BulkApplied> {
  const watched = watchFile(inMemory(await collectFile(file)));
  const read = await readPriceFile(watched.content());
  if ((await watched.end()).sha256 !== sha256) throw new ShopError("import_file_differs");
  return applyEdits(viewer, read, { after, locale });
}
