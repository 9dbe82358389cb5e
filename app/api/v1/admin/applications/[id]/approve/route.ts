import { approveApplication } from "@/lib/merchants/console/approve-application";
import {
  ApplicationDecided,
  ApplicationParams,
  ApproveApplicationInput,
} from "@/lib/merchants/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve a merchant's application",
    description:
      "Makes the merchant, or takes one without members, and invites the applicant as its owner. The applicant is notified by email, with the note.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: ApplicationParams,
    body: ApproveApplicationInput,
    previewable: effects,
    result: ApplicationDecided,
    errors: [
      "application_unknown",
      "application_decided",
      "revision_conflict",
      "handle_invalid",
      "handle_taken",
      "name_letters",
      "name_address",
      "name_shop",
      "name_taken",
      "merchant_unknown",
      "merchant_has_members",
      "merchant_state",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => approveApplication(viewer, params.id, body),
);
