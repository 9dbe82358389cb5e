import { createCampaignByStaff } from "@/lib/coupons/console/change-campaign";
import { CampaignChanged, ConsoleCampaignList, NewCampaignInput } from "@/lib/coupons/console/contract";
import { listConsoleCampaigns } from "@/lib/coupons/console/list-console-campaigns";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Campaigns with their budgets and coupons",
    description: "The built-in ones, then the newest 200. Coupons are counted to 1,000 a campaign.",
    access: staff("campaigns.manage"),
    result: ConsoleCampaignList,
    errors: [],
  },
  ({ locale }) => listConsoleCampaigns(locale),
);

export const POST = endpoint(
  {
    summary: "Create a campaign",
    description:
      "It is switched off. Its monthly budget is at most $5,000; more needs a second person, as a change, and so do budgets of more than that of one person and day. `free` is for finance and administrators.",
    access: staff("campaigns.manage"),
    body: NewCampaignInput,
    result: CampaignChanged,
    approval: secondPerson("campaign_create"),
    errors: [
      "campaign_id",
      "campaign_exists",
      "campaign_code_taken",
      "period_invalid",
      "field_required",
      "note_has_code",
    ],
  },
  ({ viewer, body }) => createCampaignByStaff(viewer, body),
);
