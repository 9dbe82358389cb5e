import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { ReferralParams, ReferralRefused } from "@/lib/referrals/console/contract";
import { refuseReferralByStaff } from "@/lib/referrals/console/refuse-referral-by-staff";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse an undecided invitation",
    description: "It earns the inviter nothing.",
    access: staff("campaigns.manage"),
    params: ReferralParams,
    body: SeenVersion,
    previewable: effects,
    result: ReferralRefused,
    errors: ["referral_unknown", "referral_decided", "revision_conflict"],
  },
  ({ viewer, params, body }) => refuseReferralByStaff(viewer, params.id, body),
);
