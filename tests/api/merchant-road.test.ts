import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as approveApplication } from "@/app/api/v1/admin/applications/[id]/approve/route";
import { POST as decideApproval } from "@/app/api/v1/admin/approvals/[id]/approve/route";
import { POST as allowKeys } from "@/app/api/v1/admin/merchants/[id]/allow-keys/route";
import { POST as reviewDiscounts } from "@/app/api/v1/admin/merchants/[id]/discounts-looked/route";
import { POST as endMerchant } from "@/app/api/v1/admin/merchants/[id]/end/route";
import { POST as inviteOwner } from "@/app/api/v1/admin/merchants/[id]/invite/route";
import { POST as approveName } from "@/app/api/v1/admin/merchants/[id]/name/approve/route";
import { POST as refuseName } from "@/app/api/v1/admin/merchants/[id]/name/refuse/route";
import { POST as pauseByStaff } from "@/app/api/v1/admin/merchants/[id]/pause/route";
import { POST as resumeByStaff } from "@/app/api/v1/admin/merchants/[id]/resume/route";
import { GET as getMerchant } from "@/app/api/v1/admin/merchants/[id]/route";
import { POST as suspend } from "@/app/api/v1/admin/merchants/[id]/suspend/route";
import { POST as trust } from "@/app/api/v1/admin/merchants/[id]/trust/route";
import { GET as listMerchants } from "@/app/api/v1/admin/merchants/route";
import { POST as deleteAccount } from "@/app/api/v1/auth/delete/route";
import { POST as acceptInvite } from "@/app/api/v1/business/invite/accept/route";
import { POST as viewInvite } from "@/app/api/v1/business/invite/route";
import { POST as revokeInvite } from "@/app/api/v1/merchant/invites/[id]/revoke/route";
import { POST as inviteColleague } from "@/app/api/v1/merchant/invites/route";
import { GET as getMe } from "@/app/api/v1/merchant/me/route";
import { POST as endMember } from "@/app/api/v1/merchant/members/[id]/end/route";
import { POST as changeRole } from "@/app/api/v1/merchant/members/[id]/role/route";
import { GET as listTeam } from "@/app/api/v1/merchant/members/route";
import { POST as pause } from "@/app/api/v1/merchant/pause/route";
import { GET as getProfile, POST as saveProfile } from "@/app/api/v1/merchant/profile/route";
import { POST as resume } from "@/app/api/v1/merchant/resume/route";
import { POST as revokeToken } from "@/app/api/v1/merchant/tokens/[id]/revoke/route";
import { POST as createToken, GET as listTokens } from "@/app/api/v1/merchant/tokens/route";
import { db } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import {
  type CreatedMerchant,
  createApiToken,
  createMerchant,
  createMerchantInvite,
  createSeller,
  type Seller,
} from "@/db/factories/merchants";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { findConsoleApplication } from "@/lib/merchants/console/list-console-applications";
import { getHome } from "@/lib/merchants/home/get-home";
import { registerBusiness } from "@/lib/merchants/register-business";
import { inviteMail } from "@/lib/merchants/team/find-invite";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import type { Handler } from "@/lib/platform/api/declaration";
import { inviteToken } from "@/lib/platform/auth/merchant-access";
import { seenApproval } from "@/tests/setup/seen";
import * as sale from "../setup/sale";
import { authHeaders, call } from "./call";

let admin: StaffUser;
let second: StaffUser;
beforeAll(async () => {
  admin = await createStaff();
  second = await createStaff();
});
afterAll(sale.closeSale);

type By = { bearer: string } | { headers: Record<string, string> };
const post = (handler: Handler, path: string, by: By, body: object = {}, id?: string) =>
  call(handler, id ? path.replace("{id}", id) : path, {
    method: "POST",
    body,
    ...(id && { params: { id } }),
    headers: "headers" in by ? { ...authHeaders(), ...by.headers } : authHeaders(by),
  });
const get = (handler: Handler, path: string, by: By, id?: string, query?: string) =>
  call(handler, id ? path.replace("{id}", id) : path, {
    ...(id && { params: { id } }),
    ...(query && { query }),
    headers: "headers" in by ? by.headers : authHeaders(by),
  });
const codeOf = async (answer: Promise<{ body: { code: string } }>) => (await answer).body.code;

const merchantRow = async (id: string) =>
  (
    await db.execute<{ state: string; handle: string; name: string; locale: string }>(
      sql`select state, handle, name, locale from merchants where id = ${id}`,
    )
  )[0]!;
const auditOf = async (subject: string) =>
  (
    await db.execute<{ action: string; actor: string; detail: Record<string, unknown> }>(
      sql`select action, actor, detail from audit_entries where subject = ${subject} order by id`,
    )
  ).map((row) => row);
