import { z } from "zod";
import { INVITE_STATES, MERCHANT_ROLES } from "@/lib/merchants/rules";
import { EmailAddress, Instant } from "@/lib/platform/api/fields";
import { SeenVersion, Version } from "@/lib/platform/console/version";

const Role = z.enum(MERCHANT_ROLES);

/** GET /merchant/members: the team, and the invitations that are not accepted yet. */
export const MerchantTeam = z.object({
  members: z.array(
    z.object({
      member_id: z.string(),
      email: z.string(),
      name: z.string(),
      role: Role,
      since: Instant,
      /** has set up a second factor */
      enrolled: z.boolean(),
      /** the viewer */
      is_self: z.boolean(),
      /** of the role; ending the membership and another role name it */
      version: Version,
    }),
  ),
  invites: z.array(
    z.object({
      invite_id: z.string(),
      email: z.string(),
      role: Role,
      created_at: Instant,
      expires_at: Instant,
      expired: z.boolean(),
    }),
  ),
});
export type MerchantTeam = z.output<typeof MerchantTeam>;

/** POST /merchant/invites: one to an address that has one already replaces it. */
export const InviteInput = z.object({ email: EmailAddress, role: Role.default("member") });
export type InviteInput = z.output<typeof InviteInput>;
export const InviteSent = z.object({ invite_id: z.string(), expires_at: Instant });
export type InviteSent = z.output<typeof InviteSent>;

export const InviteParams = z.object({ id: z.string().trim().min(1).max(64) });
export const MemberParams = InviteParams;
export const InviteRevoked = z.object({ invite_id: z.string(), revoked: z.literal(true) });
export const MemberEnded = z.object({ member_id: z.string(), ended: z.literal(true) });
/** POST /merchant/members/{id}/role */
export const MemberRoleInput = SeenVersion.extend({ role: Role });
export const MemberRole = z.object({ member_id: z.string(), role: Role });

/** POST /business/invite, POST /business/invite/accept: the token of the invitation's link. */
export const InviteLinkInput = z.object({ token: z.string().trim().min(1).max(120) });
export type InviteLinkInput = z.output<typeof InviteLinkInput>;
/** What the link shows. */
export const InviteView = z.object({
  state: z.enum(INVITE_STATES),
  merchant_name: z.string(),
  role: Role,
  expires_at: Instant,
  /** the address to which an open invitation was mailed, which the sign-in form is filled with; else null */
  email: z.string().nullable(),
  /** the viewer's address is the invited one; null: not signed in */
  for_viewer: z.boolean().nullable(),
  /** of the merchant's console, for its members */
  handle: z.string().nullable(),
});
export type InviteView = z.output<typeof InviteView>;
export const InviteAccepted = z.object({ handle: z.string(), role: Role });
export type InviteAccepted = z.output<typeof InviteAccepted>;
