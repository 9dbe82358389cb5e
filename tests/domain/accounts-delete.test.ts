import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { deleteAccount } from "@/lib/accounts/erasure/commands";
import { exportAccount } from "@/lib/accounts/export/queries";
import { resetPassword } from "@/lib/accounts/password-reset/commands";
import { updateEmail } from "@/lib/accounts/profile/commands";
import { registerByEmail } from "@/lib/accounts/registration/commands";
import { logIn, openSession } from "@/lib/accounts/sign-in/commands";
import { findMailboxMails } from "@/lib/notifications/queries";
import { placeOrder } from "@/lib/orders/placing/commands";
import type { OrderStatus } from "@/lib/orders/rules";
import { resolveViewer, rotateSession, type UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { listReviews } from "@/lib/reviews/queries";
import * as sale from "../setup/sale";
import { ageProof, codeTo, freshAddress, guest, refusal } from "./account-steps";

beforeAll(sale.receiveEventsHere);
afterAll(sale.endSale);

const remove = (user: sale.Buyer, confirm = user.email) => deleteAccount(user.viewer, { confirm }, "en");

/** Everything that the database holds in its text columns, as one text. */
async function everything(): Promise<string> {
  const tables = await client()<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not like 'sandbox_%'`;
  const texts = await Promise.all(
    tables.map(
      ({ name }) => client()`select ${name}::text as table_name, t::text as row from ${client()(name)} t`,
    ),
  );
  return texts
    .flat()
    .map(({ table_name, row }) => `${table_name}: ${row}`)
    .join("\n");
}

/** One who has bought, written, searched, subscribed and stored what one can. */
async function richUser() {
  const user = await createSignedInUser({ username: `Ottoline ${newId("n")}` });
  const product = await createProduct();
  const orderId = await sale.sell(user, product.plans[0]!.id);
  const [phone, place, wish, subject] = ["+819012345678", newId("street"), newId("wish"), newId("sub")];
  const proven = freshAddress();
  await client()`update users set phone = ${phone}, country_code = 'JP', signup_source = '{"source":"fair"}' where id = ${user.id}`;
  await client()`insert into verified_emails (user_id, email) values (${user.id}, ${proven})`;
  await client()`insert into user_identities (id, user_id, provider, subject, email)
    values (${newId("idn")}, ${user.id}, 'google', ${subject}, ${user.email})`;
  await client()`insert into billing_addresses (id, user_id, full_name, line1, city, country)
    values (${newId("adr")}, ${user.id}, ${user.username}, ${place}, 'Kyoto', 'JP')`;
  await client()`insert into searches (user_id, content, locale, device_type) values (${user.id}, ${wish}, 'en', 'computer')`;
  await client()`insert into subscriptions (id, email, topic, locale, state) values (${newId("sub")}, ${user.email}, 'discounts', 'en', 'confirmed')`;
  await client()`insert into wait_list (id, user_id, plan_id, email, locale) values (${newId("w")}, ${user.id}, ${product.plans[0]!.id}, ${user.email}, 'en')`;
  await createCartLine(user.id, product.plans[0]!.id);
  await client()`insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
    values (${newId("rev")}, ${product.id}, ${orderId}, ${user.id}, 5, 'Good', 'It does what it says.', 'en')`;
  return { user, product, orderId, proven, subject, place, wish, phone };
}

describe("deleting the account", () => {
  it("leaves nothing that names the person, and keeps the records", async () => {
    const { user, product, orderId, ...traces } = await richUser();
    const before = await sale.recordOf(orderId);
    const named = { ...traces, email: user.email, username: user.username };
    const shown = await everything();
    for (const [name, trace] of Object.entries(named)) expect(shown, name).toContain(trace);
    expect(await remove(user)).toEqual({ deleted: true });
    await sale.runQueue();
    const mails = (await findMailboxMails(user.email)) ?? [];
    expect(mails[0]).toMatchObject({ event: "account-notice", to: user.email });
    const held = (await everything()).split("\n");
    for (const [name, trace] of Object.entries(named)) {
      if (name === "wish") continue; // what was searched is kept, but not by whom
      expect(
        held.filter((row) => row.includes(trace) && !row.startsWith("webhook_events")),
        name,
      ).toEqual([]);
    }
    const [row] = await client()`select username, password_hash, phone, deleted_at is not null as deleted,
      invite_code <> ${user.inviteCode} as other_code from users where id = ${user.id}`;
    expect(row).toEqual({ username: "–", password_hash: null, phone: null, deleted: true, other_code: true });
    expect(await client()`select 1 from searches where user_id = ${user.id}`).toHaveLength(0);
    expect(await client()`select 1 from searches where content = ${traces.wish}`).toHaveLength(1);
    // The record is the same but for the addresses.
    const address = /[^"\s]+@[^"\s]+/g;
    const kept = JSON.parse((await sale.recordOf(orderId)).replace(address, "x"));
    const was = JSON.parse(before.replace(address, "x"));
    for (const part of ["lines", "events", "ledger", "keys", "payments", "order"])
      expect(kept[part]).toEqual(was[part]);
    const { items } = await listReviews({ product_id: product.id, page: 1, size: 10 });
    expect(items.map(({ author, content }) => [author, content])).toEqual([["–", "It does what it says."]]);
  });

  it("ends every way in; the mailbox may register again and finds nothing of before", async () => {
    const user = await createSignedInUser();
    const code = await codeTo(guest, user.email, "reset_password");
    await remove(user);
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
    expect(await refusal(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
    expect(await refusal(rotateSession(user.refreshToken))).toBe("session_ended");
    expect(await refusal(openSession(guest, user.id, "T"))).toBe("session_ended");
    const again = { user_email: user.email, user_password: user.password };
    expect(await refusal(logIn(guest, again, { device: "T", ip: "203.0.113.7" }))).toBe("login_failed");
    expect(
      await refusal(
        resetPassword({ email: user.email, new_password: "long enough", ...code }, "en", "203.0.113.7"),
      ),
    ).toBe("code_expired");
    const [row] = await client()`select email from users where id = ${user.id}`;
    expect(
      await refusal(logIn(guest, { ...again, user_email: row?.email }, { device: "T", ip: "203.0.113.7" })),
    ).toBe("login_failed");
    const input = { ...again, ...(await codeTo(guest, user.email, "register")) };
    const { answer } = await registerByEmail(guest, input, { device: "T", ip: "" });
    expect(answer.user_id).not.toBe(user.id);
    expect(await refusal(remove(user))).toBe("session_ended");
  });

  it("needs the address, typed again, and a fresh proof", async () => {
    const user = await createSignedInUser();
    expect(await refusal(remove(user, freshAddress()))).toBe("confirm_differs");
    await ageProof(user.viewer.sessionId);
    expect(await refusal(remove(user))).toBe("reauthentication_required");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("user");
  });

  const OPEN: OrderStatus[] = ["pending", "processingPayment", "paid", "processing"];
  const DONE: OrderStatus[] = ["shipped", "completed", "cancelled", "refunded"];
  it.each([...OPEN, ...DONE])("with an order that is %s", async (status) => {
    const user = await createSignedInUser();
    const order = await createOrder(user, (await createProduct()).plans[0]!.id, { status });
    expect(await refusal(remove(user))).toBe(OPEN.includes(status) ? "account_in_use" : "done");
    const [row] = await client()`select send_email from orders where id = ${order.id}`;
    expect(row?.send_email === user.email).toBe(OPEN.includes(status));
  });

  it("waits for money that is on its way back, and for a refund that was asked for", async () => {
    const user = await createSignedInUser();
    const order = await createOrder(user, (await createProduct()).plans[0]!.id, { status: "completed" });
    for (const state of ["pending", "submitted"]) {
      const id = newId("rfd");
      await client()`insert into refunds (id, order_id, amount_cents, reason, state) values (${id}, ${order.id}, 100, ${state}, ${state})`;
      expect(await refusal(remove(user))).toBe("account_in_use");
      await client()`update refunds set state = 'succeeded' where id = ${id}`;
    }
    const request = newId("rrq");
    await client()`insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
      values (${request}, ${order.lineId}, ${user.id}, 100, shop_now())`;
    expect(await refusal(remove(user))).toBe("account_in_use");
    await client()`update refund_requests set state = 'refused' where id = ${request}`;
    expect(await refusal(remove(user))).toBe("done");
  });

  it("and buying at the same moment: one of the two happens", async () => {
    const planId = (await createProduct({ plans: [{ keys: 20 }] })).plans[0]!.id;
    for (let round = 0; round < 5; round++) {
      const user = await createSignedInUser();
      const line = await createCartLine(user.id, planId);
      const [bought, deleted] = await Promise.allSettled([
        placeOrder(user.viewer, { cart_record_ids: [line] }, "en"),
        remove(user),
      ]);
      expect([bought.status, deleted.status].sort()).toEqual(["fulfilled", "rejected"]);
    }
  });

  it.each([false, true])("forgets the address of before too; is it another's now: %s", async (taken) => {
    const user = await createSignedInUser();
    const email = freshAddress();
    await codeTo(guest, user.email, "reset_password");
    const code = await codeTo(user.viewer, email, "change_email");
    const { cookie } = await updateEmail(user.viewer, { new_email: email, ...code }, "T");
    await sale.runQueue();
    if (taken) await createUser({ email: user.email });
    const viewer = (await resolveViewer({ cookie })) as UserViewer;
    await deleteAccount(viewer, { confirm: email }, "en");
    await sale.runQueue();
    const mailsTo = (to: string) => client()`select 1 from mails where to_address = ${to}`;
    expect([(await mailsTo(user.email)).length, (await mailsTo(email)).length]).toEqual([taken ? 2 : 0, 0]);
  });

  it("leaves others as they are", async () => {
    const [user, other] = [await createSignedInUser(), await createSignedInUser()];
    const planId = (await createProduct()).plans[0]!.id;
    const order = await createOrder(other, planId, { status: "paid" });
    await createCartLine(other.id, planId);
    await remove(user);
    expect((await resolveViewer({ cookie: other.cookie })).kind).toBe("user");
    const [row] =
      await client()`select send_email, (select count(*)::int from cart_lines where user_id = ${other.id}) as lines
      from orders where id = ${order.id}`;
    expect(row).toEqual({ send_email: other.email, lines: 1 });
  });
});

describe("the export", () => {
  it("holds everything that is kept about the viewer, with codes masked and no hash", async () => {
    const { user, product, orderId, proven, subject, place, wish, phone } = await richUser();
    const file = await exportAccount(user.viewer);
    expect(file.account).toMatchObject({
      user_id: user.id,
      user_email: user.email,
      phone,
      has_password: true,
      signup_source: { source: "fair" },
      proven_emails: [{ email: proven }],
    });
    expect(file.sessions).toMatchObject([
      { session_id: user.viewer.sessionId, current: true, ended_at: null },
    ]);
    expect(file.identities).toMatchObject([{ provider: "google", subject }]);
    expect(file.addresses).toMatchObject([{ line1: place, city: "Kyoto" }]);
    expect(file.cart).toMatchObject([{ product_id: product.id, quantity: 1 }]);
    expect(file.orders).toMatchObject([
      {
        order_id: orderId,
        status: "completed",
        total: 10,
        order_products: [
          { product_id: product.id, product_name: product.name, unit_price: 10, codes: [{ code: "••••" }] },
        ],
        payments: [{ amount: 10, state: "succeeded" }],
      },
    ]);
    expect(file.reviews).toMatchObject([{ order_id: orderId, content: "It does what it says." }]);
    expect(file.subscriptions).toMatchObject([{ topic: "discounts", state: "confirmed" }]);
    expect(file.searches).toMatchObject([{ content: wish }]);
    expect(file.wait_list).toMatchObject([{ email: user.email }]);
    expect(file.mails.map(({ event }) => event)).toContain("keys");
    const text = JSON.stringify(file);
    expect(text).not.toMatch(/argon2|_hash/);
    for (const key of product.plans[0]!.keys) expect(text).not.toContain(key);
  });

  it("is the viewer's own, and of an address only what its owner has proved", async () => {
    const { user } = await richUser();
    const squatter = await createSignedInUser({ verified: false });
    await client()`insert into subscriptions (id, email, topic, locale) values (${newId("sub")}, ${squatter.email}, 'discounts', 'en')`;
    const file = await exportAccount(squatter.viewer);
    expect([file.orders, file.subscriptions, file.mails, file.searches]).toEqual([[], [], [], []]);
    expect(JSON.stringify(file)).not.toContain(user.email);
  });

  it("needs a fresh proof", async () => {
    const { viewer } = await createSignedInUser();
    await ageProof(viewer.sessionId);
    expect(await refusal(exportAccount(viewer))).toBe("reauthentication_required");
  });
});
