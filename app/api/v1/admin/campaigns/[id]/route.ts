import { changeCampaign } from "@/lib/coupons/console/change-campaign";
import { CampaignChanged, CampaignChangeInput, CampaignParams } from "@/lib/coupons/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Switch a campaign on or off, or change its budgets, its minimum order or whether it is free",
    description:
      "A budget that is raised above $5,000 a month needs a second person: `approval_required`, with the approval's id as the field `approval_id`.",
    access: staff("campaigns.manage"),
    params: CampaignParams,
    body: CampaignChangeInput,
    previewable: effects,
    result: CampaignChanged,
    approval: secondPerson("campaign_budget"),
    errors: ["campaign_unknown", "revision_conflict", "nothing_changes"],
  },
  ({ viewer, params, body }) => changeCampaign(viewer, params.id, body),
);