const mailsTo = async (address: string) =>
  (
    await db.execute<{ event: string; refs: { inviteId?: string; refused?: string } }>(
      sql`select event, refs from mails where to_address = ${address} order by created_at, id`,
    )
  ).map((row) => row);

const APPROVE = "/admin/applications/{id}/approve";
const ACCEPT = "/business/invite/accept";
const accept = (by: By, token: string) => post(acceptInvite, ACCEPT, by, { token });

async function apply(host: string) {
  const email = `owner@${host}`;
  const input = { email, productUrl: `https://www.${host}/app`, phoneNum: "+14155550123" };
  const id = (await registerBusiness(input, {}, "ja")).application_id;
  const { version } = (await findConsoleApplication(id))!;
  const approve = (body: object) => post(approveApplication, APPROVE, admin, { version, ...body }, id);
  return { email, id, approve };
}

describe("an approved application", () => {
  it("creates a merchant, whose owner is the applicant and activates it", async () => {
    const { email, approve } = await apply("alder-works.example");
    const preview = await approve({ preview: true });
    expect(preview.body.data.effects.map((effect: { event: string }) => effect.event).sort()).toEqual([
      "application-approved",
      "merchant-invite",
    ]);
    const approved = await approve({ note: "Welcome." });
    const merchantId: string = approved.body.data.result.merchant_id;
    expect(await merchantRow(merchantId)).toEqual({
      state: "invited",
      handle: "alder-works",
      name: "Alder Works",
      locale: "ja",
    });
    const invite = (await mailsTo(email)).find(({ event }) => event === "merchant-invite")!;
    const token = inviteToken(invite.refs.inviteId!);
    expect(await inviteMail(invite.refs.inviteId!)).toMatchObject({ token, merchant: "Alder Works" });
    const [stored] = await db.execute<{ hash: string }>(
      sql`select token_hash as hash from merchant_invites where id = ${invite.refs.inviteId!}`,
    );
    expect(stored!.hash).not.toContain(token);

    const seen = await call(viewInvite, "/business/invite", { body: { token } });
    expect(seen.body.data).toMatchObject({
      state: "open",
      merchant_name: "Alder Works",
      email,
      for_viewer: null,
    });

    const otherUser = await createSignedInUser();
    const refused = await accept(otherUser, token);
    expect([refused.status, refused.body.code]).toEqual([403, "40317"]);
    expect(JSON.stringify(refused.body)).not.toContain(email);
    const unverified = await createSignedInUser({ email, verified: false });

    // Two tabs and a double click: one membership.
    const answers = await Promise.all([1, 2, 3].map(() => accept(unverified, token)));
    expect(answers.map(({ body }) => body.data)).toEqual(
      [1, 2, 3].map(() => ({ handle: "alder-works", role: "owner" })),
    );
    const [members] = await db.execute<{ count: number }>(
      sql`select count(*)::int as count from merchant_members where merchant_id = ${merchantId}`,
    );
    expect(members!.count).toBe(1);
    expect((await merchantRow(merchantId)).state).toBe("active");
    expect((await auditOf(merchantId)).map(({ action }) => action)).toEqual([
      "merchant.created",
      "merchant.invited",
      "merchant.joined",
    ]);
    const me = await get(getMe, "/merchant/me", unverified);
    expect(me.body.data).toMatchObject({ handle: "alder-works", role: "owner", state: "active" });
    // Team calls lead to the second factor first.
    const invites = post(inviteColleague, "/merchant/invites", unverified, { email: "a@b.example" });
    expect(await codeOf(invites)).toBe("40314");

    // Another one cannot have the same address; staff name another.
    const other = await apply("alder.works.example");
    expect(await codeOf(other.approve({}))).toBe("40946");
    expect(await codeOf(other.approve({ handle: "-x" }))).toBe("40000");
    const named = { handle: "alder-tools", name: "Alder Tools" };
    for (const [name, code] of [
      ["Alder\nWorks", "40000"],
      ["alder.example", "40000"],
      ["Passlane Support", "40000"],
      ["A1der  W0rks", "40978"],
    ] as const)
      expect(await codeOf(other.approve({ ...named, name }))).toBe(code);
    const asShop = { handle: "pass-lane", name: "Alder Tools" };
    expect(await codeOf(other.approve(asShop))).toBe("40946");
    const made = await other.approve(named);
    expect(await merchantRow(made.body.data.result.merchant_id)).toMatchObject(named);
  });

  it("may take over a vendor without members, whose state is kept", async () => {
    const vendor = await createMerchant({ name: "Vendor" });
    const { approve, email } = await apply("vendor.example");
    const attach = (merchant_id: string) => approve({ merchant_id });
    expect(await codeOf(attach("mch_none"))).toBe("40434");
    const owned = await createMerchant();
    await createSeller(owned);
    expect(await codeOf(attach(owned.id))).toBe("40947");
    expect(await codeOf(attach((await createMerchant({ state: "ended" })).id))).toBe("40948");
    expect((await attach(vendor.id)).body.data.result.merchant_id).toBe(vendor.id);
    expect((await merchantRow(vendor.id)).state).toBe("active");
    const invite = (await mailsTo(email)).find(({ event }) => event === "merchant-invite")!;
    const owner = await createSignedInUser({ email });
    await accept(owner, inviteToken(invite.refs.inviteId!));
    expect((await merchantRow(vendor.id)).state).toBe("active");
  });
});

