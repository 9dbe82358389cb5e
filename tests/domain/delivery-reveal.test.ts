import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { MASKED_CODE, normalizeKey } from "@/lib/delivery/rules";
import { findMailboxMails } from "@/lib/notifications/find-mailbox-mails";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { newId } from "@/lib/platform/crypto/ids";
import { fingerprint, seal, unseal } from "@/lib/platform/crypto/vault";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";

let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsInProcess();
  buyer = await sale.createBuyer();
});
afterAll(sale.closeSale);

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 3, ...input });
const reveal = (library_id: string, user = buyer) => revealKey(user.viewer, { library_id });
const listOrderKeys = async (orderId: string) =>
  (await getOrder(buyer.viewer, orderId, "en")).order_products.flatMap((line) => line.keys);
const listEvents = async (keyId: string) =>
  (
    await db.execute<{ event: string; actor: string }>(
      sql`select event, actor from key_events where key_id = ${keyId} order by id`,
    )
  ).map(({ event, actor }) => `${event} ${actor}`);

describe("a code", () => {
  it("is identical in the mail, library, order page and table", async () => {
    const product = await createTestPlan({ keys: 0 });
    // As vendors send them: spaces, quotes, markup, other scripts, long texts.
    const texts = [
      "AB12-cd34-EF56",
      "two words  two spaces",
      `<b>&amp;"quoted"</b>`,
      "カード番号-漢字-0O1lI",
      "https://vendor.example/r?c=%20x&y=1#z",
      "L".repeat(180),
    ];
    for (const text of texts) {
      const id = newId("key");
      await db.execute(sql`insert into keys (id, plan_id, sealed, vault_key_id, fingerprint)
        values (${id}, ${product.id}, ${seal(id, text).sealed}, ${seal(id, text).vaultKeyId}, ${fingerprint(normalizeKey(text))})`);
    }
    const orderId = await sale.sell(buyer, product.id, texts.length);
    const [mail] = (await findMailboxMails(buyer.email))!.filter((mail) => mail.event === "keys");
    const library = (await listLibrary(buyer.viewer, "en")).items.filter((item) => item.order_id === orderId);
    expect(library.map((item) => item.masked_code)).toEqual(texts.map(() => MASKED_CODE));
    const orderKeys = await listOrderKeys(orderId);
    expect(orderKeys.map((key) => key.library_id).sort()).toEqual(
      library.map((item) => item.library_id).sort(),
    );
    const revealedCodes: string[] = [];
    for (const { library_id } of orderKeys) {
      const { code } = await reveal(library_id);
      const [row] = await db.execute<{ sealed: Buffer; vault_key_id: string }>(
        sql`select sealed, vault_key_id from keys where id = ${library_id}`,
      );
      expect(unseal(library_id, { sealed: row!.sealed, vaultKeyId: row!.vault_key_id })).toBe(code);
      expect(mail!.text.split("\n")).toContain(code);
      expect(mail!.html).toContain(escapeHtml(code));
      revealedCodes.push(code);
    }
    expect(revealedCodes.sort()).toEqual(texts.sort());
  });
});

const escapeHtml = (text: string) =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

describe("revealing a key", () => {
  it("is allowed to the owner, logged each time, and starts the pass once", async () => {
    const orderId = await sale.sell(buyer, (await createTestPlan()).id);
    const [key] = await listOrderKeys(orderId);
    const id = key!.library_id;
    const other = await sale.createBuyer();
    expect(await getErrorName(reveal(id, other))).toBe("key_unknown");
    expect(await getErrorName(reveal("key_missing", other))).toBe("key_unknown");
    expect(await listEvents(id)).toEqual(["imported test", "reserved shop", "assigned shop", "mailed shop"]);
    const first = await reveal(id);
    await sale.setClockAhead("1 hour");
    expect(await reveal(id)).toEqual(first);
    await sale.setClockAhead("0");
    expect((await listEvents(id)).slice(4)).toEqual(Array(2).fill(`revealed ${buyer.id} Test, Linux`));
    const item = (await listLibrary(buyer.viewer, "en")).items.find((item) => item.library_id === id);
    expect(item).toMatchObject({
      revealed_at: first.revealed_at,
      ends_at: new Date(Date.parse(first.revealed_at) + 7 * 86_400_000).toISOString(),
    });
  });

  it("is rejected while the key is quarantined, after it is revoked, and before payment", async () => {
    const product = await createTestPlan();
    const orderId = await sale.sell(buyer, product.id);
    const id = (await listOrderKeys(orderId))[0]!.library_id;
    const setKeyState = (state: string) => db.execute(sql`update keys set state = ${state} where id = ${id}`);
    await setKeyState("quarantined");
    expect(await getErrorName(reveal(id))).toBe("key_frozen");
    expect(await getErrorName(reveal(id, await sale.createBuyer()))).toBe("key_unknown");
    const [row] = await db.execute(sql`select first_revealed_at from keys where id = ${id}`);
    expect(row?.first_revealed_at).toBeNull();
    expect((await listLibrary(buyer.viewer, "en")).items.some((item) => item.library_id === id)).toBe(false);
    await setKeyState("revoked");
    expect(await getErrorName(reveal(id))).toBe("key_unknown");
    const unpaidOrder = await sale.orderPlan(buyer, product.id);
    const [reservedKey] = await db.execute<{ id: string }>(
      sql`select k.id from keys k join order_lines l on l.id = k.order_line_id where l.order_id = ${unpaidOrder}`,
    );
    expect(await getErrorName(reveal(reservedKey!.id))).toBe("key_unknown");
    expect(await listOrderKeys(unpaidOrder)).toEqual([]);
  });

  it("does not expose a library to other users", async () => {
    const orderId = await sale.sell(buyer, (await createTestPlan()).id);
    const other = await sale.createBuyer();
    expect((await listLibrary(other.viewer, "en")).items).toEqual([]);
    expect(await getErrorName(getOrder(other.viewer, orderId, "en"))).toBe("order_unknown");
    expect((await listLibrary(buyer.viewer, "en")).items.some((item) => item.order_id === orderId)).toBe(
      true,
    );
  });
});
