import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { verifiedEmails } from "@/db/schema/accounts";
import { logIn } from "@/lib/accounts/sign-in/commands";
import { findOrCreateAccount } from "@/lib/accounts/social-sign-in/commands";
import type { SignInArrival } from "@/lib/accounts/social-sign-in/contract";
import { usernameFromProviderName } from "@/lib/accounts/social-sign-in/rules";
import type { VerifiedIdentity } from "@/lib/platform/auth/proven-person";
import { resolveViewer, type Viewer } from "@/lib/platform/auth/session";
import { isShopError } from "@/lib/platform/errors";

afterAll(closeDatabase);
const guest: Viewer = { kind: "guest", locale: "en" };

function someone(more: Partial<VerifiedIdentity> = {}): VerifiedIdentity {
  const tag = randomUUID().slice(0, 12);
  return { provider: "google", subject: `sub-${tag}`, email: `id-${tag}@example.com`, name: "Ada", ...more };
}
const join = (person: VerifiedIdentity, arrival: SignInArrival = {}) =>
  findOrCreateAccount({ person, arrival, locale: "ja", ip: "192.0.2.1" });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (isShopError(error) ? error.error : Promise.reject(error)),
  );
const identities = (userId: string) =>
  client()`select provider, subject, email from user_identities where user_id = ${userId} order by provider`;
const mailsTo = async (email: string) =>
  (await client()`select event, locale, refs from mails where to_address = ${email} order by created_at`).map(
    ({ event, locale, refs }) => ({ event, locale, refs }),
  );

describe("an identity that a provider vouches for", () => {
  it("joins the proved account of its address, whatever the case, and the owner is told", async () => {
    const tag = randomUUID().slice(0, 12);
    const owner = await createUser({ email: `Own.Er-${tag}@Example.com`, locale: "zh" });
    const person = someone({ email: owner.email.toLowerCase() });
    expect(await join(person)).toBe(owner.id);
    expect(await join({ ...person, email: "moved-on@example.com" })).toBe(owner.id);
    expect(await identities(owner.id)).toMatchObject([{ provider: "google", subject: person.subject }]);
    expect(await mailsTo(owner.email)).toEqual([
      {
        event: "account-notice",
        locale: "zh",
        refs: { kind: "sign_in_linked", userId: owner.id, provider: "google" },
      },
    ]);
    // The password opens the account as before.
    const given = { user_email: owner.email.toLowerCase(), user_password: owner.password };
    expect((await logIn(guest, given, { device: "Test", ip: "203.0.113.7" })).answer.user_id).toBe(owner.id);
  });

  it("opens one account beside another provider's identity", async () => {
    const person = someone();
    const id = await join(person);
    expect(await join({ ...person, provider: "github", subject: "77" })).toBe(id);
    expect((await identities(id)).map(({ provider }) => provider)).toEqual(["github", "google"]);
  });

  it("takes over an account that nobody has proved: a squatter keeps nothing", async () => {
    const squatter = await createSignedInUser({ verified: false, username: "Squatter" });
    await db.insert(verifiedEmails).values({ userId: squatter.id, email: "squatter@example.com" });
    await client()`update users set phone = '1', country_code = '1' where id = ${squatter.id}`;
    const inviter = await createUser();
    const thief = await createUser();
    await client()`insert into referrals (id, inviter_id, friend_id, email_identity, network)
      values ('ref_thief', ${thief.id}, ${squatter.id}, 'm', 'n')`;
    const person = someone({ email: squatter.email });
    const arrival = { invited_account: inviter.inviteCode, source_info: { source: "mail" } };
    expect(await join(person, arrival)).toBe(squatter.id);
    const [row] =
      await client()`select password_hash, username, phone, country_code, invited_by, signup_source, locale,
      invite_code, email_verified_at is not null as verified from users where id = ${squatter.id}`;
    expect(row).toMatchObject({
      password_hash: null,
      username: "Ada",
      phone: null,
      country_code: null,
      invited_by: inviter.id,
      signup_source: { source: "mail" },
      locale: "ja",
      verified: true,
    });
    expect(row?.invite_code).not.toBe(squatter.inviteCode);
    const invitations = await client()`select inviter_id from referrals where friend_id = ${squatter.id}`;
    expect([...invitations]).toEqual([{ inviter_id: inviter.id }]);
    expect(await client()`select 1 from verified_emails where user_id = ${squatter.id}`).toHaveLength(0);
    expect((await resolveViewer({ cookie: squatter.cookie })).kind).toBe("guest");
    const given = { user_email: squatter.email, user_password: squatter.password };
    expect(await refusal(logIn(guest, given, { device: "Test", ip: "203.0.113.7" }))).toBe("login_failed");
  });

  it("does not take over a staff account that nobody has proved", async () => {
    const staff = await createUser({ verified: false, role: "staff" });
    expect(await refusal(join(someone({ email: staff.email })))).toBe("login_failed");
    expect(await identities(staff.id)).toEqual([]);
  });

  it("opens nothing when the account is deleted", async () => {
    const person = someone();
    const id = await join(person);
    await client()`update users set deleted_at = shop_now() where id = ${id}`;
    expect(await refusal(join(person))).toBe("login_failed");
    expect(await refusal(join(someone({ email: person.email })))).toBe("login_failed");
  });

  it("does not open an account that another identity of this provider opens", async () => {
    const person = someone();
    const id = await join(person);
    expect(await refusal(join({ ...person, subject: "a newcomer with the old address" }))).toBe(
      "login_failed",
    );
    expect(await identities(id)).toMatchObject([{ subject: person.subject }]);
  });

  it("opens one account, however many sign-ins come at once", async () => {
    const person = someone();
    const both = [person, { ...person, provider: "github" as const }];
    const ids = await Promise.all([...both, ...both, ...both].map((one) => join(one)));
    expect(new Set(ids).size).toBe(1);
    expect(await identities(ids[0] ?? "")).toHaveLength(2);
    expect((await mailsTo(person.email)).map(({ event }) => event).sort()).toEqual([
      "account-notice",
      "welcome",
    ]);
  });
});

describe("a provider's name as a username", () => {
  it.each([
    ["Ada Lovelace", "Ada Lovelace"],
    ["  林   美 ", "林 美"],
    ["<b>x</b>", "b x /b"],
    ["a\u202eb\u0007", "a b"],
    ["x".repeat(300), "x".repeat(40)],
    ["\u200b", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%j becomes %j", (given, wanted) => {
    expect(usernameFromProviderName(given)).toBe(wanted);
  });
});
