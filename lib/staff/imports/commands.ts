import { and, eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { importPictures, importRuns } from "@/db/schema/staff";
import { importCatalog } from "@/lib/catalog/import/commands";
import { importCoupons } from "@/lib/coupons/import/commands";
import { importKeys } from "@/lib/delivery/import/commands";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { collectFile, type FileStream, inMemory, openReport, watchFile } from "@/lib/platform/imports/file";
import { writeProgress } from "@/lib/platform/imports/progress";
import { countHeld } from "@/lib/platform/imports/rules";
import { log } from "@/lib/platform/log";
import { runInBackground } from "@/lib/platform/request-scope";
import { type ApprovalHandlers, approvalRequired, askApproval } from "@/lib/staff/approvals/commands";
import { isApproved } from "@/lib/staff/approvals/queries";
import { permissionRule } from "@/lib/staff/rules";
import { pictureReader } from "./commands-pictures";
import type { ImportPreview, ImportRunQuery } from "./contract";
import { IS_BROKEN, reportIn } from "./queries";
import type { ImportCounts, ImportKind, StoredReportLine } from "./rules";

type Importer = {
  viewer: StaffViewer;
  preview: boolean;
  takeOver: boolean;
  confirmHeld: boolean | undefined;
  onRefused: (line: StoredReportLine) => void;
  onProgress: (counts: ImportCounts) => void;
};

/** What the person who imports has chosen: to replace what was edited since, and to take what looks like numbers or dates. */
type Choices = { takeOver?: boolean; confirm_held?: boolean | undefined };

/** The importers, which are the only way that these files are written (`npm run catalog:import` and its neighbours). */
const IMPORTERS: Record<ImportKind, (file: FileStream, options: Importer) => Promise<ImportCounts>> = {
  catalog: (file, { viewer, preview, takeOver, onRefused, onProgress }) =>
    importCatalog(file, {
      preview,
      takeOver,
      actor: viewer.userId,
      onProgress,
      readImage: pictureReader(viewer),
      onRefused: ({ path, ...refusal }) => onRefused({ field: path, ...refusal }),
    }),
  keys: async (file, { viewer, preview, confirmHeld, onRefused, onProgress }) => ({
    changed: 0,
    ...(await importKeys(file, {
      preview,
      confirmHeld,
      actor: viewer.userId,
      onStock: enqueueAssignWaiting,
      onRefused: (refusal) => onRefused({ field: "", ...refusal }),
      onProgress: (counts) => onProgress({ changed: 0, ...counts }),
    })),
  }),
  coupons: (file, { preview, confirmHeld, onRefused, onProgress }) =>
    importCoupons(file, {
      preview,
      confirmHeld,
      budgetLimitCents: permissionRule("campaigns.manage").fourEyesAbove!,
      onProgress,
      onRefused: ({ path, ...refusal }) => onRefused({ field: path, ...refusal }),
    }),
};

const isBulk = (kind: ImportKind, { added, changed }: ImportCounts) =>
  kind === "catalog" && added + changed > permissionRule("imports.run").fourEyesAbove!;

/**
 * What an import of the file would do, line by line; nothing is written and the file is not kept. Keys are only compared.
 * The other kinds are tried in a transaction that is rolled back, which begins when the whole file is there, so that a
 * slow upload holds no lock.
 */
export async function previewImport(
  viewer: StaffViewer,
  kind: ImportKind,
  file: FileStream,
  { takeOver = false, confirm_held: confirmHeld }: Choices = {},
): Promise<ImportPreview> {
  const watched = watchFile(kind === "keys" ? file : inMemory(await collectFile(file)));
  const { report, onRefused } = openReport<StoredReportLine>();
  const options = { viewer, preview: true, takeOver, confirmHeld, onRefused, onProgress: () => {} };
  const counts = await runInBackground(() => IMPORTERS[kind](watched.content(), options));
  const { sha256, lines } = await watched.end();
  const needs_approval =
    isBulk(kind, counts) && !(await isApproved(viewer, "bulk_import", { sha256, takeOver }));
  const refused = report();
  return {
    sha256,
    lines,
    counts,
    report: reportIn(viewer, refused),
    held: countHeld(refused),
    needs_approval,
  };
}

/**
 * Imports the file that was previewed, in the background: nothing is written before its hash is known. The same file again
 * joins an import that runs, and changes nothing after one that ended.
 * @throws ShopError import_file_differs; approval_required: a catalogue file with more than 100 changes
 */
export async function runImport(
  viewer: StaffViewer,
  kind: ImportKind,
  file: FileStream,
  { sha256, name, takeOver = false, confirm_held: confirmHeld }: ImportRunQuery & Choices,
): Promise<{ import_id: string }> {
  const watched = watchFile(file);
  const chunks = await collectFile(watched.content());
  const content = await watched.end();
  if (content.sha256 !== sha256) throw new ShopError("import_file_differs");
  await requireApproval({ viewer, kind, chunks, lines: content.lines, sha256, name, takeOver });
  const started = await startRun(viewer, { kind, sha256, name, lines: content.lines });
  if (started.isNew)
    runInBackground(
      () =>
        void execute(started.id, {
          viewer,
          kind,
          chunks,
          takeOver,
          confirmHeld,
          detail: { kind, name, sha256 },
        }),
    );
  return { import_id: started.id };
}

type Planned = {
  viewer: StaffViewer;
  kind: ImportKind;
  chunks: readonly Buffer[];
  lines: number;
  sha256: string;
  name: string;
  takeOver: boolean;
};

/** Counts what the file would change now. Nothing runs before a second person has approved more than 100 changes. */
async function requireApproval({ viewer, kind, chunks, lines, sha256, name, takeOver }: Planned) {
  const limit = permissionRule("imports.run").fourEyesAbove!;
  if (kind !== "catalog" || lines <= limit) return;
  const payload = { sha256, takeOver };
  if (await isApproved(viewer, "bulk_import", payload)) return;
  const { counts } = await previewImport(viewer, kind, inMemory(chunks), { takeOver });
  if (!isBulk(kind, counts)) return;
  const subject = `${name}: ${counts.added} + ${counts.changed}, ${sha256.slice(0, 12)}`;
  throw approvalRequired(
    await transaction((tx) => askApproval(tx, viewer, { kind: "bulk_import", payload, subject })),
  );
}

/** An approved import is not run by the approval: the person who asked for it sends the file again. */
export const importApprovals = { bulk_import: async () => {} } satisfies Partial<ApprovalHandlers>;

type NewRun = { kind: ImportKind; sha256: string; name: string; lines: number };

/** Adds the run. A broken run of the same file ends; a living one is joined. */
async function startRun({ userId }: StaffViewer, run: NewRun): Promise<{ id: string; isNew: boolean }> {
  return transaction(async (tx) => {
    await tx.execute(sql`
      update import_runs r set state = 'broken', ended_at = r.beat_at
      where r.kind = ${run.kind} and r.sha256 = ${run.sha256} and ${IS_BROKEN}`);
    // The run that is in the way may end before it is read.
    for (;;) {
      const found = (await addRun(tx, userId, run)) ?? (await findRunning(tx, run));
      if (found) return found;
    }
  });
}

async function addRun(tx: Tx, userId: string, run: NewRun) {
  const id = newId("imp");
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const [added] = await tx
    .insert(importRuns)
    .values({ id, ...run, counts, report: [], startedBy: userId })
    .onConflictDoNothing({ target: [importRuns.kind, importRuns.sha256], where: sql`state = 'running'` })
    .returning({ id: importRuns.id });
  if (!added) return undefined;
  const { kind, name, sha256 } = run;
  await audit({ actor: userId, action: "import.started", subject: id, detail: { kind, name, sha256 } }, tx);
  return { id, isNew: true };
}

async function findRunning(tx: Tx, { kind, sha256 }: NewRun) {
  const [running] = await tx
    .select({ id: importRuns.id })
    .from(importRuns)
    .where(and(eq(importRuns.kind, kind), eq(importRuns.sha256, sha256), eq(importRuns.state, "running")));
  return running && { id: running.id, isNew: false };
}

type Execution = {
  viewer: StaffViewer;
  kind: ImportKind;
  chunks: readonly Buffer[];
  takeOver: boolean;
  confirmHeld: boolean | undefined;
  detail: Record<string, unknown>;
};

/** Runs an import to its end, and writes how it ended. A run that cannot even write that is found by its missing beat. */
async function execute(id: string, { viewer, kind, chunks, detail, ...choices }: Execution): Promise<void> {
  const { report, onRefused } = openReport<StoredReportLine>();
  let counts: ImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const onProgress = (soFar: ImportCounts) => {
    counts = { ...soFar };
  };
  const progress = writeProgress(id, () =>
    db.update(importRuns).set({ counts, beatAt: shopNow }).where(eq(importRuns.id, id)),
  );
  let state: "done" | "failed" = "done";
  try {
    const options = { viewer, preview: false, ...choices, onRefused, onProgress };
    onProgress(await IMPORTERS[kind](inMemory(chunks), options));
  } catch (error) {
    state = "failed";
    log.error({ err: error, id }, "import failed");
  }
  await progress.stop();
  try {
    await transaction(async (tx) => {
      const ended = { state, counts, report: report(), endedAt: shopNow, beatAt: shopNow };
      await tx.update(importRuns).set(ended).where(eq(importRuns.id, id));
      const entry = { actor: viewer.userId, action: `import.${state}`, subject: id };
      await audit({ ...entry, detail: { ...detail, ...counts } }, tx);
    });
  } catch (error) {
    log.error({ err: error, id }, "end of an import not written");
  }
}

/** Deletes the pictures that were sent for a file more than a day ago. */
export async function deleteOldPictures(hours: number): Promise<void> {
  await db.delete(importPictures).where(sql`created_at < shop_now() - make_interval(hours => ${hours})`);
}