describe("invitations", () => {
  it("work once, within seven days, and not after a newer one", async () => {
    const merchant = await createMerchant({ state: "invited" });
    const expired = await createMerchantInvite(merchant, { expired: true });
    const late = await createSignedInUser({ email: expired.email });
    expect(await codeOf(accept(late, expired.token))).toBe("40957");
    expect(await codeOf(accept(late, "no-such-token"))).toBe("40419");
    expect(await codeOf(call(viewInvite, "/business/invite", { body: { token: "x" } }))).toBe("40419");

    const INVITE = "/admin/merchants/{id}/invite";
    const invite = async (email: string) =>
      (await post(inviteOwner, INVITE, admin, { email }, merchant.id)).body.data.result.invite_id as string;
    const first = await createSignedInUser();
    const one = await invite(first.email);
    const two = await invite(first.email);
    expect(await inviteMail(one)).toBeNull();
    expect(await codeOf(accept(first, inviteToken(one)))).toBe("40419");
    // Nobody is a member yet, so that an invitation of another address replaces all others.
    const other = await createSignedInUser();
    const three = await invite(other.email);
    expect(await codeOf(accept(first, inviteToken(two)))).toBe("40419");
    expect(await codeOf(accept(other, inviteToken(three)))).toBe("200");
    expect(await codeOf(accept(first, inviteToken(three)))).toBe("40317");
    // The address now belongs to another account.
    await db.execute(sql`update merchant_members set role = 'owner' where merchant_id = ${merchant.id}`);
    await db.execute(sql`update users set email = ${`old-${other.email}`} where id = ${other.id}`);
    const heir = await createSignedInUser({ email: other.email });
    expect(await codeOf(accept(heir, inviteToken(three)))).toBe("40956");
    expect((await merchantRow(merchant.id)).state).toBe("active");

    expect(await codeOf(post(inviteOwner, INVITE, admin, { email: "a" }, merchant.id))).toBe("40000");
    expect(await codeOf(post(inviteOwner, INVITE, admin, { email: "a@b.example" }, "mch_none"))).toBe(
      "40434",
    );
    const same = post(inviteOwner, INVITE, admin, { email: `old-${other.email}` }, merchant.id);
    expect(await codeOf(same)).toBe("40949");
    const ended = await createMerchant({ state: "ended" });
    expect(await codeOf(post(inviteOwner, INVITE, admin, { email: "a@b.example" }, ended.id))).toBe("40948");
  });
});

