import { afterAll, afterEach, describe, expect, it } from "vitest";
import { client, closeDatabase, transaction } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import type { SendCodeInput } from "@/lib/accounts/contract";
import { getProfile } from "@/lib/accounts/get-account";
import { isDeliveryEmail } from "@/lib/accounts/is-delivery-email";
import { checkCode, consumeCode } from "@/lib/accounts/verification/check-code";
import {
  deriveVerificationCode,
  findVerificationMail,
} from "@/lib/accounts/verification/find-verification-mail";
import { sendVerificationCode } from "@/lib/accounts/verification/send-verification-code";
import { verifyEmail } from "@/lib/accounts/verification/verify-email";
import {
  endSession,
  resolveSession,
  resolveViewer,
  rotateSession,
  startSession,
} from "@/lib/platform/auth/session";
import { guest, uniqueEmail, wrongCode } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";

/** Moves the shop's clock. Each test resets it, because the tests of this file share it. */
const shiftClock = (interval: string) =>
  client()`update shop_clock set shift = shift + ${interval}::interval`;
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

const send = (email: string, purpose: SendCodeInput["verification_type"] = "register") =>
  sendVerificationCode(guest, { email, verification_type: purpose });

describe("verification codes", () => {
  it("are six digits and stored in no table", async () => {
    const email = uniqueEmail();
    const { verification_id } = await send(email);
    const code = deriveVerificationCode(verification_id);
    expect(code).toMatch(/^\d{6}$/);
    const rows = await client()`select v.*, m.* from verification_codes v, mails m
      where v.id = ${verification_id} and m.to_address = ${email}`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(await findVerificationMail(verification_id)).toEqual({ code, purpose: "register" });
  });

  it("are mailed as a verification for the address of an existing account", async () => {
    const { viewer, email } = await createSignedInUser({ verified: false });
    const request = { verification_type: "order_email" as const };
    const ownCode = await sendVerificationCode(viewer, { ...request, email });
    expect((await findVerificationMail(ownCode.verification_id))?.purpose).toBe("verify");
    const other = await sendVerificationCode(viewer, { ...request, email: uniqueEmail() });
    expect((await findVerificationMail(other.verification_id))?.purpose).toBe("order_email");

    await verifyEmail(viewer, { email, code: deriveVerificationCode(ownCode.verification_id) });
    expect(await getProfile(viewer)).toMatchObject({ user_email: email, email_verified: true });
  });

  it("can be used once", async () => {
    const email = uniqueEmail();
    const { verification_id } = await send(email);
    const input = { email, purpose: "register" as const, code: deriveVerificationCode(verification_id) };
    const id = await checkCode({ ...input, id: verification_id });
    const uses = await Promise.all(
      Array.from({ length: 4 }, () => getErrorName(transaction((tx) => consumeCode(tx, id)))),
    );
    expect(uses.sort()).toEqual(["code_expired", "code_expired", "code_expired", null]);
    expect(await getErrorName(checkCode(input))).toBe("code_expired");
    expect(await findVerificationMail(verification_id)).toBeNull();
  });

  it("expire after ten minutes", async () => {
    const email = uniqueEmail();
    const { verification_id } = await send(email);
    const input = { email, purpose: "register" as const, code: deriveVerificationCode(verification_id) };
    await shiftClock("9 minutes 50 seconds");
    expect(await getErrorName(checkCode(input))).toBeNull();
    await shiftClock("20 seconds");
    expect(await getErrorName(checkCode(input))).toBe("code_expired");
  });

  it("allow five attempts, even when made concurrently", async () => {
    const email = uniqueEmail();
    const code = deriveVerificationCode((await send(email)).verification_id);
    const input = { email, purpose: "register" as const, code: wrongCode(code) };
    const tries = await Promise.all(Array.from({ length: 12 }, () => getErrorName(checkCode(input))));
    expect(tries.filter((name) => name === "code_wrong")).toHaveLength(5);
    expect(tries.filter((name) => name === "code_used_up")).toHaveLength(7);
    expect(await getErrorName(checkCode({ ...input, code }))).toBe("code_used_up");
  });

  it("are valid for one purpose and one address", async () => {
    const email = uniqueEmail();
    const { verification_id: id } = await send(email);
    const code = deriveVerificationCode(id);
    expect(await getErrorName(checkCode({ email, purpose: "reset_password", code, id }))).toBe(
      "code_expired",
    );
    expect(await getErrorName(checkCode({ email: uniqueEmail(), purpose: "register", code, id }))).toBe(
      "code_expired",
    );
  });

  it("are sent again after 60 s, at most five times an hour and ten times a day, to known and unknown addresses", async () => {
    for (const email of [uniqueEmail(), (await createUser()).email]) {
      expect(await getErrorName(send(email))).toBeNull();
      expect(await getErrorName(send(email))).toBe("code_just_sent");
      for (let sent = 1; sent < 10; sent++) {
        await shiftClock(sent === 5 ? "1 hour" : "61 seconds");
        expect(await getErrorName(send(email))).toBeNull();
        if (sent === 4 || sent === 9) {
          await shiftClock("61 seconds");
          expect(await getErrorName(send(email))).toBe("too_many_codes");
        }
      }
      await shiftClock("2 hours");
      expect(await getErrorName(send(email))).toBe("too_many_codes");
      await client()`update shop_clock set shift = '0'`;
    }
  });

  it("are sent once for ten requests at the same time", async () => {
    const email = uniqueEmail();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => getErrorName(send(email))));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  });

  it("respond to a password reset for an unknown address as to a known one, without a mail", async () => {
    const measureTime = async (email: string) => {
      const startedAt = performance.now();
      const response = await send(email, "reset_password");
      expect(Object.keys(response)).toEqual(["verification_id", "resend_after", "expires_in"]);
      return performance.now() - startedAt;
    };
    const [known, unknown]: [string[], string[]] = [[], []];
    const durations: [known: number, unknown: number][] = [];
    const minimum = (which: 0 | 1) => Math.min(...durations.map((pair) => pair[which]));
    const difference = () => Math.abs(minimum(0) - minimum(1));
    // Alternates, so that other load on the machine affects both alike. Load can only add time: further rounds bring the
    // fastest closer to those of an idle machine.
    for (let round = 0; round < 5 || (round < 40 && difference() >= 30); round += 1) {
      known.push((await createUser()).email);
      unknown.push(uniqueEmail());
      durations.push([await measureTime(known.at(-1)!), await measureTime(unknown.at(-1)!)]);
    }
    expect(difference()).toBeLessThan(30);
    const mails =
      await client()`select to_address from mails where to_address = any(${[...known, ...unknown]})`;
    expect(mails.map((mail) => mail.to_address).sort()).toEqual(known.sort());
  });
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("sessions", () => {
  it("have access tokens that expire after 15 minutes", async () => {
    const user = await createSignedInUser();
    await shiftClock("14 minutes 50 seconds");
    expect(await resolveViewer({ authorization: user.bearer })).toMatchObject({
      userId: user.id,
      locale: "en",
    });
    await shiftClock("20 seconds");
    expect(await getErrorName(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
  });

  it("by cookie are renewed once a day and expire after 30 days without a visit", async () => {
    const user = await createSignedInUser();
    expect((await resolveSession({ cookie: user.cookie })).renewal).toBeUndefined();
    await shiftClock("25 days");
    expect((await resolveSession({ cookie: user.cookie })).renewal).toMatch(
      /^next-auth\.session-token=.*Max-Age=2592000/,
    );
    expect((await resolveSession({ cookie: user.cookie })).renewal).toBeUndefined();
    await shiftClock("29 days");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("user");
    await shiftClock("31 days");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
  });

  it("are invalid by token and by cookie once they have ended", async () => {
    const user = await createSignedInUser();
    await endSession(user.viewer.sessionId);
    expect(await getErrorName(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
  });

  it("reject a token signed for another purpose or with another key", async () => {
    const user = await createSignedInUser();
    const [head, , mac] = user.token.split(".");
    const forged = `${head}.${Buffer.from('{"sid":"ses_x","exp":9999999999}').toString("base64url")}.${mac}`;
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${user.token.split(".")[1]}.`;
    for (const token of [forged, none, user.refreshToken, user.cookie.split("=")[1] ?? ""])
      expect(await getErrorName(resolveViewer(bearer(token)))).toBe("session_ended");
  });
});

describe("refresh tokens", () => {
  const start = async () => startSession({ id: (await createUser()).id }, "Test");

  it("rotate at each use and are stored as hashes", async () => {
    const { sessionId, refreshToken } = await start();
    const next = await rotateSession(refreshToken);
    const third = await rotateSession(next.refreshToken);
    expect(new Set([refreshToken, next.refreshToken, third.refreshToken]).size).toBe(3);
    const rows = await client()`select * from sessions where id = ${sessionId}`;
    expect(JSON.stringify(rows)).not.toContain(third.refreshToken.split(".")[1]);
  });

  it("are the same for parallel tabs within ten seconds", async () => {
    const { refreshToken } = await start();
    const tabs = await Promise.all(Array.from({ length: 6 }, () => rotateSession(refreshToken)));
    const [next] = new Set(tabs.map((tab) => tab.refreshToken));
    expect(new Set(tabs.map((tab) => tab.refreshToken)).size).toBe(1);
    await shiftClock("9 seconds");
    expect((await rotateSession(refreshToken)).refreshToken).toBe(next);
  });

  it("end the session with all its tokens when used after the grace period", async () => {
    const { refreshToken } = await start();
    const next = await rotateSession(refreshToken);
    await shiftClock("11 seconds");
    expect(await getErrorName(rotateSession(refreshToken))).toBe("session_ended");
    expect(await getErrorName(rotateSession(next.refreshToken))).toBe("session_ended");
    expect(await getErrorName(resolveViewer(bearer(next.token)))).toBe("session_ended");
  });

  it("end the session when they are two rotations old", async () => {
    const first = await start();
    const second = await rotateSession(first.refreshToken);
    const third = await rotateSession(second.refreshToken);
    expect(await getErrorName(rotateSession(first.refreshToken))).toBe("session_ended");
    expect(await getErrorName(rotateSession(third.refreshToken))).toBe("session_ended");
  });

  it("are rejected when invented, and then end no session", async () => {
    const { sessionId, refreshToken } = await start();
    expect(await getErrorName(rotateSession(`${sessionId}.invented.seal`))).toBe("session_ended");
    expect((await rotateSession(refreshToken)).sessionId).toBe(sessionId);
  });
});

describe("delivery addresses", () => {
  it("include the account's own address and its verified addresses", async () => {
    const user = await createSignedInUser({ verified: false });
    const other = uniqueEmail();
    expect(await isDeliveryEmail(user.viewer, user.email.toUpperCase())).toBe(true);
    expect(await isDeliveryEmail(user.viewer, other)).toBe(false);
    await client()`insert into verified_emails (user_id, email) values (${user.id}, ${other})`;
    expect(await isDeliveryEmail(user.viewer, other)).toBe(true);
  });
});
