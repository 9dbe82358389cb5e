import { listConsoleCampaigns } from "@/lib/coupons/console/list-console-campaigns";
import { ConsoleReplacementsInput } from "@/lib/delivery/console/contract-replacements";
import { listConsoleReplacements } from "@/lib/delivery/console/list-console-replacements";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { getConsoleOrder } from "@/lib/orders/console/get-console-order";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { REFUND_LISTS } from "@/lib/orders/console/rules";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import type { Decision } from "@/lib/staff/approvals/contract";
import { decideApproval } from "@/lib/staff/approvals/decide-approval";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import { approvedActions } from "@/lib/staff/approved-actions";
import { listStaffMembers } from "@/lib/staff/members/list-staff-members";

// What staff were shown of something, as their screens send it with a decision.

/** Of a refund that the console lists; without a version where it lists none. */
export async function seenRefund(id: string): Promise<SeenVersion> {
  for (const state of REFUND_LISTS) {
    const { items } = await listConsoleRefunds(ConsoleRefundsInput.parse({ state }), "en");
    const refund = items.find(({ refund_id }) => refund_id === id);
    if (refund) return { version: refund.version };
  }
  return {};
}

/** Of several refunds. */
export async function seenRefunds(ids: readonly string[]) {
  const versions: Record<string, string> = {};
  for (const id of ids) {
    const { version } = await seenRefund(id);
    if (version) versions[id] = version;
  }
  return { refund_ids: [...ids], versions };
}

/** Of the state of an order. */
export const seenOrder = async (orderId: string): Promise<SeenVersion> => {
  const { version } = await getConsoleOrder(orderId, "en");
  return { version };
};

/** Of the only pass of an order, or its first one. */
export const seenLine = async (orderId: string): Promise<SeenVersion> => {
  const { order_products: lines } = await getConsoleOrder(orderId, "en");
  return { version: lines[0]!.version };
};

/** Of a code of an order. */
export const seenKey = async (orderId: string, keyId: string): Promise<SeenVersion> => {
  const { keys } = await getConsoleOrder(orderId, "en");
  return { version: keys.find(({ key_id }) => key_id === keyId)!.version };
};

/** Of an open request for another code; without a version where the queue lists none. */
export async function seenReplacement(id: string): Promise<SeenVersion> {
  const { items } = await listConsoleReplacements(null, ConsoleReplacementsInput.parse({}), "en");
  const request = items.find(({ request_id }) => request_id === id);
  return request ? { version: request.version } : {};
}

/** Of a member of staff; without a version of anybody else. */
export async function seenMember(email: string): Promise<SeenVersion> {
  const { items } = await listStaffMembers();
  return { version: items.find((member) => member.email === email)?.version };
}

/** Of a campaign; without a version of none. */
export async function seenCampaign(id: string): Promise<SeenVersion> {
  const { items } = await listConsoleCampaigns("en");
  return { version: items.find(({ campaign }) => campaign === id)?.version };
}

/** Of an approval, for somebody who asked for it or may decide it; without a version for anybody else. */
export async function seenApproval(viewer: StaffViewer, id: string): Promise<SeenVersion> {
  const { items } = await listApprovals(viewer, "all");
  const approval = items.find(({ approval_id }) => approval_id === id);
  return approval ? { version: approval.version } : {};
}

/** Decides an approval in the version that the screen shows now. */
export const decideSeen = async (viewer: StaffViewer, decision: Decision) =>
  decideApproval(viewer, { ...(await seenApproval(viewer, decision.id)), ...decision }, approvedActions);
