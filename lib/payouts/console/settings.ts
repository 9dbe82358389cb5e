import { sql } from "drizzle-orm";
import { listDb, transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { instant } from "@/lib/platform/instant";
import { toCents, toDecimal } from "@/lib/platform/money";
import type { PayoutSettings } from "./contract";

type Row = {
  minimum: number;
  available: number | null;
  pending: number | null;
  needed: number | null;
  readAt: string | null;
  findings: number;
  lacking: number;
};

/** The least that is paid out, and the shop's balance at the payment provider as it was read last. */
export async function getPayoutSettings(): Promise<PayoutSettings> {
  const [row] = await listDb.execute<Row>(sql`
    select minimum_cents as minimum, provider_available_cents::float8 as available, provider_pending_cents::float8 as pending,
      provider_needed_cents::float8 as needed, provider_read_at as "readAt", (select count(*)::int from payout_findings) as findings,
      (select count(*)::int from payout_attempts t where t.lacks_funds and t.ended_at is null and t.file_id is null) as lacking
    from payout_settings`);
  const { minimum, available, pending, needed, readAt, findings, lacking } = row!;
  return {
    minimum: toDecimal(minimum),
    provider:
      available === null || pending === null || needed === null
        ? null
        : {
            available: toDecimal(available),
            pending: toDecimal(pending),
            needed: toDecimal(needed),
            short: toDecimal(Math.max(0, needed - available)),
            read_at: instant(readAt)!,
            unexplained: findings,
          },
    lacking_funds: lacking,
  };
}

/** Sets below which amount nothing is paid out; drafts of before are sent if they reach it. */
export async function setMinimum(
  { userId }: StaffViewer,
  { minimum }: { minimum: number },
): Promise<PayoutSettings> {
  await transaction(async (tx) => {
    const [before] = await tx.execute<{ cents: number }>(
      sql`select minimum_cents as cents from payout_settings for update`,
    );
    await tx.execute(sql`update payout_settings set minimum_cents = ${toCents(minimum)}`);
    const detail = { before: toDecimal(before!.cents), after: minimum };
    await audit({ actor: userId, action: "payout.minimum_set", subject: "payouts", detail }, tx);
  });
  return getPayoutSettings();
}
