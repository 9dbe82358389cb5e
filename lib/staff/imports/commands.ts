import { createHash } from "node:crypto";
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
import { log } from "@/lib/platform/log";
import { runInBackground } from "@/lib/platform/request-scope";
import { type ApprovalHandlers, approvalRequired, askApproval } from "@/lib/staff/approvals/commands";
import { isApproved } from "@/lib/staff/approvals/queries";
import { permissionRule } from "@/lib/staff/rules";
import { pictureReader } from "./commands-pictures";
import type { ImportPreview, ImportRunQuery } from "./contract";
import { IS_BROKEN, reportIn } from "./queries";
import { type ImportCounts, type ImportKind, MAX_REPORT_LINES, type StoredReportLine } from "./rules";

type FileStream = AsyncIterable<Buffer>;
type Importer = {
  viewer: StaffViewer;
  preview: boolean;
  takeOver: boolean;
  onRefused: (line: StoredReportLine) => void;
  onProgress: (counts: ImportCounts) => void;
};

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
  keys: async (file, { viewer, preview, onRefused, onProgress }) => ({
    changed: 0,
    ...(await importKeys(file, {
      preview,
      actor: viewer.userId,
      onStock: enqueueAssignWaiting,
      onRefused: (refusal) => onRefused({ field: "", ...refusal }),
      onProgress: (counts) => onProgress({ changed: 0, ...counts }),
    })),
  }),
  coupons: (file, { preview, onRefused, onProgress }) =>
    importCoupons(file, {
      preview,
      budgetLimitCents: permissionRule("campaigns.manage").fourEyesAbove!,
      onProgress,
      onRefused: ({ path, ...refusal }) => onRefused({ field: path, ...refusal }),
    }),
};

const NEWLINE = 10;

/** A file that passes by: its hash and its lines, and the rest of it where an importer stops early. */
function watch(file: FileStream) {
  const chunks = file[Symbol.asyncIterator]();
  const hash = createHash("sha256");
  let lines = 0;
  let endsInLine = false;
  async function next(): Promise<Buffer | undefined> {
    const { value, done } = await chunks.next();
    if (done) return undefined;
    hash.update(value);
    for (let at = value.indexOf(NEWLINE); at >= 0; at = value.indexOf(NEWLINE, at + 1)) lines += 1;
    if (value.length > 0) endsInLine = value.at(-1) !== NEWLINE;
    return value;
  }
  return {
    async *content(): AsyncGenerator<Buffer> {
      for (let chunk = await next(); chunk; chunk = await next()) yield chunk;
    },
    async end() {
      while (await next());
      return { sha256: hash.digest("hex"), lines: lines + (endsInLine ? 1 : 0) };
    },
  };
}

async function* inMemory(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function collect(file: FileStream): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of file) chunks.push(chunk);
  return chunks;
}

const isBulk = (kind: ImportKind, { added, changed }: ImportCounts) =>
  kind === "catalog" && added + changed > permissionRule("imports.run").fourEyesAbove!;

/** Collects the refused lines. An importer tells some when it reads them, and some when it writes their batch. */
function openReport() {
  const lines: StoredReportLine[] = [];
  const onRefused = (line: StoredReportLine) => {
    if (lines.length < MAX_REPORT_LINES) lines.push(line);
  };
  return { onRefused, report: () => lines.sort((a, b) => a.line - b.line) };
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
  { takeOver = false } = {},
): Promise<ImportPreview> {
  const watched = watch(kind === "keys" ? file : inMemory(await collect(file)));
  const { report, onRefused } = openReport();
  const options = { viewer, preview: true, takeOver, onRefused, onProgress: () => {} };
  const counts = await runInBackground(() => IMPORTERS[kind](watched.content(), options));
  const { sha256, lines } = await watched.end();
  const needs_approval =
    isBulk(kind, counts) && !(await isApproved(viewer, "bulk_import", { sha256, takeOver }));
  return { sha256, lines, counts, report: reportIn(viewer, report()), needs_approval };
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
  { sha256, name, takeOver = false }: ImportRunQuery & { takeOver?: boolean },
): Promise<{ import_id: string }> {
  const watched = watch(file);
  const chunks = await collect(watched.content());
  const content = await watched.end();
  if (content.sha256 !== sha256) throw new ShopError("import_file_differs");
  await requireApproval({ viewer, kind, chunks, lines: content.lines, sha256, name, takeOver });
  const started = await startRun(viewer, { kind, sha256, name, lines: content.lines });
  if (started.isNew)
    runInBackground(
      () => void execute(started.id, { viewer, kind, chunks, takeOver, detail: { kind, name, sha256 } }),
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

const PROGRESS_MS = 1_000;

/** Writes the progress of a run each second, which is also its sign of life. */
function beat(id: string, current: () => ImportCounts): { stop(): Promise<void> } {
  let writing = Promise.resolve();
  let busy = false;
  const write = async () => {
    busy = true;
    await db
      .update(importRuns)
      .set({ counts: current(), beatAt: shopNow })
      .where(eq(importRuns.id, id))
      .catch((error: unknown) => log.warn({ err: error, id }, "progress of an import not written"));
    busy = false;
  };
  const timer = setInterval(() => {
    if (!busy) writing = write();
  }, PROGRESS_MS);
  return {
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}

type Execution = {
  viewer: StaffViewer;
  kind: ImportKind;
  chunks: readonly Buffer[];
  takeOver: boolean;
  detail: Record<string, unknown>;
};

/** Runs an import to its end, and writes how it ended. A run that cannot even write that is found by its missing beat. */
async function execute(id: string, { viewer, kind, chunks, takeOver, detail }: Execution): Promise<void> {
  const { report, onRefused } = openReport();
  let counts: ImportCounts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const onProgress = (soFar: ImportCounts) => {
    counts = { ...soFar };
  };
  const progress = beat(id, () => counts);
  let state: "done" | "failed" = "done";
  try {
    const options = { viewer, preview: false, takeOver, onRefused, onProgress };
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
