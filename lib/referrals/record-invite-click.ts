import { lt, sql } from "drizzle-orm";
import { client } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { inviteClicks } from "@/db/schema/referrals";
import { hmac } from "@/lib/platform/crypto/hmac";
import { newId } from "@/lib/platform/crypto/ids";

/** Counts a visitor of an invite link once per day; ignores unknown codes. */
export async function recordInviteClick(code: string, ip: string): Promise<void> {
  const visitor = hmac("invite-visitor", `${code}:${ip}`);
  await client()`
    insert into invite_clicks (id, inviter_id, visitor, day)
    select ${newId("clk")}, u.id, ${visitor}, (shop_now() at time zone 'UTC')::date from users u
    where u.invite_code = ${code} and u.deleted_at is null
    on conflict (inviter_id, visitor, day) do nothing`;
}

/** Deletes clicks older than 90 days. */
export async function deleteOldClicks(): Promise<void> {
  const isOld = lt(inviteClicks.createdAt, sql`shop_now() - interval '90 days'`);
  await deleteInBatches(inviteClicks, isOld, sql`created_at`);
}
