import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { revealKey } from "@/lib/delivery/commands";
import { listLibrary } from "@/lib/delivery/library/queries";
import { MASKED_CODE, normalizeKey } from "@/lib/delivery/rules";
import { findMailboxMails } from "@/lib/notifications/queries";
import { getOrder } from "@/lib/orders/queries";
import { newId } from "@/lib/platform/crypto/ids";
import { fingerprint, seal, unseal } from "@/lib/platform/crypto/vault";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
});
afterAll(sale.endSale);

const plan = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ keys: 3, ...given }] })).plans[0]!;
const reveal = (library_id: string, who = buyer) => revealKey(who.viewer, { library_id });
const ownedBy = async (orderId: string) =>
  (await getOrder(buyer.viewer, orderId, "en")).order_products.flatMap((line) => line.keys);
const eventsOf = async (keyId: string) =>
  (
    await db.execute<{ event: string; actor: string }>(
      sql`select event, actor from key_events where key_id = ${keyId} order by id`,
    )
  ).map(({ event, actor }) => `${event} ${actor}`);

describe("a code", () => {
  it("is the same in the mail, in the library, on the order page and in the table, to the character", async () => {
    const product = await plan({ keys: 0 });
    // What makers really send: spaces, quotes, markup, other scripts, long ones.
    const texts = [
      "AB12-cd34-EF56",
      "two words  two spaces",
      `<b>&amp;"quoted"</b>`,
      "カード番号-漢字-0O1lI",
      "https://maker.example/r?c=%20x&y=1#z",
      "L".repeat(180),
    ];
    for (const text of texts) {
      const id = newId("key");
      await db.execute(sql`insert into keys (id, plan_id, sealed, vault_key_id, fingerprint)
        values (${id}, ${product.id}, ${seal(id, text).sealed}, ${seal(id, text).vaultKeyId}, ${fingerprint(normalizeKey(text))})`);
    }
    const orderId = await sale.sell(buyer, product.id, texts.length);
    const [mail] = (await findMailboxMails(buyer.email))!.filter((one) => one.event === "keys");
    const library = (await listLibrary(buyer.viewer, "en")).items.filter((item) => item.order_id === orderId);
    expect(library.map((item) => item.masked_code)).toEqual(texts.map(() => MASKED_CODE));
    const onPage = await ownedBy(orderId);
    expect(onPage.map((key) => key.library_id).sort()).toEqual(library.map((item) => item.library_id).sort());
    const seen: string[] = [];
    for (const { library_id } of onPage) {
      const { code } = await reveal(library_id);
      const [row] = await db.execute<{ sealed: Buffer; vault_key_id: string }>(
        sql`select sealed, vault_key_id from keys where id = ${library_id}`,
      );
      expect(unseal(library_id, { sealed: row!.sealed, vaultKeyId: row!.vault_key_id })).toBe(code);
      expect(mail!.text.split("\n")).toContain(code);
      expect(mail!.html).toContain(escaped(code));
      seen.push(code);
    }
    expect(seen.sort()).toEqual(texts.sort());
  });
});

const escaped = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

describe("revealing", () => {
  it("is for the owner, written down each time, and starts the clock once", async () => {
    const orderId = await sale.sell(buyer, (await plan()).id);
    const [key] = await ownedBy(orderId);
    const id = key!.library_id;
    const other = await sale.newBuyer();
    expect(await refusal(reveal(id, other))).toBe("key_unknown");
    expect(await refusal(reveal("key_missing", other))).toBe("key_unknown");
    expect(await eventsOf(id)).toEqual(["imported test", "reserved shop", "assigned shop", "mailed shop"]);
    const first = await reveal(id);
    await sale.setClockAhead("1 hour");
    expect(await reveal(id)).toEqual(first);
    await sale.setClockAhead("0");
    expect((await eventsOf(id)).slice(4)).toEqual(Array(2).fill(`revealed ${buyer.id} Test, Linux`));
    const item = (await listLibrary(buyer.viewer, "en")).items.find((one) => one.library_id === id);
    expect(item).toMatchObject({
      revealed_at: first.revealed_at,
      ends_at: new Date(Date.parse(first.revealed_at) + 7 * 86_400_000).toISOString(),
    });
  });

  it("is frozen while the code is quarantined, and impossible once it is revoked or not yet paid", async () => {
    const product = await plan();
    const orderId = await sale.sell(buyer, product.id);
    const id = (await ownedBy(orderId))[0]!.library_id;
    const set = (state: string) => db.execute(sql`update keys set state = ${state} where id = ${id}`);
    await set("quarantined");
    expect(await refusal(reveal(id))).toBe("key_frozen");
    expect(await refusal(reveal(id, await sale.newBuyer()))).toBe("key_unknown");
    const [row] = await db.execute(sql`select first_revealed_at from keys where id = ${id}`);
    expect(row?.first_revealed_at).toBeNull();
    expect((await listLibrary(buyer.viewer, "en")).items.some((item) => item.library_id === id)).toBe(false);
    await set("revoked");
    expect(await refusal(reveal(id))).toBe("key_unknown");
    const unpaid = await sale.orderOf(buyer, product.id);
    const [held] = await db.execute<{ id: string }>(
      sql`select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${unpaid}`,
    );
    expect(await refusal(reveal(held!.id))).toBe("key_unknown");
    expect(await ownedBy(unpaid)).toEqual([]);
  });

  it("never shows anybody's library to another", async () => {
    const orderId = await sale.sell(buyer, (await plan()).id);
    const other = await sale.newBuyer();
    expect((await listLibrary(other.viewer, "en")).items).toEqual([]);
    expect(await refusal(getOrder(other.viewer, orderId, "en"))).toBe("order_unknown");
    expect((await listLibrary(buyer.viewer, "en")).items.some((item) => item.order_id === orderId)).toBe(
      true,
    );
  });
});
