import { afterAll, afterEach, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import {
  resetPassword,
  verifyResetCode as verifyResetCodeFrom,
} from "@/lib/accounts/password-reset/reset-password";
import { reauthenticate } from "@/lib/accounts/reauthentication/reauthenticate";
import {
  getSecurity,
  requireReauthentication,
} from "@/lib/accounts/reauthentication/require-reauthentication";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { findVerificationMail } from "@/lib/accounts/verification/find-verification-mail";
import { resolveViewer, rotateSession, startSession } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import {
  ageReauthentication,
  guest,
  listAccountNotices,
  requestCode,
  uniqueEmail,
  wrongCode,
} from "../setup/accounts";
import { getErrorName } from "../setup/error-name";

const shiftClock = (interval: string) =>
  client()`update shop_clock set shift = shift + ${interval}::interval`;
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

const newPassword = "a brand new password";
const HOME = "203.0.113.7";
const logInWith = (user_email: string, user_password: string, ip = HOME) =>
  logIn(guest, { user_email, user_password }, { device: "Test", ip });
const verifyResetCode = (input: Parameters<typeof verifyResetCodeFrom>[0]) =>
  verifyResetCodeFrom(input, HOME);
const reset = (email: string, code: Awaited<ReturnType<typeof requestCode>>, new_password = newPassword) =>
  resetPassword({ email, new_password, ...code }, "en", HOME);

describe("a password reset", () => {
  it("sets the password with the mailed code, ends all sessions and sends a notice", async () => {
    const user = await createSignedInUser();
    const other = await startSession({ id: user.id }, "Other");
    const code = await requestCode(guest, user.email, "reset_password");
    expect(await verifyResetCode({ email: user.email, ...code })).toEqual({ verified: true });
    await reset(user.email, code);
    expect(await getErrorName(logInWith(user.email, user.password))).toBe("login_failed");
    expect((await logInWith(user.email, newPassword)).response.user_id).toBe(user.id);
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
    expect(await getErrorName(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
    expect(await getErrorName(rotateSession(other.refreshToken))).toBe("session_ended");
    expect(await listAccountNotices(user.email)).toEqual(["password_changed"]);
  });

  it("requires a right, unused, unexpired code of this purpose and address", async () => {
    const user = await createUser();
    const { email } = user;
    const code = await requestCode(guest, email, "reset_password");
    expect(
      await getErrorName(reset(email, { ...code, verification_code: wrongCode(code.verification_code) })),
    ).toBe("code_wrong");
    expect(await getErrorName(reset((await createUser()).email, code))).toBe("code_expired");
    expect(await getErrorName(reset(email, await requestCode(guest, email, "register")))).toBe(
      "code_expired",
    );
    expect(await getErrorName(reset(email, code))).toBeNull();
    expect(await getErrorName(reset(email, code, "yet another password"))).toBe("code_expired");
    expect(await getErrorName(verifyResetCode({ email, ...code }))).toBe("code_expired");
    await shiftClock("61 seconds");
    const lateCode = await requestCode(guest, email, "reset_password");
    await shiftClock("10 minutes 1 second");
    expect(await getErrorName(reset(email, lateCode))).toBe("code_expired");
    expect((await logInWith(email, newPassword)).response.user_id).toBe(user.id);
    expect(await listAccountNotices(email)).toEqual(["password_changed"]);
  });

  it("allows five attempts, including those of verifying the code beforehand", async () => {
    const { email } = await createUser();
    const code = await requestCode(guest, email, "reset_password");
    const badCode = { ...code, verification_code: wrongCode(code.verification_code) };
    for (let i = 0; i < 3; i++)
      expect(await getErrorName(verifyResetCode({ email, ...badCode }))).toBe("code_wrong");
    for (let i = 0; i < 2; i++) expect(await getErrorName(reset(email, badCode))).toBe("code_wrong");
    expect(await getErrorName(verifyResetCode({ email, ...code }))).toBe("code_used_up");
    expect(await getErrorName(reset(email, code))).toBe("code_used_up");
  });

  it("responds to an unknown address as to a known one, even with the right code", async () => {
    const email = uniqueEmail();
    const code = await requestCode(guest, email, "reset_password");
    const badCode = { ...code, verification_code: wrongCode(code.verification_code) };
    expect(await getErrorName(verifyResetCode({ email, ...badCode }))).toBe("code_wrong");
    expect(await getErrorName(verifyResetCode({ email, ...code }))).toBeNull();
    expect(await getErrorName(reset(email, code))).toBe("code_expired");
    expect(await getErrorName(reset(uniqueEmail(), code))).toBe("code_expired");
    expect(await client()`select 1 from mails where to_address = ${email}`).toHaveLength(0);
  });

  it("succeeds once for two requests with the same code", async () => {
    const { email } = await createUser();
    const code = await requestCode(guest, email, "reset_password");
    const outcomes = await Promise.all(
      [reset(email, code, "the first one"), reset(email, code, "the other one")].map(getErrorName),
    );
    expect(outcomes.sort()).toEqual(["code_expired", null]);
  });

  it("revokes sessions that start with the old password at the same time", async () => {
    for (let round = 0; round < 6; round++) {
      const user = await createUser();
      const code = await requestCode(guest, user.email, "reset_password");
      await Promise.all([
        reset(user.email, code),
        ...Array.from({ length: 6 }, (_, i) =>
          new Promise((resolve) => setTimeout(resolve, 6 * i)).then(() =>
            getErrorName(logInWith(user.email, user.password)),
          ),
        ),
      ]);
      expect(
        await client()`select 1 from sessions where user_id = ${user.id} and revoked_at is null`,
      ).toHaveLength(0);
    }
  });

  it("unlocks an account that wrong passwords locked", async () => {
    const { email } = await createUser();
    for (let i = 0; i < 10; i++) expect(await getErrorName(logInWith(email, "wrong"))).toBe("login_failed");
    expect(await getErrorName(logInWith(email, "wrong"))).toBe("too_many_tries");
    await reset(email, await requestCode(guest, email, "reset_password"));
    expect(await getErrorName(logInWith(email, newPassword))).toBeNull();
  });

  it("is not needed by an owner when wrong passwords came from another network", async () => {
    const { email, password: currentPassword } = await createUser();
    const attackerIp = "198.51.100.20";
    // Attempts above the limit of a network do not count against the account.
    for (let i = 0; i < 120; i++) await getErrorName(logInWith(email, "wrong", attackerIp));
    expect(await getErrorName(logInWith(email, currentPassword, "198.51.100.99"))).toBe("too_many_tries"); // same network as the attacker
    expect(await getErrorName(logInWith(email, currentPassword))).toBeNull();
    // The owner's login does not unlock the attacker's network.
    expect(await getErrorName(logInWith(email, currentPassword, attackerIp))).toBe("too_many_tries");
  });

  it("is the way out of a lock of 15 minutes, set by a hundred wrong passwords from many networks", async () => {
    const { email, password: currentPassword } = await createUser();
    for (let network = 0; network < 10; network++)
      await Promise.all(
        Array.from({ length: 10 }, () => getErrorName(logInWith(email, "wrong", `10.9.${network}.1`))),
      );
    expect(await getErrorName(logInWith(email, currentPassword))).toBe("too_many_tries");
    await shiftClock("15 minutes 1 second");
    expect(await getErrorName(logInWith(email, currentPassword))).toBeNull();
  });

  it("sets the first password of an account without one", async () => {
    const { id, email } = await createUser();
    await client()`update users set password_hash = null where id = ${id}`;
    await reset(email, await requestCode(guest, email, "reset_password"));
    expect((await logInWith(email, newPassword)).response.user_id).toBe(id);
  });

  it("clears an unverified account of everything stored before its email was verified", async () => {
    const unverifiedUser = await createSignedInUser({ verified: false });
    const { id, email } = unverifiedUser;
    await client()`update users set phone = '+819012345678', country_code = 'JP' where id = ${id}`;
    await client()`insert into verified_emails (user_id, email) values (${id}, ${uniqueEmail()})`;
    await client()`insert into user_identities (id, user_id, provider, subject, email)
      values (${newId("idn")}, ${id}, 'github', ${newId("s")}, 'thief@example.com')`;
    await client()`insert into billing_addresses (id, user_id, full_name, line1, city, country)
      values (${newId("adr")}, ${id}, 'T', 'S', 'C', 'JP')`;
    await createCartLine(id, (await createSinglePlan({ keys: 1 })).id);
    await client()`insert into referrals (id, inviter_id, friend_id, email_identity, network)
      values (${newId("ref")}, ${(await createUser()).id}, ${id}, 'm', 'n')`;
    await reset(email, await requestCode(guest, email, "reset_password"));
    const [row] = await client()`select phone, email_verified_at is not null as verified,
      (select count(*)::int from verified_emails where user_id = u.id) + (select count(*)::int from user_identities
        where user_id = u.id) + (select count(*)::int from billing_addresses where user_id = u.id)
      + (select count(*)::int from cart_lines where user_id = u.id)
      + (select count(*)::int from referrals where friend_id = u.id) as remaining
      from users u where id = ${id}`;
    expect(row).toEqual({ phone: null, verified: true, remaining: 0 });
    expect((await resolveViewer({ cookie: unverifiedUser.cookie })).kind).toBe("guest");
  });

  it("keeps the verified addresses of a verified account", async () => {
    const { id, email } = await createUser();
    await client()`insert into verified_emails (user_id, email) values (${id}, ${uniqueEmail()})`;
    await reset(email, await requestCode(guest, email, "reset_password"));
    expect(await client()`select 1 from verified_emails where user_id = ${id}`).toHaveLength(1);
  });
});

describe("reauthentication", () => {
  it("comes with the login and lasts 15 minutes", async () => {
    const { viewer } = await createSignedInUser();
    await shiftClock("14 minutes 50 seconds");
    expect(await getErrorName(requireReauthentication(viewer))).toBeNull();
    await shiftClock("20 seconds");
    expect(await getErrorName(requireReauthentication(viewer))).toBe("reauthentication_required");
    expect(await getSecurity(viewer)).toEqual({ has_password: true, proved: false });
  });

  it("is renewed by the password, for this session only", async () => {
    const { viewer, id, password: currentPassword } = await createSignedInUser();
    const other = await startSession({ id }, "Other");
    const otherSession = { ...viewer, sessionId: other.sessionId };
    await ageReauthentication(viewer.sessionId);
    await ageReauthentication(other.sessionId);
    expect(await getErrorName(reauthenticate(viewer, { password: "not it" }))).toBe("password_wrong");
    expect(await getErrorName(requireReauthentication(viewer))).toBe("reauthentication_required");
    expect(await reauthenticate(viewer, { password: currentPassword })).toEqual({
      proved: true,
      expires_in: 900,
    });
    expect(await getErrorName(requireReauthentication(viewer))).toBeNull();
    expect(await getErrorName(requireReauthentication(otherSession))).toBe("reauthentication_required");
  });

  it("is renewed by a code to the account's own address, also without a password", async () => {
    const { viewer, id, email } = await createSignedInUser();
    await client()`update users set password_hash = null where id = ${id}`;
    await ageReauthentication(viewer.sessionId);
    expect(await getErrorName(reauthenticate(viewer, { password: "whatever it is" }))).toBe("password_wrong");
    const otherAddressCode = await requestCode(viewer, uniqueEmail(), "order_email");
    expect(await getErrorName(reauthenticate(viewer, otherAddressCode))).toBe("code_expired");
    const code = await requestCode(viewer, email, "order_email");
    expect((await findVerificationMail(code.verification_id))?.purpose).toBe("proof");
    const otherUser = await createSignedInUser();
    expect(await getErrorName(reauthenticate(otherUser.viewer, code))).toBe("code_expired");
    expect(await getErrorName(reauthenticate(viewer, code))).toBeNull();
    expect(await getErrorName(requireReauthentication(viewer))).toBeNull();
    expect(await getErrorName(reauthenticate(viewer, code))).toBe("code_expired");
    expect((await getSecurity(viewer)).has_password).toBe(false);
  });

  it("rejects every password after ten wrong ones", async () => {
    const { viewer, password: currentPassword } = await createSignedInUser();
    for (let i = 0; i < 10; i++)
      expect(await getErrorName(reauthenticate(viewer, { password: "wrong" }))).toBe("password_wrong");
    expect(await getErrorName(reauthenticate(viewer, { password: currentPassword }))).toBe("too_many_tries");
  });
});
