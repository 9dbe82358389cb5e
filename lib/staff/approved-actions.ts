import { productApprovals } from "@/lib/catalog/console/product-approvals";
import { campaignApprovals } from "@/lib/coupons/console/change-campaign";
import { commissionApprovals } from "@/lib/merchants/console/add-commission-rule";
import { merchantApprovals } from "@/lib/merchants/console/end-merchant";
import { goodwillApprovals } from "@/lib/orders/console/give-goodwill";
import { writeOffApprovals } from "@/lib/payouts/console/write-off";
import { runApprovals } from "@/lib/payouts/runs/approve-run";
import type { ApprovedAction } from "@/lib/platform/console/approval";
import { exportApprovals } from "@/lib/staff/exports/export-list";
import { importApprovals } from "@/lib/staff/imports/run-import";
import { memberApprovals } from "@/lib/staff/members/change-roles";
import type { ApprovalKind } from "./rules";

/** What each kind of approval does. The nouns have the actions; a kind without one is a type error. */
export const approvedActions: Readonly<Record<ApprovalKind, ApprovedAction>> = {
  ...memberApprovals,
  ...exportApprovals,
  ...goodwillApprovals,
  ...campaignApprovals,
  ...productApprovals,
  ...importApprovals,
  ...merchantApprovals,
  ...commissionApprovals,
  ...runApprovals,
  ...writeOffApprovals,
};
