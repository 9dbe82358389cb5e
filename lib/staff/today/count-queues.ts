import { countReplacementRequests } from "@/lib/delivery/console/list-console-replacements";
import { countChanges } from "@/lib/merchants/changes/list-console-changes";
import {
  countDiscountedMerchants,
  countRenamedMerchants,
  countStoppedMerchants,
} from "@/lib/merchants/console/count-merchants";
import { countApplications } from "@/lib/merchants/console/list-console-applications";
import { countTradeFiles } from "@/lib/merchants/console/list-trade-files";
import { countFailedMails } from "@/lib/notifications/console/list-console-mails";
import { countDeclarations } from "@/lib/orders/console/list-console-declarations";
import { countOpenDisputes } from "@/lib/orders/console/list-console-disputes";
import { countFailedRefunds, countRefundRequests } from "@/lib/orders/console/list-console-refunds";
import { countWarnings } from "@/lib/orders/console/list-console-warnings";
import { mayStaff } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { MAX_QUEUED, type QueueState } from "@/lib/platform/console/list";
import { countWaitingReplies } from "@/lib/reviews/console/list-console-reviews";
import { countApprovals } from "@/lib/staff/approvals/list-approvals";
import { countQuestions } from "@/lib/staff/inbox/mark-item";
import { countSoldOut } from "@/lib/staff/inbox/sold-out";
import { countStuck } from "@/lib/staff/stuck/list-stuck";
import type { TodayQueue } from "@/lib/staff/today/contract";
import { QUEUES, type QueueName } from "@/lib/staff/today/rules";
import { countConversations } from "@/lib/support/console/list-console-conversations";
import { countReports } from "@/lib/support/reports/list-console-reports";

const COUNTS: Readonly<Record<QueueName, (viewer: StaffViewer) => Promise<QueueState>>> = {
  asked: countQuestions,
  refund_requests: countRefundRequests,
  declarations: countDeclarations,
  fraud_warnings: countWarnings,
  failed_refunds: countFailedRefunds,
  replacements: countReplacementRequests,
  messages: countConversations,
  reports: countReports,
  disputes: countOpenDisputes,
  stuck: countStuck,
  failed_mails: countFailedMails,
  applications: countApplications,
  trade_files: countTradeFiles,
  stopped_merchants: countStoppedMerchants,
  high_discounts: countDiscountedMerchants,
  changes: countChanges,
  merchant_names: countRenamedMerchants,
  replies: countWaitingReplies,
  sold_out: countSoldOut,
  approvals: countApprovals,
};

/** What waits in the queues that the staff member may see. Every statement reads one index to a limit. */
export async function countQueues(viewer: StaffViewer): Promise<TodayQueue[]> {
  const queues: TodayQueue[] = [];
  for (const { name, permission } of QUEUES)
    if (mayStaff(viewer.staff.roles, permission)) {
      const { count, oldest_at } = await COUNTS[name](viewer);
      queues.push({
        queue: name,
        count: Math.min(count, MAX_QUEUED - 1),
        more: count >= MAX_QUEUED,
        oldest_at,
      });
    }
  return queues;
}
