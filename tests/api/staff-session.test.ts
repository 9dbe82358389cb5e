import { sql } from "drizzle-orm";
import { Secret } from "otpauth";
import { afterAll, describe, expect, it } from "vitest";
import { GET as listAudit } from "@/app/api/v1/admin/audit/route";
import { GET as listStaff, POST as setRoles } from "@/app/api/v1/admin/staff/route";
import { GET as listStuck } from "@/app/api/v1/admin/stuck/route";
import { POST as logInByEmail } from "@/app/api/v1/auth/login/email/route";
import { POST as reauthenticate } from "@/app/api/v1/auth/reauthenticate/route";
import { POST as confirmFactor } from "@/app/api/v1/auth/second-factor/confirm/route";
import { POST as leave } from "@/app/api/v1/auth/second-factor/leave/route";
import { POST as renewCodes } from "@/app/api/v1/auth/second-factor/recovery-codes/route";
import { POST as enter, GET as readSession } from "@/app/api/v1/auth/second-factor/route";
import { POST as setUpFactor } from "@/app/api/v1/auth/second-factor/setup/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createStaff, currentCode, type StaffUser } from "@/db/factories/staff";
import { secondFactors } from "@/db/schema/staff";
import type { Handler } from "@/lib/platform/api/declaration";
import { keepReauthentication } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { seal } from "@/lib/platform/crypto/vault";
import { seenMember } from "@/tests/setup/seen";
import { authHeaders, call } from "./call";

afterAll(closeDatabase);

const post = (handler: Handler, path: string, user: { bearer: string }, body: object = {}) =>
  call(handler, path, { body, headers: authHeaders(user) });
const enterWith = (user: { bearer: string }, code: string) =>
  post(enter, "/auth/second-factor", user, { code });
const listCode = async (user: { bearer: string }) =>
  (await call(listStaff, "/admin/staff", { headers: authHeaders(user) })).body.code;

/** Moves a session's times into the past. */
const age = (user: StaffUser, minutes: { used?: number; entered?: number; proved?: number }) =>
  db.execute(sql`
    update sessions set staff_seen_at = staff_seen_at - make_interval(mins => ${minutes.used ?? 0}),
      factor_at = factor_at - make_interval(mins => ${minutes.entered ?? 0}),
      staff_reauthenticated_at = staff_reauthenticated_at - make_interval(mins => ${minutes.proved ?? 0}),
      reauthenticated_at = reauthenticated_at - make_interval(mins => ${minutes.proved ?? 0}),
      created_at = created_at - make_interval(mins => ${minutes.proved ?? 0})
    where id = ${user.viewer.sessionId}`);

