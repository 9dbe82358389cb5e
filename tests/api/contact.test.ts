import { afterAll, describe, expect, it } from "vitest";
import { POST as contact } from "@/app/api/v1/contact/create/route";
import { GET as detail } from "@/app/api/v1/contact/detail/route";
import { GET as list } from "@/app/api/v1/contact/list/route";
import { POST as reply } from "@/app/api/v1/contact/reply/route";
import { client } from "@/db/client";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { supportAddress } from "@/lib/platform/support-address";
import { uniqueEmail } from "@/tests/setup/accounts";
import { clientAddress } from "@/tests/setup/client-address";
import * as sale from "@/tests/setup/sale";
import { authHeaders, call } from "./call";

afterAll(sale.closeSale);

const send = (body: object, options: { user?: { bearer: string }; ip?: string; language?: string } = {}) =>
  call(contact, "/contact/create", {
    body,
    ip: options.ip,
    headers: {
      "accept-language": options.language ?? "en",
      ...(options.user && { authorization: options.user.bearer }),
    },
  });
const countMessages = async (email: string) =>
  (await client()`select from conversations where email = ${email}`).length;

describe("a message to support", () => {
  it("reaches the support address through the outbox, with the sender for replies", async () => {
    const email = uniqueEmail();
    const message = "My code is not accepted.\n<b>Second line</b>";
    const { status, body } = await send(
      { email: email.toUpperCase(), message, order_number: "PL-2611-0042" },
      { language: "ja" },
    );
    expect(status).toBe(200);
    await sale.runQueue();
    const { reference } = body.data;
    const atSupport = (await findMailboxMails(supportAddress()))!.filter(({ subject }) =>
      subject.includes(reference),
    );
    expect(atSupport).toHaveLength(1);
    expect(atSupport[0]).toMatchObject({ event: "contact", headers: { "Reply-To": email } });
    for (const part of ["My code is not accepted.", "<b>Second line</b>", "PL-2611-0042", email])
      expect(atSupport[0]!.text).toContain(part);
    expect(atSupport[0]!.html).not.toContain("<b>Second");

    const [confirmation, ...others] = (await findMailboxMails(email))!;
    expect(others).toEqual([]);
    expect(confirmation).toMatchObject({ event: "contact-received", locale: "ja" });
    expect(confirmation!.text).toContain(reference);
    expect(confirmation!.text + confirmation!.subject).not.toMatch(/not accepted|PL-2611/);
  });

  it("is refused with the name of the invalid field, in the reader's language", async () => {
    const wrong = await send({ email: "nobody", message: " " }, { language: "zh" });
    expect([wrong.status, wrong.body.code]).toEqual([400, "40000"]);
    expect(wrong.body.errors!.map(({ path }) => path).sort()).toEqual(["email", "message"]);
    expect(wrong.body.errors!.every(({ message }) => /[\u4e00-\u9fff]/.test(message))).toBe(true);
    expect((await send({ email: uniqueEmail(), message: "x".repeat(4001) })).status).toBe(400);
    expect((await send({ email: uniqueEmail(), message: "x", more: 1 })).status).toBe(400);
  });

  it("is dropped when a bot filled the hidden field, with the same response", async () => {
    const email = uniqueEmail();
    const { status, body } = await send({ email, message: "Buy now", website: "https://spam.example" });
    expect([status, body.data]).toEqual([
      200,
      { reference: expect.stringMatching(/^msg_/), conversation_id: null },
    ]);
    expect(await countMessages(email)).toBe(0);
  });

  it("is limited per address group and per account", async () => {
    const ip = clientAddress();
    const byAddress = [];
    for (let n = 0; n < 6; n++)
      byAddress.push((await send({ email: uniqueEmail(), message: "Hi" }, { ip })).status);
    expect(byAddress).toEqual([200, 200, 200, 200, 200, 429]);
    const user = await sale.createBuyer();
    const byAccount = [];
    for (let n = 0; n < 6; n++)
      byAccount.push((await send({ email: user.email, message: "Hi" }, { user })).status);
    expect(byAccount).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it("can be read and continued only by its own account, and looks missing to others", async () => {
    const [user, other] = [await sale.createBuyer(), await sale.createBuyer()];
    const { conversation_id } = (await send({ email: user.email, message: "First" }, { user })).body.data;
    const read = (by: { bearer: string }) =>
      call(detail, "/contact/detail", {
        query: `conversation_id=${conversation_id}`,
        headers: authHeaders(by, "ja"),
      });
    const write = (by: { bearer: string }, message: string) =>
      call(reply, "/contact/reply", { body: { conversation_id, message }, headers: authHeaders(by, "ja") });
    const missing = await call(detail, "/contact/detail", {
      query: "conversation_id=cnv_none",
      headers: authHeaders(other, "ja"),
    });
    expect([missing.status, missing.body.code]).toEqual([404, "40472"]);
    for (const answer of [await read(other), await write(other, "Mine now")])
      expect([answer.status, answer.body.message]).toEqual([404, missing.body.message]);
    expect((await write(user, " ")).body.errors).toMatchObject([{ path: "message" }]);
    expect((await write(user, "Second")).status).toBe(200);
    expect((await read(user)).body.data.messages.map(({ text }: { text: string }) => text)).toEqual([
      "First",
      "Second",
    ]);
    const listed = await call(list, "/contact/list", { headers: authHeaders(user) });
    expect(listed.body.data.items).toMatchObject([
      { conversation_id, beginning: "Second", last_by: "customer" },
    ]);
  });

  it("is confirmed to an unverified address only within the mail budget", async () => {
    const victim = uniqueEmail();
    for (let n = 0; n < 10; n++) expect((await send({ email: victim, message: "Hi" })).status).toBe(200);
    expect(await countMessages(victim)).toBe(10);
    const confirmed =
      await client()`select from mails where event = 'contact-received' and to_address = ${victim}`;
    expect(confirmed).toHaveLength(8);
  });
});
