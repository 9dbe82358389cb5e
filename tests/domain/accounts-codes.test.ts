import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { deriveVerificationCode } from "@/lib/accounts/queries";
import { checkCode, sendVerificationCode, sendWithdrawalCode } from "@/lib/accounts/verification/commands";
import { freshAddress, guest, refusal, wrong } from "./account-steps";

/** Who may spend the tries of a code that somebody else asked for. */
afterAll(closeDatabase);

const HOME = "203.0.113.7";
const NEXT_DOOR = "203.0.113.99";
const ELSEWHERE = "198.51.100.20";
const ABROAD = "2001:db8:1::7";

async function resetCode(email: string, ip: string) {
  const { verification_id: id } = await sendVerificationCode(
    guest,
    { email, verification_type: "reset_password" },
    ip,
  );
  return { id, code: deriveVerificationCode(id) };
}
const minuteLater = (id: string) =>
  client()`update verification_codes set created_at = created_at - interval '61 seconds' where id = ${id}`;
const giver = (email: string) => (ip: string, code: string, id?: string) =>
  refusal(checkCode({ email, purpose: "reset_password", code, id, ip }));

describe("the tries of a code", () => {
  it("are not a stranger's to spend: with neither its id nor its network, two at most", async () => {
    const { email } = await createUser();
    const { id, code } = await resetCode(email, HOME);
    const give = giver(email);
    const bad = wrong(code);
    const guesses = await Promise.all(Array.from({ length: 12 }, () => give(ELSEWHERE, bad)));
    expect(guesses.filter((name) => name === "code_wrong")).toHaveLength(2);
    expect(guesses.filter((name) => name === "code_used_up")).toHaveLength(10);
    // Not even the right one is looked at there, also from yet another network.
    expect(await give(ABROAD, code)).toBe("code_used_up");
    expect(await give(NEXT_DOOR, bad)).toBe("code_wrong");
    expect(await give(ABROAD, bad, id)).toBe("code_wrong");
    expect(await give(HOME, code)).toBe("done");
    expect(await give(HOME, code, id)).toBe("code_used_up"); // five in all, whoever made them
  });

  it("are five where it was asked for, or with its id wherever", async () => {
    for (const [ip, hasId] of [
      [HOME, false],
      [ELSEWHERE, true],
    ] as const) {
      const { email } = await createUser();
      const { id, code } = await resetCode(email, HOME);
      for (let n = 0; n < 5; n++)
        expect(await giver(email)(ip, wrong(code), hasId ? id : undefined)).toBe("code_wrong");
      expect(await giver(email)(ip, code, id)).toBe("code_used_up");
    }
  });

  it("serve the code that one asked for, though a stranger has asked for a newer one", async () => {
    const { email } = await createUser();
    const own = await resetCode(email, HOME);
    await minuteLater(own.id);
    const theirs = await resetCode(email, ELSEWHERE);
    expect(await giver(email)(HOME, own.code)).toBe("done");
    // One's own that is used gives way to the newest, of which two tries are anybody's.
    await client()`update verification_codes set used_at = shop_now() where id = ${own.id}`;
    expect(await giver(email)(HOME, theirs.code)).toBe("done");
  });

  it("of who is signed in are the account's own, wherever it is", async () => {
    const { viewer, userId } = await createSignedInUser().then((user) => ({ ...user, userId: user.id }));
    const email = freshAddress();
    const wish = { email, verification_type: "order_email" } as const;
    const { verification_id } = await sendVerificationCode(viewer, wish, HOME);
    const code = deriveVerificationCode(verification_id);
    const give = (given: string) =>
      refusal(checkCode({ email, purpose: "order_email", code: given, userId }));
    for (let n = 0; n < 4; n++) expect(await give(wrong(code))).toBe("code_wrong");
    expect(await give(code)).toBe("done");
  });

  it("of a withdrawal, which has no id, are kept for who asked as well", async () => {
    const email = freshAddress();
    await sendWithdrawalCode(email, "en", HOME, async () => true);
    const [row] = await client()<{ id: string }[]>`select id from verification_codes where email = ${email}`;
    const code = deriveVerificationCode(row!.id);
    const give = (given: string, ip: string) =>
      refusal(checkCode({ email, purpose: "withdraw", code: given, ip }));
    for (let n = 0; n < 6; n++) await give(wrong(code), ELSEWHERE);
    expect(await give(code, HOME)).toBe("done");
  });
});
