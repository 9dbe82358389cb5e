import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import type { BankFileFormat } from "@/lib/payouts/rules";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { env } from "@/lib/platform/env";
import { ShopError } from "@/lib/platform/errors";

/**
 * Makes a file for the bank of the payouts of a run that stand in none: as pain.001.001.09 where all accounts have an IBAN and the
 * shop's is configured, else as CSV. A payout stands in one file only, which can be downloaded again.
 * @throws ShopError payout_run_unknown, nothing_to_send
 */
export const makeBankFile = (
  { userId }: StaffViewer,
  runId: string,
): Promise<{ file_id: string; format: BankFileFormat; payouts: number }> =>
  transaction(async (tx) => {
    const [run] = await tx.execute(sql`select from payout_runs where id = ${runId} for update`);
    if (!run) throw new ShopError("payout_run_unknown");
    const open = await tx.execute<{ payoutId: string; cents: number; scheme: string }>(sql`
      select t.payout_id as "payoutId", t.cents, a.scheme from payouts p
      join payout_attempts t on t.payout_id = p.id and t.attempt = p.attempt join payout_accounts a on a.id = t.account_id
      where p.run_id = ${runId} and p.state = 'sent' and t.file_id is null and a.method = 'manual'`);
    if (open.length === 0) throw new ShopError("nothing_to_send");
    const isPain = env().BANK_IBAN !== undefined && open.every(({ scheme }) => scheme === "iban");
    const format = isPain ? "pain" : "csv";
    const id = newId("bf");
    const cents = open.reduce((sum, payout) => sum + payout.cents, 0);
    await tx.execute(sql`
      insert into bank_files (id, run_id, format, payouts, cents, made_by) values (${id}, ${runId}, ${format}, ${open.length}, ${cents}, ${userId})`);
    await tx.execute(sql`
      update payout_attempts t set file_id = ${id} from payouts p, payout_accounts a
      where a.id = t.account_id and a.method = 'manual' and p.id = t.payout_id and p.attempt = t.attempt and p.run_id = ${runId} and t.file_id is null and p.state = 'sent'`);
    const detail = { file_id: id, format, payouts: open.length, cents };
    await audit({ actor: userId, action: "payout.file_made", subject: runId, detail }, tx);
    return { file_id: id, format, payouts: open.length };
  });
