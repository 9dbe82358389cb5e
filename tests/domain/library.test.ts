import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { activatePass } from "@/lib/delivery/library/activate-pass";
import { findRunningEnds } from "@/lib/delivery/library/find-running-ends";
import { getPassCalendar } from "@/lib/delivery/library/get-pass-calendar";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { openKeysForEmail } from "@/lib/delivery/library/open-keys";
import { queuePassReminders } from "@/lib/delivery/library/queue-pass-reminders";
import { requestReplacement } from "@/lib/delivery/replacement/request-replacement";
import { stackPasses } from "@/lib/delivery/rules";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { newId } from "@/lib/platform/crypto/ids";
import type { Locale } from "@/lib/platform/i18n/locales";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

let buyer: sale.Buyer;
let other: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  [buyer, other] = [await sale.createBuyer(), await sale.createBuyer()];
});
afterEach(() => sale.setClockAhead("0"));
afterAll(sale.closeSale);

const findItem = async (id: string, user = buyer) =>
  (await listLibrary(user.viewer, "en")).items.find((item) => item.library_id === id);
const reveal = (library_id: string, user = buyer) => revealKey(user.viewer, { library_id });
const activate = (library_id: string, activated_at?: string, user = buyer) =>
  activatePass(user.viewer, { library_id, ...(activated_at && { activated_at }) });
const shopNow = async (shift = "0") => {
  const [row] = await db.execute<{ now: string }>(sql`select shop_now() + ${shift}::interval as now`);
  return new Date(row!.now).toISOString();
};
const addDays = (from: string, count: number) =>
  new Date(Date.parse(from) + count * 86_400_000).toISOString();

async function createSoldKey(input: PlanInput = {}, user = buyer) {
  const product = await createProduct({ plans: [{ keys: 2, ...input }] });
  const orderId = await sale.sell(user, product.plans[0]!.id);
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
  it("lists each mail and each reveal with its device, newest first", async () => {
    const { id } = await createSoldKey();
    await reveal(id);
    await db.execute(
      sql`update sessions set device = 'Samsung Internet, Android' where id = ${buyer.viewer.sessionId}`,
    );
    await sale.setClockAhead("1 minute");
    await reveal(id);
    const log = (await findItem(id))!.reveals;
    expect(log.map(({ way, device }) => `${way} ${device}`)).toEqual([
      "shown Samsung Internet, Android",
      "shown Test, Linux",
      "mailed null",
    ]);
    expect(Date.parse(log[0]!.at)).toBeGreaterThan(Date.parse(log[1]!.at));
  });
});

describe("the term of a pass", () => {
  it("starts with the activation, else the first reveal, and has no end before", async () => {
    const { id } = await createSoldKey({ type: "week" });
    expect(await findItem(id)).toMatchObject({ ends_at: null, can_activate: true, activated_at: null });
    const { revealed_at } = await reveal(id);
    expect(await findItem(id)).toMatchObject({ ends_at: addDays(revealed_at, 7) });
    await sale.setClockAhead("2 days");
    const { activated_at, ends_at } = await activate(id);
    expect(ends_at).toBe(addDays(activated_at, 7));
    expect(await findItem(id)).toMatchObject({ activated_at, ends_at });
  });

  it("accepts an activation date between purchase and now, and corrections for one hour", async () => {
    const { id } = await createSoldKey();
    await sale.setClockAhead("3 days");
    expect(await getErrorName(activate(id, await shopNow("1 minute")))).toBe("activation_date_wrong");
    expect(await getErrorName(activate(id, await shopNow("-4 days")))).toBe("activation_date_wrong");
    const [wrongTime, rightTime] = [await shopNow("-1 hour"), await shopNow("-2 days")];
    await activate(id, wrongTime);
    await sale.setClockAhead("3 days 59 minutes");
    expect((await findItem(id))!.can_activate).toBe(true);
    expect((await activate(id, rightTime)).activated_at).toBe(rightTime);
    await sale.setClockAhead("3 days 61 minutes");
    expect((await findItem(id))!.can_activate).toBe(false);
    expect(await getErrorName(activate(id, wrongTime))).toBe("activation_settled");
    expect((await activate(id, rightTime)).activated_at).toBe(rightTime); // repeating it changes nothing
    const events = await db.execute(
      sql`select 1 from key_events where key_id = ${id} and event = 'activated'`,
    );
    expect(events).toHaveLength(2);
    const [row] = await db.execute(sql`select redemption from keys where id = ${id}`);
    expect(row!.redemption).toBe("redeemed");
  });

  it("can be activated by the owner only", async () => {
    const { id } = await createSoldKey();
    expect(await getErrorName(activate(id, undefined, other))).toBe("key_unknown");
    expect(await getErrorName(activate("key_missing", undefined, other))).toBe("key_unknown");
    expect((await findItem(id))!.activated_at).toBeNull();
  });

  it("sorts the library by end, then passes not started, then ended ones", async () => {
    const user = await sale.createBuyer();
    const ids: string[] = [];
    for (const type of ["day", "month", "week", "week"] as const)
      ids.push((await createSoldKey({ type }, user)).id);
    const [ended, endsLater, endsSooner, unrevealed] = ids as [string, string, string, string];
    for (const id of [ended, endsLater, endsSooner]) await reveal(id, user);
    await sale.setClockAhead("2 days");
    const order = (await listLibrary(user.viewer, "en")).items.map((item) => item.library_id);
    expect(order).toEqual([endsSooner, endsLater, unrevealed, ended]);
  });
});

