import { db } from "@/db/client";
import { EFFECTS_LISTED, type PriceEffect } from "@/lib/catalog/bulk/contract";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { sumOfDay } from "@/lib/platform/console/sum-of-day";
import { collectFile, type FileStream, inMemory, openReport, watchFile } from "@/lib/platform/imports/file";
import { countHeld } from "@/lib/platform/imports/rules";
import { runInBackground } from "@/lib/platform/request-scope";
import { isApproved } from "@/lib/staff/approvals/take-approval";
import type { ImportPreview } from "./contract";
import { exceedsLimit, IMPORTERS, limitOf } from "./importers";
import { reportIn } from "./list-imports";
import type { ImportKind, StoredReportLine } from "./rules";

/** What the person who imports has chosen: to replace what was edited since, and to take what looks like numbers or dates. */
export type ImportChoices = { takeOver?: boolean; confirm_held?: boolean | undefined };

/**
 * What an import of the file would do, line by line; nothing is written and the file is not kept. Keys are only compared.
 * The other kinds are tried in a transaction that is rolled back, which begins when the whole file is there, so that a
 * slow upload holds no lock.
 */
export async function previewImport(
  viewer: StaffViewer,
  kind: ImportKind,
  file: FileStream,
  { takeOver = false, confirm_held: confirmHeld }: ImportChoices = {},
): Promise<ImportPreview> {
  const watched = watchFile(kind === "keys" ? file : inMemory(await collectFile(file)));
  const { report, onRefused } = openReport<StoredReportLine>();
  let addedFaceCents = 0;
  const onFaceValue = (cents: number) => {
    addedFaceCents = cents;
  };
  const effects: PriceEffect[] = [];
  const onEffect = (effect: PriceEffect) => {
    if (effects.length < EFFECTS_LISTED) effects.push(effect);
  };
  const options = {
    viewer,
    preview: true,
    onEffect,
    takeOver,
    confirmHeld,
    onRefused,
    onProgress: () => {},
    onFaceValue,
  };
  const counts = await runInBackground(() => IMPORTERS[kind](watched.content(), options));
  const { sha256, lines } = await watched.end();
  const limited = limitOf({ kind, sha256, takeOver, counts, faceCents: addedFaceCents });
  const needs_approval =
    limited !== undefined &&
    exceedsLimit(limited.sum, await sumOfDay(db, viewer.userId, limited.sum), limited.amount) &&
    !(await isApproved(viewer, limited.kind, limited.payload));
  const refused = report();
  return {
    sha256,
    lines,
    counts,
    report: reportIn(viewer, refused),
    held: countHeld(refused),
    needs_approval,
    effects,
  };
}
