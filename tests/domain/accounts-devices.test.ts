import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { revokeSessions } from "@/lib/accounts/devices/commands";
import { listSessions } from "@/lib/accounts/devices/queries";
import { resolveViewer, rotateSession, startSession } from "@/lib/platform/auth/session";
import { refusal } from "./account-steps";

afterAll(closeDatabase);

const kindOf = async (cookie: string) => (await resolveViewer({ cookie })).kind;

/** One who is signed in here and on two more devices, seen in this order. */
async function withDevices() {
  const user = await createSignedInUser();
  const phone = await startSession({ id: user.id }, "Safari, iOS");
  const laptop = await startSession({ id: user.id }, "Firefox, Windows");
  await client()`update sessions set seen_at = shop_now() - interval '1 hour' where id = ${phone.sessionId}`;
  return { user, phone, laptop };
}

describe("the devices that are signed in", () => {
  it("are listed with this one first, and only while they live", async () => {
    const { user, phone, laptop } = await withDevices();
    const over = await startSession({ id: user.id }, "Over");
    await client()`update sessions set expires_at = shop_now() where id = ${over.sessionId}`;
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

  it("can be signed out one by one: cookie and tokens are dead, the others live", async () => {
    const { user, phone, laptop } = await withDevices();
    const answer = await revokeSessions(user.viewer, { session_id: phone.sessionId });
    expect(answer).toEqual({ revoked: 1, signed_out: false });
    expect(await kindOf(phone.cookie)).toBe("guest");
    expect(await refusal(rotateSession(phone.refreshToken))).toBe("session_ended");
    expect([await kindOf(laptop.cookie), await kindOf(user.cookie)]).toEqual(["user", "user"]);
    expect(await refusal(revokeSessions(user.viewer, { session_id: phone.sessionId }))).toBe(
      "session_unknown",
    );
  });

  it("of others answer like missing ones, and live on", async () => {
    const [user, stranger] = [await createSignedInUser(), await createSignedInUser()];
    for (const session_id of [stranger.viewer.sessionId, "ses_of_nobody"])
      expect(await refusal(revokeSessions(user.viewer, { session_id }))).toBe("session_unknown");
    await revokeSessions(user.viewer, { all: true });
    expect(await kindOf(stranger.cookie)).toBe("user");
  });

  it("can all be signed out but this one", async () => {
    const { user, phone, laptop } = await withDevices();
    expect(await revokeSessions(user.viewer, { all_others: true })).toEqual({
      revoked: 2,
      signed_out: false,
    });
    expect(await Promise.all([user, phone, laptop].map(({ cookie }) => kindOf(cookie)))).toEqual([
      "user",
      "guest",
      "guest",
    ]);
    expect(await revokeSessions(user.viewer, { all_others: true })).toEqual({
      revoked: 0,
      signed_out: false,
    });
  });

  it("can all be signed out", async () => {
    const { user, phone } = await withDevices();
    expect(await revokeSessions(user.viewer, { all: true })).toEqual({ revoked: 3, signed_out: true });
    expect([await kindOf(user.cookie), await kindOf(phone.cookie)]).toEqual(["guest", "guest"]);
  });
});