describe("a disputed payment", () => {
  it("blocks reveal, mail, activation and replacement until it is closed", async () => {
    const { id, orderId } = await createSoldKey();
    await dispute(orderId, false);
    await reveal(id);
    const openDispute = await dispute(orderId);
    const calls = () => [
      getErrorName(reveal(id)),
      getErrorName(activate(id)),
      getErrorName(requestReplacement(buyer.viewer, { library_id: id, reason: "no" })),
      getErrorName(resendKeys(buyer.viewer, { order_id: orderId })),
    ];
    expect(await Promise.all(calls())).toEqual(Array(4).fill("key_frozen"));
    expect(await openKeysForEmail(db, orderId, [id])).toEqual([]);
    expect(await findItem(id)).toMatchObject({ disputed: true, refund_asked: false });
    await db.execute(sql`update disputes set is_open = false where id = ${openDispute}`);
    expect(await getErrorName(reveal(id))).toBeNull();
    expect(await openKeysForEmail(db, orderId, [id])).toHaveLength(1);
  });
});

/** The unfolded content lines of a calendar file, and their values by name. */
function parseCalendar(file: string) {
  const lines = file.replace(/\r\n /g, "").split("\r\n");
  const value = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
  return { lines, value };
}
const toStamp = (iso: string) => iso.replace(/[-:]|\.\d+/g, "");

describe("the calendar file", () => {
  const calendar = (library_id: string, locale: Locale = "en", user = buyer) =>
    getPassCalendar(user.viewer, { library_id }, locale);

  it("contains the end with an alarm the day before, in the viewer's language", async () => {
    const { id, name } = await createSoldKey({ type: "week" });
    expect(await getErrorName(calendar(id))).toBe("pass_without_end");
    await reveal(id);
    const { ends_at } = (await findItem(id))!;
    const file = await calendar(id);
    const { lines, value } = parseCalendar(file);
    expect(lines[0]).toBe("BEGIN:VCALENDAR");
    expect(lines.slice(-3)).toEqual(["END:VEVENT", "END:VCALENDAR", ""]);
    expect(value("DTSTART")).toBe(toStamp(ends_at!));
    expect(value("TRIGGER")).toBe("-P1D");
    expect(value("SUMMARY")).toBe(`${name}: Week pass ends`);
    expect(parseCalendar(await calendar(id, "zh")).value("SUMMARY")).toMatch(/到期$/);
    expect(parseCalendar(await calendar(id, "ja")).value("SUMMARY")).toMatch(/の終了$/);
    expect(file).not.toMatch(/TEST-|[^\r]\n/); // no code, and only CRLF
    expect(await getErrorName(calendar(id, "en", other))).toBe("key_unknown");
  });

  it("escapes names and folds lines at 75 octets without splitting characters", async () => {
    const { id } = await createSoldKey({ type: "month" });
    const name = `Fold\\er; a, b ${"長い名前😀".repeat(20)}`;
    await db.execute(sql`update product_texts set name = ${name} where locale = 'en' and product_id = (
      select p.product_id from keys k join plans p on p.id = k.plan_id where k.id = ${id})`);
    await reveal(id);
    const file = await calendar(id);
    for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(parseCalendar(file).value("SUMMARY")).toContain(
      `Fold\\\\er\\; a\\, b ${"長い名前😀".repeat(20)}: Month`,
    );
  });

  it("of an unrevealed code contains its redemption deadline", async () => {
    const { id } = await createSoldKey();
    await db.execute(sql`update keys set redeem_by = shop_now() + interval '9 days' where id = ${id}`);
    const { redeem_by } = (await findItem(id))!;
    expect(parseCalendar(await calendar(id)).value("DTSTART;VALUE=DATE")).toBe(
      redeem_by!.slice(0, 10).replaceAll("-", ""),
    );
  });
});

