import { sql } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { POST as activate } from "@/app/api/v1/library/activate/route";
import { POST as replace } from "@/app/api/v1/library/replace/route";
import { POST as resend } from "@/app/api/v1/order/resend/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { revealKey } from "@/lib/delivery/commands";
import { ACTIVATION_MINUTES } from "@/lib/delivery/rules";
import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import * as sale from "../setup/sale";
import { noteChanges, refusals } from "./refused";

let planId: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  planId = (await createProduct({ plans: [{ type: "month", keys: 40 }] })).plans[0]!.id;
});
noteChanges();
afterAll(sale.endSale);

async function bought() {
  const who = await sale.newBuyer();
  const order_id = await sale.sell(who, planId);
  const [row] = await db.execute<{ line: string; key: string }>(sql`
    select l.id as line, k.id as key from order_lines l join keys k on k.order_line_id = l.id where l.order_id = ${order_id}`);
  return { who, order_id, order_product_id: row!.line, library_id: row!.key };
}
/** A code that was seen, and whose refund is asked for: the maker is asked, and until then it is locked. */
async function freeze() {
  const { who, order_id, order_product_id, library_id } = await bought();
  await revealKey(who.viewer, { library_id });
  await requestRefund(who.viewer, { order_id, order_product_id }, "en");
  return { who, order_id, library_id };
}

let one: ReturnType<typeof freeze> | undefined;
/** The same for all: what is refused changes nothing. */
const frozen = () => {
  one ??= freeze();
  return one;
};

refusals("/library/activate", activate, {
  key_frozen: async () => {
    const { who, library_id } = await frozen();
    return { who, body: { library_id } };
  },
  activation_settled: async () => {
    const { who, library_id } = await bought();
    await db.execute(sql`
      insert into key_events (key_id, event, actor, created_at)
      values (${library_id}, 'activated', ${who.id}, shop_now() - make_interval(mins => ${ACTIVATION_MINUTES}))`);
    return { who, body: { library_id } };
  },
});
refusals("/library/replace", replace, {
  key_frozen: async () => {
    const { who, library_id } = await frozen();
    return { who, body: { library_id, reason: "It is refused." } };
  },
});
refusals("/order/resend", resend, {
  key_frozen: async () => {
    const { who, order_id } = await frozen();
    return { who, body: { order_id } };
  },
});
