import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { revealKey } from "@/lib/delivery/commands";
import { activatePass, queuePassReminders } from "@/lib/delivery/library/commands";
import { decryptKeysForEmail, listLibrary } from "@/lib/delivery/library/queries";
import { getPassCalendar } from "@/lib/delivery/library/queries-calendar";
import { requestReplacement } from "@/lib/delivery/replacement/commands";
import { findMailboxMails } from "@/lib/notifications/queries";
import { resendKeys } from "@/lib/orders/fulfilment/commands";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
let other: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  [buyer, other] = [await sale.newBuyer(), await sale.newBuyer()];
});
afterEach(() => sale.setClockAhead("0"));
afterAll(sale.endSale);

const itemOf = async (id: string, who = buyer) =>
  (await listLibrary(who.viewer, "en")).items.find((item) => item.library_id === id);
const reveal = (library_id: string, who = buyer) => revealKey(who.viewer, { library_id });
const activate = (library_id: string, activated_at?: string, who = buyer) =>
  activatePass(who.viewer, { library_id, ...(activated_at && { activated_at }) });
const shopNow = async (shift = "0") => {
  const [row] = await db.execute<{ at: string }>(sql`select shop_now() + ${shift}::interval as at`);
  return new Date(row!.at).toISOString();
};
const days = (from: string, count: number) => new Date(Date.parse(from) + count * 86_400_000).toISOString();

