import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createStaff, type StaffUser } from "@/db/factories/staff";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import type { Locale } from "@/lib/platform/i18n/locales";
import { answerConversation, closeConversation } from "@/lib/support/console/answer-conversation";
import {
  changeStoredAnswer,
  createStoredAnswer,
  deleteStoredAnswer,
  listStoredAnswers,
} from "@/lib/support/console/change-stored-answers";
import { ConsoleConversationsInput } from "@/lib/support/console/contract";
import { getConsoleConversation } from "@/lib/support/console/get-console-conversation";
import { listConsoleConversations } from "@/lib/support/console/list-console-conversations";
import { contactSupport } from "@/lib/support/contact-support";
import { closeAnsweredConversations, deleteOldConversations } from "@/lib/support/delete-conversations";
import { findConversation } from "@/lib/support/find-conversation";
import { replyToSupport } from "@/lib/support/reply-to-support";
import { fillAnswer } from "@/lib/support/rules";
import { uniqueEmail } from "../setup/accounts";
import { getErrorName } from "../setup/error-name";
import { MAX_READ } from "../setup/rows-of-plan";
import { mostRead } from "../setup/rows-read";
import * as sale from "../setup/sale";

afterAll(sale.closeSale);

let staff: StaffUser;
let planId: number;
let keys: string[];
beforeAll(async () => {
  sale.receiveEventsInProcess();
  staff = await createStaff({ roles: ["support"] });
  const plan = await createSinglePlan({ keys: 3 });
  [planId, keys] = [plan.id, plan.keys];
});

const guest = { kind: "guest", locale: "en" } as const;
const IP = "203.0.113.7";

async function ask(message: string, { buyer, order, locale = "en" }: Asked = {}) {
  const input = { email: buyer?.email ?? uniqueEmail(), message, order_number: order, website: null };
  const { reference } = await contactSupport(buyer?.viewer ?? guest, input, locale, IP);
  const [row] = await db.execute<{ id: string }>(
    sql`select conversation_id as id from conversation_messages where id = ${reference}`,
  );
  return { id: row!.id, email: input.email, reference };
}
type Asked = { buyer?: sale.Buyer; order?: string; locale?: Locale };

const shown = async (id: string) => (await getConsoleConversation(id))!;
const answer = async (id: string, message: string, close = false) =>
  answerConversation(staff.viewer, id, { version: (await shown(id)).version, message, close });

describe("a conversation with support", () => {
  it("is linked to the customer's own order, contains no code, and fills in the variables of stored answers", async () => {
    const buyer = await sale.createBuyer();
    const orderId = await sale.sell(buyer, planId);
    const [row] = await db.execute<{ number: string }>(
      sql`select order_number as number from orders where id = ${orderId}`,
    );
    const { number } = row!;
    const { id } = await ask(`None works: ${keys.join(", ")}. What now?`, { buyer, order: number });
    const found = await shown(id);
    expect(found).toMatchObject({ order_id: orderId, order_number: number, customer_id: buyer.id });
    const { text } = found.messages[0]!;
    // One of the three codes was sold in this order; the others are not sold yet.
    expect(text).toContain("••••");
    expect(keys.filter((key) => !text.includes(key))).toHaveLength(1);
    expect(fillAnswer("Hello {name}: {order}, {pass}", found.variables)).toContain(`: ${number}, `);
    expect(found.variables.pass).toMatch(/ · /);
  });

  it("is not linked to another customer's order", async () => {
    const [buyer, other] = [await sale.createBuyer(), await sale.createBuyer()];
    const orderId = await sale.orderPlan(other, planId);
    const { id } = await ask("Where is it?", { buyer, order: orderId });
    expect(await shown(id)).toMatchObject({ order_id: null, order_number: orderId });
    expect((await shown(id)).variables).toMatchObject({ order: null, pass: null });
  });

  it("is answered by email in the customer's language and in the account, and reopens when the customer replies", async () => {
    const buyer = await sale.createBuyer();
    const { id, reference } = await ask("Welche?", { buyer, locale: "ja" });
    expect(await shown(id)).toMatchObject({ state: "waiting", locale: "ja", email: buyer.email });
    expect(await answer(id, "お答えします。", true)).toMatchObject({ state: "closed", waiting_since: null });
    await sale.runQueue();
    const mail = (await findMailboxMails(buyer.email))!.find(({ event }) => event === "contact-answer");
    expect(mail).toMatchObject({ locale: "ja" });
    expect(mail!.text).toContain("お答えします。");
    expect(mail!.text).toContain(reference);
    expect(mail!.text).toContain(`/ja/messages?id=${id}`);
    expect((await findConversation(buyer.viewer, id))!.messages.map(({ author }) => author)).toEqual([
      "customer",
      "staff",
    ]);
    await replyToSupport(buyer.viewer, { conversation_id: id, message: "Danke!" }, "en");
    expect(await shown(id)).toMatchObject({ state: "waiting", locale: "en" });
  });

  it("with a guest is answered by email only, without the guest's text or a link to an account", async () => {
    const { id, email } = await ask("Secret question of mine");
    await answer(id, "Here is the answer.");
    await sale.runQueue();
    const mail = (await findMailboxMails(email))!.find(({ event }) => event === "contact-answer");
    expect(mail!.text).toContain("Here is the answer.");
    expect(mail!.text).not.toMatch(/Secret question|\/messages/);
  });

  it("accepts one of two concurrent answers, and shows it to the author of the other", async () => {
    const { id } = await ask("Two of you?");
    await answer(id, "We are looking.");
    const { version } = await shown(id);
    const both = ["One", "Two"].map((message) =>
      getErrorName(answerConversation(staff.viewer, id, { version, message, close: false })),
    );
    expect((await Promise.all(both)).sort()).toEqual([null, "revision_conflict"]);
    const { messages, version: newest } = await shown(id);
    expect(messages.map(({ author }) => author)).toEqual(["customer", "staff", "staff"]);
    expect(newest).not.toBe(version);
    expect(messages[1]!.staff).toBe(staff.email);
    expect(await getErrorName(closeConversation(staff.viewer, id, { version }))).toBe("revision_conflict");
  });

  it("rejects an answer with a variable that is not filled in, or to an unknown conversation", async () => {
    const { id } = await ask("Hello?");
    expect(await getErrorName(answer(id, "Hello {name}"))).toBe("answer_variable");
    const missing = { version: "x", message: "Hi", close: false };
    expect(await getErrorName(answerConversation(staff.viewer, "cnv_none", missing))).toBe(
      "conversation_unknown",
    );
  });

  it("is closed 14 days after the answer and deleted 90 days later", async () => {
    const [{ id }, open] = [await ask("Old"), await ask("Unanswered")];
    await answer(id, "Answered");
    const age = (days: number) =>
      db.execute(sql`
      update conversations set last_at = shop_now() - make_interval(days => ${days}),
        closed_at = case when closed_at is not null then shop_now() - make_interval(days => ${days}) end`);
    const run = async () => {
      await closeAnsweredConversations();
      await deleteOldConversations();
      return (await getConsoleConversation(id))?.state;
    };
    await age(13);
    expect(await run()).toBe("answered");
    await age(15);
    expect(await run()).toBe("closed");
    await age(89);
    expect(await run()).toBe("closed");
    await age(91);
    expect(await run()).toBeUndefined();
    expect((await shown(open.id)).state).toBe("waiting");
    expect(
      await db.execute(sql`select from conversation_messages where conversation_id = ${id}`),
    ).toHaveLength(0);
  });
});

