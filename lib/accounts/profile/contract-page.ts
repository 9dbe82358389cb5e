import type { ProfileView } from "@/lib/accounts/contract";
import type { SessionView } from "@/lib/accounts/devices/contract";
import type { IdentityProvider } from "@/lib/accounts/rules";
import type { NotificationsView } from "@/lib/notifications/settings/contract";
import type { SecurityView } from "./contract";

export type ConnectedIdentity = { provider: IdentityProvider; email: string; since: string };
/** A stored phone number in international and national format. */
export type PhoneNumberView = { international: string; national: string; country: string | null };

export type ProfilePage = {
  profile: ProfileView;
  security: SecurityView;
  identities: ConnectedIdentity[];
  devices: SessionView[];
  notifications: NotificationsView;
  phone: PhoneNumberView | null;
  /** Calling codes by country: ["JP", "81"]. */
  callingCodes: [country: string, code: string][];
};
