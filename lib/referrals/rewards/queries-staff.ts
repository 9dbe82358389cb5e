import { sql } from "drizzle-orm";
import { db } from "@/db/client";

export type ReferralRow = {
  id: string;
  inviter: string;
  friend: string;
  state: string;
  reason: string | null;
  createdAt: string;
  dueAt: string | null;
};

/** The newest referrals, for staff. */
export async function listReferralsForStaff(): Promise<ReferralRow[]> {
  return db.execute<ReferralRow>(sql`
    select r.id, i.email as inviter, f.email as friend, r.state, r.reason, r.created_at as "createdAt", r.due_at as "dueAt"
    from referrals r join users i on i.id = r.inviter_id join users f on f.id = r.friend_id
    order by r.created_at desc, r.id limit 100`);
}
