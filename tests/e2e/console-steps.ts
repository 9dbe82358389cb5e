import type { BrowserContext } from "@playwright/test";
import { sql } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createKeys, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import type { Locale } from "@/lib/platform/i18n/locales";
import { localizedPath } from "@/lib/platform/routing/paths";
import en from "@/messages/console/en.json" with { type: "json" };
import ja from "@/messages/console/ja.json" with { type: "json" };
import zh from "@/messages/console/zh.json" with { type: "json" };

const MESSAGES = { en, zh, ja };

/** A translator of the console's texts. */
export const consoleTexts = (locale: Locale) =>
  createTranslator({ locale, messages: MESSAGES[locale] as typeof en });

/** The console has one address for all devices. */
export const consolePath = (path: string, locale: Locale) =>
  localizedPath(path, { locale, surface: "desktop" });

/** Signs the browser in as a staff member, or a member of a merchant. */
export async function signInAs(
  context: BrowserContext,
  baseURL: string,
  { cookie }: { cookie: string },
): Promise<void> {
  const [name = "", value = ""] = cookie.split(/=(.*)/s, 2);
  await context.addCookies([{ name, value, url: baseURL }]);
}

/** A delivered order of one code, which was mailed, and another code of its plan in stock. */
export async function createDelivered() {
  const product = await createProduct({ plans: [{ type: "month", keys: 1 }] });
  const planId = product.plans[0]!.id;
  const buyer = await createUser();
  const order = await createOrder(buyer, planId, { status: "completed" });
  await db.execute(sql`
    update keys set state = 'reserved', order_line_id = ${order.lineId}, slot = 1, reserved_at = shop_now() where plan_id = ${planId}`);
  await db.execute(sql`update order_lines set state = 'assigned' where id = ${order.lineId}`);
  await db.execute(sql`
    insert into key_events (key_id, event, order_line_id, actor)
    select k.id, e.event, ${order.lineId}, 'shop' from keys k, (values ('reserved'), ('assigned')) e(event) where k.plan_id = ${planId}`);
  const [key] = await db.execute<{ id: string }>(sql`
    update keys set state = 'assigned', assigned_at = shop_now(), mailed_at = shop_now() where plan_id = ${planId} returning id`);
  await createKeys(planId, 1);
  return { keyId: key!.id, planId, buyer, order };
}
