import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { ConsoleCustomersInput } from "@/lib/accounts/console/contract";
import { listConsoleCustomers } from "@/lib/accounts/console/list-console-customers";
import { findSignInLock } from "@/lib/accounts/locks/sign-in-locks";
import type { IdentityProvider } from "@/lib/accounts/rules";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import { GIVEN_PREFIX } from "@/lib/coupons/give-coupon";
import { COUPON_GIVEN } from "@/lib/coupons/rules";
import { CODE_OWNER_SQL } from "@/lib/delivery/library/key-state-sql";
import { MASKED_CODE } from "@/lib/delivery/rules";
import type { ConsoleMail } from "@/lib/notifications/console/contract";
import { mailCodesSql } from "@/lib/notifications/console/list-console-mails";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { listConsoleOrders } from "@/lib/orders/console/list-console-orders";
import { listNotes } from "@/lib/orders/console/read-order-parts";
import { actorSql, rowCount } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { ConsoleCustomerDetail } from "@/lib/staff/customers/contract";
import { ACCESS_CHANGES } from "@/lib/staff/customers/rules";

const MAX_MAILS = 50;
const MAX_PART = 100;
const MAX_ACCESS_CHANGES = 20;
const MAX_READ_ENTRIES = 1_000;

type Account = Pick<
  ConsoleCustomerDetail,
  "locale" | "country" | "email_verified_at" | "has_password" | "new_password_required_at"
> & {
  email: string;
  providers: IdentityProvider[];
  factor_locked_until: string | null;
};
type Pass = Omit<ConsoleCustomerDetail["library"][number], "masked_code" | "vip_type"> & {
  type: PassType;
  duration_days: number | null;
};
type Coupon = Omit<ConsoleCustomerDetail["coupons"][number], "amount" | "max_discount" | "minimum"> & {
  cents: number | null;
  max_discount_cents: number | null;
  minimum_cents: number;
};
type Session = ConsoleCustomerDetail["sessions"][number];

/**
 * Everything that staff see of an account: orders, passes by reference, coupons, devices, emails, notes.
 * @throws ShopError customer_unknown
 */
export async function getConsoleCustomer(id: string, locale: Locale): Promise<ConsoleCustomerDetail> {
  const account = await findAccount(id);
  if (!account) throw new ShopError("customer_unknown");
  const { email, factor_locked_until, ...facts } = account;
  const listed = await listConsoleCustomers(ConsoleCustomersInput.parse({ email }));
  const customer = listed.items.find(({ customer_id }) => customer_id === id)!;
  const orders = await listConsoleOrders(ConsoleOrdersInput.parse({ customer_id: id }), locale);
  const notes = await listNotes(id);
  return {
    ...customer,
    ...facts,
    email_verified_at: instant(account.email_verified_at),
    new_password_required_at: instant(account.new_password_required_at),
    recent_orders: orders.items,
    order_total: orders.total,
    order_total_exact: orders.total_exact,
    library: (await listPasses(id, locale)).map((pass) => toPass(pass, locale)),
    coupons: (await listCoupons(id, locale)).map(toCoupon),
    sessions: (await listDevices(id)).map((session) => ({
      ...session,
      created_at: instant(session.created_at),
      seen_at: instant(session.seen_at),
    })),
    mails: (await listMailsTo(email)).map((mail) => ({
      ...mail,
      created_at: instant(mail.created_at),
      sent_at: instant(mail.sent_at),
    })),
    notes: notes.map((note) => ({ ...note, created_at: instant(note.created_at) })),
    locks: { sign_in: await findSignInLock({ id, email }), second_factor: instant(factor_locked_until) },
    access_changes: (await listAccessChanges(id)).map((change) => ({ ...change, at: instant(change.at) })),
  };
}

async function findAccount(id: string): Promise<Account | undefined> {
  const [row] = await db.execute<Account>(sql`
    select u.email, u.locale, u.country, u.email_verified_at, u.password_hash is not null as has_password,
      u.new_password_required_at,
      array(select i.provider from user_identities i where i.user_id = u.id order by i.provider) as providers,
      (select max(f.locked_until) from second_factors f
        where f.user_id = u.id and f.ended_at is null and f.locked_until > shop_now()) as factor_locked_until
    from users u where u.id = ${id}`);
  return row;
}

