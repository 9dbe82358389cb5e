import type { ApprovalHandlers } from "@/lib/staff/approvals/commands";
import { campaignApprovals } from "@/lib/staff/campaigns/commands";
import { commissionApprovals } from "@/lib/staff/commission/commands";
import { exportApprovals } from "@/lib/staff/exports/commands";
import { goodwillApprovals } from "@/lib/staff/goodwill/commands";
import { importApprovals } from "@/lib/staff/imports/commands";
import { memberApprovals } from "@/lib/staff/members/commands";
import { merchantApprovals } from "@/lib/staff/merchants/commands";
import { productApprovals } from "@/lib/staff/products/commands";

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
