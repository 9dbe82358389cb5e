import { afterAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createSinglePlan } from "@/db/factories/catalog";
import { changeSettings } from "@/lib/accounts/profile/change-settings";
import { getNotifications } from "@/lib/notifications/settings/get-notifications";
import { acceptsMail } from "@/lib/notifications/subscriptions/opt-outs";
import { subscribe } from "@/lib/notifications/subscriptions/subscribe";
import { unsubscribe, unsubscribeToken } from "@/lib/notifications/subscriptions/unsubscribe";
import { resolveViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { getErrorName } from "../setup/error-name";

afterAll(closeDatabase);

it("a verified address turns discount alerts on without a confirmation link, and off again", async () => {
  const { viewer, email } = await createSignedInUser();
  expect(await getNotifications(viewer)).toEqual({
    email,
    email_verified: true,
    discounts: false,
    wait_list: true,
    wishlist: true,
    locale: "en",
  });
  await subscribe({ email, topic: "discounts" }, "en"); // pending until its link is opened
  expect((await getNotifications(viewer)).discounts).toBe(false);
  const mails = () => client()`select 1 from mails where to_address = ${email}`;
  const before = (await mails()).length;
  expect((await changeSettings(viewer, { discounts: true })).discounts).toBe(true);
  expect(await mails()).toHaveLength(before);
  expect(await acceptsMail(email, "discounts")).toBe(true);
  expect(await changeSettings(viewer, { discounts: false })).toMatchObject({
    discounts: false,
    wait_list: true,
  });
  expect(await acceptsMail(email, "discounts")).toBe(false);
  const rows = await client()`select state from subscriptions where email = ${email}`;
  expect(rows.map(({ state }) => state)).toEqual(["ended"]);
});

it("topics unsubscribed by an email's link are off in the settings, and can be turned on again", async () => {
  const { viewer, email } = await createSignedInUser();
  await changeSettings(viewer, { discounts: true });
  await unsubscribe({ token: unsubscribeToken(email, "discounts"), all: true }, "en");
  expect(await getNotifications(viewer)).toMatchObject({ discounts: false, wait_list: false });
  expect(await changeSettings(viewer, { wait_list: true })).toMatchObject({
    discounts: false,
    wait_list: true,
  });
  expect(await changeSettings(viewer, { discounts: true })).toMatchObject({
    discounts: true,
    wait_list: true,
  });
});

it("turning wait-list mails off removes only this address's wait-list entries", async () => {
  const { viewer, id, email } = await createSignedInUser();
  const other = await createSignedInUser();
  const planId = (await createSinglePlan()).id;
  for (const [userId, to] of [
    [id, email],
    [other.id, other.email],
  ] as const)
    await client()`insert into wait_list (id, user_id, plan_id, email, locale) values (${newId("w")}, ${userId}, ${planId}, ${to}, 'en')`;
  await changeSettings(viewer, { wait_list: false });
  const states = await client()`select user_id, outcome from wait_list where plan_id = ${planId}`;
  expect(new Map(states.map((row) => [row.user_id, row.outcome]))).toEqual(
    new Map([
      [id, "cancelled"],
      [other.id, null],
    ]),
  );
});

it("an unverified address can turn mails off, not on", async () => {
  const { viewer, email } = await createSignedInUser({ verified: false });
  for (const input of [{ discounts: true }, { wait_list: true }, { discounts: true, wait_list: false }])
    expect(await getErrorName(changeSettings(viewer, input))).toBe("email_unverified");
  expect(await acceptsMail(email, "wait_list")).toBe(true);
  expect(await changeSettings(viewer, { wait_list: false })).toMatchObject({
    wait_list: false,
    email_verified: false,
  });
});

it("the chosen language applies to the account, its alerts and its wait-list entries", async () => {
  const { viewer, id, email } = await createSignedInUser();
  const other = await createSignedInUser();
  const planId = (await createSinglePlan()).id;
  for (const subscriber of [viewer, other.viewer]) {
    await changeSettings(subscriber, { discounts: true });
    await client()`insert into wait_list (id, user_id, plan_id, email, locale) values (${newId("w")}, ${subscriber.userId}, ${planId}, ${subscriber.email}, 'en')`;
  }
  expect(await changeSettings(viewer, { locale: "ja" })).toMatchObject({
    discounts: true,
    locale: "ja",
  });
  expect(await resolveViewer({ authorization: other.bearer })).toMatchObject({ locale: "en" });
  const listLocales = async (userId: string, address: string) => {
    const [row] = await client()`select u.locale as account, s.locale as alerts, w.locale as waits
      from users u join subscriptions s on s.email = ${address} join wait_list w on w.user_id = u.id where u.id = ${userId}`;
    return row;
  };
  expect(await listLocales(id, email)).toEqual({ account: "ja", alerts: "ja", waits: "ja" });
  expect(await listLocales(other.id, other.email)).toEqual({ account: "en", alerts: "en", waits: "en" });
  // The language of a request does not change the stored language.
  await changeSettings({ ...viewer, locale: "zh" }, { wait_list: true });
  expect((await getNotifications({ ...viewer, locale: "zh" })).locale).toBe("ja");
});

it("the chosen language does not change the subscription of an unverified address", async () => {
  const { viewer, email } = await createSignedInUser({ verified: false });
  await subscribe({ email, topic: "discounts" }, "zh");
  await client()`update subscriptions set state = 'confirmed' where email = ${email}`;
  expect((await changeSettings(viewer, { locale: "ja" })).locale).toBe("ja");
  const [row] = await client()`select locale from subscriptions where email = ${email}`;
  expect(row?.locale).toBe("zh");
});
