import { and, eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { importRuns } from "@/db/schema/staff";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded, type ApprovalRequest, type ApprovedActions } from "@/lib/platform/console/approval";
import { lockSumOfDay } from "@/lib/platform/console/sum-of-day";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { collectFile, type FileStream, inMemory, openReport, watchFile } from "@/lib/platform/imports/file";
import { writeProgress } from "@/lib/platform/imports/progress";
import { log } from "@/lib/platform/log";
import { formatPrice } from "@/lib/platform/money";
import { runInBackground } from "@/lib/platform/request-scope";
import { takeApproval } from "@/lib/staff/approvals/take-approval";
import type { ImportRunQuery } from "./contract";
import { exceedsLimit, IMPORTERS, type LimitedImport, limitOf } from "./importers";
import { IS_BROKEN } from "./list-imports";
import type { ImportChoices } from "./preview-import";
import type { ImportCounts, ImportKind, StoredReportLine } from "./rules";

/**
 * Imports the file that was previewed, in the background: nothing is written before its hash is known. The same file again
 * joins an import that runs, and changes nothing after one that ended.
 * @throws ShopError import_file_differs; ApprovalNeeded: more than 100 changes of the catalogue, or coupons of more than $5,000
 *   of face value, of one person and day
 */
export async function runImport(
  viewer: StaffViewer,
  kind: ImportKind,
  file: FileStream,
  { sha256, name, takeOver = false, confirm_held: confirmHeld }: ImportRunQuery & ImportChoices,
): Promise<{ import_id: string }> {
  const watched = watchFile(file);
  const chunks = await collectFile(watched.content());
  const content = await watched.end();
  if (content.sha256 !== sha256) throw new ShopError("import_file_differs");
  const limited = await measure({ viewer, kind, chunks, sha256, takeOver, confirmHeld });
  const started = await startRun(viewer, { kind, sha256, name, lines: content.lines, limited });
  if (started.isNew)
    runInBackground(
      () =>
        void execute(started.id, {
          viewer,
          kind,
          chunks,
          takeOver,
          confirmHeld,
          faceLimitCents: limited?.sum === "coupon_cents" ? limited.amount : undefined,
          detail: { kind, name, sha256 },
        }),
    );
  return { import_id: started.id };
}

type Planned = {
  viewer: StaffViewer;
  kind: ImportKind;
  chunks: readonly Buffer[];
  sha256: string;
  takeOver: boolean;
  confirmHeld: boolean | undefined;
};

/** Measures by a dry run what the file would change now. */
async function measure({ viewer, kind, chunks, ...file }: Planned): Promise<LimitedImport | undefined> {
  if (kind === "keys") return undefined;
  let faceCents = 0;
  const ignore = () => {};
  const options = { viewer, ...file, preview: true, onRefused: ignore, onProgress: ignore };
  const onFaceValue = (cents: number) => {
    faceCents = cents;
  };
  const counts = await runInBackground(() => IMPORTERS[kind](inMemory(chunks), { ...options, onFaceValue }));
  return limitOf({ kind, ...file, counts, faceCents });
}

/** An approved import is not run by the approval: its requester sends the file again. */
export const importApprovals = {
  bulk_import: async () => {},
  coupon_import: async () => {},
} satisfies ApprovedActions;

type NewRun = {
  kind: ImportKind;
  sha256: string;
  name: string;
  lines: number;
  limited: LimitedImport | undefined;
};
type StartedRun = { id: string; isNew: boolean };

/**
 * Adds the run. A broken run of the same file ends; a living one is joined. Runs of one person start one after the other, so
 * that what is summed of a day is counted over all of them.
 */
async function startRun(viewer: StaffViewer, run: NewRun): Promise<StartedRun> {
  const { userId } = viewer;
  return transaction(async (tx) => {
    const { limited } = run;
    const today = limited ? await lockSumOfDay(tx, userId, limited.sum) : 0;
    await tx.execute(sql`
      update import_runs r set state = 'broken', ended_at = r.heartbeat_at
      where r.kind = ${run.kind} and r.sha256 = ${run.sha256} and ${IS_BROKEN}`);
    const running = await findRunning(tx, run);
    if (running) return running;
    let approval: string | null = null;
    if (limited && exceedsLimit(limited.sum, today, limited.amount)) {
      approval = await takeApproval(tx, viewer, limited.kind, limited.payload);
      if (!approval) throw new ApprovalNeeded(requestOf(run, limited));
    }
    // The run that is in the way may end before it is read.
    for (;;) {
      const found = (await addRun(tx, userId, run, approval)) ?? (await findRunning(tx, run));
      if (found) return found;
    }
  });
}

function requestOf({ name, sha256 }: NewRun, limited: LimitedImport): ApprovalRequest {
  const { sum, amount, kind, payload } = limited;
  const size = sum === "coupon_cents" ? formatPrice(amount, "en") : `${amount}`;
  return { kind, payload: { ...payload }, subject: `${name}: ${size}, ${sha256.slice(0, 12)}` };
}

async function addRun(tx: Tx, userId: string, { limited, ...run }: NewRun, approval: string | null) {
  const id = newId("imp");
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  const [added] = await tx
    .insert(importRuns)
    .values({ id, ...run, counts, report: [], startedBy: userId })
    .onConflictDoNothing({ target: [importRuns.kind, importRuns.sha256], where: sql`state = 'running'` })
    .returning({ id: importRuns.id });
  if (!added) return undefined;
  const { kind, name, sha256 } = run;
  const detail = {
    kind,
    name,
    sha256,
    ...(limited && { [limited.sum === "coupon_cents" ? "faceCents" : "products"]: limited.amount }),
    ...(approval && { approval_id: approval }),
  };
  await audit({ actor: userId, action: "import.started", subject: id, detail }, tx);
  return { id, isNew: true };
}

async function findRunning(tx: Tx, { kind, sha256 }: Pick<NewRun, "kind" | "sha256">) {
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
    db.update(importRuns).set({ counts, heartbeatAt: shopNow }).where(eq(importRuns.id, id)),
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
      const ended = { state, counts, report: report(), endedAt: shopNow, heartbeatAt: shopNow };
      await tx.update(importRuns).set(ended).where(eq(importRuns.id, id));
      const entry = { actor: viewer.userId, action: `import.${state}`, subject: id };
      await audit({ ...entry, detail: { ...detail, ...counts } }, tx);
    });
  } catch (error) {
    log.error({ err: error, id }, "result of an import not stored");
  }
}
