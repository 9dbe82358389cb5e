import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { revealKey } from "@/lib/delivery/commands";
import { sealCustody } from "@/lib/delivery/custody/commands";
import { verifyCustody } from "@/lib/delivery/custody/queries";
import { listLibrary } from "@/lib/delivery/library/queries";
import {
  approveReplacement,
  refuseReplacement,
  requestReplacement,
} from "@/lib/delivery/replacement/commands";
import { findMailboxMails } from "@/lib/notifications/queries";
import { runStaff } from "@/scripts/staff";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
});
afterEach(async () => {
  await sale.runQueue();
  expect(await auditSale({ atRest: true })).toEqual([]);
});
afterAll(async () => {
  await sealCustody({ all: true });
  const problems: string[] = [];
  await verifyCustody(({ message: what }) => problems.push(what));
  await sale.endSale();
  expect(problems).toEqual([]);
});

const ask = (library_id: string, who = buyer) =>
  requestReplacement(who.viewer, { library_id, reason: "The maker says: already used." });
const requestOf = async (keyId: string) => {
  const [row] = await db.execute<{ id: string }>(
    sql`select id from replacement_requests where key_id = ${keyId} and state = 'asked'`,
  );
  return row!.id;
};
async function bought(keys = 3, quantity = 2) {
  const product = await createProduct({ plans: [{ keys }] });
  const planId = product.plans[0]!.id;
  const orderId = await sale.sell(buyer, planId, quantity);
  const owned = await db.execute<{ id: string; slot: number }>(
    sql`select id, slot from keys where plan_id = ${planId} and state = 'assigned' order by slot`,
  );
  return { planId, orderId, slug: product.slug, ids: owned.map(({ id }) => id) };
}
const keysMails = async () =>
  ((await findMailboxMails(buyer.email)) ?? []).filter(({ event }) => event === "keys");
const eventsOf = async (keyId: string) =>
  (
    await db.execute<{ event: string }>(sql`select event from key_events where key_id = ${keyId} order by id`)
  ).map(({ event }) => event);
async function staff(...line: string[]) {
  const said: string[] = [];
  const code = await runStaff(line, { out: (text) => said.push(text), err: (text) => said.push(`!${text}`) });
  return { code, said: said.join("\n") };
}

describe("asking", () => {
  it("is for the owner, once at a time, and shown in the library", async () => {
    const { ids } = await bought();
    const [id] = ids as [string];
    expect(await refusal(ask(id, await sale.newBuyer()))).toBe("key_unknown");
    expect(await refusal(ask("key_missing"))).toBe("key_unknown");
    const answers = await Promise.all([1, 2, 3].map(() => refusal(ask(id))));
    expect(answers.sort()).toEqual([null, "replacement_asked", "replacement_asked"]);
    const item = (await listLibrary(buyer.viewer, "en")).items.find((one) => one.library_id === id);
    expect(item!.replacement).toMatchObject({ state: "asked", decided_at: null });
    await refuseReplacement(await requestOf(id), "staff:x", "It works.");
    expect(await refusal(ask(id))).toBeNull(); // refused, one may ask again
    await refuseReplacement(await requestOf(id), "staff:x", "Still.");
  });
});

describe("approving", () => {
  it("revokes the old code, puts a fresh one in its place and mails exactly that", async () => {
    const { ids, planId, orderId } = await bought();
    const [, old] = ids as [string, string];
    await ask(old);
    const before = (await keysMails()).length;
    const request = await requestOf(old);
    const decided = await Promise.all(
      Array.from({ length: 4 }, () => approveReplacement(request, "staff:x")),
    );
    expect(decided.filter((one) => one?.outcome === "decided")).toHaveLength(1);
    await sale.runQueue();
    expect(await sale.keysOf(planId)).toEqual({ assigned: 2, revoked: 1 });
    const [fresh] = await db.execute<{ id: string; slot: number }>(sql`
      select k.id, k.slot from keys k join replacement_requests r on r.new_key_id = k.id where r.key_id = ${old}`);
    expect(fresh!.slot).toBe(2);
    const { code } = await revealKey(buyer.viewer, { library_id: fresh!.id });
    const mails = await keysMails();
    expect(mails).toHaveLength(before + 1);
    expect(mails[0]!.text.match(/TEST-[0-9A-F-]+/g)).toEqual([code]);
    expect(await refusal(revealKey(buyer.viewer, { library_id: old }))).toBe("key_unknown");
    expect((await eventsOf(old)).at(-1)).toBe("revoked");
    expect(await eventsOf(fresh!.id)).toEqual(["imported", "reserved", "assigned", "mailed", "revealed"]);
    const mine = (await listLibrary(buyer.viewer, "en")).items.filter((item) => item.order_id === orderId);
    expect(mine.map(({ library_id }) => library_id).sort()).toEqual([ids[0], fresh!.id].sort());
    expect(mine.find(({ library_id }) => library_id === fresh!.id)!.replacement!.state).toBe("approved");
  });

  it("takes no code that a sale is taking: of one key left one of both gets it, 10 rounds", async () => {
    for (let round = 0; round < 10; round++) {
      const { ids, planId } = await bought(1, 1);
      await ask(ids[0]!);
      await createKeys(planId, 1);
      const rival = await sale.newBuyer();
      const [order, decided] = await Promise.all([
        refusal(sale.orderOf(rival, planId)),
        approveReplacement(await requestOf(ids[0]!), "staff:x"),
      ]);
      expect([order, decided!.outcome]).toEqual(
        order === null ? [null, "no_stock"] : ["sold_out", "decided"],
      );
    }
  });
});

describe("staff", () => {
  it("list, approve and refuse from a terminal, with a sentence for each way it cannot be done", async () => {
    const { ids, planId, slug } = await bought(2, 2);
    const [one, two] = ids as [string, string];
    await ask(one);
    const id = await requestOf(one);
    const { said } = await staff("replacements", "list");
    expect(said).toMatch(new RegExp(`^${id} .* ${slug} week:7 +0 +1 .*already used\\.$`, "m"));
    expect(await staff("replacements", "approve", id)).toEqual({
      code: 1,
      said: "!No code of this plan is free: import some, then approve the request again.",
    });
    await createKeys(planId, 1);
    expect((await staff("replacements", "approve", id)).said).toMatch(/is approved; the fresh code/);
    expect((await staff("replacements", "approve", id)).said).toMatch(/nothing was changed/);
    expect((await staff("replacements", "refuse", id, "--reason", "No")).code).toBe(1);
    expect(await staff("replacements", "approve", "rpl_none")).toMatchObject({ code: 1 });
    await ask(two);
    const second = await requestOf(two);
    expect((await staff("replacements", "refuse", second)).code).toBe(2);
    expect((await staff("replacements", "refuse", second, "--reason", "It was used by you.")).code).toBe(0);
    await sale.runQueue();
    const mails = (await findMailboxMails(buyer.email))!.filter(
      ({ event }) => event === "replacement-refused",
    );
    expect(mails.some(({ text }) => text.includes("It was used by you."))).toBe(true);
  });

  it("cannot approve while the payment is disputed", async () => {
    const { ids, orderId } = await bought();
    await ask(ids[0]!);
    await db.execute(sql`insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
      values ('dp_1', ${orderId}, 'pi_x', 100, 'fraudulent', 'needs_response', true)`);
    const id = await requestOf(ids[0]!);
    expect((await staff("replacements", "approve", id)).said).toMatch(/^!Its code is refunded/);
    expect((await staff("replacements", "refuse", id, "--reason", "Disputed.")).code).toBe(0);
  });
});
