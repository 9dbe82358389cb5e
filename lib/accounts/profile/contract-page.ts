import type { ProfileView } from "@/lib/accounts/contract";
import type { SessionView } from "@/lib/accounts/devices/contract";
import type { IdentityProvider } from "@/lib/accounts/rules";
import type { NotificationsView } from "@/lib/notifications/settings/contract";
import type { SecurityView } from "./contract";

export type ConnectedIdentity = { provider: IdentityProvider; email: string; since: string };
/** A stored phone number as one reads it, and as one dials it at home. */
export type PhoneNumberView = { international: string; national: string; country: string | null };

/** All that the profile page shows (spec §2 profile). */
export type ProfilePage = {
  profile: ProfileView;
  security: SecurityView;
  identities: ConnectedIdentity[];
  devices: SessionView[];
  notifications: NotificationsView;
  phone: PhoneNumberView | null;
  /** What stands before the numbers of a country: ["JP", "81"]. */
  callingCodes: [country: string, code: string][];
};
