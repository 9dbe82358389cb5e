import { randomUUID } from "node:crypto";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { client, closeDatabase, transaction } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import type { SendCodeInput } from "@/lib/accounts/contract";
import {
  deriveVerificationCode,
  findVerificationMail,
  getProfile,
  isDeliveryEmail,
} from "@/lib/accounts/queries";
import {
  checkCode,
  consumeCode,
  sendVerificationCode,
  verifyEmail,
} from "@/lib/accounts/verification/commands";
import type { Viewer } from "@/lib/platform/auth/session";
import {
  endSession,
  resolveSession,
  resolveViewer,
  rotateSession,
  startSession,
} from "@/lib/platform/auth/session";
import { type ErrorName, isShopError } from "@/lib/platform/errors";

const guest: Viewer = { kind: "guest", locale: "en" };
const fresh = () => `code-${randomUUID().slice(0, 12)}@example.com`;
/** Moves the shop's clock; the whole suite shares it, so each test puts it back. */
const shift = (interval: string) => client()`update shop_clock set shift = shift + ${interval}::interval`;
afterEach(() => client()`update shop_clock set shift = '0'`);
afterAll(closeDatabase);

async function refusal(work: Promise<unknown>): Promise<ErrorName | "done"> {
  return work.then(
    () => "done",
    (error: unknown) => {
      if (isShopError(error)) return error.error;
      throw error;
    },
  );
}

const send = (email: string, purpose: SendCodeInput["verification_type"] = "register") =>
  sendVerificationCode(guest, { email, verification_type: purpose });
const wrongCode = (code: string) => code.replace(/./, (digit) => String((Number(digit) + 1) % 10));

describe("verification codes", () => {
  it("are six digits that no table holds", async () => {
    const email = fresh();
    const { verification_id } = await send(email);
    const code = deriveVerificationCode(verification_id);
    expect(code).toMatch(/^\d{6}$/);
    const rows = await client()`select v.*, m.* from verification_codes v, mails m
      where v.id = ${verification_id} and m.to_address = ${email}`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(await findVerificationMail(verification_id)).toEqual({ code, purpose: "register" });
  });

  it("speak of the registration when they prove the account's own address", async () => {
    const { viewer, email } = await createSignedInUser({ verified: false });
    const wish = { verification_type: "order_email" as const };
    const own = await sendVerificationCode(viewer, { ...wish, email });
    expect((await findVerificationMail(own.verification_id))?.purpose).toBe("register");
    const other = await sendVerificationCode(viewer, { ...wish, email: fresh() });
    expect((await findVerificationMail(other.verification_id))?.purpose).toBe("order_email");

    await verifyEmail(viewer, { email, code: deriveVerificationCode(own.verification_id) });
    expect(await getProfile(viewer)).toMatchObject({ user_email: email, email_verified: true });
  });

  it("work once", async () => {
    const email = fresh();
    const { verification_id } = await send(email);
    const given = { email, purpose: "register" as const, code: deriveVerificationCode(verification_id) };
    const id = await checkCode({ ...given, id: verification_id });
    const uses = await Promise.all(
      Array.from({ length: 4 }, () => refusal(transaction((tx) => consumeCode(tx, id)))),
    );
    expect(uses.sort()).toEqual(["code_expired", "code_expired", "code_expired", "done"]);
    expect(await refusal(checkCode(given))).toBe("code_expired");
    expect(await findVerificationMail(verification_id)).toBeNull();
  });

  it("end after ten minutes", async () => {
    const email = fresh();
    const { verification_id } = await send(email);
    const given = { email, purpose: "register" as const, code: deriveVerificationCode(verification_id) };
    await shift("9 minutes 50 seconds");
    expect(await refusal(checkCode(given))).toBe("done");
    await shift("20 seconds");
    expect(await refusal(checkCode(given))).toBe("code_expired");
  });

  it("allow five tries, also at the same moment", async () => {
    const email = fresh();
    const code = deriveVerificationCode((await send(email)).verification_id);
    const given = { email, purpose: "register" as const, code: wrongCode(code) };
    const tries = await Promise.all(Array.from({ length: 12 }, () => refusal(checkCode(given))));
    expect(tries.filter((name) => name === "code_wrong")).toHaveLength(5);
    expect(tries.filter((name) => name === "code_used_up")).toHaveLength(7);
    expect(await refusal(checkCode({ ...given, code }))).toBe("code_used_up");
  });

  it("serve one purpose and one address", async () => {
    const email = fresh();
    const { verification_id: id } = await send(email);
    const code = deriveVerificationCode(id);
    expect(await refusal(checkCode({ email, purpose: "reset_password", code, id }))).toBe("code_expired");
    expect(await refusal(checkCode({ email: fresh(), purpose: "register", code, id }))).toBe("code_expired");
  });

  it("are sent again after 60 s, five times an hour and ten times a day, to known and unknown alike", async () => {
    for (const email of [fresh(), (await createUser()).email]) {
      expect(await refusal(send(email))).toBe("done");
      expect(await refusal(send(email))).toBe("code_just_sent");
      for (let sent = 1; sent < 10; sent++) {
        await shift(sent === 5 ? "1 hour" : "61 seconds");
        expect(await refusal(send(email))).toBe("done");
        if (sent === 4 || sent === 9) {
          await shift("61 seconds");
          expect(await refusal(send(email))).toBe("too_many_codes");
        }
      }
      await shift("2 hours");
      expect(await refusal(send(email))).toBe("too_many_codes");
      await client()`update shop_clock set shift = '0'`;
    }
  });

  it("sent ten times at once are one code", async () => {
    const email = fresh();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refusal(send(email))));
    expect(answers.filter((answer) => answer === "done")).toHaveLength(1);
  });

  it("a reset for an unknown address answers alike and mails nothing", async () => {
    const pairs = await Promise.all(
      Array.from({ length: 5 }, async () => [(await createUser()).email, fresh()] as const),
    );
    const time = async (email: string) => {
      const began = performance.now();
      const answer = await send(email, "reset_password");
      expect(Object.keys(answer)).toEqual(["verification_id", "resend_after", "expires_in"]);
      return performance.now() - began;
    };
    // In turn, so that whatever else the machine does falls on both alike.
    const times: [known: number, unknown: number][] = [];
    for (const [known, unknown] of pairs) times.push([await time(known), await time(unknown)]);
    const least = (which: 0 | 1) => Math.min(...times.map((pair) => pair[which]));
    expect(Math.abs(least(0) - least(1))).toBeLessThan(30);
    const [known, unknown] = [pairs.map(([email]) => email), pairs.map(([, email]) => email)];
    const mails =
      await client()`select to_address from mails where to_address = any(${[...known, ...unknown]})`;
    expect(mails.map((mail) => mail.to_address).sort()).toEqual(known.sort());
  });
});

