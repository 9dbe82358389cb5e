import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { verifiedEmails } from "@/db/schema/accounts";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import type { SignInArrival } from "@/lib/accounts/social-sign-in/contract";
import { findOrCreateAccount } from "@/lib/accounts/social-sign-in/find-or-create-account";
import { usernameFromProviderName } from "@/lib/accounts/social-sign-in/rules";
import { resolveViewer } from "@/lib/platform/auth/session";
import type { VerifiedIdentity } from "@/lib/platform/auth/verified-identity";
import { guest } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";

afterAll(closeDatabase);

function createIdentity(fields: Partial<VerifiedIdentity> = {}): VerifiedIdentity {
  const tag = randomUUID().slice(0, 12);
  return {
    provider: "google",
    subject: `sub-${tag}`,
    email: `id-${tag}@example.com`,
    name: "Ada",
    ...fields,
  };
}
const signIn = (identity: VerifiedIdentity, attribution: SignInArrival = {}) =>
  findOrCreateAccount({ identity, attribution, locale: "ja", ip: "192.0.2.1" });
const listIdentities = (userId: string) =>
  client()`select provider, subject, email from user_identities where user_id = ${userId} order by provider`;
const mailsTo = async (email: string) =>
  (await client()`select event, locale, refs from mails where to_address = ${email} order by created_at`).map(
    ({ event, locale, refs }) => ({ event, locale, refs }),
  );

describe("an identity verified by a provider", () => {
  it("is linked to the verified account of its address, ignoring case, and the owner is notified", async () => {
    const tag = randomUUID().slice(0, 12);
    const owner = await createUser({ email: `Own.Er-${tag}@Example.com`, locale: "zh" });
    const identity = createIdentity({ email: owner.email.toLowerCase() });
    expect(await signIn(identity)).toBe(owner.id);
    expect(await signIn({ ...identity, email: "changed@example.com" })).toBe(owner.id);
    expect(await listIdentities(owner.id)).toMatchObject([{ provider: "google", subject: identity.subject }]);
    expect(await mailsTo(owner.email)).toEqual([
      {
        event: "account-notice",
        locale: "zh",
        refs: { kind: "sign_in_linked", userId: owner.id, provider: "google" },
      },
    ]);
    // The password opens the account as before.
    const credentials = { user_email: owner.email.toLowerCase(), user_password: owner.password };
    expect((await logIn(guest, credentials, { device: "Test", ip: "203.0.113.7" })).response.user_id).toBe(
      owner.id,
    );
  });

  it("is linked to the account of another provider's identity with the same address", async () => {
    const identity = createIdentity();
    const id = await signIn(identity);
    expect(await signIn({ ...identity, provider: "github", subject: "77" })).toBe(id);
    expect((await listIdentities(id)).map(({ provider }) => provider)).toEqual(["github", "google"]);
  });

  it("takes over an unverified account and clears what was stored in it", async () => {
    const unverifiedUser = await createSignedInUser({ verified: false, username: "Squatter" });
    await db.insert(verifiedEmails).values({ userId: unverifiedUser.id, email: "squatter@example.com" });
    await client()`update users set phone = '1', country_code = '1' where id = ${unverifiedUser.id}`;
    const inviter = await createUser();
    const otherInviter = await createUser();
    await client()`insert into referrals (id, inviter_id, friend_id, email_identity, network)
      values ('ref_other', ${otherInviter.id}, ${unverifiedUser.id}, 'm', 'n')`;
    const identity = createIdentity({ email: unverifiedUser.email });
    const attribution = { invited_account: inviter.inviteCode, source_info: { source: "mail" } };
    expect(await signIn(identity, attribution)).toBe(unverifiedUser.id);
    const [row] =
      await client()`select password_hash, username, phone, country_code, invited_by, signup_source, locale,
      invite_code, email_verified_at is not null as verified from users where id = ${unverifiedUser.id}`;
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
    expect(row?.invite_code).not.toBe(unverifiedUser.inviteCode);
    const invitations =
      await client()`select inviter_id from referrals where friend_id = ${unverifiedUser.id}`;
    expect([...invitations]).toEqual([{ inviter_id: inviter.id }]);
    expect(await client()`select 1 from verified_emails where user_id = ${unverifiedUser.id}`).toHaveLength(
      0,
    );
    expect((await resolveViewer({ cookie: unverifiedUser.cookie })).kind).toBe("guest");
    const credentials = { user_email: unverifiedUser.email, user_password: unverifiedUser.password };
    expect(await getErrorName(logIn(guest, credentials, { device: "Test", ip: "203.0.113.7" }))).toBe(
      "login_failed",
    );
  });

  it("does not take over an unverified staff account", async () => {
    const staff = await createUser({ verified: false, role: "staff" });
    expect(await getErrorName(signIn(createIdentity({ email: staff.email })))).toBe("login_failed");
    expect(await listIdentities(staff.id)).toEqual([]);
  });

  it("cannot sign in when its account is deleted", async () => {
    const identity = createIdentity();
    const id = await signIn(identity);
    await client()`update users set deleted_at = shop_now() where id = ${id}`;
    expect(await getErrorName(signIn(identity))).toBe("login_failed");
    expect(await getErrorName(signIn(createIdentity({ email: identity.email })))).toBe("login_failed");
  });

  it("cannot sign in to an account linked to another identity of the same provider", async () => {
    const identity = createIdentity();
    const id = await signIn(identity);
    expect(await getErrorName(signIn({ ...identity, subject: "another subject" }))).toBe("login_failed");
    expect(await listIdentities(id)).toMatchObject([{ subject: identity.subject }]);
  });

  it("creates one account for several concurrent sign-ins", async () => {
    const identity = createIdentity();
    const identitiesOfTwoProviders = [identity, { ...identity, provider: "github" as const }];
    const ids = await Promise.all(
      [...identitiesOfTwoProviders, ...identitiesOfTwoProviders, ...identitiesOfTwoProviders].map(
        (identity) => signIn(identity),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await listIdentities(ids[0] ?? "")).toHaveLength(2);
    expect((await mailsTo(identity.email)).map(({ event }) => event).sort()).toEqual([
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
    ["\u3164", undefined],
    ["a\u2028b", "a b"],
    ["", undefined],
    [undefined, undefined],
  ])("%j becomes %j", (name, expected) => {
    expect(usernameFromProviderName(name)).toBe(expected);
  });
});
