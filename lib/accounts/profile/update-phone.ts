import { eq } from "drizzle-orm";
import type { PhoneNumber } from "libphonenumber-js/min";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { UserViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { callingCodeOf, parsePhone } from "@/lib/platform/phone";
import type { UpdatePhoneInput } from "./contract";

/**
 * Sets the viewer's phone number, stored as E.164, or removes it (phone/update, docs/product.md#72-accounts).
 * @throws ShopError phone_invalid
 */
export async function updatePhone(viewer: UserViewer, input: UpdatePhoneInput, locale: Locale) {
  const number = input.new_phone === "" ? null : parsePhone(input.new_phone, locale, input.country_code);
  if (number === undefined) {
    const issue = { path: "new_phone", message: errorMessage("phone_invalid", locale) };
    throw new ShopError("phone_invalid", { issues: [issue] });
  }
  const phone = number?.number ?? null;
  const countryCode = number && phoneCountry(number, input);
  await db.update(users).set({ phone, countryCode }).where(eq(users.id, viewer.userId));
  return { phone, country_code: countryCode };
}

/** The submitted calling code when it matches the number, else the number's own country. */
function phoneCountry(number: PhoneNumber, { country_code }: UpdatePhoneInput): string | null {
  if (country_code && callingCodeOf(country_code) === number.countryCallingCode) return country_code;
  return number.country ?? null;
}