describe("the team", () => {
  let merchant: CreatedMerchant;
  let owner: Seller;
  /** The version of a member as the team lists it; undefined: it lists none. */
  const versionOf = async (id: string): Promise<string | undefined> => {
    const { members } = (await get(listTeam, "/merchant/members", owner)).body.data;
    return members.find(({ member_id }: { member_id: string }) => member_id === id)?.version;
  };
  const end = async (id: string) =>
    post(endMember, "/merchant/members/{id}/end", owner, { version: await versionOf(id) }, id);
  const setRole = async (id: string, role: string) =>
    post(changeRole, "/merchant/members/{id}/role", owner, { version: await versionOf(id), role }, id);
  const invite = (body: object) => post(inviteColleague, "/merchant/invites", owner, body);

  beforeAll(async () => {
    merchant = await createMerchant();
    owner = await createSeller(merchant);
  });

  it("always keeps an owner: the last one cannot leave or step down, even with two concurrent requests", async () => {
    expect(await codeOf(end(owner.memberId))).toBe("40945");
    expect(await codeOf(setRole(owner.memberId, "member"))).toBe("40945");
    const colleague = await createSeller(merchant, { role: "member" });
    expect((await setRole(colleague.memberId, "owner")).body.data).toMatchObject({ role: "owner" });
    const versions = await Promise.all([owner, colleague].map(({ memberId }) => versionOf(memberId)));
    const both = await Promise.all(
      [owner, colleague].map((person, i) =>
        post(endMember, "/merchant/members/{id}/end", person, { version: versions[i] }, person.memberId),
      ),
    );
    expect(both.map(({ body }) => body.code).sort()).toEqual(["200", "40945"]);
    await db.execute(sql`update merchant_members set ended_at = null where merchant_id = ${merchant.id}`);
    // The database refuses writes that bypass the commands.
    const passing = db.execute(
      sql`update merchant_members set role = 'member' where merchant_id = ${merchant.id}`,
    );
    await expect(passing).rejects.toThrow();
    expect((await end(colleague.memberId)).body.data).toMatchObject({ ended: true });
    expect(await codeOf(end(colleague.memberId))).toBe("40436");
    expect(await codeOf(setRole(colleague.memberId, "owner"))).toBe("40436");
    expect(await codeOf(get(getMe, "/merchant/me", colleague))).toBe("40400");
  });

  it("changes and ends a membership only in the state that was listed", async () => {
    const { memberId } = await createSeller(merchant, { role: "member" });
    const old = await versionOf(memberId);
    await setRole(memberId, "owner");
    for (const version of [old, undefined]) {
      const role = { role: "owner", version };
      expect(await codeOf(post(changeRole, "/merchant/members/{id}/role", owner, role, memberId))).toBe(
        "40940",
      );
      const left = post(endMember, "/merchant/members/{id}/end", owner, { version }, memberId);
      expect(await codeOf(left)).toBe("40940");
    }
    expect(await codeOf(setRole(memberId, "member"))).toBe("200");
    expect(await codeOf(end(memberId))).toBe("200");
  });

  it("invites colleagues, lists them, and withdraws an invitation", async () => {
    const colleague = await createSignedInUser();
    const sent = await invite({ email: colleague.email });
    const id: string = sent.body.data.invite_id;
    const team = (await get(listTeam, "/merchant/members", owner)).body.data;
    expect(team.invites).toMatchObject([{ invite_id: id, role: "member", expired: false }]);
    expect(team.members).toMatchObject([{ member_id: owner.memberId, role: "owner", is_self: true }]);
    const revoke = () => post(revokeInvite, "/merchant/invites/{id}/revoke", owner, {}, id);
    expect(await codeOf(revoke())).toBe("200");
    expect(await codeOf(revoke())).toBe("40419");
    expect(await codeOf(accept(colleague, inviteToken(id)))).toBe("40419");
    const again = (await invite({ email: colleague.email })).body.data.invite_id;
    expect((await accept(colleague, inviteToken(again))).body.data.role).toBe("member");
    expect(await codeOf(invite({ email: colleague.email }))).toBe("40949");
    expect(await codeOf(invite({ email: "nobody" }))).toBe("40000");
    // Emails to addresses that nobody has verified are limited.
    const sink = await createMerchant();
    const other = await createSeller(sink);
    const codes = [];
    for (let i = 0; i < 11; i++)
      codes.push(
        await codeOf(post(inviteColleague, "/merchant/invites", other, { email: `${i}@c.example` })),
      );
    expect(codes.slice(9)).toEqual(["200", "429"]);
    await db.execute(sql`
      insert into merchant_invites (id, merchant_id, email, role, locale, token_hash, invited_by, expires_at)
      select 'inv_full' || i, ${merchant.id}, i || '@full.example', 'member', 'en', 'full' || i, 'x', shop_now() + interval '1 day'
      from generate_series(1, 50) i`);
    expect(await codeOf(invite({ email: "one-more@example.com" }))).toBe("40958");
    const byStaff = post(
      inviteOwner,
      "/admin/merchants/{id}/invite",
      admin,
      { email: "one-more@example.com" },
      merchant.id,
    );
    expect(await codeOf(byStaff)).toBe("40958");
  });

  it("ends the invitations that an owner made who leaves or becomes a member", async () => {
    const shop = await createMerchant();
    const first = await createSeller(shop);
    for (const how of ["end", "role"] as const) {
      const leaving = await createSeller(shop);
      const friend = await createSignedInUser();
      const invited = { email: friend.email, role: "owner" };
      const sent = await post(inviteColleague, "/merchant/invites", leaving, invited);
      const kept = await createSignedInUser();
      const own = await post(inviteColleague, "/merchant/invites", first, { email: kept.email });
      const { members } = (await get(listTeam, "/merchant/members", first)).body.data;
      const { version } = members.find(
        ({ member_id }: { member_id: string }) => member_id === leaving.memberId,
      );
      const done =
        how === "end"
          ? post(endMember, "/merchant/members/{id}/end", first, { version }, leaving.memberId)
          : post(
              changeRole,
              "/merchant/members/{id}/role",
              first,
              { version, role: "member" },
              leaving.memberId,
            );
      expect(await codeOf(done)).toBe("200");
      expect(await codeOf(accept(friend, inviteToken(sent.body.data.invite_id)))).toBe("40419");
      expect(await codeOf(accept(kept, inviteToken(own.body.data.invite_id)))).toBe("200");
    }
  });

  it("keeps the last owner's account until another owner is named or the merchant is closed", async () => {
    const sole = await createSeller(await createMerchant());
    const colleague = await createSeller(sole.merchant, { role: "member" });
    const erase = () => post(deleteAccount, "/auth/delete", sole, { confirm: sole.email });
    expect(await codeOf(erase())).toBe("40945");
    await db.execute(sql`update merchants set state = 'ended' where id = ${sole.merchant.id}`);
    expect(await codeOf(erase())).toBe("200");
    expect(await codeOf(get(getMe, "/merchant/me", colleague))).toBe("40400");
  });
});

