import {
  MerchantInvited,
  MerchantInviteInput,
  MerchantParams,
} from "@/lib/merchants/console/contract-merchants";
import { inviteOwner } from "@/lib/merchants/console/invite-owner";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Invite an owner of a merchant",
    description:
      "Mails a link that works once within 7 days. An earlier invitation of the address is void, and so is every other one when the merchant has no members. The merchant's state stays.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantInviteInput,
    previewable: effects,
    result: MerchantInvited,
    errors: ["merchant_unknown", "merchant_state", "already_member", "team_full", "email_invalid"],
  },
  ({ viewer, params, body }) => inviteOwner(viewer, params.id, body.email),
);