describe("the second factor", () => {
  it("is required of staff, and a code is accepted once", async () => {
    const admin = await createStaff({ entered: false });
    expect(await listCode(admin)).toBe("40314");
    const code = await admin.code();
    const entered = await enterWith(admin, code);
    expect(entered.body.data).toMatchObject({ active: true, roles: ["admin"], reauthenticated: true });
    expect(await listCode(admin)).toBe("200");
    expect((await enterWith(admin, code)).body.code).toBe("40001");
    const login = await call(logInByEmail, "/auth/login/email", {
      body: { user_email: admin.email, user_password: admin.password },
    });
    const other = { bearer: `Bearer ${login.body.data.token}` };
    expect((await enterWith(other, code)).body.code).toBe("40001");
    expect(await listCode(other)).toBe("40314");
    expect((await enterWith(other, await admin.code(1))).body.code).toBe("200");
  });

  it("is required of finance, accepts a code once, and is required again after 31 minutes without use", async () => {
    const finance = await createStaff({ roles: ["finance"], entered: false });
    const readAudit = async () => {
      const { status, body } = await call(listAudit, "/admin/audit", { headers: authHeaders(finance) });
      return [status, body.code, body.data?.items.length > 0];
    };
    expect(await readAudit()).toEqual([403, "40314", false]);
    const code = await finance.code();
    expect((await enterWith(finance, code)).body.code).toBe("200");
    expect(await readAudit()).toEqual([200, "200", true]);
    expect((await enterWith(finance, code)).body.code).toBe("40001");
    await age(finance, { used: 31 });
    expect(await readAudit()).toEqual([403, "40314", false]);
    expect((await enterWith(finance, code)).body.code).toBe("40001");
    expect((await enterWith(finance, await finance.code(1))).body.code).toBe("200");
    expect(await readAudit()).toEqual([200, "200", true]);
  });

  it("accepts only one of several parallel requests with the same code", async () => {
    const admin = await createStaff({ entered: false });
    const code = await admin.code();
    const codes = await Promise.all(
      Array.from({ length: 4 }, async () => (await enterWith(admin, code)).body.code),
    );
    expect(codes.filter((one) => one === "200")).toHaveLength(1);
  });

  it("accepts a code one step early or late and no other", async () => {
    for (const [steps, code] of [
      [-1, "200"],
      [1, "200"],
      [-3, "40001"],
      [3, "40001"],
    ] as const) {
      const admin = await createStaff({ entered: false });
      expect((await enterWith(admin, await admin.code(steps))).body.code, `${steps} steps`).toBe(code);
    }
  });

  it("is locked for 15 minutes after five wrong codes, and its owner is notified", async () => {
    const admin = await createStaff({ entered: false });
    const mails = () =>
      db.execute(sql`select to_address as "to", refs->>'kind' as kind from mails
        where event = 'account-notice' and refs->>'userId' = ${admin.id}`);
    for (let i = 0; i < 5; i++) {
      expect(await mails()).toEqual([]);
      expect((await enterWith(admin, "nonsense")).body.code).toBe("40001");
    }
    expect(await mails()).toEqual([{ to: admin.email, kind: "second_factor_locked" }]);
    const locked = await enterWith(admin, await admin.code());
    expect(locked.body.code).toBe("42901");
    expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(800);
    await db.execute(sql`update second_factors set locked_until = locked_until - interval '15 minutes'
      where user_id = ${admin.id}`);
    expect((await enterWith(admin, await admin.code())).body.code).toBe("200");
  });

  it("does not exist for others", async () => {
    const shopper = await createSignedInUser();
    for (const handler of [enter, setUpFactor, confirmFactor, renewCodes, leave])
      expect((await post(handler, "/auth/second-factor", shopper, { code: "123456" })).body.code).toBe(
        "40400",
      );
    expect((await call(readSession, "/auth/second-factor", { headers: authHeaders(shopper) })).status).toBe(
      404,
    );
  });
});