async function bought(given: PlanInput = {}, who = buyer) {
  const product = await createProduct({ plans: [{ keys: 2, ...given }] });
  const orderId = await sale.sell(who, product.plans[0]!.id);
  const [key] = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${product.plans[0]!.id} and state = 'assigned'`,
  );
  return { id: key!.id, orderId, name: product.name };
}
const dispute = async (orderId: string, isOpen = true) => {
  const id = newId("dp");
  await db.execute(sql`insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
    values (${id}, ${orderId}, 'pi_x', 100, 'fraudulent', 'needs_response', ${isOpen})`);
  return id;
};

describe("the reveal log", () => {
  it("shows the owner each mail and each reveal with its device, the newest first", async () => {
    const { id } = await bought();
    await reveal(id);
    await db.execute(
      sql`update sessions set device = 'Samsung Internet, Android' where id = ${buyer.viewer.sessionId}`,
    );
    await sale.setClockAhead("1 minute");
    await reveal(id);
    const log = (await itemOf(id))!.reveals;
    expect(log.map(({ way, device }) => `${way} ${device}`)).toEqual([
      "shown Samsung Internet, Android",
      "shown Test, Linux",
      "mailed null",
    ]);
    expect(Date.parse(log[0]!.at)).toBeGreaterThan(Date.parse(log[1]!.at));
  });
});

describe("the clock", () => {
  it("counts from the activation, else from the first reveal, and says nothing before", async () => {
    const { id } = await bought({ type: "week" });
    expect(await itemOf(id)).toMatchObject({ ends_at: null, can_activate: true, activated_at: null });
    const { revealed_at } = await reveal(id);
    expect(await itemOf(id)).toMatchObject({ ends_at: days(revealed_at, 7) });
    await sale.setClockAhead("2 days");
    const { activated_at, ends_at } = await activate(id);
    expect(ends_at).toBe(days(activated_at, 7));
    expect(await itemOf(id)).toMatchObject({ activated_at, ends_at });
  });

  it("takes a date that is neither in the future nor before the purchase, and one correction hour", async () => {
    const { id } = await bought();
    await sale.setClockAhead("3 days");
    expect(await refusal(activate(id, await shopNow("1 minute")))).toBe("activation_date_wrong");
    expect(await refusal(activate(id, await shopNow("-4 days")))).toBe("activation_date_wrong");
    const [late, right] = [await shopNow("-1 hour"), await shopNow("-2 days")];
    await activate(id, late);
    await sale.setClockAhead("3 days 59 minutes");
    expect((await itemOf(id))!.can_activate).toBe(true);
    expect((await activate(id, right)).activated_at).toBe(right);
    await sale.setClockAhead("3 days 61 minutes");
    expect((await itemOf(id))!.can_activate).toBe(false);
    expect(await refusal(activate(id, late))).toBe("activation_settled");
    expect((await activate(id, right)).activated_at).toBe(right); // said again it changes nothing
    const events = await db.execute(
      sql`select 1 from key_events where key_id = ${id} and event = 'activated'`,
    );
    expect(events).toHaveLength(2);
    const [row] = await db.execute(sql`select redemption from keys where id = ${id}`);
    expect(row!.redemption).toBe("redeemed");
  });

  it("is the owner's alone", async () => {
    const { id } = await bought();
    expect(await refusal(activate(id, undefined, other))).toBe("key_unknown");
    expect(await refusal(activate("key_missing", undefined, other))).toBe("key_unknown");
    expect((await itemOf(id))!.activated_at).toBeNull();
  });

  it("orders passes: those that end first, then those that have not begun, and last what has ended", async () => {
    const who = await sale.newBuyer();
    const ids: string[] = [];
    for (const type of ["day", "month", "week", "week"] as const) ids.push((await bought({ type }, who)).id);
    const [over, long, soon, waiting] = ids as [string, string, string, string];
    for (const id of [over, long, soon]) await reveal(id, who);
    await sale.setClockAhead("2 days");
    const order = (await listLibrary(who.viewer, "en")).items.map((item) => item.library_id);
    expect(order).toEqual([soon, long, waiting, over]);
  });
});

describe("a disputed payment", () => {
  it("locks the codes for reveal, mail, activation and replacement until it is closed", async () => {
    const { id, orderId } = await bought();
    await dispute(orderId, false);
    await reveal(id);
    const open = await dispute(orderId);
    const calls = () => [
      refusal(reveal(id)),
      refusal(activate(id)),
      refusal(requestReplacement(buyer.viewer, { library_id: id, reason: "no" })),
      refusal(resendKeys(buyer.viewer, { order_id: orderId })),
    ];
    expect(await Promise.all(calls())).toEqual(Array(4).fill("key_frozen"));
    expect(await decryptKeysForEmail(db, [id])).toEqual([]);
    expect(await itemOf(id)).toMatchObject({ disputed: true, refund_asked: false });
    await db.execute(sql`update disputes set is_open = false where id = ${open}`);
    expect(await refusal(reveal(id))).toBeNull();
    expect(await decryptKeysForEmail(db, [id])).toHaveLength(1);
  });
});

/** Content lines, joined again, by name. */
function read(file: string) {
  const lines = file.replace(/\r\n /g, "").split("\r\n");
  const value = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
  return { lines, value };
}
const stampOf = (iso: string) => iso.replace(/[-:]|\.\d+/g, "");

describe("the calendar file", () => {
  const calendar = (library_id: string, locale: Locale = "en", who = buyer) =>
    getPassCalendar(who.viewer, { library_id }, locale);

  it("holds the end with an alarm the day before, in the reader's language", async () => {
    const { id, name } = await bought({ type: "week" });
    expect(await refusal(calendar(id))).toBe("pass_without_end");
    await reveal(id);
    const { ends_at } = (await itemOf(id))!;
    const file = await calendar(id);
    const { lines, value } = read(file);
    expect(lines[0]).toBe("BEGIN:VCALENDAR");
    expect(lines.slice(-3)).toEqual(["END:VEVENT", "END:VCALENDAR", ""]);
    expect(value("DTSTART")).toBe(stampOf(ends_at!));
    expect(value("TRIGGER")).toBe("-P1D");
    expect(value("SUMMARY")).toBe(`${name}: Week pass ends`);
    expect(read(await calendar(id, "zh")).value("SUMMARY")).toMatch(/到期$/);
    expect(read(await calendar(id, "ja")).value("SUMMARY")).toMatch(/の終了$/);
    expect(file).not.toMatch(/TEST-|[^\r]\n/); // no code, and only CRLF
    expect(await refusal(calendar(id, "en", other))).toBe("key_unknown");
  });

  it("escapes and folds what makers write: no line above 75 octets, none cut in a character", async () => {
    const { id } = await bought({ type: "month" });
    const name = `Fold\\er; a, b ${"長い名前😀".repeat(20)}`;
    await db.execute(sql`update product_texts set name = ${name} where locale = 'en' and product_id = (
      select p.product_id from keys k join plans p on p.id = k.plan_id where k.id = ${id})`);
    await reveal(id);
    const file = await calendar(id);
    for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(read(file).value("SUMMARY")).toContain(`Fold\\\\er\\; a\\, b ${"長い名前😀".repeat(20)}: Month`);
  });

  it("of a code that nobody has seen holds the last moment to redeem it", async () => {
    const { id } = await bought();
    await db.execute(sql`update keys set redeem_by = shop_now() + interval '9 days' where id = ${id}`);
    const { redeem_by } = (await itemOf(id))!;
    expect(read(await calendar(id)).value("DTSTART")).toBe(stampOf(redeem_by!));
  });
});

describe("the reminder", () => {
  const mailsOf = async (who: sale.Buyer) => {
    await sale.runQueue();
    return ((await findMailboxMails(who.email)) ?? []).filter(({ event }) => event === "pass-ending");
  };
  const remind = async (ahead: string) => {
    await sale.setClockAhead(ahead);
    await Promise.all([queuePassReminders(), queuePassReminders()]);
  };

  it.each([
    ["week", "5 days 23 hours", "6 days 1 hour"],
    ["month", "26 days 23 hours", "27 days 1 hour"],
  ] as const)("of a %s pass comes once, in its time", async (type, early, due) => {
    const who = await sale.newBuyer();
    const { id } = await bought({ type }, who);
    await reveal(id, who);
    await remind(early);
    expect(await mailsOf(who)).toEqual([]);
    await remind(due);
    await queuePassReminders();
    const mails = await mailsOf(who);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("ends");
    expect(mails[0]!.text).not.toContain("TEST-");
  });

  it("is not sent for a day pass, for one that was refunded or is locked, and for one that has ended", async () => {
    const who = await sale.newBuyer();
    const [day, gone, locked, over] = [
      await bought({ type: "day" }, who),
      await bought({ type: "week" }, who),
      await bought({ type: "week" }, who),
      await bought({ type: "week" }, who),
    ];
    for (const { id } of [day, gone, locked, over]) await reveal(id, who);
    await db.execute(sql`update keys set state = 'quarantined' where id = ${gone.id}`);
    await db.execute(
      sql`update keys set first_revealed_at = shop_now() - interval '3 days' where id = ${over.id}`,
    );
    await dispute(locked.orderId);
    await remind("6 days 1 hour");
    expect(await mailsOf(who)).toEqual([]);
  });

  it("is dropped when the pass is locked between the reminder and its mail", async () => {
    const who = await sale.newBuyer();
    const { id, orderId } = await bought({ type: "week" }, who);
    await reveal(id, who);
    await remind("6 days 1 hour");
    await dispute(orderId);
    expect(await mailsOf(who)).toEqual([]);
  });

  it("of a code that nobody saw comes a week before it must be redeemed, and of its end again", async () => {
    const who = await sale.newBuyer();
    const { id } = await bought({ type: "week" }, who);
    await db.execute(sql`update keys set redeem_by = shop_now() + interval '10 days' where id = ${id}`);
    await remind("2 days 23 hours");
    expect(await mailsOf(who)).toEqual([]);
    await remind("3 days 1 hour");
    expect((await mailsOf(who)).map(({ text }) => /Redeem|redeem|waiting/.test(text))).toEqual([true]);
    await reveal(id, who);
    await remind("9 days 3 hours");
    expect(await mailsOf(who)).toHaveLength(2);
    await remind("9 days 5 hours");
    expect(await mailsOf(who)).toHaveLength(2);
  });
});
