import { afterAll, afterEach, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { resetPassword, verifyResetCode as verifyFrom } from "@/lib/accounts/password-reset/commands";
import { findVerificationMail } from "@/lib/accounts/queries";
import { reauthenticate } from "@/lib/accounts/reauthentication/commands";
import { getSecurity, requireReauthentication } from "@/lib/accounts/reauthentication/queries";
import { logIn } from "@/lib/accounts/sign-in/commands";
import { resolveViewer, rotateSession, startSession } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ageProof, codeTo, freshAddress, guest, noticesTo, refusal, wrong } from "./account-steps";

const shift = (interval: string) => client()`update shop_clock set shift = shift + ${interval}::interval`;
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

const password = "a brand new password";
const HOME = "203.0.113.7";
const logInWith = (user_email: string, user_password: string, ip = HOME) =>
  logIn(guest, { user_email, user_password }, { device: "Test", ip });
const verifyResetCode = (given: Parameters<typeof verifyFrom>[0]) => verifyFrom(given, HOME);
const reset = (email: string, code: Awaited<ReturnType<typeof codeTo>>, new_password = password) =>
  resetPassword({ email, new_password, ...code }, "en", HOME);

describe("a new password", () => {
  it("is set by the mailed code, ends all sessions, and its owner is told", async () => {
    const user = await createSignedInUser();
    const other = await startSession({ id: user.id }, "Other");
    const code = await codeTo(guest, user.email, "reset_password");
    expect(await verifyResetCode({ email: user.email, ...code })).toEqual({ verified: true });
    await reset(user.email, code);
    expect(await refusal(logInWith(user.email, user.password))).toBe("login_failed");
    expect((await logInWith(user.email, password)).answer.user_id).toBe(user.id);
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
    expect(await refusal(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
    expect(await refusal(rotateSession(other.refreshToken))).toBe("session_ended");
    expect(await noticesTo(user.email)).toEqual(["password_changed"]);
  });

  it("needs a code that is right, unused, in time and of this kind and address", async () => {
    const user = await createUser();
    const { email } = user;
    const code = await codeTo(guest, email, "reset_password");
    expect(await refusal(reset(email, { ...code, verification_code: wrong(code.verification_code) }))).toBe(
      "code_wrong",
    );
    expect(await refusal(reset((await createUser()).email, code))).toBe("code_expired");
    expect(await refusal(reset(email, await codeTo(guest, email, "register")))).toBe("code_expired");
    expect(await refusal(reset(email, code))).toBe("done");
    expect(await refusal(reset(email, code, "yet another password"))).toBe("code_expired");
    expect(await refusal(verifyResetCode({ email, ...code }))).toBe("code_expired");
    await shift("61 seconds");
    const late = await codeTo(guest, email, "reset_password");
    await shift("10 minutes 1 second");
    expect(await refusal(reset(email, late))).toBe("code_expired");
    expect((await logInWith(email, password)).answer.user_id).toBe(user.id);
    expect(await noticesTo(email)).toEqual(["password_changed"]);
  });

  it("leaves five tries, those of looking the code over included", async () => {
    const { email } = await createUser();
    const code = await codeTo(guest, email, "reset_password");
    const bad = { ...code, verification_code: wrong(code.verification_code) };
    for (let i = 0; i < 3; i++) expect(await refusal(verifyResetCode({ email, ...bad }))).toBe("code_wrong");
    for (let i = 0; i < 2; i++) expect(await refusal(reset(email, bad))).toBe("code_wrong");
    expect(await refusal(verifyResetCode({ email, ...code }))).toBe("code_used_up");
    expect(await refusal(reset(email, code))).toBe("code_used_up");
  });

  it("answers for an unknown address as for a known one, also to who guesses its code", async () => {
    const email = freshAddress();
    const code = await codeTo(guest, email, "reset_password");
    const bad = { ...code, verification_code: wrong(code.verification_code) };
    expect(await refusal(verifyResetCode({ email, ...bad }))).toBe("code_wrong");
    expect(await refusal(verifyResetCode({ email, ...code }))).toBe("done");
    expect(await refusal(reset(email, code))).toBe("code_expired");
    expect(await refusal(reset(freshAddress(), code))).toBe("code_expired");
    expect(await client()`select 1 from mails where to_address = ${email}`).toHaveLength(0);
  });

  it("is used by one of two who hold the same code", async () => {
    const { email } = await createUser();
    const code = await codeTo(guest, email, "reset_password");
    const both = await Promise.all(
      [reset(email, code, "the first one"), reset(email, code, "the other one")].map(refusal),
    );
    expect(both.sort()).toEqual(["code_expired", "done"]);
  });

  it("leaves no session open that began with the old one at the same moment", async () => {
    for (let round = 0; round < 6; round++) {
      const user = await createUser();
      const code = await codeTo(guest, user.email, "reset_password");
      await Promise.all([
        reset(user.email, code),
        ...Array.from({ length: 6 }, (_, i) =>
          new Promise((resolve) => setTimeout(resolve, 6 * i)).then(() =>
            refusal(logInWith(user.email, user.password)),
          ),
        ),
      ]);
      expect(
        await client()`select 1 from sessions where user_id = ${user.id} and revoked_at is null`,
      ).toHaveLength(0);
    }
  });

  it("opens the door again that wrong passwords closed", async () => {
    const { email } = await createUser();
    for (let i = 0; i < 10; i++) expect(await refusal(logInWith(email, "wrong"))).toBe("login_failed");
    expect(await refusal(logInWith(email, "wrong"))).toBe("too_many_tries");
    await reset(email, await codeTo(guest, email, "reset_password"));
    expect(await refusal(logInWith(email, password))).toBe("done");
  });

  it("is not needed by an owner whose door a stranger has closed elsewhere", async () => {
    const { email, password: own } = await createUser();
    const stranger = "198.51.100.20";
    // Many more than a network may try: they do not count against the account.
    for (let i = 0; i < 120; i++) await refusal(logInWith(email, "wrong", stranger));
    expect(await refusal(logInWith(email, own, "198.51.100.99"))).toBe("too_many_tries"); // his network
    expect(await refusal(logInWith(email, own))).toBe("done");
    // The owner's success opens nothing to the stranger.
    expect(await refusal(logInWith(email, own, stranger))).toBe("too_many_tries");
  });

  it("guesses from many networks close the door after a hundred", async () => {
    const { email, password: own } = await createUser();
    for (let network = 0; network < 10; network++)
      await Promise.all(
        Array.from({ length: 10 }, () => refusal(logInWith(email, "wrong", `10.9.${network}.1`))),
      );
    expect(await refusal(logInWith(email, own))).toBe("too_many_tries");
    await shift("15 minutes 1 second");
    expect(await refusal(logInWith(email, own))).toBe("done");
  });

  it("serves an account without one, and proves its address", async () => {
    const { id, email } = await createUser();
    await client()`update users set password_hash = null where id = ${id}`;
    await reset(email, await codeTo(guest, email, "reset_password"));
    expect((await logInWith(email, password)).answer.user_id).toBe(id);
  });

  it("takes from an account that nobody had proved what its opener left in it", async () => {
    const squatter = await createSignedInUser({ verified: false });
    const { id, email } = squatter;
    await client()`update users set phone = '+819012345678', country_code = 'JP' where id = ${id}`;
    await client()`insert into verified_emails (user_id, email) values (${id}, ${freshAddress()})`;
    await client()`insert into user_identities (id, user_id, provider, subject, email)
      values (${newId("idn")}, ${id}, 'github', ${newId("s")}, 'thief@example.com')`;
    await client()`insert into billing_addresses (id, user_id, full_name, line1, city, country)
      values (${newId("adr")}, ${id}, 'T', 'S', 'C', 'JP')`;
    await createCartLine(id, (await createProduct({ plans: [{ keys: 1 }] })).plans[0]!.id);
    await client()`insert into referrals (id, inviter_id, friend_id, email_identity, network)
      values (${newId("ref")}, ${(await createUser()).id}, ${id}, 'm', 'n')`;
    await reset(email, await codeTo(guest, email, "reset_password"));
    const [row] = await client()`select phone, email_verified_at is not null as verified,
      (select count(*)::int from verified_emails where user_id = u.id) + (select count(*)::int from user_identities
        where user_id = u.id) + (select count(*)::int from billing_addresses where user_id = u.id)
      + (select count(*)::int from cart_lines where user_id = u.id)
      + (select count(*)::int from referrals where friend_id = u.id) as left
      from users u where id = ${id}`;
    expect(row).toEqual({ phone: null, verified: true, left: 0 });
    expect((await resolveViewer({ cookie: squatter.cookie })).kind).toBe("guest");
  });

  it("leaves a proved account its things", async () => {
    const { id, email } = await createUser();
    await client()`insert into verified_emails (user_id, email) values (${id}, ${freshAddress()})`;
    await reset(email, await codeTo(guest, email, "reset_password"));
    expect(await client()`select 1 from verified_emails where user_id = ${id}`).toHaveLength(1);
  });
});

describe("a fresh proof", () => {
  it("comes with the login and lasts 15 minutes", async () => {
    const { viewer } = await createSignedInUser();
    await shift("14 minutes 50 seconds");
    expect(await refusal(requireReauthentication(viewer))).toBe("done");
    await shift("20 seconds");
    expect(await refusal(requireReauthentication(viewer))).toBe("reauthentication_required");
    expect(await getSecurity(viewer)).toEqual({ has_password: true, proved: false });
  });

  it("is renewed by the password, in this session only", async () => {
    const { viewer, id, password: own } = await createSignedInUser();
    const other = await startSession({ id }, "Other");
    const elsewhere = { ...viewer, sessionId: other.sessionId };
    await ageProof(viewer.sessionId);
    await ageProof(other.sessionId);
    expect(await refusal(reauthenticate(viewer, { password: "not it" }))).toBe("password_wrong");
    expect(await refusal(requireReauthentication(viewer))).toBe("reauthentication_required");
    expect(await reauthenticate(viewer, { password: own })).toEqual({ proved: true, expires_in: 900 });
    expect(await refusal(requireReauthentication(viewer))).toBe("done");
    expect(await refusal(requireReauthentication(elsewhere))).toBe("reauthentication_required");
  });

  it("is renewed by a code to one's own address, without a password too", async () => {
    const { viewer, id, email } = await createSignedInUser();
    await client()`update users set password_hash = null where id = ${id}`;
    await ageProof(viewer.sessionId);
    expect(await refusal(reauthenticate(viewer, { password: "whatever it is" }))).toBe("password_wrong");
    const elsewhere = await codeTo(viewer, freshAddress(), "order_email");
    expect(await refusal(reauthenticate(viewer, elsewhere))).toBe("code_expired");
    const code = await codeTo(viewer, email, "order_email");
    expect((await findVerificationMail(code.verification_id))?.purpose).toBe("proof");
    const stranger = await createSignedInUser();
    expect(await refusal(reauthenticate(stranger.viewer, code))).toBe("code_expired");
    expect(await refusal(reauthenticate(viewer, code))).toBe("done");
    expect(await refusal(requireReauthentication(viewer))).toBe("done");
    expect(await refusal(reauthenticate(viewer, code))).toBe("code_expired");
    expect((await getSecurity(viewer)).has_password).toBe(false);
  });

  it("is refused after ten wrong passwords, also to the right one", async () => {
    const { viewer, password: own } = await createSignedInUser();
    for (let i = 0; i < 10; i++)
      expect(await refusal(reauthenticate(viewer, { password: "wrong" }))).toBe("password_wrong");
    expect(await refusal(reauthenticate(viewer, { password: own }))).toBe("too_many_tries");
  });
});
