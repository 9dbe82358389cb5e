import { eq } from "drizzle-orm";
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/min";
import { db } from "@/db/client";
import { userIdentities } from "@/db/schema/accounts";
import { isoTimestampSql, listSessions } from "@/lib/accounts/devices/list-sessions";
import { getProfile } from "@/lib/accounts/get-account";
import { getSecurity } from "@/lib/accounts/reauthentication/require-reauthentication";
import { getNotifications } from "@/lib/notifications/settings/get-notifications";
import { findMemberships } from "@/lib/platform/auth/merchant-access";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { ConnectedIdentity, PhoneNumberView, ProfilePage } from "./contract";

/** The profile page. @throws ShopError account_missing, session_ended */
export async function getProfilePage(viewer: UserViewer): Promise<ProfilePage> {
  const [profile, security, identities, devices, notifications, merchants] = await Promise.all([
    getProfile(viewer),
    getSecurity(viewer),
    findIdentities(viewer),
    listSessions(viewer),
    getNotifications(viewer),
    findMemberships(viewer.userId),
  ]);
  const phone = profile.phone ? phoneNumberView(profile.phone, profile.country_code) : null;
  const callingCodes = getCountries().map((country): [string, string] => [
    country,
    getCountryCallingCode(country),
  ]);
  const consoles = {
    staff: Boolean(viewer.staff),
    merchants: merchants.map(({ handle, name }) => ({ handle, name })),
  };
  return {
    profile,
    security,
    identities,
    devices: devices.items,
    notifications,
    phone,
    consoles,
    callingCodes,
  };
}

const findIdentities = ({ userId }: UserViewer): Promise<ConnectedIdentity[]> =>
  db
    .select({
      provider: userIdentities.provider,
      email: userIdentities.email,
      since: isoTimestampSql(userIdentities.createdAt),
    })
    .from(userIdentities)
    .where(eq(userIdentities.userId, userId))
    .orderBy(userIdentities.provider);

function phoneNumberView(stored: string, country: string | null): PhoneNumberView {
  const number = parsePhoneNumberFromString(stored);
  if (!number) return { international: stored, national: stored, country };
  return {
    international: number.formatInternational(),
    national: number.formatNational(),
    country: (country && /^[A-Z]{2}$/.test(country) ? country : number.country) ?? null,
  };
}
