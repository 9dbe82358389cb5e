import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client } from "@/db/client";
import { createSignedInUser, createUser } from "@/db/factories/accounts";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { createStaff, endAllMemberships } from "@/db/factories/staff";
import { deleteAccount } from "@/lib/accounts/erasure/delete-account";
import { exportAccount } from "@/lib/accounts/export/export-account";
import { resetPassword } from "@/lib/accounts/password-reset/reset-password";
import { updateEmail } from "@/lib/accounts/profile/update-email";
import { registerByEmail } from "@/lib/accounts/registration/register";
import { logIn } from "@/lib/accounts/sign-in/log-in";
import { openSession } from "@/lib/accounts/sign-in/open-session";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { placeOrder } from "@/lib/orders/placing/place-order";
import type { OrderStatus } from "@/lib/orders/rules";
import { setTaxBusiness } from "@/lib/orders/tax/set-tax-business";
import { declareWithdrawal } from "@/lib/orders/withdrawal/declare-withdrawal";
import { resolveViewer, rotateSession, type UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { listReviews } from "@/lib/reviews/list-reviews";
import { contactSupport } from "@/lib/support/contact-support";
import { ageReauthentication, guest, requestCode, uniqueEmail } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

beforeAll(sale.receiveEventsInProcess);
afterAll(sale.closeSale);

const deleteUser = (user: sale.Buyer, confirm = user.email) => deleteAccount(user.viewer, { confirm }, "en");

/** All rows of all tables as one text. */
async function dumpTextColumns(): Promise<string> {
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

/** A user with records in every table that refers to users. */
async function createUserWithRecords() {
  const user = await createSignedInUser({ username: `Ottoline ${newId("n")}` });
  const product = await createProduct();
  const orderId = await sale.sell(user, product.plans[0]!.id);
  const [phone, street, searchText, subject] = [
    "+819012345678",
    newId("street"),
    newId("wish"),
    newId("sub"),
  ];
  const verifiedEmail = uniqueEmail();
  await client()`update users set phone = ${phone}, country_code = 'JP', signup_source = '{"source":"fair"}' where id = ${user.id}`;
  await client()`insert into verified_emails (user_id, email) values (${user.id}, ${verifiedEmail})`;
  await client()`insert into user_identities (id, user_id, provider, subject, email)
    values (${newId("idn")}, ${user.id}, 'google', ${subject}, ${user.email})`;
  await client()`insert into billing_addresses (id, user_id, full_name, line1, city, country)
    values (${newId("adr")}, ${user.id}, ${user.username}, ${street}, 'Kyoto', 'JP')`;
  await client()`insert into searches (user_id, content, locale, device_type) values (${user.id}, ${searchText}, 'en', 'computer')`;
  await client()`insert into subscriptions (id, email, topic, locale, state) values (${newId("sub")}, ${user.email}, 'discounts', 'en', 'confirmed')`;
  await client()`insert into wait_list (id, user_id, plan_id, email, locale) values (${newId("w")}, ${user.id}, ${product.plans[0]!.id}, ${user.email}, 'en')`;
  await client()`insert into wishes (user_id, product_id) values (${user.id}, ${product.id})`;
  await createCartLine(user.id, product.plans[0]!.id);
  await client()`insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
    values (${newId("rev")}, ${product.id}, ${orderId}, ${user.id}, 5, 'Good', 'It does what it says.', 'en')`;
  // Zone, source and visitor as the shop keeps them; the names are not real ones, so that they are found below.
  const [zone, source, visitor] = [newId("zone"), newId("source"), newId("visitor")];
  await client()`update sessions set time_zone = ${zone} where user_id = ${user.id}`;
  await client()`update orders set time_zone = ${zone}, attribution = ${JSON.stringify({ source })}::jsonb where id = ${orderId}`;
  await client()`update order_lines set cart_at = shop_now(), cart_source = ${source} where order_id = ${orderId}`;
  const reason = newId("reason");
  await client()`insert into replacement_requests (id, key_id, user_id, reason) select ${newId("rpl")}, k.id, ${user.id}, ${reason}
    from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${orderId}`;
  await client()`insert into source_events (event_type, user_id, visitor) values ('visit', ${user.id}, ${visitor})`;
  return {
    user,
    product,
    orderId,
    verifiedEmail,
    subject,
    street,
    searchText,
    phone,
    zone,
    source,
    visitor,
    reason,
  };
}

const VAT_ID = "DE136695976";

/** Returns the settings before. */
function taxInIreland() {
  const { TAX_COUNTRY, TAX_IDS } = env();
  Object.assign(env(), { TAX_COUNTRY: "IE", TAX_IDS: { IE: "IE0000000X" } });
  return { TAX_COUNTRY, TAX_IDS };
}

/** An unpaid order for a business, from a connection in Germany. */
async function orderForBusiness(user: sale.Buyer, planId: number): Promise<string> {
  const orderId = await sale.orderPlan(user, planId);
  const business = { vat_id: VAT_ID, company: "Kontor GmbH", address: "Hauptstr. 1, Berlin" };
  await setTaxBusiness(user.viewer, { order_id: orderId, business });
  await client()`update order_taxes set network_country = 'DE' where order_id = ${orderId}`;
  return orderId;
}

describe("deleting the account", () => {
  it("erases everything that identifies the user, and keeps the accounting records", async () => {
    const { user, product, orderId, ...traces } = await createUserWithRecords();
    const before = await sale.getOrderRecord(orderId);
    const traceValues = { ...traces, email: user.email, username: user.username };
    const textBefore = await dumpTextColumns();
    for (const [name, trace] of Object.entries(traceValues)) expect(textBefore, name).toContain(trace);
    expect(await deleteUser(user)).toEqual({ deleted: true });
    await sale.runQueue();
    const mails = (await findMailboxMails(user.email)) ?? [];
    expect(mails[0]).toMatchObject({ event: "account-notice", to: user.email });
    const rowsAfter = (await dumpTextColumns()).split("\n");
    for (const [name, trace] of Object.entries(traceValues)) {
      if (name === "searchText") continue; // the text of a search is kept without the user
      expect(
        rowsAfter.filter((row) => row.includes(trace) && !row.startsWith("webhook_events")),
        name,
      ).toEqual([]);
    }
    expect(await client()`select from wishes where user_id = ${user.id}`).toHaveLength(0);
    const [row] = await client()`select username, password_hash, phone, deleted_at is not null as deleted,
      invite_code <> ${user.inviteCode} as other_code from users where id = ${user.id}`;
    expect(row).toEqual({ username: "–", password_hash: null, phone: null, deleted: true, other_code: true });
    expect(await client()`select 1 from searches where user_id = ${user.id}`).toHaveLength(0);
    expect(await client()`select user_id from searches where content = ${traces.searchText}`).toEqual([
      { user_id: "guest" },
    ]);
    // Only the email addresses, the time zone, the attribution and the source of the cart in the order's records differ.
    const address = /[^"\s]+@[^"\s]+/g;
    const recordAfter = JSON.parse((await sale.getOrderRecord(orderId)).replace(address, "x"));
    const recordBefore = JSON.parse(before.replace(address, "x"));
    Object.assign(recordBefore.order, { time_zone: null, attribution: null });
    for (const line of recordBefore.lines) line.cart_source = null;
    for (const section of ["lines", "events", "ledger", "keys", "payments", "order"])
      expect(recordAfter[section]).toEqual(recordBefore[section]);
    const { items } = await listReviews({ product_id: product.id, page: 1, size: 10 });
    expect(items.map(({ author, content }) => [author, content])).toEqual([["–", "It does what it says."]]);
  });

  it("erases the business and the country of the connection of an unpaid order, and keeps those of issued invoices", async () => {
    const untaxed = taxInIreland();
    const user = await createSignedInUser();
    const { plans } = await createProduct();
    const [unpaid, paid] = [
      await orderForBusiness(user, plans[0]!.id),
      await orderForBusiness(user, plans[0]!.id),
    ];
    await sale.expireHold(unpaid);
    await sale.pay(user, paid);
    await sale.processEvents();
    Object.assign(env(), untaxed);
    await deleteUser(user);
    const kept = async (orderId: string) =>
      (
        await client()`select company, company_address, vat_id, vat_check, vat_checked_at is null as unasked, vat_reference, network_country
        from order_taxes where order_id = ${orderId}`
      )[0];
    expect(await kept(unpaid)).toEqual({
      company: null,
      company_address: null,
      vat_id: null,
      vat_check: null,
      unasked: true,
      vat_reference: null,
      network_country: null,
    });
    expect(await kept(paid)).toMatchObject({ company: "Kontor GmbH", vat_id: VAT_ID });
    const issued =
      await client()`select content->'buyer'->>'vat_id' as vat_id from tax_documents where order_id = ${paid}`;
    expect(issued).toEqual([{ vat_id: VAT_ID }]);
  });

  it("ends every session, code and password; the address may register again as a new account", async () => {
    const user = await createSignedInUser();
    const code = await requestCode(guest, user.email, "reset_password");
    await deleteUser(user);
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("guest");
    expect(await getErrorName(resolveViewer({ authorization: user.bearer }))).toBe("session_ended");
    expect(await getErrorName(rotateSession(user.refreshToken))).toBe("session_ended");
    expect(await getErrorName(openSession(guest, user.id, "T"))).toBe("session_ended");
    const credentials = { user_email: user.email, user_password: user.password };
    expect(await getErrorName(logIn(guest, credentials, { device: "T", ip: "203.0.113.7" }))).toBe(
      "login_failed",
    );
    expect(
      await getErrorName(
        resetPassword({ email: user.email, new_password: "long enough", ...code }, "en", "203.0.113.7"),
      ),
    ).toBe("code_expired");
    const [row] = await client()`select email from users where id = ${user.id}`;
    expect(
      await getErrorName(
        logIn(guest, { ...credentials, user_email: row?.email }, { device: "T", ip: "203.0.113.7" }),
      ),
    ).toBe("login_failed");
    const input = { ...credentials, ...(await requestCode(guest, user.email, "register")) };
    const { response } = await registerByEmail(guest, input, { device: "T", ip: "" });
    expect(response.user_id).not.toBe(user.id);
    expect(await getErrorName(deleteUser(user))).toBe("session_ended");
  });

  it("requires the typed email address and a recent reauthentication", async () => {
    const user = await createSignedInUser();
    expect(await getErrorName(deleteUser(user, uniqueEmail()))).toBe("confirm_differs");
    await ageReauthentication(user.viewer.sessionId);
    expect(await getErrorName(deleteUser(user))).toBe("reauthentication_required");
    expect((await resolveViewer({ cookie: user.cookie })).kind).toBe("user");
  });

  const UNFINISHED: OrderStatus[] = ["pending", "processingPayment", "paid", "processing"];
  const FINISHED: OrderStatus[] = ["shipped", "completed", "cancelled", "refunded"];
  it.each([...UNFINISHED, ...FINISHED])("is rejected while an order is unfinished: %s", async (status) => {
    const user = await createSignedInUser();
    const order = await createOrder(user, (await createSinglePlan()).id, { status });
    expect(await getErrorName(deleteUser(user))).toBe(UNFINISHED.includes(status) ? "account_in_use" : null);
    const [row] = await client()`select send_email from orders where id = ${order.id}`;
    expect(row?.send_email === user.email).toBe(UNFINISHED.includes(status));
  });

  it("is rejected while a refund or a refund request is open", async () => {
    const user = await createSignedInUser();
    const order = await createOrder(user, (await createSinglePlan()).id, { status: "completed" });
    for (const state of ["pending", "submitted"]) {
      const id = newId("rfd");
      await client()`insert into refunds (id, order_id, amount_cents, reason, state) values (${id}, ${order.id}, 100, ${state}, ${state})`;
      expect(await getErrorName(deleteUser(user))).toBe("account_in_use");
      await client()`update refunds set state = 'succeeded' where id = ${id}`;
    }
    const request = newId("rrq");
    await client()`insert into refund_requests (id, order_line_id, user_id, amount_cents, answer_by)
      values (${request}, ${order.lineId}, ${user.id}, 100, shop_now())`;
    expect(await getErrorName(deleteUser(user))).toBe("account_in_use");
    await client()`update refund_requests set state = 'refused' where id = ${request}`;
    expect(await getErrorName(deleteUser(user))).toBeNull();
  });

  it("of staff ends membership and second factor, tells the administrators, and is refused to the last one", async () => {
    await endAllMemberships();
    const [leaving, one, other] = [await createStaff(), await createStaff(), await createStaff()];
    await client()`insert into recovery_codes (id, user_id, factor_id, code_hash)
      select ${newId("rcv")}, user_id, id, ${newId("hash")} from second_factors where user_id = ${leaving.id}`;
    expect(await deleteUser(leaving)).toEqual({ deleted: true });
    const [left] = await client()`
      select (select count(*)::int from second_factors where user_id = ${leaving.id}) as factors,
        (select count(*)::int from recovery_codes where user_id = ${leaving.id}) as codes,
        (select count(*)::int from staff_members where user_id = ${leaving.id} and ended_at is null) as memberships,
        (select detail from audit_entries where subject = ${leaving.id} and action = 'staff.revoked') as audited`;
    const audited = { before: ["admin"], after: [] };
    expect(left).toEqual({ factors: 0, codes: 0, memberships: 0, audited });
    await sale.runQueue();
    for (const { email } of [one, other]) {
      const mail = (await findMailboxMails(email))?.find(({ event }) => event === "staff-changed");
      expect(mail?.subject).toContain("was deleted");
    }
    const outcomes = await Promise.all([one, other].map((admin) => getErrorName(deleteUser(admin))));
    expect(outcomes.toSorted()).toEqual(["last_admin", null]);
  });

  it("or placing an order succeeds when both happen concurrently, never both", async () => {
    const planId = (await createSinglePlan({ keys: 20 })).id;
    for (let round = 0; round < 5; round++) {
      const user = await createSignedInUser();
      const line = await createCartLine(user.id, planId);
      const [bought, deleted] = await Promise.allSettled([
        placeOrder(user.viewer, { cart_record_ids: [line] }, "en"),
        deleteUser(user),
      ]);
      expect([bought.status, deleted.status].sort()).toEqual(["fulfilled", "rejected"]);
    }
  });

  it.each([false, true])(
    "deletes the emails to a former address unless another account uses it: %s",
    async (reused) => {
      const user = await createSignedInUser();
      const email = uniqueEmail();
      await requestCode(guest, user.email, "reset_password");
      const code = await requestCode(user.viewer, email, "change_email");
      const { cookie } = await updateEmail(user.viewer, { new_email: email, ...code }, "T");
      await sale.runQueue();
      if (reused) await createUser({ email: user.email });
      const viewer = (await resolveViewer({ cookie })) as UserViewer;
      await deleteAccount(viewer, { confirm: email }, "en");
      await sale.runQueue();
      const mailsTo = (to: string) => client()`select 1 from mails where to_address = ${to}`;
      expect([(await mailsTo(user.email)).length, (await mailsTo(email)).length]).toEqual([
        reused ? 2 : 0,
        0,
      ]);
    },
  );

  it("leaves other accounts unchanged", async () => {
    const [user, other] = [await createSignedInUser(), await createSignedInUser()];
    const planId = (await createSinglePlan()).id;
    const order = await createOrder(other, planId, { status: "paid" });
    await createCartLine(other.id, planId);
    await deleteUser(user);
    expect((await resolveViewer({ cookie: other.cookie })).kind).toBe("user");
    const [row] =
      await client()`select send_email, (select count(*)::int from cart_lines where user_id = ${other.id}) as lines
      from orders where id = ${order.id}`;
    expect(row).toEqual({ send_email: other.email, lines: 1 });
  });
});

describe("the account export", () => {
  it("holds all data of the viewer, with masked codes and without hashes", async () => {
    const { user, product, orderId, verifiedEmail, subject, street, searchText, phone, source } =
      await createUserWithRecords();
    const contact = {
      email: uniqueEmail(),
      message: "Where is my code?",
      order_number: "PL-1",
      website: null,
    };
    await contactSupport(user.viewer, contact, "en", "203.0.113.9");
    await contactSupport(
      guest,
      { ...contact, email: user.email, message: "As a guest" },
      "en",
      "203.0.113.9",
    );
    await contactSupport(guest, { ...contact, message: "Of another" }, "en", "203.0.113.9");
    const file = await exportAccount(user.viewer);
    expect(file.account).toMatchObject({
      user_id: user.id,
      user_email: user.email,
      phone,
      has_password: true,
      signup_source: { source: "fair" },
      proven_emails: [{ email: verifiedEmail }],
    });
    expect(file.sessions).toMatchObject([
      { session_id: user.viewer.sessionId, current: true, ended_at: null },
    ]);
    expect(file.identities).toMatchObject([{ provider: "google", subject }]);
    expect(file.addresses).toMatchObject([{ line1: street, city: "Kyoto" }]);
    expect(file.cart).toMatchObject([{ product_id: product.id, quantity: 1 }]);
    expect(file.orders).toMatchObject([
      {
        order_id: orderId,
        status: "completed",
        attribution: { source },
        total: 10,
        order_products: [
          { product_id: product.id, product_name: product.name, unit_price: 10, codes: [{ code: "••••" }] },
        ],
        payments: [{ amount: 10, state: "succeeded" }],
      },
    ]);
    expect(file.reviews).toMatchObject([{ order_id: orderId, content: "It does what it says." }]);
    expect(file.subscriptions).toMatchObject([{ topic: "discounts", state: "confirmed" }]);
    expect(file.searches).toMatchObject([{ content: searchText }]);
    expect(file.wait_list).toMatchObject([{ email: user.email }]);
    expect(file.wishlist).toMatchObject([{ product_id: product.id, seen_in_stock: true, mailed_at: null }]);
    expect(file.conversations).toMatchObject([
      {
        email: contact.email,
        order_number: "PL-1",
        messages: [{ author: "customer", text: "Where is my code?" }],
      },
      { email: user.email, messages: [{ author: "customer", text: "As a guest" }] },
    ]);
    expect(file.mails.map(({ event }) => event)).toContain("keys");
    const text = JSON.stringify(file);
    expect(text).not.toMatch(/argon2|_hash/);
    for (const key of product.plans[0]!.keys) expect(text).not.toContain(key);
  });

  it("holds businesses, invoices and declarations of withdrawal of the viewer only", async () => {
    const untaxed = taxInIreland();
    const [user, other] = [await createSignedInUser(), await createSignedInUser()];
    const { plans } = await createProduct();
    const orderId = await orderForBusiness(user, plans[0]!.id);
    await sale.pay(user, orderId);
    await sale.processEvents();
    Object.assign(env(), untaxed);
    const declare = (email: string, order_id: string) =>
      declareWithdrawal(guest, { order_id, email, name: "Ottoline", passes: null }, "en", "203.0.113.7");
    await declare(user.email, orderId);
    await declare(user.email, "PL-unknown");
    await declare(other.email, "PL-other");
    const file = await exportAccount(user.viewer);
    expect(file.orders).toMatchObject([
      {
        tax: {
          company: "Kontor GmbH",
          vat_id: VAT_ID,
          vat_check: "valid",
          network_country: "DE",
          country: "DE",
        },
        tax_documents: [
          {
            number: expect.stringMatching(/^I20\d\d-\d{5}$/),
            kind: "invoice",
            total: file.orders[0]!.total,
            tax: 0,
          },
        ],
      },
    ]);
    expect(file.withdrawal_declarations).toMatchObject([
      { email: user.email, words: [{ name: "Ottoline", language: "en" }], times: 1, proved_at: null },
      { email: user.email },
    ]);
    expect((await exportAccount(other.viewer)).withdrawal_declarations).toMatchObject([
      { email: other.email },
    ]);
  });

  it("holds only the viewer's data, and nothing of an unverified address", async () => {
    const { user } = await createUserWithRecords();
    const unverifiedUser = await createSignedInUser({ verified: false });
    await client()`insert into subscriptions (id, email, topic, locale) values (${newId("sub")}, ${unverifiedUser.email}, 'discounts', 'en')`;
    const file = await exportAccount(unverifiedUser.viewer);
    expect([file.orders, file.subscriptions, file.mails, file.searches]).toEqual([[], [], [], []]);
    expect(JSON.stringify(file)).not.toContain(user.email);
  });

  it("requires a recent reauthentication", async () => {
    const { viewer } = await createSignedInUser();
    await ageReauthentication(viewer.sessionId);
    expect(await getErrorName(exportAccount(viewer))).toBe("reauthentication_required");
  });
});
