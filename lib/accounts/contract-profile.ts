import type { NotificationsView } from "@/lib/notifications/contract-settings";
import type { ProfileView } from "./contract";
import type { SecurityView } from "./contract-account";
import type { SessionView } from "./contract-sessions";
import type { IdentityProvider } from "./rules";

export type ConnectedIdentity = { provider: IdentityProvider; email: string; since: string };
/** A stored phone number as one reads it, and as one dials it at home. */
export type ShownPhone = { international: string; national: string; country: string | null };

/** All that the profile page shows (spec §2 profile). */
export type ProfilePage = {
  profile: ProfileView;
  security: SecurityView;
  identities: ConnectedIdentity[];
  devices: SessionView[];
  notifications: NotificationsView;
  phone: ShownPhone | null;
  /** What stands before the numbers of a country: ["JP", "81"]. */
  callingCodes: [country: string, code: string][];
};