describe("staff mode", () => {
  it("ends after 30 minutes without use, and after 12 hours", async () => {
    const idle = await createStaff();
    await age(idle, { used: 29 });
    expect(await listCode(idle)).toBe("200"); // this use counts
    await age(idle, { used: 29 });
    expect(await listCode(idle)).toBe("200");
    await age(idle, { used: 31 });
    expect(await listCode(idle)).toBe("40314");
    const long = await createStaff();
    await age(long, { entered: 12 * 60 - 1 });
    expect(await listCode(long)).toBe("200");
    await age(long, { entered: 2 });
    expect(await listCode(long)).toBe("40314");
  });

  it("ends after 30 minutes without use, even while a board polls its calls", async () => {
    const support = await createStaff({ roles: ["support"] });
    const poll = async () =>
      (await call(listStuck, "/admin/stuck", { headers: authHeaders(support) })).body.code;
    for (let minutes = 0; minutes < 30; minutes += 10) {
      expect(await poll(), `${minutes} minutes`).toBe("200");
      await age(support, { used: 10 });
    }
    await age(support, { used: 1 });
    expect(await poll()).toBe("40314");
  });

  it("ends by itself and leaves the session signed in", async () => {
    const admin = await createStaff();
    expect((await post(leave, "/auth/second-factor/leave", admin)).body.data).toEqual({ left: true });
    expect(await listCode(admin)).toBe("40314");
    const state = await call(readSession, "/auth/second-factor", { headers: authHeaders(admin) });
    expect(state.body.data).toMatchObject({ active: false, enrolled: true, expires_at: null });
  });

  it("requires password and factor again for changes after 15 minutes", async () => {
    const admin = await createStaff();
    await age(admin, { proved: 16 });
    const change = () =>
      post(setRoles, "/admin/staff", admin, { email: "nobody@example.com", roles: ["support"] });
    expect((await change()).body.code).toBe("40312");
    const prove = (body: object) => post(reauthenticate, "/auth/reauthenticate", admin, body);
    const password = admin.password;
    expect((await prove({ password })).body.errors).toMatchObject([{ path: "second_factor" }]);
    expect((await change()).body.code).toBe("40312");
    expect((await prove({ password: "wrong password", second_factor: await admin.code() })).body.code).toBe(
      "40003",
    );
    expect((await prove({ password, second_factor: "nonsense" })).body.code).toBe("40001");
    expect((await change()).body.code).toBe("40312");
    expect((await prove({ password, second_factor: await admin.code() })).body.code).toBe("200");
    expect((await change()).body.code).toBe("40417");
  });

  it("begins again with password and factor after it has ended, reauthenticated, for staff only", async () => {
    const admin = await createStaff();
    await age(admin, { used: 31, proved: 600 });
    expect(await listCode(admin)).toBe("40314");
    const again = async (fields: object) =>
      (await post(reauthenticate, "/auth/reauthenticate", admin, fields)).body.code;
    expect(await again({ password: "wrong-password-1", second_factor: await admin.code() })).toBe("40003");
    expect(await listCode(admin)).toBe("40314");
    expect(await again({ password: admin.password, second_factor: "000000" })).toBe("40001");
    expect(await listCode(admin)).toBe("40314");
    expect(await again({ password: admin.password, second_factor: await admin.code() })).toBe("200");
    const { body } = await call(readSession, "/auth/second-factor", { headers: authHeaders(admin) });
    expect(body.data).toMatchObject({ active: true, reauthenticated: true });
    const [entry] = await db.execute<{ action: string }>(sql`
      select action from audit_entries where actor = ${admin.id} order by id desc limit 1`);
    expect(entry).toEqual({ action: "staff.entered" });
    const shopper = await createSignedInUser();
    const fields = { password: shopper.password, second_factor: "123456" };
    expect((await post(reauthenticate, "/auth/reauthenticate", shopper, fields)).body.code).toBe("200");
  });

  it("stays reauthenticated while decisions are made, until two hours after the password", async () => {
    const finance = await createStaff({ roles: ["finance"] });
    const reauthenticated = async () =>
      (await call(readSession, "/auth/second-factor", { headers: authHeaders(finance) })).body.data
        .reauthenticated;
    await age(finance, { proved: 10 });
    await keepReauthentication(finance.viewer);
    await age(finance, { proved: 10 });
    expect(await reauthenticated()).toBe(true);
    await age(finance, { proved: 94 });
    await db.execute(
      sql`update sessions set staff_reauthenticated_at = shop_now() - interval '10 minutes' where id = ${finance.viewer.sessionId}`,
    );
    await keepReauthentication(finance.viewer);
    expect(await reauthenticated()).toBe(true);
    await age(finance, { proved: 6 });
    expect(await reauthenticated()).toBe(false);
    await keepReauthentication(finance.viewer);
    expect(await reauthenticated()).toBe(false);
  });

  it("is not renewed by the factor alone long after the sign-in", async () => {
    const admin = await createStaff({ entered: false });
    await age(admin, { proved: 16 });
    expect((await enterWith(admin, await admin.code())).body.data).toMatchObject({ reauthenticated: false });
  });

  it("ends in all sessions when the roles change", async () => {
    const admin = await createStaff();
    const other = await createStaff({ roles: ["support", "finance"] });
    const body = async (...roles: string[]) => ({
      email: other.email,
      roles,
      ...(await seenMember(other.email)),
    });
    expect((await post(setRoles, "/admin/staff", admin, await body("support"))).body.data).toEqual({
      effects: null,
      result: { changed: true },
    });
    expect(await listCode(other)).toBe("40314");
    await post(setRoles, "/admin/staff", admin, await body());
    expect(await listCode(other)).toBe("40400");
  });
});

