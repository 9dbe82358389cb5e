import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { CODE_DIGITS, type CodeMailPurpose, type CodePurpose } from "@/lib/accounts/rules";
import { hmacDigits } from "@/lib/platform/crypto/hmac";

/** The verification code of an id, derived with the application secret, so that no table stores it. */
export const deriveVerificationCode = (codeId: string): string =>
  hmacDigits("verification-code", codeId, CODE_DIGITS);

/** The content of a verification email; null when the code is used or expired. */
export async function findVerificationMail(codeId: string) {
  const [row] = await db.execute<{ purpose: CodePurpose; isOwn: boolean; isVerified: boolean }>(sql`
    select c.purpose, coalesce(lower(u.email) = lower(c.email), false) as "isOwn",
      u.email_verified_at is not null as "isVerified"
    from verification_codes c left join users u on u.id = c.user_id
    where c.id = ${codeId} and c.used_at is null and c.expires_at > shop_now()`);
  if (!row) return null;
  // An `order_email` code to the account's own address reauthenticates a verified owner and verifies the address of another.
  const ownPurpose: CodeMailPurpose = row.isVerified ? "proof" : "verify";
  return {
    code: deriveVerificationCode(codeId),
    purpose: row.isOwn && row.purpose === "order_email" ? ownPurpose : row.purpose,
  };
}
