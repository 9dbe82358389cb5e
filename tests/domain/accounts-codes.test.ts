import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { checkCode } from "@/lib/accounts/verification/check-code";
import { deriveVerificationCode } from "@/lib/accounts/verification/find-verification-mail";
import { sendVerificationCode, sendWithdrawalCode } from "@/lib/accounts/verification/send-verification-code";
import { guest, uniqueEmail, wrongCode } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";

/** Limits on the attempts at a code, by network, code id and account. */
afterAll(closeDatabase);

const HOME = "203.0.113.7";
const HOME_NEIGHBOUR = "203.0.113.99";
const OTHER_NETWORK = "198.51.100.20";
const THIRD_NETWORK = "2001:db8:1::7";

async function resetCode(email: string, ip: string) {
  const { verification_id: id } = await sendVerificationCode(
    guest,
    { email, verification_type: "reset_password" },
    ip,
  );
  return { id, code: deriveVerificationCode(id) };
}
const makeMinuteOlder = (id: string) =>
  client()`update verification_codes set created_at = created_at - interval '61 seconds' where id = ${id}`;
const createAttempt = (email: string) => (ip: string, code: string, id?: string) =>
  getErrorName(checkCode({ email, purpose: "reset_password", code, id, ip }));

describe("attempts at a code", () => {
  it("are limited to two for clients without the code's id or network", async () => {
    const { email } = await createUser();
    const { id, code } = await resetCode(email, HOME);
    const attempt = createAttempt(email);
    const invalidCode = wrongCode(code);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => attempt(OTHER_NETWORK, invalidCode)));
    expect(guesses.filter((name) => name === "code_wrong")).toHaveLength(2);
    expect(guesses.filter((name) => name === "code_used_up")).toHaveLength(10);
    // The right code is rejected too, also from a third network.
    expect(await attempt(THIRD_NETWORK, code)).toBe("code_used_up");
    expect(await attempt(HOME_NEIGHBOUR, invalidCode)).toBe("code_wrong");
    expect(await attempt(THIRD_NETWORK, invalidCode, id)).toBe("code_wrong");
    expect(await attempt(HOME, code)).toBeNull();
    expect(await attempt(HOME, code, id)).toBe("code_used_up"); // five in all, over all clients
  });

  it("are five from the requesting network, or with the code's id from any network", async () => {
    for (const [ip, sendsId] of [
      [HOME, false],
      [OTHER_NETWORK, true],
    ] as const) {
      const { email } = await createUser();
      const { id, code } = await resetCode(email, HOME);
      for (let n = 0; n < 5; n++)
        expect(await createAttempt(email)(ip, wrongCode(code), sendsId ? id : undefined)).toBe("code_wrong");
      expect(await createAttempt(email)(ip, code, id)).toBe("code_used_up");
    }
  });

  it("count for the code requested from the same network, even if another network requested a newer one", async () => {
    const { email } = await createUser();
    const ownCode = await resetCode(email, HOME);
    await makeMinuteOlder(ownCode.id);
    const otherCode = await resetCode(email, OTHER_NETWORK);
    expect(await createAttempt(email)(HOME, ownCode.code)).toBeNull();
    // After the account's own code is used, the newest one counts; any network has two attempts at it.
    await client()`update verification_codes set used_at = shop_now() where id = ${ownCode.id}`;
    expect(await createAttempt(email)(HOME, otherCode.code)).toBeNull();
  });

  it("of a signed-in user are counted by account, on every network", async () => {
    const { viewer, userId } = await createSignedInUser().then((user) => ({ ...user, userId: user.id }));
    const email = uniqueEmail();
    const request = { email, verification_type: "order_email" } as const;
    const { verification_id } = await sendVerificationCode(viewer, request, HOME);
    const code = deriveVerificationCode(verification_id);
    const attempt = (enteredCode: string) =>
      getErrorName(checkCode({ email, purpose: "order_email", code: enteredCode, userId }));
    for (let n = 0; n < 4; n++) expect(await attempt(wrongCode(code))).toBe("code_wrong");
    expect(await attempt(code)).toBeNull();
  });

  it("are reserved for the requesting network when the code, like a withdrawal code, has no id", async () => {
    const email = uniqueEmail();
    await sendWithdrawalCode(email, "en", HOME, async () => true);
    const [row] = await client()<{ id: string }[]>`select id from verification_codes where email = ${email}`;
    const code = deriveVerificationCode(row!.id);
    const attempt = (enteredCode: string, ip: string) =>
      getErrorName(checkCode({ email, purpose: "withdraw", code: enteredCode, ip }));
    for (let n = 0; n < 6; n++) await attempt(wrongCode(code), OTHER_NETWORK);
    expect(await attempt(code, HOME)).toBeNull();
  });
});
