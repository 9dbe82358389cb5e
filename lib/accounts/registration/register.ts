import { transaction } from "@/db/client";
import type { RegisterByEmailInput, RegisterDirectlyInput } from "@/lib/accounts/contract";
import type { ClientInfo } from "@/lib/accounts/sign-in/log-in";
import { openSession } from "@/lib/accounts/sign-in/open-session";
import { checkCode, consumeCode } from "@/lib/accounts/verification/check-code";
import { hashPassword } from "@/lib/platform/auth/password";
import type { Viewer } from "@/lib/platform/auth/session";
import { createUser, createVerifiedAccount } from "./create-user";

/**
 * Creates a verified account for an address confirmed by a code, and signs it in (register/email,
 * docs/product.md#72-accounts). Reveals only after the confirmation that the address already has an account. An
 * unverified account of the address is taken over, because registering first must not lock out the address's owner.
 * @throws ShopError code_wrong, code_expired, code_used_up, email_in_use
 */
export async function registerByEmail(viewer: Viewer, input: RegisterByEmailInput, client: ClientInfo) {
  const { user_email: email, verification_code: code, verification_id: id } = input;
  const codeId = await checkCode({ email, purpose: "register", code, id: id || undefined, ip: client.ip });
  const passwordHash = await hashPassword(input.user_password);
  const userId = await transaction(async (tx) => {
    await consumeCode(tx, codeId);
    const newUser = { input, passwordHash, verified: true, locale: viewer.locale, ip: client.ip };
    return createVerifiedAccount(tx, newUser);
  });
  return openSession(viewer, userId, client.device);
}

/**
 * Creates an unverified account and signs it in (register/direct, docs/product.md#72-accounts): it may browse and
 * buy, but not claim, invite or change the delivery email until it is verified.
 * @throws ShopError email_in_use
 */
export async function registerDirectly(viewer: Viewer, input: RegisterDirectlyInput, client: ClientInfo) {
  const passwordHash = await hashPassword(input.user_password);
  const userId = await transaction((tx) =>
    createUser(tx, { input, passwordHash, verified: false, locale: viewer.locale, ip: client.ip }),
  );
  return openSession(viewer, userId, client.device);
}