describe("setting up the factor", () => {
  it("requires a reauthentication, notifies the owner, and gives recovery codes that work once each", async () => {
    const admin = await createStaff({ enrolled: false, entered: false });
    await age(admin, { proved: 16 });
    expect((await enterWith(admin, "123456")).body.code).toBe("40314");
    const setUp = () => post(setUpFactor, "/auth/second-factor/setup", admin);
    expect((await setUp()).body.code).toBe("40312");
    await post(reauthenticate, "/auth/reauthenticate", admin, { password: admin.password });
    const { secret, uri, qr_svg } = (await setUp()).body.data;
    expect(uri).toContain(`secret=${secret}`);
    expect(qr_svg).toMatch(/^<svg/);
    const confirm = (code: string) => post(confirmFactor, "/auth/second-factor/confirm", admin, { code });
    expect((await confirm("000000")).body.code).toBe("40001");
    const { recovery_codes: codes } = (await confirm(await currentCode(secret))).body.data;
    expect(codes).toHaveLength(10);
    expect(await listCode(admin)).toBe("200");
    const mails = await db.execute(
      sql`select refs->>'kind' as kind from mails where to_address = ${admin.email}`,
    );
    expect(mails.map(({ kind }) => kind)).toEqual(["second_factor_set"]);
    await post(leave, "/auth/second-factor/leave", admin);
    expect((await enterWith(admin, codes[0])).body.data).toMatchObject({ recovery_codes_left: 9 });
    expect((await enterWith(admin, codes[0])).body.code).toBe("40001");
    const [stored] = await db.execute<{ sealed: string; codes: string }>(sql`
      select encode(f.sealed, 'base64') as sealed, string_agg(c.code_hash, ' ') as codes
      from second_factors f join recovery_codes c on c.factor_id = f.id where f.user_id = ${admin.id} group by 1`);
    expect(Buffer.from(stored!.sealed, "base64").includes(secret)).toBe(false);
    for (const code of codes) expect(stored!.codes).not.toContain(code.replace("-", ""));
  });

  it("replaces a factor only in staff mode, after a reauthentication with it", async () => {
    const admin = await createStaff({ entered: false });
    const setUp = async () => (await post(setUpFactor, "/auth/second-factor/setup", admin)).body;
    expect((await setUp()).code).toBe("40314");
    await enterWith(admin, await admin.code());
    await age(admin, { proved: 16 });
    expect((await setUp()).code).toBe("40312");
    const proof = { password: admin.password, second_factor: await admin.code(1) };
    await post(reauthenticate, "/auth/reauthenticate", admin, proof);
    const { secret } = (await setUp()).data;
    const code = await currentCode(secret);
    expect((await post(confirmFactor, "/auth/second-factor/confirm", admin, { code })).body.code).toBe("200");
    await post(leave, "/auth/second-factor/leave", admin);
    expect((await enterWith(admin, await admin.code(0))).body.code).toBe("40001");
    expect((await enterWith(admin, await currentCode(secret, 1))).body.code).toBe("200");
  });

  it("is refused without a pending setup or an app, after five wrong codes, and with another session's setup", async () => {
    const admin = await createStaff({ enrolled: false, entered: false });
    const confirm = async (code: string) =>
      (await post(confirmFactor, "/auth/second-factor/confirm", admin, { code })).body.code;
    expect(await confirm("123456")).toBe("40314");
    await post(setUpFactor, "/auth/second-factor/setup", admin);
    for (let i = 0; i < 5; i++) expect(await confirm("nonsense")).toBe("40001");
    expect(await confirm("nonsense")).toBe("42901");

    const other = await createStaff({ entered: false });
    const secret = new Secret({ size: 20 }).base32;
    const id = newId("fct");
    await db.insert(secondFactors).values({ id, userId: other.id, ...seal(id, secret) });
    const code = await currentCode(secret);
    const answer = await post(confirmFactor, "/auth/second-factor/confirm", other, { code });
    expect(answer.body.code).toBe("40314");

    const without = await createStaff({ enrolled: false });
    expect((await post(renewCodes, "/auth/second-factor/recovery-codes", without)).body.code).toBe("40314");
    const proof = { password: without.password, second_factor: "123456" };
    expect((await post(reauthenticate, "/auth/reauthenticate", without, proof)).body.code).toBe("40314");
  });

  it("replaces the recovery codes after a reauthentication", async () => {
    const admin = await createStaff();
    const codes = async () => (await post(renewCodes, "/auth/second-factor/recovery-codes", admin)).body.data;
    const [first] = (await codes()).recovery_codes;
    await codes();
    expect((await enterWith(admin, first)).body.code).toBe("40001");
  });
});