describe("the profile", () => {
  it("is saved as a whole through the translation gate, once per version that was read", async () => {
    const owner = await createSeller(await createMerchant());
    const { data } = (await get(getProfile, "/merchant/profile", owner)).body;
    const input = {
      name: owner.merchant.name,
      locale: "en",
      website: "alder.example",
      support_email: "help@alder.example",
      country: "jp",
      texts: { en: "We make tools.", zh: "我们做工具。", ja: "道具を作ります。" },
      closed_until: "2027-01-03",
      revision: data.revision,
    };
    const save = (change: object) => post(saveProfile, "/merchant/profile", owner, { ...input, ...change });
    const flawed = await save({
      website: "javascript:1",
      country: "XX",
      texts: { en: "", zh: "We make tools.", ja: "{name}の道具" },
    });
    expect(flawed.body.errors?.map(({ path }) => path).sort()).toEqual([
      "country",
      "texts.en",
      "texts.ja",
      "texts.zh",
      "website",
    ]);
    expect(await codeOf(save({ support_email: "nobody" }))).toBe("40000");
    const saved = (await save({})).body.data;
    expect(saved).toMatchObject({
      website: "https://alder.example/",
      country: "JP",
      closed_until: "2027-01-03",
    });
    expect(await codeOf(save({}))).toBe("40940");
    expect(await codeOf(save({ revision: saved.revision }))).toBe("200");
    const entries = (await auditOf(owner.merchant.id)).filter(({ action }) => action === "merchant.profile");
    expect(entries).toHaveLength(1);
    expect(entries[0]!.detail).toMatchObject({ before: { country: null }, after: { country: "JP" } });
    expect((await getHome(owner.member)).steps.find(({ step }) => step === "profile")?.done).toBe(true);
  });

  it("may request another name, which stays unpublished until staff approve it", async () => {
    const owner = await createSeller(await createMerchant());
    const { merchant } = owner;
    const other = await createMerchant({ name: `Birch ${merchant.handle}` });
    const read = async () => (await get(getProfile, "/merchant/profile", owner)).body.data;
    const ask = async (name: string) => {
      const { revision } = await read();
      return post(saveProfile, "/merchant/profile", owner, {
        name,
        locale: "en",
        texts: { en: "", zh: "", ja: "" },
        revision,
      });
    };
    for (const name of ["Al\u200bder", "Passl\u0430ne", "alder.example", other.name.replace("i", "1")]) {
      const refused = (await ask(name)).body;
      expect([refused.code, refused.errors?.map(({ path }) => path)], name).toEqual(["40000", ["name"]]);
    }
    const wanted = `Cedar ${merchant.handle}`;
    expect((await ask(wanted)).body.data).toMatchObject({ name: merchant.name, proposed_name: wanted });
    expect((await merchantRow(merchant.id)).name).toBe(merchant.name);
    const email = `new@${merchant.handle}.example`;
    await post(inviteColleague, "/merchant/invites", owner, { email });
    const [invite] = await mailsTo(email);
    expect(await inviteMail(invite!.refs.inviteId!)).toMatchObject({ merchant: merchant.name });

    const list = await get(listMerchants, "/admin/merchants", admin, undefined, "renamed=true");
    expect(list.body.data.items).toContainEqual(
      expect.objectContaining({ merchant_id: merchant.id, renamed: true }),
    );
    const shown = async () =>
      (await get(getMerchant, "/admin/merchants/{id}", admin, merchant.id)).body.data.proposed_name;
    const approve = (body: object, id = merchant.id) =>
      post(approveName, "/admin/merchants/{id}/name/approve", admin, body, id);
    const refuse = (body: object, id = merchant.id) =>
      post(refuseName, "/admin/merchants/{id}/name/refuse", admin, { note: "No.", ...body }, id);
    const { version } = await shown();
    expect(await codeOf(approve({ version }, "mch_none"))).toBe("40434");
    expect(await codeOf(refuse({ version }, "mch_none"))).toBe("40434");
    // A request made since then was not shown.
    await ask(`Spruce ${merchant.handle}`);
    for (const seen of [{ version }, {}])
      for (const decide of [approve, refuse]) expect(await codeOf(decide(seen))).toBe("40940");
    expect((await merchantRow(merchant.id)).name).toBe(merchant.name);
    expect(await codeOf(refuse({ ...(await shown()), name: undefined, at: undefined }))).toBe("200");
    expect(await read()).toMatchObject({ name: merchant.name, proposed_name: null, name_note: "No." });
    const refusal = (await mailsTo(owner.email)).at(-1)!;
    expect(refusal).toMatchObject({ event: "merchant-name", refs: { refused: `Spruce ${merchant.handle}` } });
    await sale.runQueue();
    const sent = (await findMailboxMails(owner.email))!.find(({ event }) => event === "merchant-name")!;
    expect(sent.text).toContain(`“Spruce ${merchant.handle}”`);
    expect(sent.subject).toBe("Your new name was not accepted");
    for (const decide of [approve, refuse]) expect(await codeOf(decide({ version }))).toBe("40997");

    await ask(wanted);
    const seen = { version: (await shown()).version };
    const rival = await createMerchant({ name: wanted.replace("C", "\u0421") });
    expect(await codeOf(approve(seen))).toBe("40978");
    await db.execute(sql`update merchants set state = 'ended' where id = ${rival.id}`);
    const preview = (await approve({ ...seen, preview: true })).body.data;
    expect(preview.effects).toContainEqual({ kind: "email", event: "merchant-name", to: owner.email });
    expect((await approve(seen)).body.data.result).toEqual({ merchant_id: merchant.id, name: wanted });
    expect(await read()).toMatchObject({ name: wanted, proposed_name: null, name_note: null });
    expect((await mailsTo(owner.email)).map(({ event }) => event)).toEqual([
      "merchant-name",
      "merchant-name",
    ]);
    expect((await auditOf(merchant.id)).at(-1)).toMatchObject({
      action: "merchant.name_approved",
      actor: admin.id,
      detail: { before: { name: merchant.name }, after: { name: wanted } },
    });
  });

  it("lets a merchant pause and resume its sales, but not end a suspension", async () => {
    const owner = await createSeller(await createMerchant());
    const product = await createProduct({ merchantId: owner.merchant.id });
    const isListed = async () =>
      (await db.execute<{ listed: boolean }>(sql`select listed from products where id = ${product.id}`))[0]!
        .listed;
    expect((await post(pause, "/merchant/pause", owner)).body.data.state).toBe("paused");
    expect(await isListed()).toBe(false);
    expect(await codeOf(post(pause, "/merchant/pause", owner))).toBe("40948");
    expect((await post(resume, "/merchant/resume", owner)).body.data.state).toBe("active");
    expect(await isListed()).toBe(true);
    expect(await codeOf(post(resume, "/merchant/resume", owner))).toBe("40948");
    await db.execute(sql`update merchants set state = 'suspended' where id = ${owner.merchant.id}`);
    expect(await codeOf(post(resume, "/merchant/resume", owner))).toBe("40316");
  });
});

