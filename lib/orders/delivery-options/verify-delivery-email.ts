import { isDeliveryEmail } from "@/lib/accounts/is-delivery-email";
import { sendVerificationCode } from "@/lib/accounts/verification/send-verification-code";
import type { UserViewer } from "@/lib/platform/auth/session";
import { isShopError, ShopError } from "@/lib/platform/errors";

/**
 * Keys go to the account's own address, or to another that a code has verified (docs/product.md#83-delivery).
 * Otherwise a code is sent, and the client repeats the call after `/auth/email/verify-code`.
 * @throws ShopError delivery_email_unverified, too_many_codes; email_unverified when the account's own address is
 * unverified too
 */
export async function requireDeliverableEmail(
  viewer: UserViewer,
  email: string,
  ip: string | undefined,
): Promise<void> {
  if (!(await canDeliverTo(viewer, email))) await requestEmailVerification(viewer, email, ip);
}

/**
 * Whether keys may be sent to this address.
 * @throws ShopError email_unverified when a code would not help, because the account's own address is unverified
 */
export async function canDeliverTo(viewer: UserViewer, email: string): Promise<boolean> {
  if (await isDeliveryEmail(viewer, email)) return true;
  if (!viewer.emailVerified) throw new ShopError("email_unverified");
  return false;
}

/** Mails a verification code to the address and throws until it is verified. */
export async function requestEmailVerification(
  viewer: UserViewer,
  email: string,
  ip: string | undefined,
): Promise<never> {
  const request = { email, verification_type: "order_email" } as const;
  await sendVerificationCode(viewer, request, ip).catch((error: unknown) => {
    // A code that was just sent suffices; only too_many_codes is an error.
    if (!isShopError(error, "code_just_sent")) throw error;
  });
  throw new ShopError("delivery_email_unverified", { params: { email } });
}