describe("the end reminder", () => {
  const listReminders = async (user: sale.Buyer) => {
    await sale.runQueue();
    return ((await findMailboxMails(user.email)) ?? []).filter(({ event }) => event === "pass-ending");
  };
  const queueRemindersAt = async (interval: string) => {
    await sale.setClockAhead(interval);
    await Promise.all([queuePassReminders(), queuePassReminders()]);
  };

  it.each([
    ["week", "5 days 23 hours", "6 days 1 hour"],
    ["month", "26 days 23 hours", "27 days 1 hour"],
  ] as const)("of a %s pass is sent once, when due", async (type, earlyAt, dueAt) => {
    const user = await sale.createBuyer();
    const { id } = await createSoldKey({ type }, user);
    await reveal(id, user);
    await queueRemindersAt(earlyAt);
    expect(await listReminders(user)).toEqual([]);
    await queueRemindersAt(dueAt);
    await queuePassReminders();
    const mails = await listReminders(user);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain("ends");
    expect(mails[0]!.text).not.toContain("TEST-");
  });

  it("is not sent for day passes, quarantined or disputed keys, or ended passes", async () => {
    const user = await sale.createBuyer();
    const [day, quarantined, locked, ended] = [
      await createSoldKey({ type: "day" }, user),
      await createSoldKey({ type: "week" }, user),
      await createSoldKey({ type: "week" }, user),
      await createSoldKey({ type: "week" }, user),
    ];
    for (const { id } of [day, quarantined, locked, ended]) await reveal(id, user);
    await db.execute(sql`update keys set state = 'quarantined' where id = ${quarantined.id}`);
    await db.execute(
      sql`update keys set first_revealed_at = shop_now() - interval '3 days' where id = ${ended.id}`,
    );
    await dispute(locked.orderId);
    await queueRemindersAt("6 days 1 hour");
    expect(await listReminders(user)).toEqual([]);
  });

  it("is dropped when the payment is disputed before its mail is sent", async () => {
    const user = await sale.createBuyer();
    const { id, orderId } = await createSoldKey({ type: "week" }, user);
    await reveal(id, user);
    await queueRemindersAt("6 days 1 hour");
    await dispute(orderId);
    expect(await listReminders(user)).toEqual([]);
  });

  it("of an unrevealed code is sent a week before it must be redeemed, and again before its end", async () => {
    const user = await sale.createBuyer();
    const { id } = await createSoldKey({ type: "week" }, user);
    await db.execute(sql`update keys set redeem_by = shop_now() + interval '10 days' where id = ${id}`);
    await queueRemindersAt("2 days 23 hours");
    expect(await listReminders(user)).toEqual([]);
    await queueRemindersAt("3 days 1 hour");
    expect((await listReminders(user)).map(({ text }) => /accepts this code through/.test(text))).toEqual([
      true,
    ]);
    await reveal(id, user);
    await queueRemindersAt("9 days 3 hours");
    expect(await listReminders(user)).toHaveLength(2);
    await queueRemindersAt("9 days 5 hours");
    expect(await listReminders(user)).toHaveLength(2);
  });
});

describe("another code of a pass that runs", () => {
  const mailsOf = async (user: sale.Buyer) =>
    ((await findMailboxMails(user.email)) ?? []).filter((mail) => mail.event === "pass-ending");

  it("is stacked under it, and its owner is reminded once on the day that the first one ends", async () => {
    const owner = await sale.createBuyer();
    const { plans } = await createProduct({ plans: [{ type: "day", keys: 3 }] });
    await sale.sellWithChoice(owner, plans[0]!.id, { immediate_delivery: false }, 2);
    const [first, second] = (await listLibrary(owner.viewer, "en")).items;
    const stack = async () => {
      const { items, server_time } = await listLibrary(owner.viewer, "en");
      const { top, next } = stackPasses(items, server_time);
      return [
        top.map((item) => item.library_id),
        [...next].map(([id, more]) => [id, more.map((one) => one.library_id)]),
      ];
    };
    expect(await stack()).toEqual([[first!.library_id, second!.library_id], []]);
    await reveal(first!.library_id, owner);
    expect(await stack()).toEqual([[first!.library_id], [[first!.library_id, [second!.library_id]]]]);
    await queuePassReminders();
    await sale.runQueue();
    expect(await mailsOf(owner)).toEqual([]);
    await sale.setClockAhead("1 day 1 hour");
    await Promise.all([queuePassReminders(), queuePassReminders()]);
    await queuePassReminders();
    await sale.runQueue();
    const [mail, ...more] = await mailsOf(owner);
    expect(more).toEqual([]);
    expect(mail!.subject).toContain("Your next code");
    expect(mail!.text).toContain("its days start when you show it");
  });

  it("triggers no reminder while another pass runs, or after it was shown or locked", async () => {
    const owner = await sale.createBuyer();
    const { plans } = await createProduct({
      plans: [
        { type: "day", keys: 6 },
        { type: "week", keys: 2 },
      ],
    });
    await sale.sellWithChoice(owner, plans[0]!.id, { immediate_delivery: false }, 2);
    await sale.sellWithChoice(owner, plans[1]!.id, { immediate_delivery: false });
    const items = (await listLibrary(owner.viewer, "en")).items;
    const [day] = items.filter((item) => item.duration_days === 1);
    const week = items.find((item) => item.duration_days === 7)!;
    await reveal(day!.library_id, owner);
    await reveal(week.library_id, owner);
    await sale.setClockAhead("1 day 1 hour");
    await queuePassReminders();
    await sale.runQueue();
    expect(await mailsOf(owner)).toEqual([]);
    expect(await findRunningEnds(owner.viewer, [week.product_id])).toEqual({
      [week.product_id]: expect.any(String),
    });
  });
});
