import { and, eq, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { importPictures, importRuns } from "@/db/schema/staff";
import { importCatalog } from "@/lib/catalog/import/commands";
import { importCoupons } from "@/lib/coupons/import-coupons";
import { findTextsWithCode } from "@/lib/delivery/code-text/find-codes";
import { importKeys } from "@/lib/delivery/import/import-keys";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
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
import {
  type ApprovalHandlers,
  approvalRequired,
  askApproval,
  takeApproval,
} from "@/lib/staff/approvals/commands";
import { isApproved } from "@/lib/staff/approvals/queries";
import { needsSecondPerson } from "@/lib/staff/campaigns/commands";
import { lockSumOfDay, sumOfDay } from "@/lib/staff/day-sums/commands";
import { type ApprovalKind, mayStaff, permissionRule } from "@/lib/staff/rules";
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
/** More than this of a person and day needs a second person: face value of coupons in cents, products of a catalogue. */
const LIMITS = {
  coupon_cents: permissionRule("campaigns.manage").fourEyesAbove!,
  changed_products: permissionRule("imports.run").fourEyesAbove!,
} as const;
type LimitedSum = keyof typeof LIMITS;

/** The importers, which are the only way that these files are written (`npm run catalog:import` and its neighbours). */
const IMPORTERS: Record<ImportKind, (file: FileStream, options: Importer) => Promise<ImportCounts>> = {
  catalog: (file, { viewer, preview, takeOver, onRefused, onProgress }) =>
    importCatalog(file, {
      preview,
      takeOver,
      actor: viewer.userId,
      onProgress,
      findTextsWithCode,
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
      mayRaiseBudget: async (tx, before, after) =>
        !needsSecondPerson(before, after, await lockSumOfDay(tx, viewer.userId, "budget_cents")),
      mayMarkFree: mayStaff(viewer.staff.roles, "campaigns.free"),
      faceLimitCents,
      onFaceValue,
      onProgress,
      onRefused: ({ path, ...refusal }) => onRefused({ field: path, ...refusal }),
    }),
};

/** Whether so much more needs a second person, with what this person imported today without one. */
export const exceedsLimit = (sum: LimitedSum, today: number, added: number): boolean =>
  added > 0 && today + added > LIMITS[sum];

/** What an import adds to which sum of the day, and the approval that it needs beyond the limit. */
type Limited = { sum: LimitedSum; amount: number; kind: ApprovalKind; payload: object };

type Measured = {
  kind: ImportKind;
  sha256: string;
  takeOver: boolean;
  counts: ImportCounts;
  faceCents: number;
};

/** undefined: no second person decides about such a file. */
function limitOf({ kind, sha256, takeOver, counts, faceCents }: Measured): Limited | undefined {
  if (kind === "coupons")
    return { sum: "coupon_cents", amount: faceCents, kind: "coupon_import", payload: { sha256 } };
  const amount = counts.added + counts.changed;
  return kind === "catalog"
    ? { sum: "changed_products", amount, kind: "bulk_import", payload: { sha256, takeOver } }
    : undefined;
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
  };
}

/**
 * Imports the file that was previewed, in the background: nothing is written before its hash is known. The same file again
 * joins an import that runs, and changes nothing after one that ended.
 * @throws ShopError import_file_differs; approval_required: more than 100 changes of the catalogue, or coupons of more than
 *   $5,000 of face value, of one person and day
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
  const limited = await measure({ viewer, kind, chunks, sha256, takeOver, confirmHeld });
  const started = await startRun(viewer, { kind, sha256, name, lines: content.lines, limited });
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
async function measure({ viewer, kind, chunks, ...file }: Planned): Promise<Limited | undefined> {
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

/** An approved import is not run by the approval: the person who asked for it sends the file again. */
export const importApprovals = {
  bulk_import: async () => {},
  coupon_import: async () => {},
} satisfies Partial<ApprovalHandlers>;

type NewRun = { kind: ImportKind; sha256: string; name: string; lines: number; limited: Limited | undefined };
type StartedRun = { id: string; isNew: boolean; needsApproval?: string };

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
      update import_runs r set state = 'broken', ended_at = r.beat_at
      where r.kind = ${run.kind} and r.sha256 = ${run.sha256} and ${IS_BROKEN}`);
    const running = await findRunning(tx, run);
    if (running) return running;
    let approval: string | null = null;
    if (limited && exceedsLimit(limited.sum, today, limited.amount)) {
      approval = await takeApproval(tx, viewer, limited.kind, limited.payload);
      if (!approval)
        return { id: "", isNew: false, needsApproval: await askForRun(tx, viewer, run, limited) };
    }
    // The run that is in the way may end before it is read.
    for (;;) {
      const found = (await addRun(tx, userId, run, approval)) ?? (await findRunning(tx, run));
      if (found) return found;
    }
  });
}

function askForRun(tx: Tx, viewer: StaffViewer, { name, sha256 }: NewRun, limited: Limited): Promise<string> {
  const { sum, amount, kind } = limited;
  const size = sum === "coupon_cents" ? formatPrice(amount, "en") : `${amount}`;
  const subject = `${name}: ${size}, ${sha256.slice(0, 12)}`;
  return askApproval(tx, viewer, { kind, payload: { ...limited.payload }, subject });
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
