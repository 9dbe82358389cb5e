import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { listSessions } from "@/lib/accounts/devices/list-sessions";
import { revokeSessions } from "@/lib/accounts/devices/revoke-sessions";
import { resolveViewer, rotateSession, startSession } from "@/lib/platform/auth/session";
import { getErrorName } from "../setup/error-name";

afterAll(closeDatabase);

const viewerKind = async (cookie: string) => (await resolveViewer({ cookie })).kind;

/** A user signed in on this device, and on a laptop and a phone; the phone was seen last an hour ago. */
async function createUserWithDevices() {
  const user = await createSignedInUser();
  const phone = await startSession({ id: user.id }, "Safari, iOS");
  const laptop = await startSession({ id: user.id }, "Firefox, Windows");
  await client()`update sessions set seen_at = shop_now() - interval '1 hour' where id = ${phone.sessionId}`;
  return { user, phone, laptop };
}

describe("signed-in devices", () => {
  it("lists active sessions, the current one first", async () => {
    const { user, phone, laptop } = await createUserWithDevices();
    const expired = await startSession({ id: user.id }, "Over");
    await client()`update sessions set expires_at = shop_now() where id = ${expired.sessionId}`;
    await createSignedInUser();
    const { items, total } = await listSessions(user.viewer);
    expect(total).toBe(3);
    expect(items.map(({ device, current }) => [device, current])).toEqual([
      ["Test, Linux", true],
      ["Firefox, Windows", false],
      ["Safari, iOS", false],
    ]);
    expect(items[2]?.seen_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await revokeSessions(user.viewer, { session_id: phone.sessionId });
    expect((await listSessions(user.viewer)).items.map((item) => item.session_id)).toEqual([
      user.viewer.sessionId,
      laptop.sessionId,
    ]);
  });

  it("signs out one device: its cookie and tokens end, the others stay valid", async () => {
    const { user, phone, laptop } = await createUserWithDevices();
    const result = await revokeSessions(user.viewer, { session_id: phone.sessionId });
    expect(result).toEqual({ revoked: 1, signed_out: false });
    expect(await viewerKind(phone.cookie)).toBe("guest");
    expect(await getErrorName(rotateSession(phone.refreshToken))).toBe("session_ended");
    expect([await viewerKind(laptop.cookie), await viewerKind(user.cookie)]).toEqual(["user", "user"]);
    expect(await getErrorName(revokeSessions(user.viewer, { session_id: phone.sessionId }))).toBe(
      "session_unknown",
    );
  });

  it("look missing to other users, who cannot sign them out", async () => {
    const [user, otherUser] = [await createSignedInUser(), await createSignedInUser()];
    for (const session_id of [otherUser.viewer.sessionId, "ses_missing"])
      expect(await getErrorName(revokeSessions(user.viewer, { session_id }))).toBe("session_unknown");
    await revokeSessions(user.viewer, { all: true });
    expect(await viewerKind(otherUser.cookie)).toBe("user");
  });

  it("signs out all devices except the current one", async () => {
    const { user, phone, laptop } = await createUserWithDevices();
    expect(await revokeSessions(user.viewer, { all_others: true })).toEqual({
      revoked: 2,
      signed_out: false,
    });
    expect(await Promise.all([user, phone, laptop].map(({ cookie }) => viewerKind(cookie)))).toEqual([
      "user",
      "guest",
      "guest",
    ]);
    expect(await revokeSessions(user.viewer, { all_others: true })).toEqual({
      revoked: 0,
      signed_out: false,
    });
  });

  it("signs out all devices", async () => {
    const { user, phone } = await createUserWithDevices();
    expect(await revokeSessions(user.viewer, { all: true })).toEqual({ revoked: 3, signed_out: true });
    expect([await viewerKind(user.cookie), await viewerKind(phone.cookie)]).toEqual(["guest", "guest"]);
  });
});
