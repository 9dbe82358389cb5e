import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as deleteAccount } from "@/app/api/v1/auth/delete/route";
import { POST as registerDirectly } from "@/app/api/v1/auth/register/direct/route";
import { POST as registerByEmail } from "@/app/api/v1/auth/register/email/route";
import { POST as sendCode } from "@/app/api/v1/auth/send-verification-code/route";
import { POST as applyAsMerchant } from "@/app/api/v1/business/register/route";
import { POST as placeOrder } from "@/app/api/v1/order/create/route";
import { POST as resend } from "@/app/api/v1/order/resend/route";
import { POST as changeDeliveryEmail } from "@/app/api/v1/order/update/email/route";
import { POST as withdraw } from "@/app/api/v1/order/withdraw/route";
import { POST as subscribe } from "@/app/api/v1/subscription/create/route";
import { POST as joinWaitList } from "@/app/api/v1/wait-list/create/route";
import { db, transaction } from "@/db/client";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { decideApplication } from "@/lib/merchants/decide-application";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import {
  UNVERIFIED_MAILS_OF_SENDER,
  UNVERIFIED_MAILS_TO_RECIPIENT,
  VERIFIED_MAILS_OF_SENDER,
} from "@/lib/notifications/rules";
import {
  isWithinMailBudget,
  isWithinOwnerCodeBudget,
  isWithinSenderBudget,
} from "@/lib/notifications/take-mail-budget";
import type { Handler } from "@/lib/platform/api/declaration";
import { clientAddress } from "@/tests/setup/client-address";
import * as sale from "../setup/sale";
import { requestMailedCode } from "./account-steps";
import { call } from "./call";

beforeAll(sale.receiveEventsInProcess);
afterAll(sale.closeSale);

const HOURLY_PER_ACCOUNT = UNVERIFIED_MAILS_OF_SENDER[0].limit;
const HOURLY_PER_ADDRESS = UNVERIFIED_MAILS_OF_SENDER[2].limit;
const [{ limit: HOURLY_PER_RECIPIENT }, { limit: DAILY_PER_RECIPIENT }] = UNVERIFIED_MAILS_TO_RECIPIENT;

type Sender = { user?: sale.Buyer; ip?: string };
const post = (handler: Handler, path: string, body: object, { user, ip }: Sender = {}) =>
  call(handler, path, { body, ip, headers: user ? { authorization: user.bearer } : {} });

const uniqueTag = () => randomUUID().slice(0, 12);
const uniqueUnknownEmail = () => `unknown-${uniqueTag()}@example.com`;
/** Spellings of one mailbox. */
const spell = (name: string, n: number) => {
  const dotted = `${name.slice(0, 1 + (n % (name.length - 1)))}.${name.slice(1 + (n % (name.length - 1)))}`;
  const local = n % 3 === 0 ? dotted.toUpperCase() : dotted;
  return `${local}+${n}@${n % 2 === 0 ? "gmail.com" : "googlemail.com"}`;
};

