import { mayStaff, type Permission } from "@/lib/platform/auth/permissions";

/** What waits for staff, in the order of the Today page: its screen, and who sees it. */
export const QUEUES = [
  { name: "asked", path: "/console", permission: "orders.write" },
  { name: "refund_requests", path: "/console/refunds", permission: "refunds.decide" },
  { name: "declarations", path: "/console/declarations", permission: "refunds.decide" },
  { name: "fraud_warnings", path: "/console/fraud-warnings", permission: "refunds.decide" },
  { name: "failed_refunds", path: "/console/refunds?state=failed", permission: "refunds.decide" },
  { name: "replacements", path: "/console/replacements", permission: "replacements.decide" },
  { name: "messages", path: "/console/messages", permission: "messages.answer" },
  { name: "reports", path: "/console/reports", permission: "reports.decide" },
  { name: "disputes", path: "/console/disputes", permission: "disputes.read" },
  { name: "stuck", path: "/console/stuck", permission: "orders.read" },
  { name: "failed_mails", path: "/console/mails?state=failed", permission: "mails.read" },
  { name: "applications", path: "/console/applications?state=received", permission: "applications.read" },
  { name: "trade_files", path: "/console/trade-files?state=unchecked", permission: "trade.check" },
  {
    name: "stopped_merchants",
    path: "/console/merchants?keys_stopped=true",
    permission: "merchants.decide",
  },
  {
    name: "high_discounts",
    path: "/console/merchants?high_discounts=true",
    permission: "merchants.decide",
  },
  { name: "changes", path: "/console/changes", permission: "changes.decide" },
  { name: "merchant_names", path: "/console/merchants?renamed=true", permission: "changes.decide" },
  { name: "replies", path: "/console/reviews?reply=waiting", permission: "reviews.moderate" },
  { name: "sold_out", path: "/console/keys?waiting=true", permission: "products.write" },
  { name: "approvals", path: "/console/approvals", permission: "approvals.decide" },
] as const satisfies readonly { name: string; path: string; permission: Permission }[];
export type QueueName = (typeof QUEUES)[number]["name"];
export const QUEUE_NAMES = QUEUES.map(({ name }) => name);

/** Whether one of the roles sees a queue. */
export const seesQueue = (roles: readonly string[], queue: QueueName): boolean =>
  mayStaff(roles, QUEUES.find(({ name }) => name === queue)!.permission);
