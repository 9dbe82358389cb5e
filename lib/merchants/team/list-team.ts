import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { MerchantTeam } from "@/lib/merchants/team/contract";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { versionSql } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";

/** SQL: an invitation `i` that can still be accepted or sent again. */
const OPEN_INVITE = sql`i.accepted_at is null and i.revoked_at is null`;

/** SQL: the version of a membership `m` of a merchant. */
export const MEMBER_VERSION = versionSql(sql`m.id`, sql`m.role`);

/** The members of a merchant, owners first; `self` is one of them, or null. */
export async function listMembers(merchantId: string, self: string | null) {
  const rows = await db.execute<MerchantTeam["members"][number] & { user_id: string }>(sql`
    select m.id as member_id, u.id as user_id, u.email, u.username as name, m.role, m.created_at as since, exists (
        select from second_factors f where f.user_id = u.id and f.confirmed_at is not null and f.ended_at is null) as enrolled,
      coalesce(u.id = ${self}, false) as is_self, ${MEMBER_VERSION} as version
    from merchant_members m join users u on u.id = m.user_id
    where m.merchant_id = ${merchantId} and m.ended_at is null order by m.role = 'member', m.created_at, m.id`);
  return rows.map((row) => ({ ...row, since: instant(row.since) }));
}

/** The open invitations of a merchant. */
export async function listInvites(merchantId: string) {
  const rows = await db.execute<MerchantTeam["invites"][number]>(sql`
    select i.id as invite_id, i.email, i.role, i.created_at, i.expires_at, i.expires_at <= shop_now() as expired
    from merchant_invites i where i.merchant_id = ${merchantId} and ${OPEN_INVITE} order by i.created_at, i.id`);
  return rows.map((row) => ({
    ...row,
    created_at: instant(row.created_at),
    expires_at: instant(row.expires_at),
  }));
}

/** The members of the viewer's merchant, owners first, and its open invitations. */
export async function listTeam({ merchant: { id }, user }: MerchantViewer): Promise<MerchantTeam> {
  const members = await listMembers(id, user?.userId ?? null);
  const invites = await listInvites(id);
  return { members, invites };
}
