import { isDisposableEmail } from "disposable-email-domains-js";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

/** Throws unless the recipient has a verified address that is not disposable. */
export function requireEligibleRecipient({ email, emailVerified }: UserViewer): void {
  if (!emailVerified) throw new ShopError("email_unverified");
  if (isDisposableEmail(email)) throw new ShopError("throwaway_address");
}
