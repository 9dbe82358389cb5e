import { sql } from "drizzle-orm";
import { db } from "@/db/client";

const NOTICES = ["sent", "confirmed", "failed", "returned"] as const;
export type PayoutNotice = (typeof NOTICES)[number];

type Row = {
  merchant: string;
  handle: string;
  cents: number;
  lastFour: string;
  reason: string | null;
};

/** The email to an owner about a payout that was sent, arrived, failed or came back. */
export async function payoutMail(payoutId: string, outcome: string) {
  const notice = NOTICES.find((one) => one === outcome);
  const [row] = await db.execute<Row>(sql`
    select m.name as merchant, m.handle, t.cents, a.last_four as "lastFour", t.reason
    from payouts p join merchants m on m.id = p.merchant_id
    join payout_attempts t on t.payout_id = p.id and t.attempt = p.attempt join payout_accounts a on a.id = t.account_id
    where p.id = ${payoutId}`);
  if (!row || !notice) return null;
  const { reason, ...payout } = row;
  const isBack = notice === "failed" || notice === "returned";
  return { ...payout, notice, reason: (isBack && reason) || "" };
}
