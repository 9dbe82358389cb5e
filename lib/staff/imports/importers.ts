import type { PriceEffect } from "@/lib/catalog/bulk/contract";
import { importPrices } from "@/lib/catalog/bulk/import-prices";
import { importCatalog } from "@/lib/catalog/import/import-catalog";
import { needsSecondPerson } from "@/lib/coupons/console/change-campaign";
import { importCoupons } from "@/lib/coupons/import-coupons";
import { findTextsWithCode } from "@/lib/delivery/code-text/find-codes";
import { importKeys } from "@/lib/delivery/import/import-keys";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/enqueue-assign";
import { mayStaff, permissionRule } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { lockSumOfDay } from "@/lib/platform/console/sum-of-day";
import type { FileStream } from "@/lib/platform/imports/file";
import type { ApprovalKind } from "@/lib/staff/rules";
import { pictureReader } from "./keep-picture";
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
  /** Of prices: what buyers will see of each plan that changes. */
  onEffect?: (effect: PriceEffect) => void;
};
/**
 * More than this by one person in a day needs a second person: face value of coupons in cents, products of a catalogue.
 */
const LIMITS = {
  coupon_cents: permissionRule("campaigns.manage").fourEyesAbove!,
  changed_products: permissionRule("imports.run").fourEyesAbove!,
} as const;
type LimitedSum = keyof typeof LIMITS;

/** The importers, which are the only way that these files are written (`npm run catalog:import` and its neighbours). */
export const IMPORTERS: Record<ImportKind, (file: FileStream, options: Importer) => Promise<ImportCounts>> = {
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
  prices: (file, { viewer, preview, onRefused, onProgress, onEffect }) =>
    importPrices(file, {
      actor: viewer.userId,
      preview,
      onRefused,
      onProgress,
      ...(onEffect && { onEffect }),
    }),
};

/** Whether so much more needs a second person, with what this person imported today without one. */
export const exceedsLimit = (sum: LimitedSum, today: number, added: number): boolean =>
  added > 0 && today + added > LIMITS[sum];

/** What an import adds to which sum of the day, and the approval that it needs beyond the limit. */
export type LimitedImport = { sum: LimitedSum; amount: number; kind: ApprovalKind; payload: object };

type Measured = {
  kind: ImportKind;
  sha256: string;
  takeOver: boolean;
  counts: ImportCounts;
  faceCents: number;
};

/** undefined: no second person decides about such a file. */
export function limitOf({ kind, sha256, takeOver, counts, faceCents }: Measured): LimitedImport | undefined {
  if (kind === "coupons")
    return { sum: "coupon_cents", amount: faceCents, kind: "coupon_import", payload: { sha256 } };
  const amount = counts.added + counts.changed;
  return kind === "catalog" || kind === "prices"
    ? { sum: "changed_products", amount, kind: "bulk_import", payload: { sha256, takeOver } }
    : undefined;
}