async function countMails(pattern: string): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from mails where lower(to_address) similar to ${pattern}`,
  );
  return row!.n;
}

/** The ways in which a signed-in user makes the shop send a code to an address. */
async function createSenders(user: sale.Buyer) {
  const { plans } = await createProduct({ plans: [{ keys: 90 }, { type: "month", keys: 0 }] });
  const [planId, soldOutPlanId] = plans.map(({ id }) => id) as [number, number];
  const { id: order_id } = await createOrder(user, planId);
  await createCartLine(user.id, planId);
  return [
    (email: string, ip?: string) =>
      post(changeDeliveryEmail, "/order/update/email", { order_id, send_email: email }, { user, ip }),
    (email: string, ip?: string) => post(placeOrder, "/order/create", { send_email: email }, { user, ip }),
    (email: string, ip?: string) =>
      post(joinWaitList, "/wait-list/create", { vip_id: soldOutPlanId, email }, { user, ip }),
    (email: string, ip?: string) =>
      post(
        sendCode,
        "/auth/send-verification-code",
        { email, verification_type: "order_email" },
        { user, ip },
      ),
  ];
}

describe("emails to unverified addresses", () => {
  it("are limited per account, across all calls that send one", async () => {
    const user = await sale.createBuyer();
    const senders = await createSenders(user);
    const tag = uniqueTag();
    const statuses: number[] = [];
    for (let n = 0; n < 24; n++)
      statuses.push((await senders[n % 4]!(`${tag}-${n}@example.com`, clientAddress())).status);
    expect(await countMails(`${tag}-%`)).toBe(HOURLY_PER_ACCOUNT);
    expect(statuses.slice(HOURLY_PER_ACCOUNT)).toEqual(Array(24 - HOURLY_PER_ACCOUNT).fill(429));
    const refused = await senders[0]!(uniqueUnknownEmail());
    expect(refused.body.code).toBe("42901");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // One's own verified address does not count.
    expect((await senders[3]!(user.email)).status).toBe(200);
  });

  it("are limited exactly per account, even for parallel requests", async () => {
    const user = await sale.createBuyer();
    const senders = await createSenders(user);
    const tag = uniqueTag();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => senders[n % 4]!(`${tag}-${n}@example.com`, clientAddress())),
    );
    expect(await countMails(`${tag}-%`)).toBe(HOURLY_PER_ACCOUNT);
  });

  it("are limited per address group, across accounts, calls and spellings of the address", async () => {
    const tag = uniqueTag();
    const ips = (n: number) =>
      [`2001:db8:5:5::${n}`, `2001:DB8:5:5:0:0:1:${n}`, `[2001:db8:5:5::${n}]`][n % 3]!;
    for (let n = 0; n < 9; n++) {
      const email = (kind: string) => `${tag}-${kind}-${n}@example.com`;
      const ip = ips(n);
      const user = await sale.createBuyer();
      const { id: order_id } = await createOrder(user, (await createSinglePlan()).id);
      const code = { email: email("code"), verification_type: "register" };
      await post(sendCode, "/auth/send-verification-code", code, { ip });
      await post(subscribe, "/subscription/create", { email: email("news") }, { ip });
      await post(applyAsMerchant, "/business/register", createForm(email("shop")), { ip });
      const account = { user_email: email("user"), user_password: "correct horse" };
      expect((await post(registerDirectly, "/auth/register/direct", account, { ip })).status).toBe(200);
      const send = { order_id, send_email: email("order") };
      await post(changeDeliveryEmail, "/order/update/email", send, { user, ip });
    }
    expect(await countMails(`${tag}-%`)).toBe(HOURLY_PER_ADDRESS);
  });

  it("are limited per mailbox, across all its spellings, senders and calls", async () => {
    const name = `box${uniqueTag().replaceAll("-", "")}`;
    const users = await Promise.all(Array.from({ length: 6 }, () => sale.createBuyer()));
    const senders = (await Promise.all(users.map(createSenders))).flat();
    const isMailbox = `${[...name].join("[.]?")}[+][0-9]+@%`;
    for (let n = 0; n < 60; n++) {
      const email = spell(name, n);
      if (n % 5 === 4) await post(subscribe, "/subscription/create", { email });
      else await senders[n % senders.length]!(email, clientAddress());
    }
    expect(await countMails(isMailbox)).toBe(HOURLY_PER_RECIPIENT);
    await sale.setClockAhead("61 minutes");
    const account = { user_email: spell(name, 61), user_password: "correct horse" };
    for (let n = 0; n < 20; n++) {
      const code = { email: spell(name, 100 + n), verification_type: "register" };
      await post(sendCode, "/auth/send-verification-code", code);
    }
    expect(await countMails(isMailbox)).toBe(DAILY_PER_RECIPIENT);
    // The account is created; only its welcome is left out.
    expect((await post(registerDirectly, "/auth/register/direct", account)).status).toBe(200);
    expect(await countMails(isMailbox)).toBe(DAILY_PER_RECIPIENT);
    await sale.setClockAhead("0");
  });

  it("do not count against the recipient's limit when the sender is over its own", async () => {
    const email = uniqueUnknownEmail();
    const user = await sale.createBuyer();
    const senders = await createSenders(user);
    for (let n = 0; n < HOURLY_PER_ACCOUNT; n++) await senders[3]!(uniqueUnknownEmail(), clientAddress());
    for (let n = 0; n < 20; n++) expect((await senders[n % 4]!(email, clientAddress())).status).toBe(429);
    const code = { email, verification_type: "register" };
    expect((await post(sendCode, "/auth/send-verification-code", code)).status).toBe(200);
  });

  it("include withdrawal codes, counted the same for unknown orders", async () => {
    const ip = clientAddress();
    const email = uniqueUnknownEmail();
    const statuses: number[] = [];
    for (let n = 0; n < HOURLY_PER_RECIPIENT + 2; n++) {
      await db.execute(
        sql`update verification_codes set created_at = created_at - interval '2 hours' where email = ${email}`,
      );
      statuses.push(
        (await post(withdraw, "/order/withdraw", { order_id: `ord_${n}`, email }, { ip })).status,
      );
    }
    expect(statuses).toEqual([...Array(HOURLY_PER_RECIPIENT).fill(200), 429, 429]);
  });
});

/** Uses up the hourly limit of an address group, as another client behind it would. */
async function exhaustAddress(ip: string): Promise<void> {
  while (await transaction((tx) => isWithinMailBudget(tx, { ip }, uniqueUnknownEmail())));
}
const countQueued = (email: string) =>
  countMails(email.toLowerCase().replaceAll(".", "[.]").replace("+", "[+]"));

describe("emails that an account requests to its own unverified address", () => {
  it("count against the address group when codes are sent again", async () => {
    const user = await sale.createBuyer({ verified: false });
    const order_id = await sale.sell(user, (await createSinglePlan({ type: "month", keys: 3 })).id);
    const ip = clientAddress();
    expect((await post(resend, "/order/resend", { order_id }, { user, ip })).status).toBe(200);
    await exhaustAddress(ip);
    expect((await post(resend, "/order/resend", { order_id }, { user, ip })).status).toBe(429);
    const elsewhere = { user, ip: clientAddress() };
    expect((await post(resend, "/order/resend", { order_id }, elsewhere)).status).toBe(200);
  });

  it("count against the address group, so that the notice of a deletion may be left out", async () => {
    const ip = clientAddress();
    const [first, second] = await Promise.all([1, 2].map(() => sale.createBuyer({ verified: false })));
    for (const [user, mails] of [
      [first!, 1],
      [second!, 0],
    ] as const) {
      const deletion = await post(deleteAccount, "/auth/delete", { confirm: user.email }, { user, ip });
      expect(deletion.status).toBe(200);
      expect(await countQueued(user.email)).toBe(mails);
      await exhaustAddress(ip);
    }
  });
});

describe("codes for the owner of an address", () => {
  const reset = (email: string, ip: string) =>
    post(sendCode, "/auth/send-verification-code", { email, verification_type: "reset_password" }, { ip });

  it("reach a verified address when others on its network have used up the limit, with one response for all", async () => {
    const ip = clientAddress();
    await exhaustAddress(ip);
    const register = { email: uniqueUnknownEmail(), verification_type: "register" };
    expect((await post(sendCode, "/auth/send-verification-code", register, { ip })).status).toBe(429);
    const owners = await Promise.all(Array.from({ length: 5 }, () => sale.createBuyer()));
    const unverified = await sale.createBuyer({ verified: false });
    const unknown = uniqueUnknownEmail();
    const answers = new Set<string>();
    for (const email of [...owners.map((owner) => owner.email), unverified.email, unknown]) {
      const { status, body } = await reset(email, ip);
      answers.add(JSON.stringify([status, { ...body, data: { ...body.data, verification_id: "" } }]));
    }
    expect([...answers]).toEqual([expect.stringMatching(/^\[200,/)]);
    for (const owner of owners) expect(await countQueued(owner.email)).toBe(1);
    expect([await countQueued(unverified.email), await countQueued(unknown)]).toEqual([0, 0]);
  });

  it("can be requested by a large office behind one address", async () => {
    const ip = clientAddress();
    const requests = Array.from({ length: 45 }, () => reset(uniqueUnknownEmail(), ip));
    expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("reach the address of an order, for a withdrawal", async () => {
    const ip = clientAddress();
    await exhaustAddress(ip);
    const owner = await sale.createBuyer();
    const { id: order_id } = await createOrder(owner, (await createSinglePlan()).id);
    const before = await countQueued(owner.email);
    expect((await post(withdraw, "/order/withdraw", { order_id, email: owner.email }, { ip })).status).toBe(
      200,
    );
    expect(await countQueued(owner.email)).toBe(before + 1);
  });

  it("have their own limit, above which the email is silently left out", async () => {
    const ip = clientAddress();
    const sender = { ip };
    for (let n = 0; n < VERIFIED_MAILS_OF_SENDER[2].limit; n++)
      expect(await transaction((tx) => isWithinSenderBudget(tx, sender, { verified: true }))).toBe(true);
    const owner = await sale.createBuyer();
    expect([(await reset(owner.email, ip)).status, await countQueued(owner.email)]).toEqual([200, 0]);
    // The limit of unverified addresses is untouched by it.
    const register = { email: uniqueUnknownEmail(), verification_type: "register" };
    expect((await post(sendCode, "/auth/send-verification-code", register, { ip })).status).toBe(200);
  });

  it("do not count against a mailbox's limit when their sender is over its own", async () => {
    const box = `box${uniqueTag().replaceAll("-", "")}`;
    const owner = await sale.createBuyer();
    await db.execute(sql`update users set email = ${`${box}@gmail.com`} where id = ${owner.id}`);
    const ip = clientAddress();
    while (await transaction((tx) => isWithinOwnerCodeBudget(tx, { ip })));
    for (let n = 0; n < HOURLY_PER_RECIPIENT; n++) await reset(spell(box, n), ip);
    expect((await reset(`${box}@gmail.com`, clientAddress())).status).toBe(200);
    expect(await countQueued(`${box}@gmail.com`)).toBe(1);
  });

  it("stay limited per recipient, for known and unknown addresses alike", async () => {
    for (const email of [(await sale.createBuyer()).email, uniqueUnknownEmail()]) {
      const statuses: number[] = [];
      for (let n = 0; n < HOURLY_PER_RECIPIENT + 1; n++) {
        await db.execute(
          sql`update verification_codes set created_at = created_at - interval '25 hours' where email = ${email}`,
        );
        statuses.push((await reset(email, clientAddress())).status);
      }
      expect(statuses).toEqual([...Array(HOURLY_PER_RECIPIENT).fill(200), 429]);
    }
  });
});

const createForm = (email: string, fields: object = {}) => ({
  email,
  productUrl: "https://quillon.example/app",
  phoneNum: "+81 90-1234-5678",
  ...fields,
});

describe("an email to an unverified address", () => {
  it("contains nothing that its sender has typed", async () => {
    const typed = "Win a prize at evil.example";
    const [account, applicant] = [uniqueUnknownEmail(), uniqueUnknownEmail()];
    const fields = { user_email: account, user_password: "correct horse", username: typed };
    expect((await post(registerDirectly, "/auth/register/direct", fields)).status).toBe(200);
    const form = createForm(applicant, { productUrl: "https://evil.example/prize" });
    const { body } = await post(applyAsMerchant, "/business/register", form);
    await sale.runQueue();
    await decideApplication(body.data.application_id, { state: "refused", decidedBy: "staff:test" });
    await sale.runQueue();
    const mails = [...(await findMailboxMails(account))!, ...(await findMailboxMails(applicant))!];
    expect(mails.map(({ event }) => event).sort()).toEqual([
      "application-received",
      "application-refused",
      "welcome",
    ]);
    for (const mail of mails) expect(JSON.stringify(mail)).not.toMatch(/evil|prize/);
  });

  it("greets a verified user by name", async () => {
    const email = uniqueUnknownEmail();
    const code = await requestMailedCode(email, "register");
    const fields = { user_email: email, user_password: "correct horse", username: "Mara", ...code };
    expect((await post(registerByEmail, "/auth/register/email", fields)).status).toBe(200);
    await sale.runQueue();
    const welcome = (await findMailboxMails(email))!.find(({ event }) => event === "welcome");
    expect(welcome!.text).toContain("Mara");
  });
});