const listPasses = (id: string, locale: Locale) =>
  db.execute<Pass>(sql`
    select k.id as key_id, o.id as order_id, o.order_number, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, l.pass_type as type, l.duration_days,
      o.user_id <> ${id} as is_gift, k.assigned_at, k.first_revealed_at as revealed_at, k.activated_at, k.redeem_by
    from (select id from orders where user_id = ${id} union select order_id from gifts where claimed_by = ${id}) own
    join orders o on o.id = own.id
    join order_lines l on l.order_id = o.id
    join keys k on k.order_line_id = l.id and k.state = 'assigned'
    left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
    left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
    where ${CODE_OWNER_SQL} = ${id} order by k.assigned_at desc, k.id limit ${rowCount(MAX_PART)}`);

const toPass = ({ type, duration_days, ...pass }: Pass, locale: Locale) => ({
  ...pass,
  vip_type: passLabel({ pass_type: type, duration_days }, locale),
  masked_code: MASKED_CODE,
  assigned_at: instant(pass.assigned_at),
  revealed_at: instant(pass.revealed_at),
  activated_at: instant(pass.activated_at),
  redeem_by: instant(pass.redeem_by),
});

const listCoupons = (id: string, locale: Locale) =>
  db.execute<Coupon>(sql`
    select c.code as coupon_code, c.campaign_id as campaign,
      (select coalesce(g.title->>${locale}, g.title->>'en', g.id) from campaigns g where g.id = c.campaign_id) as title,
      c.amount_cents as cents, c.percent, c.max_discount_cents, c.minimum_cents, c.state, c.expires_at, c.order_id, g.given_by, g.reason
    from coupons c left join lateral (
      select ${actorSql("a.actor", "u")} as given_by, a.detail->>'reason' as reason
      from audit_entries a left join users u on u.id = a.actor
      where starts_with(c.issue_key, ${GIVEN_PREFIX}) and a.subject = c.id and a.action = ${COUPON_GIVEN} limit 1) g on true
    where c.user_id = ${id} order by c.created_at desc, c.id limit ${rowCount(MAX_PART)}`);

const toCoupon = ({ cents, max_discount_cents, minimum_cents, expires_at, ...coupon }: Coupon) => ({
  ...coupon,
  amount: cents === null ? null : toDecimal(cents),
  max_discount: max_discount_cents === null ? null : toDecimal(max_discount_cents),
  minimum: toDecimal(minimum_cents),
  expires_at: instant(expires_at),
});

const listDevices = (id: string) =>
  db.execute<Session>(sql`
    select id as session_id, device, created_at, seen_at from sessions
    where user_id = ${id} and revoked_at is null and expires_at > shop_now() order by seen_at desc, id limit ${rowCount(MAX_PART)}`);

type AccessChangeRow = ConsoleCustomerDetail["access_changes"][number];

/** Of the newest 1,000 entries about the account, because its owner's own ones may be many. */
const listAccessChanges = (id: string) =>
  db.execute<AccessChangeRow>(sql`
    select a.action, a.created_at as at, ${actorSql("a.actor", "u")} as "by", a.detail->>'reason' as reason,
      (a.detail->>'ended')::int as ended
    from (select id, actor, action, detail, created_at from audit_entries
      where subject = ${id} order by id desc limit ${rowCount(MAX_READ_ENTRIES)}) a
      left join lateral (select email, username from users where id = a.actor offset 0) u on true
    where a.action in ${[...ACCESS_CHANGES]} order by a.id desc limit ${rowCount(MAX_ACCESS_CHANGES)}`);

const listMailsTo = (email: string) =>
  db.execute<ConsoleMail>(sql`
    select id as mail_id, event, ${mailCodesSql("m")} as codes, to_address, locale, order_number, state, attempts, last_error,
      created_at, sent_at
    from mails m where lower(to_address) collate "C" = ${email.toLowerCase()} order by created_at desc, id desc limit ${rowCount(MAX_MAILS)}`);
