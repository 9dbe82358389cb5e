import { z } from "zod";
import { KnownEmail } from "@/lib/platform/api/fields";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { SeenVersion, Version } from "@/lib/platform/console/version";
import { StaffRoles } from "@/lib/staff/contract";

/** A staff member as the list of people shows them. */
export const StaffMemberView = z.object({
  user_id: z.string(),
  email: z.string(),
  username: z.string(),
  roles: z.array(z.enum(STAFF_ROLES)),
  /** Who granted the roles: an address, or `staff:` and an operating system user. */
  granted_by: z.string(),
  since: z.string(),
  /** An authenticator app is set up. */
  enrolled: z.boolean(),
  /** Last use of the console; null: never, or all sessions have ended. */
  last_seen: z.string().nullable(),
  /** of the roles and the app; a change names it */
  version: Version,
});
export type StaffMemberView = z.output<typeof StaffMemberView>;
export const StaffMemberList = z.object({ items: z.array(StaffMemberView), total: z.int() });
export type StaffMemberList = z.output<typeof StaffMemberList>;

/** POST /admin/staff: replaces the roles of the account with this address; none ends its membership. */
export const RolesInput = z.object({
  email: KnownEmail,
  roles: StaffRoles,
  version: SeenVersion.shape.version.meta({
    description:
      "Of the staff member, as it was listed; absent for an account that is none. When it is another one now, the call answers 40940.",
    example: "5f2b8c1d09e37a64",
  }),
});
export type RolesInput = z.output<typeof RolesInput>;
/** POST /admin/staff/reset-factor */
export const MemberInput = SeenVersion.extend({ email: KnownEmail });
export type MemberInput = z.output<typeof MemberInput>;

/** false: the account had these roles before. */
export const RolesChanged = z.object({ changed: z.boolean() });
export type RolesChanged = z.output<typeof RolesChanged>;
/** The authenticator app was removed. */
export const FactorReset = z.object({ reset: z.literal(true) });