describe("tokens", () => {
  it("are shown once, work within their scopes and networks, and end when they are revoked", async () => {
    const owner = await createSeller(await createMerchant());
    const create = (body: object) => post(createToken, "/merchant/tokens", owner, body);
    expect(await codeOf(create({ name: "a", scopes: ["sales:read"], networks: ["here"] }))).toBe("40000");
    const input = { name: "Robot", scopes: ["products:read"], networks: ["203.0.113.77/24"], days: 30 };
    const made = (await create(input)).body.data;
    expect(made.token).toMatch(/^plm_test_[a-z0-9]{20}_[a-z0-9]{32}$/);
    const use = (ip: string) =>
      call(getMe, "/merchant/me", { headers: { authorization: `Bearer ${made.token}` }, ip });
    expect((await use("203.0.113.5")).body.data.handle).toBe(owner.merchant.handle);
    expect((await use("198.51.100.1")).body.code).toBe("40102");
    const list = await get(listTokens, "/merchant/tokens", owner);
    expect(list.body.data.items).toMatchObject([
      {
        name: "Robot",
        networks: ["203.0.113.0/24"],
        valid: true,
        last_used_at: expect.any(String),
        created_by: owner.email,
      },
    ]);
    expect(JSON.stringify(list.body)).not.toContain(made.token.split("_").at(-1));
    const revoke = () => post(revokeToken, "/merchant/tokens/{id}/revoke", owner, {}, made.token_id);
    expect(await codeOf(revoke())).toBe("200");
    expect((await use("203.0.113.5")).body.code).toBe("40102");
    expect(await codeOf(revoke())).toBe("40435");
    const stored = await db.execute<{ text: string }>(
      sql`select to_jsonb(t)::text as text from api_tokens t where id = ${made.token_id}
        union all select detail::text from audit_entries where subject = ${owner.merchant.id}`,
    );
    for (const { text } of stored) expect(text).not.toContain(made.token.split("_").at(-1));
    for (let i = 0; i < 50; i++) await createApiToken(owner.merchant);
    expect(await codeOf(create(input))).toBe("40959");
    // A repeated request does not show it again.
    await db.execute(
      sql`update api_tokens set revoked_at = shop_now() where merchant_id = ${owner.merchant.id}`,
    );
    const keyed = () =>
      call(createToken, "/merchant/tokens", {
        body: input,
        headers: { ...owner.headers, "idempotency-key": "twice" },
      });
    const [one, two] = [await keyed(), await keyed()];
    expect(one.body.data.token).not.toBe(two.body.data.token);
  });
});

