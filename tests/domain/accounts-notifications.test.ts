import { afterAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import { createSignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { newId } from "@/lib/id";
import { changeNotifications } from "@/lib/notifications/commands-settings";
import { subscribe, unsubscribe, unsubscribeToken } from "@/lib/notifications/commands-subscription";
import { wantsMail } from "@/lib/notifications/queries-mail";
import { getNotifications } from "@/lib/notifications/queries-settings";
import { refusal } from "./account-steps";

afterAll(closeDatabase);

it("discount alerts to a proved address need no link, and end again", async () => {
  const { viewer, email } = await createSignedInUser();
  expect(await getNotifications(viewer)).toEqual({
    email,
    email_verified: true,
    discounts: false,
    wait_list: true,
  });
  await subscribe({ email, topic: "discounts" }, "en"); // waits for its link
  expect((await getNotifications(viewer)).discounts).toBe(false);
  const mails = () => client()`select 1 from mails where to_address = ${email}`;
  const before = (await mails()).length;
  expect((await changeNotifications(viewer, { discounts: true })).discounts).toBe(true);
  expect(await mails()).toHaveLength(before);
  expect(await wantsMail(email, "discounts")).toBe(true);
  expect(await changeNotifications(viewer, { discounts: false })).toMatchObject({
    discounts: false,
    wait_list: true,
  });
  expect(await wantsMail(email, "discounts")).toBe(false);
  const rows = await client()`select state from subscriptions where email = ${email}`;
  expect(rows.map(({ state }) => state)).toEqual(["ended"]);
});

it("what a mail's link ended is off here, and can be turned on again", async () => {
  const { viewer, email } = await createSignedInUser();
  await changeNotifications(viewer, { discounts: true });
  await unsubscribe({ token: unsubscribeToken(email, "discounts"), all: true }, "en");
  expect(await getNotifications(viewer)).toMatchObject({ discounts: false, wait_list: false });
  expect(await changeNotifications(viewer, { wait_list: true })).toMatchObject({
    discounts: false,
    wait_list: true,
  });
  expect(await changeNotifications(viewer, { discounts: true })).toMatchObject({
    discounts: true,
    wait_list: true,
  });
});

it("turning the wait-list off leaves the lists of this address only", async () => {
  const { viewer, id, email } = await createSignedInUser();
  const other = await createSignedInUser();
  const planId = (await createProduct()).plans[0]!.id;
  for (const [userId, to] of [
    [id, email],
    [other.id, other.email],
  ] as const)
    await client()`insert into wait_list (id, user_id, plan_id, email, locale) values (${newId("w")}, ${userId}, ${planId}, ${to}, 'en')`;
  await changeNotifications(viewer, { wait_list: false });
  const states = await client()`select user_id, state from wait_list where plan_id = ${planId}`;
  expect(new Map(states.map((row) => [row.user_id, row.state]))).toEqual(
    new Map([
      [id, "left"],
      [other.id, "waiting"],
    ]),
  );
});

it("an address that is not proved can only turn mail off", async () => {
  const { viewer, email } = await createSignedInUser({ verified: false });
  for (const input of [{ discounts: true }, { wait_list: true }, { discounts: true, wait_list: false }])
    expect(await refusal(changeNotifications(viewer, input))).toBe("email_unverified");
  expect(await wantsMail(email, "wait_list")).toBe(true);
  expect(await changeNotifications(viewer, { wait_list: false })).toMatchObject({
    wait_list: false,
    email_verified: false,
  });
});
