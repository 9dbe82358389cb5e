import { and, eq, sql } from "drizzle-orm";
import { type Db, db, shopNow, type Tx, transaction } from "@/db/client";
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
import { formatPrice } from "@/lib/platform/money";
import { runInBackground } from "@/lib/platform/request-scope";
import { type ApprovalHandlers, approvalRequired, askApproval } from "@/lib/staff/approvals/commands";
import { isApproved } from "@/lib/staff/approvals/queries";
import { mayStaff, permissionRule } from "@/lib/staff/rules";
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
  /** Of coupons: the face value that may be added, and what was added. */
  faceLimitCents?: number;
  onFaceValue?: (cents: number) => void;
};

/** What the person who imports has chosen: to replace what was edited since, and to take what looks like numbers or dates. */
type Choices = { takeOver?: boolean; confirm_held?: boolean | undefined };
/** More face value of coupons than this a person and day (UTC) needs a second person. */
const FACE_LIMIT_CENTS = permissionRule("campaigns.manage").fourEyesAbove!;

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
  coupons: (file, { viewer, preview, confirmHeld, onRefused, onProgress, faceLimitCents, onFaceValue }) =>
    importCoupons(file, {
      preview,
      confirmHeld,
      actor: viewer.userId,
      budgetLimitCents: FACE_LIMIT_CENTS,
      mayMarkFree: mayStaff(viewer.staff.roles, "campaigns.free"),
      faceLimitCents,
      onFaceValue,
      onProgress,
      onRefused: ({ path, ...refusal }) => onRefused({ field: path, ...refusal }),
    }),
};

const isBulk = (kind: ImportKind, { added, changed }: ImportCounts) =>
  kind === "catalog" && added + changed > permissionRule("imports.run").fourEyesAbove!;

/** Whether coupons of this face value, with those that this person imported today (UTC), need a second person. */
export async function exceedsFaceLimit(tx: Db, actor: string, addedCents: number): Promise<boolean> {
  if (addedCents === 0) return false;
  const [today] = await tx.execute<{ cents: number }>(sql`
    select coalesce(sum((detail->>'faceCents')::bigint), 0)::float8 as cents from audit_entries
    where actor = ${actor} and action = 'import.started' and created_at >= date_trunc('day', shop_now(), 'UTC')`);
  return today!.cents + addedCents > FACE_LIMIT_CENTS;
}

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
  let addedFaceCents = 0;
  const onFaceValue = (cents: number) => {
    addedFaceCents = cents;
  };
  const options = {
    viewer,
    preview: true,
    takeOver,
    confirmHeld,
    onRefused,
    onProgress: () => {},
    onFaceValue,
  };
  const counts = await runInBackground(() => IMPORTERS[kind](watched.content(), options));
  const { sha256, lines } = await watched.end();
  const needs_approval =
    (isBulk(kind, counts) && !(await isApproved(viewer, "bulk_import", { sha256, takeOver }))) ||
    ((await exceedsFaceLimit(db, viewer.userId, addedFaceCents)) &&
      !(await isApproved(viewer, "coupon_import", { sha256 })));
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
 * @throws ShopError import_file_differs; approval_required: a catalogue file with more than 100 changes, or coupons of more
 *   than $5,000 of face value a person and day
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
  const faceCents = kind === "coupons" ? await faceValueOf(viewer, chunks, confirmHeld) : undefined;
  const run = { kind, sha256, name, lines: content.lines, ...(faceCents !== undefined && { faceCents }) };
  const started = await startRun(viewer, run);
  if (started.needsApproval) throw approvalRequired(started.needsApproval);
  if (started.isNew)
    runInBackground(
      () =>
        void execute(started.id, {
          viewer,
          kind,
          chunks,
          takeOver,
          confirmHeld,
          faceLimitCents: faceCents,
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

/** The face value of the coupons that the file would add now, in cents. */
async function faceValueOf(
  viewer: StaffViewer,
  chunks: readonly Buffer[],
  confirmHeld: boolean | undefined,
): Promise<number> {
  let faceCents = 0;
  const ignore = () => {};
  await IMPORTERS.coupons(inMemory(chunks), {
    viewer,
    preview: true,
    takeOver: false,
    confirmHeld,
    onRefused: ignore,
    onProgress: ignore,
    onFaceValue: (cents) => {
      faceCents = cents;
    },
  });
  return faceCents;
}

/** An approved import is not run by the approval: the person who asked for it sends the file again. */
export const importApprovals = {
  bulk_import: async () => {},
  coupon_import: async () => {},
} satisfies Partial<ApprovalHandlers>;

type NewRun = { kind: ImportKind; sha256: string; name: string; lines: number; faceCents?: number };
type StartedRun = { id: string; isNew: boolean; needsApproval?: string };

/**
 * Adds the run. A broken run of the same file ends; a living one is joined. Runs of one person start one after the other, so
 * that the face value of a day is counted over all of them.
 */
async function startRun(viewer: StaffViewer, run: NewRun): Promise<StartedRun> {
  const { userId } = viewer;
  return transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`import ${userId}`}, 0))`);
    await tx.execute(sql`
      update import_runs r set state = 'broken', ended_at = r.beat_at
      where r.kind = ${run.kind} and r.sha256 = ${run.sha256} and ${IS_BROKEN}`);
    const running = await findRunning(tx, run);
    if (running) return running;
    const { faceCents, sha256 } = run;
    if (faceCents !== undefined && (await exceedsFaceLimit(tx, userId, faceCents))) {
      const payload = { sha256 };
      if (!(await isApproved(viewer, "coupon_import", payload))) {
        const subject = `${run.name}: ${formatPrice(faceCents, "en")}, ${sha256.slice(0, 12)}`;
        const needsApproval = await askApproval(tx, viewer, { kind: "coupon_import", payload, subject });
        return { id: "", isNew: false, needsApproval };
      }
    }
    // The run that is in the way may end before it is read.
    for (;;) {
      const found = (await addRun(tx, userId, run)) ?? (await findRunning(tx, run));
      if (found) return found;
    }
  });
}

async function addRun(tx: Tx, userId: string, { faceCents, ...run }: NewRun) {
  const id = newId("imp");
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const [added] = await tx
    .insert(importRuns)
    .values({ id, ...run, counts, report: [], startedBy: userId })
    .onConflictDoNothing({ target: [importRuns.kind, importRuns.sha256], where: sql`state = 'running'` })
    .returning({ id: importRuns.id });
  if (!added) return undefined;
  const { kind, name, sha256 } = run;
  const detail = { kind, name, sha256, ...(faceCents !== undefined && { faceCents }) };
  await audit({ actor: userId, action: "import.started", subject: id, detail }, tx);
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
  faceLimitCents: number | undefined;
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
