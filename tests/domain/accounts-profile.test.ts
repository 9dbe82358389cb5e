import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createPlan, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { getProfile } from "@/lib/accounts/get-account";
import { isDeliveryEmail } from "@/lib/accounts/is-delivery-email";
import { updateEmail } from "@/lib/accounts/profile/update-email";
import { updatePhone } from "@/lib/accounts/profile/update-phone";
import { updateUsername } from "@/lib/accounts/profile/update-username";
import { requireReauthentication } from "@/lib/accounts/reauthentication/require-reauthentication";
import { registerDirectly } from "@/lib/accounts/registration/register";
import { resolveViewer, startSession, type UserViewer } from "@/lib/platform/auth/session";
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

afterAll(closeDatabase);

const changeEmail = (viewer: UserViewer, new_email: string, code: Awaited<ReturnType<typeof requestCode>>) =>
  updateEmail(viewer, { new_email, ...code }, "Test, Linux");

describe("changing the email", () => {
  it("requires the code sent to the new address, replaces this session, ends the others and notifies both addresses", async () => {
    const user = await createSignedInUser();
    const other = await startSession({ id: user.id }, "Other");
    const email = uniqueEmail();
    const { response, cookie } = await changeEmail(
      user.viewer,
      email,
      await requestCode(user.viewer, email, "change_email"),
    );
    expect(response).toMatchObject({ user_id: user.id, user_email: email });
    const updated = await resolveViewer({ cookie });
    expect(updated).toMatchObject({ kind: "user", userId: user.id, email, emailVerified: true });
    expect((updated as UserViewer).sessionId).not.toBe(user.viewer.sessionId);
    expect(await resolveViewer({ authorization: `Bearer ${response.token}` })).toMatchObject({ email });
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
    expect((await resolveViewer({ cookie: other.cookie })).kind).toBe("guest");
    expect(await listAccountNotices(user.email)).toEqual(["email_changed_old"]);
    expect(await listAccountNotices(email)).toEqual(["email_changed_new"]);
    const [notice] =
      await client()`select refs from mails where to_address = ${user.email} and event = 'account-notice'`;
    expect(JSON.stringify(notice)).not.toContain(email);
    expect(await isDeliveryEmail(updated as UserViewer, user.email)).toBe(false);
  });

  it("sends nothing to an old address that was never verified, which may be someone else's", async () => {
    const user = await createSignedInUser({ verified: false });
    const email = uniqueEmail();
    await changeEmail(user.viewer, email, await requestCode(user.viewer, email, "change_email"));
    expect(await listAccountNotices(user.email)).toEqual([]);
    expect(await listAccountNotices(email)).toEqual(["email_changed_new"]);
  });

  it("does not renew the last reauthentication", async () => {
    const { viewer } = await createSignedInUser();
    await ageReauthentication(viewer.sessionId, "14 minutes");
    const email = uniqueEmail();
    const { cookie } = await changeEmail(viewer, email, await requestCode(viewer, email, "change_email"));
    const updated = (await resolveViewer({ cookie })) as UserViewer;
    expect(await getErrorName(requireReauthentication(updated))).toBeNull();
    await ageReauthentication(updated.sessionId, "2 minutes");
    expect(await getErrorName(requireReauthentication(updated))).toBe("reauthentication_required");
  });

  it("requires a recent reauthentication and a code of this account and address", async () => {
    const { viewer, email: oldEmail } = await createSignedInUser();
    const email = uniqueEmail();
    const code = await requestCode(viewer, email, "change_email");
    const otherUser = await createSignedInUser();
    expect(await getErrorName(changeEmail(otherUser.viewer, email, code))).toBe("code_expired");
    expect(await getErrorName(changeEmail(viewer, uniqueEmail(), code))).toBe("code_expired");
    const badCode = { ...code, verification_code: wrongCode(code.verification_code) };
    expect(await getErrorName(changeEmail(viewer, email, badCode))).toBe("code_wrong");
    await ageReauthentication(viewer.sessionId);
    expect(await getErrorName(changeEmail(viewer, email, code))).toBe("reauthentication_required");
    expect((await getProfile(viewer)).user_email).toBe(oldEmail);
  });

  it("reveals that an address is in use only with the right code, not when the code is requested", async () => {
    const { viewer } = await createSignedInUser();
    const existing = await createUser({ email: `Taken-${uniqueEmail()}` });
    const email = existing.email.toLowerCase();
    const code = await requestCode(viewer, email, "change_email");
    expect(
      await client()`select 1 from mails where to_address = ${email} and event = 'verification-code'`,
    ).toHaveLength(1);
    const badCode = { ...code, verification_code: wrongCode(code.verification_code) };
    expect(await getErrorName(changeEmail(viewer, email, badCode))).toBe("code_wrong");
    expect(await getErrorName(changeEmail(viewer, email, code))).toBe("email_in_use");
    expect(await listAccountNotices(email)).toEqual([]);
    expect(
      (await resolveViewer({ cookie: (await startSession({ id: viewer.userId }, "T")).cookie })).kind,
    ).toBe("user");
  });

  it("succeeds once for two accounts, two tabs and a registration at the same time", async () => {
    for (let round = 0; round < 4; round++) {
      const email = uniqueEmail();
      const [first, second] = [await createSignedInUser(), await createSignedInUser()];
      const code = await requestCode(first.viewer, email, "change_email");
      await client()`update verification_codes set created_at = created_at - interval '2 minutes' where email = ${email}`;
      const other = await requestCode(second.viewer, email, "change_email");
      // An unverified registration blocks no one, whether it comes first or last.
      const input = { user_email: email, user_password: "long enough" };
      const registration = getErrorName(registerDirectly(guest, input, { device: "T", ip: "" }));
      const outcomes = await Promise.all([
        getErrorName(changeEmail(first.viewer, email, code)),
        getErrorName(changeEmail(first.viewer, email, code)),
        getErrorName(changeEmail(second.viewer, email, other)),
      ]);
      await registration;
      expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
      expect(
        outcomes.every((outcome) =>
          [null, "email_in_use", "code_expired", "reauthentication_required"].includes(outcome),
        ),
      ).toBe(true);
      expect(await client()`select 1 from users where lower(email) = ${email}`).toHaveLength(1);
    }
  });

  it("keeps the delivery address of orders, and moves wait-list entries to the new address", async () => {
    const { viewer, id, email: oldEmail } = await createSignedInUser();
    const product = await createProduct();
    const plan = product.plans[0]!.id;
    const order = await createOrder({ id, email: oldEmail }, plan, { status: "paid" });
    const otherAddress = uniqueEmail();
    for (const [to, planId] of [
      [oldEmail, plan],
      [otherAddress, (await createPlan(product.id, { type: "month" })).id],
    ] as const)
      await client()`insert into wait_list (id, user_id, plan_id, email, locale) values (${newId("w")}, ${id}, ${planId}, ${to}, 'en')`;
    const email = uniqueEmail();
    await changeEmail(viewer, email, await requestCode(viewer, email, "change_email"));
    const [row] = await client()`select send_email from orders where id = ${order.id}`;
    expect(row?.send_email).toBe(oldEmail);
    const entries = await client()`select email from wait_list where user_id = ${id}`;
    expect(entries.map((wait) => wait.email).sort()).toEqual([email, otherAddress].sort());
  });

  it("to the same address verifies it and sends no notice", async () => {
    const { viewer, email } = await createSignedInUser({ verified: false });
    const { cookie } = await changeEmail(viewer, email, await requestCode(viewer, email, "change_email"));
    expect(await resolveViewer({ cookie })).toMatchObject({ emailVerified: true });
    expect(await listAccountNotices(email)).toEqual([]);
  });
});

