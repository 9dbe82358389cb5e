import { z } from "zod";
import { FactorCode } from "@/lib/accounts/profile/contract";
import { PERMISSIONS, type Permission, STAFF_ROLES } from "@/lib/platform/auth/permissions";

export const StaffRoles = z.array(z.enum(STAFF_ROLES)).max(STAFF_ROLES.length);
const PermissionName = z.enum(Object.keys(PERMISSIONS) as [Permission, ...Permission[]]);

/** The staff member's rights in this session (docs/product.md#13-staff-console). */
export const StaffSessionView = z.object({
  roles: z.array(z.enum(STAFF_ROLES)),
  permissions: z.array(PermissionName),
  /** An authenticator app is set up. */
  enrolled: z.boolean(),
  /** The second factor was given in this session. */
  active: z.boolean(),
  /** When staff mode ends at the latest; null: it is not active. */
  expires_at: z.string().nullable(),
  /** Minutes without use after which staff mode ends. */
  idle_minutes: z.int(),
  /** Password and second factor were given in the last 15 minutes. */
  reauthenticated: z.boolean(),
  recovery_codes_left: z.int(),
});
export type StaffSessionView = z.output<typeof StaffSessionView>;

/** POST /auth/second-factor, /auth/second-factor/confirm */
export const FactorInput = z.object({ code: FactorCode });

/** A new secret that works after its first code (`/auth/second-factor/confirm`). */
export const FactorSetupView = z.object({
  /** base32, to type in by hand */
  secret: z.string(),
  /** the `otpauth://` address */
  uri: z.string(),
  /** the address as a QR code, an SVG document */
  qr_svg: z.string(),
});
export type FactorSetupView = z.output<typeof FactorSetupView>;

/** Shown once; the earlier codes no longer work. */
export const RecoveryCodesView = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodesView = z.output<typeof RecoveryCodesView>;

export const StaffModeLeft = z.object({ left: z.literal(true) });
