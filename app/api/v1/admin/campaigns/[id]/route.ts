import { CampaignChangeInput, CampaignParams } from "@/lib/coupons/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { changeCampaign } from "@/lib/staff/campaigns/change-campaign";
import { CampaignChanged } from "@/lib/staff/campaigns/contract";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Switch a campaign on or off, or change its budgets, its minimum order or whether it is free",
    description:
      "A budget that is raised above $5,000 a month needs a second person: `approval_required`, with the approval's id as the field `approval_id`.",
    access: staff("campaigns.manage"),
    params: CampaignParams,
    body: CampaignChangeInput.extend({ preview: Preview }),
    result: previewable(CampaignChanged),
    errors: ["campaign_unknown", "revision_conflict", "nothing_changes", "approval_required"],
  },
  ({ viewer, params, body: { preview, ...change } }) =>
    runOrPreview(preview, () => changeCampaign(viewer, params.id, change)),
);