describe("staff", () => {
  it("list merchants, and open one with its team, products and history", async () => {
    const name = `Zzz ${Date.now()}`;
    const merchant = await createMerchant({ name });
    const owner = await createSeller(merchant);
    await createProduct({ merchantId: merchant.id });
    await createApiToken(merchant);
    const list = await get(listMerchants, "/admin/merchants", admin, undefined, `name=${name.slice(0, 8)}`);
    expect(list.body.data.items[0]).toMatchObject({
      merchant_id: merchant.id,
      members: 1,
      products: 1,
      products_exact: true,
      sales: 0,
    });
    const states = await get(listMerchants, "/admin/merchants", admin, undefined, "state=active");
    expect(states.body.data.items[0].state).toBe("active");
    expect(await codeOf(get(listMerchants, "/admin/merchants", admin, undefined, "cursor=x"))).toBe("40000");
    const seen = await get(getMerchant, "/admin/merchants/{id}", admin, merchant.id);
    expect(seen.body.data).toMatchObject({
      members: [{ email: owner.email, role: "owner" }],
      tokens: [{ name: "Test" }],
      products_total: 1,
      sales: { lines: 0, gross: 0, exact: true },
      replaced: 0,
    });
    expect(await codeOf(get(getMerchant, "/admin/merchants/{id}", admin, "mch_none"))).toBe("40434");
  });

  it("pause, resume, suspend and trust a merchant; its owners are notified", async () => {
    const merchant = await createMerchant();
    const owner = await createSeller(merchant);
    await createProduct({ merchantId: merchant.id });
    const path = (action: string) => `/admin/merchants/{id}/${action}`;
    const seen = async () => {
      const { body } = await get(getMerchant, "/admin/merchants/{id}", admin, merchant.id);
      return { version: body.data.version };
    };
    const act = async (handler: Handler, action: string, body: object, id = merchant.id) =>
      post(handler, path(action), admin, { ...(await seen()), ...body }, id);
    const first = await seen();
    const preview = await act(suspend, "suspend", { note: "Codes fail.", preview: true });
    expect(preview.body.data.effects).toEqual([
      { kind: "products_off", count: 1 },
      { kind: "email", event: "merchant-notice", to: owner.email },
    ]);
    expect((await merchantRow(merchant.id)).state).toBe("active");
    expect((await act(suspend, "suspend", { note: "Codes fail." })).body.data.result.state).toBe("suspended");
    expect(await codeOf(act(suspend, "suspend", { note: "Codes fail." }))).toBe("40948");
    expect(await codeOf(act(pauseByStaff, "pause", {}))).toBe("40948");
    expect((await getHome(owner.member)).stateNote).toBe("Codes fail.");
    // An old screen showed an active merchant, not one that was suspended since.
    const history = (await auditOf(merchant.id)).length;
    for (const version of [first.version, undefined])
      for (const [handler, action, body] of [
        [suspend, "suspend", { note: "x" }],
        [pauseByStaff, "pause", {}],
        [resumeByStaff, "resume", {}],
        [trust, "trust", { trust: "trusted" }],
        [endMerchant, "end", { note: "x" }],
      ] as const)
        expect(await codeOf(act(handler, action, { ...body, version }))).toBe("40940");
    expect((await merchantRow(merchant.id)).state).toBe("suspended");
    expect(await auditOf(merchant.id)).toHaveLength(history);
    expect((await act(resumeByStaff, "resume", {})).body.data.result.state).toBe("active");
    expect(await codeOf(act(resumeByStaff, "resume", {}))).toBe("40948");
    expect((await act(pauseByStaff, "pause", {})).body.data.result.state).toBe("paused");
    expect((await mailsTo(owner.email)).map(({ event }) => event)).toEqual([
      "merchant-notice",
      "merchant-notice",
      "merchant-notice",
    ]);
    expect((await act(trust, "trust", { trust: "trusted" })).body.data.trust).toBe("trusted");
    expect(await codeOf(act(trust, "trust", { trust: "trusted" }))).toBe("40976");
    expect(await codeOf(act(allowKeys, "allow-keys", {}))).toBe("40976");
    await db.execute(
      sql`update merchants set foreign_keys = 5, keys_stopped_at = now() where id = ${merchant.id}`,
    );
    const detail = async () =>
      (await get(getMerchant, "/admin/merchants/{id}", admin, merchant.id)).body.data;
    const { keys_version: version } = await detail();
    // Somebody else lets it add codes, and it is stopped again.
    await db.execute(
      sql`update merchants set keys_stopped_at = now() + interval '1 hour' where id = ${merchant.id}`,
    );
    for (const seen of [{ version }, {}])
      expect(await codeOf(act(allowKeys, "allow-keys", seen))).toBe("40940");
    const stopped = await detail();
    expect(stopped.keys_stopped_at).not.toBeNull();
    expect(await codeOf(act(allowKeys, "allow-keys", { version: stopped.keys_version }))).toBe("200");
    expect(await codeOf(act(allowKeys, "allow-keys", {}))).toBe("40976");
    const look = (seen: object) => act(reviewDiscounts, "discounts-looked", seen);
    expect(await codeOf(look({}))).toBe("40976");
    await db.execute(sql`
      insert into merchant_discounts (merchant_id, gross_cents, discount_cents, high_since, counted_at)
      values (${merchant.id}, 20000, 6000, now(), now())`);
    const { version: shown } = (await detail()).discounts;
    await db.execute(
      sql`update merchant_discounts set discount_cents = 7000 where merchant_id = ${merchant.id}`,
    );
    for (const seen of [{ version: shown }, {}]) expect(await codeOf(look(seen))).toBe("40940");
    const { version: grown } = (await detail()).discounts;
    const tried = (await look({ version: grown, preview: true })).body.data;
    expect(tried).toMatchObject({ effects: [], result: null });
    expect(await codeOf(look({ version: grown, note: "Planned" }))).toBe("200");
    expect(await codeOf(look({}))).toBe("40976");
    expect((await detail()).discounts).toMatchObject({ share: 0.35, looked_at: expect.any(String) });
    expect((await auditOf(merchant.id)).at(-1)).toEqual({
      action: "merchant.discounts_looked",
      actor: admin.id,
      detail: { grossCents: 20000, shopPaidCents: 7000, note: "Planned" },
    });
    for (const [handler, action, body] of [
      [suspend, "suspend", { note: "x" }],
      [pauseByStaff, "pause", {}],
      [resumeByStaff, "resume", {}],
      [trust, "trust", { trust: "new" }],
      [allowKeys, "allow-keys", {}],
      [reviewDiscounts, "discounts-looked", {}],
      [endMerchant, "end", { note: "x" }],
    ] as const)
      expect(await codeOf(act(handler, action, body, "mch_none"))).toBe("40434");
  });

  it("close a merchant with a second person, which voids open invitations", async () => {
    const merchant = await createMerchant();
    const owner = await createSeller(merchant);
    const invite = await createMerchantInvite(merchant, { role: "member" });
    const end = async () => {
      const { version } = (await get(getMerchant, "/admin/merchants/{id}", admin, merchant.id)).body.data;
      return post(
        endMerchant,
        "/admin/merchants/{id}/end",
        admin,
        { version, note: "Asked for." },
        merchant.id,
      );
    };
    const asked = await end();
    expect(asked.body.code).toBe("40941");
    const approval = asked.body.errors![0]!.message;
    const APPROVE_APPROVAL = "/admin/approvals/{id}/approve";
    const seen = await seenApproval(second.viewer, approval);
    expect(await codeOf(post(decideApproval, APPROVE_APPROVAL, admin, seen, approval))).toBe("40943");
    expect((await merchantRow(merchant.id)).state).toBe("active");
    expect(await codeOf(post(decideApproval, APPROVE_APPROVAL, second, seen, approval))).toBe("200");
    expect((await merchantRow(merchant.id)).state).toBe("ended");
    expect(await codeOf(end())).toBe("40948");
    const invited = await createSignedInUser({ email: invite.email });
    expect(await codeOf(accept(invited, invite.token))).toBe("40419");
    const last = (await auditOf(merchant.id)).at(-1)!;
    expect(last).toMatchObject({
      action: "merchant.end",
      actor: second.id,
      detail: { asked_by: admin.id, note: "Asked for." },
    });
    // Reading still works.
    expect(await codeOf(get(getMe, "/merchant/me", owner))).toBe("200");
  });
});