describe("sessions", () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it("an access token lives 15 minutes", async () => {
    const user = await createSignedInUser();
    await shift("14 minutes 50 seconds");
    expect(await resolveViewer({ authorization: user.bearer })).toMatchObject({
      userId: user.id,
      locale: "en",
    });
    await shift("20 seconds");
    expect(await refusal(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
  });

  it("a cookie session slides: renewed once a day, over after 30 days without a visit", async () => {
    const user = await createSignedInUser();
    expect((await resolveSession({ cookie: user.cookie })).renewal).toBeUndefined();
    await shift("25 days");
    expect((await resolveSession({ cookie: user.cookie })).renewal).toMatch(
      /^next-auth\.session-token=.*Max-Age=2592000/,
    );
    expect((await resolveSession({ cookie: user.cookie })).renewal).toBeUndefined();
    await shift("29 days");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("user");
    await shift("31 days");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
  });

  it("an ended session is nobody's, by token and by cookie", async () => {
    const user = await createSignedInUser();
    await endSession(user.viewer.sessionId);
    expect(await refusal(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
  });

  it("a token signed for another purpose or by another is refused", async () => {
    const user = await createSignedInUser();
    const [head, , mac] = user.token.split(".");
    const forged = `${head}.${Buffer.from('{"sid":"ses_x","exp":9999999999}').toString("base64url")}.${mac}`;
    const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${user.token.split(".")[1]}.`;
    for (const token of [forged, none, user.refreshToken, user.cookie.split("=")[1] ?? ""])
      expect(await refusal(resolveViewer(bearer(token)))).toBe("session_ended");
  });
});

describe("refresh tokens", () => {
  const start = async () => startSession({ id: (await createUser()).id }, "Test");

  it("rotate at each use; the table keeps only hashes", async () => {
    const { sessionId, refreshToken } = await start();
    const next = await rotateSession(refreshToken);
    const third = await rotateSession(next.refreshToken);
    expect(new Set([refreshToken, next.refreshToken, third.refreshToken]).size).toBe(3);
    const rows = await client()`select * from sessions where id = ${sessionId}`;
    expect(JSON.stringify(rows)).not.toContain(third.refreshToken.split(".")[1]);
  });

  it("parallel tabs receive the same new token within ten seconds", async () => {
    const { refreshToken } = await start();
    const tabs = await Promise.all(Array.from({ length: 6 }, () => rotateSession(refreshToken)));
    const [next] = new Set(tabs.map((tab) => tab.refreshToken));
    expect(new Set(tabs.map((tab) => tab.refreshToken)).size).toBe(1);
    await shift("9 seconds");
    expect((await rotateSession(refreshToken)).refreshToken).toBe(next);
  });

  it("a token used after its grace ends the session, and with it the thief's", async () => {
    const { refreshToken } = await start();
    const next = await rotateSession(refreshToken);
    await shift("11 seconds");
    expect(await refusal(rotateSession(refreshToken))).toBe("session_ended");
    expect(await refusal(rotateSession(next.refreshToken))).toBe("session_ended");
    expect(await refusal(resolveViewer(bearerOf(next.token)))).toBe("session_ended");
  });

  it("so does a much older one", async () => {
    const first = await start();
    const second = await rotateSession(first.refreshToken);
    const third = await rotateSession(second.refreshToken);
    expect(await refusal(rotateSession(first.refreshToken))).toBe("session_ended");
    expect(await refusal(rotateSession(third.refreshToken))).toBe("session_ended");
  });

  it("an invented one ends nothing", async () => {
    const { sessionId, refreshToken } = await start();
    expect(await refusal(rotateSession(`${sessionId}.invented.seal`))).toBe("session_ended");
    expect((await rotateSession(refreshToken)).sessionId).toBe(sessionId);
  });

  const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });
});

describe("delivery addresses", () => {
  it("are the account's own, and those that were proved", async () => {
    const user = await createSignedInUser({ verified: false });
    const other = fresh();
    expect(await isDeliveryEmail(user.viewer, user.email.toUpperCase())).toBe(true);
    expect(await isDeliveryEmail(user.viewer, other)).toBe(false);
    await client()`insert into verified_emails (user_id, email) values (${user.id}, ${other})`;
    expect(await isDeliveryEmail(user.viewer, other)).toBe(true);
  });
});