describe("the list of conversations", () => {
  it("starts with the one that has waited longest, and reads at most 2,100 rows per statement", async () => {
    const { id, email } = await ask("The oldest");
    await db.execute(sql`
      update conversations set waiting_since = shop_now() - interval '9 days' where id = ${id}`);
    await db.execute(sql`
      insert into conversations (id, email, locale, state, waiting_since, closed_at, last_at)
      select 'cnv_many' || n || s, 'many' || n || '@example.com', 'en', s, case when s = 'waiting' then shop_now() - make_interval(mins => n) end,
        case when s = 'closed' then shop_now() end, shop_now() - make_interval(mins => n)
      from generate_series(1, 3000) n, unnest(array['waiting', 'answered', 'closed']) s`);
    await db.execute(sql`
      insert into conversation_messages (id, conversation_id, author, text)
      select 'msg_' || id, id, 'customer', 'Hello' from conversations where starts_with(id, 'cnv_many')`);
    await db.execute(sql`analyze conversations, conversation_messages`);
    const list = (input: object) => listConsoleConversations(ConsoleConversationsInput.parse(input));
    const first = await list({});
    expect(first.items[0]).toMatchObject({ conversation_id: id, email, beginning: "The oldest" });
    expect((await list({ email: email.slice(0, 12) })).items.map(({ email }) => email)).toContain(email);
    for (const input of [{}, { state: "answered" }, { state: "closed" }, { email: "many2999@" }]) {
      expect(await mostRead(() => list(input)), JSON.stringify(input)).toBeLessThanOrEqual(MAX_READ);
      const { next_cursor: cursor } = await list(input);
      if (cursor) expect(await mostRead(() => list({ ...input, cursor }))).toBeLessThanOrEqual(MAX_READ);
    }
  });
});

describe("a stored answer", () => {
  it("is changed and deleted only in the version that was shown, with audit entries", async () => {
    const texts = { en: "Hello {name}", zh: "{name}，您好", ja: "{name}さん" };
    const made = await createStoredAnswer(staff.viewer, { title: "Hello", texts });
    const change = { title: "Greeting", texts };
    const { answer_id: id, version } = made;
    const changed = await changeStoredAnswer(staff.viewer, id, { ...change, version });
    expect(changed).toMatchObject({ title: "Greeting", texts });
    expect(await getErrorName(changeStoredAnswer(staff.viewer, id, { ...change, version }))).toBe(
      "revision_conflict",
    );
    expect((await listStoredAnswers()).items).toEqual([changed]);
    await deleteStoredAnswer(staff.viewer, id, changed);
    expect(await getErrorName(deleteStoredAnswer(staff.viewer, id, changed))).toBe("answer_unknown");
    const log = await db.execute(sql`select action from audit_entries where subject = ${id} order by id`);
    expect(log.map(({ action }) => action)).toEqual([
      "stored_answer.created",
      "stored_answer.changed",
      "stored_answer.deleted",
    ]);
  });
});
