import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { mailOptouts } from "@/db/schema/notifications";
import { AVAILABILITY_NOW, SELLABLE_KEY } from "@/lib/catalog/rules";
import type { JoinWaitListInput, WaitListView } from "@/lib/notifications/contract";
import { isOptout } from "@/lib/notifications/subscriptions/opt-outs";
import { takeMailBudget } from "@/lib/notifications/take-mail-budget";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";

/**
 * Adds the viewer to the wait-list of a sold-out plan (`/wait-list/create`); repeating it changes the address, which
 * must be the account's own or verified. Joining undoes an earlier unsubscribing. The email to an unverified address
 * counts as sent now.
 * @throws ShopError product_unknown, plan_in_stock, delivery_email_unverified, too_many_codes
 */
export async function joinWaitList(
  viewer: UserViewer,
  input: JoinWaitListInput,
  ip?: string,
): Promise<WaitListView> {
  const email = input.email ?? viewer.email;
  return transaction(async (tx) => {
    const [plan] = await tx.execute<{ buyable: boolean }>(sql`
      select ${sql.raw(AVAILABILITY_NOW)} = 'pre_order' or (${sql.raw(AVAILABILITY_NOW)} = 'in_stock'
          and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)})) as buyable
      from plans pl join products p on p.id = pl.product_id
      where pl.id = ${input.vip_id} and pl.listed and p.listed`);
    if (!plan) throw new ShopError("product_unknown");
    if (plan.buyable) throw new ShopError("plan_in_stock");
    const [row] = await tx.execute<WaitListView>(sql`
      insert into wait_list (id, user_id, plan_id, email, locale)
      select ${newId("wait")}, u.id, ${input.vip_id}, ${email}, ${viewer.locale} from users u
      where u.id = ${viewer.userId} and (lower(u.email) = lower(${email}) or exists (
        select from verified_emails e where e.user_id = u.id and lower(e.email) = lower(${email})))
      on conflict (user_id, plan_id) where outcome is null and state = 'waiting' do update
        set email = excluded.email, locale = excluded.locale
      returning id as wait_list_id, plan_id as vip_id, email`);
    if (!row) throw new ShopError("delivery_email_unverified", { params: { email } });
    if (!viewer.emailVerified)
      await takeMailBudget(tx, { userId: viewer.userId, ip }, email, "too_many_codes");
    await tx.delete(mailOptouts).where(isOptout(email.toLowerCase(), "wait_list"));
    return row;
  });
}
