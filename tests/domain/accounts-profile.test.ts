import { afterAll, describe, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createPlan, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { updateEmail, updatePhone, updateUsername } from "@/lib/accounts/profile/commands";
import { getProfile, isDeliveryEmail } from "@/lib/accounts/queries";
import { requireReauthentication } from "@/lib/accounts/reauthentication/queries";
import { registerDirectly } from "@/lib/accounts/registration/commands";
import { resolveViewer, startSession, type UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ageProof, codeTo, freshAddress, guest, noticesTo, refusal, wrong } from "./account-steps";

afterAll(closeDatabase);

const move = (viewer: UserViewer, new_email: string, code: Awaited<ReturnType<typeof codeTo>>) =>
  updateEmail(viewer, { new_email, ...code }, "Test, Linux");

describe("another e-mail", () => {
  it("is the account's once its code is given: this session goes on under a new id, the others end, both are told", async () => {
    const user = await createSignedInUser({ verified: false });
    const other = await startSession({ id: user.id }, "Other");
    const email = freshAddress();
    const { answer, cookie } = await move(
      user.viewer,
      email,
      await codeTo(user.viewer, email, "change_email"),
    );
    expect(answer).toMatchObject({ user_id: user.id, user_email: email });
    const now = await resolveViewer({ cookie });
    expect(now).toMatchObject({ kind: "user", userId: user.id, email, emailVerified: true });
    expect((now as UserViewer).sessionId).not.toBe(user.viewer.sessionId);
    expect(await resolveViewer({ authorization: `Bearer ${answer.token}` })).toMatchObject({ email });
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
    expect((await resolveViewer({ cookie: other.cookie })).kind).toBe("guest");
    expect(await noticesTo(user.email)).toEqual(["email_changed_old"]);
    expect(await noticesTo(email)).toEqual(["email_changed_new"]);
    const [told] =
      await client()`select refs from mails where to_address = ${user.email} and event = 'account-notice'`;
    expect(JSON.stringify(told)).not.toContain(email);
    expect(await isDeliveryEmail(now as UserViewer, user.email)).toBe(false);
  });

  it("does not make an old proof young", async () => {
    const { viewer } = await createSignedInUser();
    await ageProof(viewer.sessionId, "14 minutes");
    const email = freshAddress();
    const { cookie } = await move(viewer, email, await codeTo(viewer, email, "change_email"));
    const now = (await resolveViewer({ cookie })) as UserViewer;
    expect(await refusal(requireReauthentication(now))).toBe("done");
    await ageProof(now.sessionId, "2 minutes");
    expect(await refusal(requireReauthentication(now))).toBe("reauthentication_required");
  });

  it("needs a fresh proof first, then its own code", async () => {
    const { viewer, email: old } = await createSignedInUser();
    const email = freshAddress();
    const code = await codeTo(viewer, email, "change_email");
    const stranger = await createSignedInUser();
    expect(await refusal(move(stranger.viewer, email, code))).toBe("code_expired");
    expect(await refusal(move(viewer, freshAddress(), code))).toBe("code_expired");
    const bad = { ...code, verification_code: wrong(code.verification_code) };
    expect(await refusal(move(viewer, email, bad))).toBe("code_wrong");
    await ageProof(viewer.sessionId);
    expect(await refusal(move(viewer, email, code))).toBe("reauthentication_required");
    expect((await getProfile(viewer)).user_email).toBe(old);
  });

  it("tells that it is in use only to who has proved it; asking for the code does not tell", async () => {
    const { viewer } = await createSignedInUser();
    const taken = await createUser({ email: `Taken-${freshAddress()}` });
    const email = taken.email.toLowerCase();
    const code = await codeTo(viewer, email, "change_email");
    expect(
      await client()`select 1 from mails where to_address = ${email} and event = 'verification-code'`,
    ).toHaveLength(1);
    const bad = { ...code, verification_code: wrong(code.verification_code) };
    expect(await refusal(move(viewer, email, bad))).toBe("code_wrong");
    expect(await refusal(move(viewer, email, code))).toBe("email_in_use");
    expect(await noticesTo(email)).toEqual([]);
    expect(
      (await resolveViewer({ cookie: (await startSession({ id: viewer.userId }, "T")).cookie })).kind,
    ).toBe("user");
  });

  it("goes to one of several who come at once: two accounts, two tabs, and a registration", async () => {
    for (let round = 0; round < 4; round++) {
      const email = freshAddress();
      const [first, second] = [await createSignedInUser(), await createSignedInUser()];
      const code = await codeTo(first.viewer, email, "change_email");
      await client()`update verification_codes set created_at = created_at - interval '2 minutes' where email = ${email}`;
      const other = await codeTo(second.viewer, email, "change_email");
      // Without a proof it keeps nobody out, whether it comes first or last.
      const input = { user_email: email, user_password: "long enough" };
      const registering = refusal(registerDirectly(guest, input, { device: "T", ip: "" }));
      const answers = await Promise.all([
        refusal(move(first.viewer, email, code)),
        refusal(move(first.viewer, email, code)),
        refusal(move(second.viewer, email, other)),
      ]);
      await registering;
      expect(answers.filter((answer) => answer === "done")).toHaveLength(1);
      expect(
        answers.every((answer) =>
          ["done", "email_in_use", "code_expired", "reauthentication_required"].includes(answer),
        ),
      ).toBe(true);
      expect(await client()`select 1 from users where lower(email) = ${email}`).toHaveLength(1);
    }
  });

  it("leaves orders where they go, and takes the places on wait-lists along", async () => {
    const { viewer, id, email: old } = await createSignedInUser();
    const product = await createProduct();
    const plan = product.plans[0]!.id;
    const order = await createOrder({ id, email: old }, plan, { status: "paid" });
    const elsewhere = freshAddress();
    for (const [to, planId] of [
      [old, plan],
      [elsewhere, (await createPlan(product.id, { type: "month" })).id],
    ] as const)
      await client()`insert into wait_list (id, user_id, plan_id, email, locale) values (${newId("w")}, ${id}, ${planId}, ${to}, 'en')`;
    const email = freshAddress();
    await move(viewer, email, await codeTo(viewer, email, "change_email"));
    const [row] = await client()`select send_email from orders where id = ${order.id}`;
    expect(row?.send_email).toBe(old);
    const waits = await client()`select email from wait_list where user_id = ${id}`;
    expect(waits.map((wait) => wait.email).sort()).toEqual([email, elsewhere].sort());
  });

  it("that is the same proves it, and nobody is alarmed", async () => {
    const { viewer, email } = await createSignedInUser({ verified: false });
    const { cookie } = await move(viewer, email, await codeTo(viewer, email, "change_email"));
    expect(await resolveViewer({ cookie })).toMatchObject({ emailVerified: true });
    expect(await noticesTo(email)).toEqual([]);
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
  ])("%s of %s is %s", async (new_phone, country_code, phone, country) => {
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
  ])("%s of %s is refused, and the old one stays", async (new_phone, country_code) => {
    const { viewer } = await createSignedInUser();
    await updatePhone(viewer, { new_phone: "+819012345678" }, "en");
    expect(await refusal(updatePhone(viewer, { new_phone, country_code }, "en"))).toBe("phone_invalid");
    expect((await getProfile(viewer)).phone).toBe("+819012345678");
  });

  it("is removed by an empty one", async () => {
    const { viewer } = await createSignedInUser();
    await updatePhone(viewer, { new_phone: "+819012345678" }, "en");
    await updatePhone(viewer, { new_phone: "" }, "en");
    expect(await getProfile(viewer)).toMatchObject({ phone: null, country_code: null });
  });
});

it("the name changes for this account only", async () => {
  const [one, other] = [await createSignedInUser(), await createSignedInUser()];
  await updateUsername(one.viewer, { new_username: "Mara 👩‍💻" });
  expect(await resolveViewer({ cookie: one.cookie })).toMatchObject({ username: "Mara 👩‍💻" });
  expect(await resolveViewer({ cookie: other.cookie })).toMatchObject({ username: other.username });
});
