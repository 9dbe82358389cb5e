import { sql } from "drizzle-orm";
import ical, { ICalAlarmType, ICalEventTransparency } from "ical-generator";
import { db } from "@/db/client";
import { passNameKey } from "@/lib/catalog/pricing/rules";
import type { PassType } from "@/lib/catalog/rules";
import type { CalendarQuery } from "@/lib/delivery/contract";
import { passEnd } from "@/lib/delivery/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { shopTranslator } from "@/lib/platform/i18n/shop-translator";
import { localizedPath } from "@/lib/platform/routing/paths";
import { CODE_OWNER_SQL, PASS_STARTED_AT_SQL } from "./key-state-sql";

type PassRow = {
  name: string;
  pass_type: PassType;
  duration_days: number | null;
  started_at: string | null;
  redeem_by: string | null;
  now: string;
};

/**
 * A calendar file (RFC 5545) with the end of a pass, or with its redemption deadline before the start, and a reminder. It
 * blocks no time.
 * @throws ShopError key_unknown, pass_without_end
 */
export async function getPassCalendar(
  viewer: UserViewer,
  { library_id }: CalendarQuery,
  locale: Locale,
): Promise<string> {
  const [pass] = await db.execute<PassRow>(sql`
    select coalesce(t.name, translate_product_text(e.name, ${locale})) as name, l.pass_type, l.duration_days, ${PASS_STARTED_AT_SQL} as started_at,
      k.redeem_by, shop_now() as now
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
    where k.id = ${library_id} and ${CODE_OWNER_SQL} = ${viewer.userId} and k.state = 'assigned'`);
  if (!pass) throw new ShopError("key_unknown");
  const endsAt = passEnd(pass.started_at, pass.duration_days);
  const at = endsAt ?? (pass.started_at ? null : pass.redeem_by && new Date(pass.redeem_by));
  if (!at) throw new ShopError("pass_without_end");
  const t = shopTranslator(locale);
  const name = passNameKey(pass);
  const url = env().APP_URL + localizedPath("/library", { locale, surface: "desktop" });
  const labels = { product: pass.name, pass: t(name.key, name.values), shop: env().APP_NAME };
  const title = t(endsAt ? "delivery.calendar.ends" : "delivery.calendar.redeem_by", labels);
  const calendar = ical({ prodId: { company: "Passlane", product: "Library" } });
  const event = calendar.createEvent({
    id: `${library_id}-${endsAt ? "end" : "redeem"}@${new URL(env().APP_URL).hostname}`,
    stamp: new Date(pass.now),
    start: at,
    allDay: !endsAt, // the redemption deadline is a calendar day in UTC
    summary: title,
    description: `${t("delivery.calendar.text", labels)}\n${url}`,
    url,
    transparency: ICalEventTransparency.TRANSPARENT,
  });
  const remindHours = endsAt && pass.duration_days === 1 ? 3 : 24; // a day before, for a pass that has not started
  event.createAlarm({ type: ICalAlarmType.display, triggerBefore: remindHours * 3600, description: title });
  return `${calendar}\r\n`;
}
