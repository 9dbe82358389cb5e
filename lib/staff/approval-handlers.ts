import type { ApprovalHandlers } from "@/lib/staff/approvals/decide-approval";
import { campaignApprovals } from "@/lib/staff/campaigns/change-campaign";
import { commissionApprovals } from "@/lib/staff/commission/add-commission-rule";
import { exportApprovals } from "@/lib/staff/exports/export-list";
import { goodwillApprovals } from "@/lib/staff/goodwill/give-goodwill";
import { importApprovals } from "@/lib/staff/imports/run-import";
import { memberApprovals } from "@/lib/staff/members/change-roles";
import { merchantApprovals } from "@/lib/staff/merchants/end-merchant";
import { productApprovals } from "@/lib/staff/products/product-approvals";

/** What each kind of approval does. A noun adds its own kinds here, in the calls that decide. */
export const approvalHandlers: ApprovalHandlers = {
  ...memberApprovals,
  ...exportApprovals,
  ...goodwillApprovals,
  ...campaignApprovals,
  ...productApprovals,
  ...importApprovals,
  ...merchantApprovals,
  ...commissionApprovals,
};
