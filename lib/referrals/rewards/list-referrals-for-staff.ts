import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { versionSql } from "@/lib/platform/console/query";

export type ReferralRow = {
  id: string;
  inviter: string;
  friend: string;
  state: string;
  reason: string | null;
  createdAt: string;
  dueAt: string | null;
  version: string;
};

/** SQL: the version of a row of referrals, as it is shown. */
export const referralVersionSql = (referral: string) =>
  versionSql(
    ...["id", "state", "reason", "order_id", "due_at"].map((column) => sql.raw(`${referral}.${column}`)),
  );

export async function listReferralsForStaff(): Promise<ReferralRow[]> {
  return db.execute<ReferralRow>(sql`
    select r.id, i.email as inviter, f.email as friend, r.state, r.reason, r.created_at as "createdAt", r.due_at as "dueAt",
      ${referralVersionSql("r")} as version
    from referrals r join users i on i.id = r.inviter_id join users f on f.id = r.friend_id
    order by r.created_at desc, r.id limit 100`);
}
