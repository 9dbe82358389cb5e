import { transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import { permissionRule } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded, type ApprovedActions } from "@/lib/platform/console/approval";
import { csvStream } from "@/lib/platform/console/csv";
import { countAllRows } from "@/lib/platform/console/query";
import { lockSumOfDay } from "@/lib/platform/console/sum-of-day";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { takeApproval } from "@/lib/staff/approvals/take-approval";
import type { ExportInput, ImpersonalExportInput } from "@/lib/staff/exports/contract";
import type { ExportList } from "@/lib/staff/exports/rules";
import { mayRead } from "@/lib/staff/rules";
import { EXPORT_SOURCES, type ExportSource } from "./export-sources";

const PERMISSION = "exports.persons";
const APPROVAL_KIND = "export_persons";

/**
 * The rows of a list as CSV, read part by part while they are sent. More than 10,000 rows by one person in a day need a
 * second person: the export then waits, and runs once when it is requested again while the approval is valid. The audit
 * log has the list, its filters and the number of rows.
 * @throws ApprovalNeeded; ShopError permission_missing: who may not read the list; invalid_input: not filters of the list
 */
export async function exportList(
  viewer: StaffViewer,
  { list, filters, time_zone: timeZone }: ExportInput,
  locale: Locale,
): Promise<ReadableStream<Uint8Array>> {
  requireReader(viewer, list);
  const source = sourceOf(list, filters, locale);
  const limit = permissionRule(PERMISSION).fourEyesAbove!;
  const rows = await countAllRows(source.query, limit + 1);
  await transaction(async (tx) => {
    const entry = { actor: viewer.userId, action: "list.exported", subject: list };
    const detail = { filters, rows: rows > limit ? `more than ${limit}` : rows };
    if ((await lockSumOfDay(tx, viewer.userId, "exported_rows")) + rows <= limit) {
      await audit({ ...entry, detail }, tx);
      return;
    }
    const payload = { list, filters };
    const approval = await takeApproval(tx, viewer, APPROVAL_KIND, payload);
    if (!approval)
      throw new ApprovalNeeded({ kind: APPROVAL_KIND, payload, subject: describe(list, filters) });
    await audit({ ...entry, detail: { ...detail, approval_id: approval } }, tx);
  });
  return csvStream(source, timeZone);
}

/**
 * The rows of a list of the catalogue or of insight as CSV. They name no one, so that no second person is needed; the
 * numbers are counted as on the screen. The audit log has the list and its filters.
 * @throws ShopError permission_missing: who may not read the list; invalid_input: not filters of the list
 */
export async function exportImpersonalList(
  viewer: StaffViewer,
  { list, filters, time_zone: timeZone }: ImpersonalExportInput,
  locale: Locale,
): Promise<ReadableStream<Uint8Array>> {
  requireReader(viewer, list);
  const source = sourceOf(list, filters, locale);
  await audit({ actor: viewer.userId, action: "list.exported", subject: list, detail: { filters } });
  return csvStream(source, timeZone);
}

/** @throws ShopError permission_missing */
function requireReader({ staff }: StaffViewer, list: ExportList): void {
  if (!mayRead(staff.roles, list)) throw new ShopError("permission_missing");
}

/** Whole, because a second person decides by it; a list has few filters. */
const describe = (list: ExportList, filters: Record<string, string>) => {
  const named = Object.entries(filters).map(([name, value]) => `${name}=${value}`);
  return [list, ...named.sort()].join(" ");
};

function sourceOf(list: ExportList, filters: Record<string, string>, locale: Locale): ExportSource {
  if ("cursor" in filters) throw new ShopError("invalid_input");
  try {
    return EXPORT_SOURCES[list](filters, locale);
  } catch (error) {
    throw new ShopError("invalid_input", { cause: error });
  }
}

/** An approved export is not run by the approval: its requester fetches the file. */
export const exportApprovals = { [APPROVAL_KIND]: async () => {} } satisfies ApprovedActions;