describe("the phone number", () => {
  it.each([
    ["+81 90-1234-5678", null, "+819012345678", "JP"],
    ["0081 90 1234 5678", "US", "+819012345678", "JP"],
    ["090-1234-5678", "JP", "+819012345678", "JP"],
    ["090-1234-5678", "jp", "+819012345678", "JP"],
    ["13812345678", "+86", "+8613812345678", "+86"],
    ["13812345678", "86", "+8613812345678", "86"],
    ["+81 90-1234-5678", "+1", "+819012345678", "JP"],
    ["(415) 555-0100", "US", "+14155550100", "US"],
    ["+1 604 555 0123", "CA", "+16045550123", "CA"],
  ])("%s with country %s is stored as %s", async (new_phone, country_code, phone, country) => {
    const { viewer } = await createSignedInUser();
    const view = { phone, country_code: country };
    expect(await updatePhone(viewer, { new_phone, country_code }, "en")).toEqual(view);
    expect(await getProfile(viewer)).toMatchObject(view);
  });

  it.each([
    ["090-1234-5678", null],
    ["12", "US"],
    ["not a number", "JP"],
    ["090-1234-5678", "XX"],
    ["call +81 90-1234-5678 now", "JP"],
  ])("rejects %s with country %s and keeps the old number", async (new_phone, country_code) => {
    const { viewer } = await createSignedInUser();
    await updatePhone(viewer, { new_phone: "+819012345678" }, "en");
    expect(await getErrorName(updatePhone(viewer, { new_phone, country_code }, "en"))).toBe("phone_invalid");
    expect((await getProfile(viewer)).phone).toBe("+819012345678");
  });

  it("is removed by an empty number", async () => {
    const { viewer } = await createSignedInUser();
    await updatePhone(viewer, { new_phone: "+819012345678" }, "en");
    await updatePhone(viewer, { new_phone: "" }, "en");
    expect(await getProfile(viewer)).toMatchObject({ phone: null, country_code: null });
  });
});

it("updating the username changes this account only", async () => {
  const [user, other] = [await createSignedInUser(), await createSignedInUser()];
  await updateUsername(user.viewer, { new_username: "Mara 👩‍💻" });
  expect(await resolveViewer({ cookie: user.cookie })).toMatchObject({ username: "Mara 👩‍💻" });
  expect(await resolveViewer({ cookie: other.cookie })).toMatchObject({ username: other.username });
});
