import { sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "@/db/client";
import { payouts } from "@/db/schema/payouts";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import { audit } from "@/lib/platform/audit";
import { ApprovalNeeded, type ApprovedActions } from "@/lib/platform/console/approval";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { formatPrice } from "@/lib/platform/money";

/** The debt of a merchant that has ended, in cents above zero. @throws ShopError merchant_unknown, no_debt */
async function findDebt(tx: Tx, merchantId: string): Promise<{ name: string; cents: number }> {
  const merchant = await lockMerchant(tx, merchantId);
  if (!merchant) throw new ShopError("merchant_unknown");
  const [row] = await tx.execute<{ cents: number; open: number }>(sql`
    select (select coalesce(sum(amount_cents), 0)::int from ledger_entries where merchant_id = ${merchantId} and account = 'merchant_payable') as cents,
      (select coalesce(sum(paid_out_cents - booked_cents), 0)::int from merchant_sales where merchant_id = ${merchantId}) as open`);
  const { cents, open } = row!;
  if (merchant.state !== "ended" || cents <= 0 || cents !== open) throw new ShopError("no_debt");
  return { name: merchant.name, cents };
}

/**
 * Asks a second person to write off what a merchant that has ended owes the shop.
 * @throws ApprovalNeeded always; ShopError merchant_unknown, no_debt: it has not ended, or owes nothing
 */
export const writeOff = (merchantId: string): Promise<never> =>
  transaction(async (tx) => {
    const { name, cents } = await findDebt(tx, merchantId);
    const subject = `${name}: ${formatPrice(cents, "en")}`;
    throw new ApprovalNeeded({ kind: "write_off", payload: { merchant_id: merchantId, cents }, subject });
  });

const Payload = z.object({ merchant_id: z.string(), cents: z.int() });

/** A second person has agreed: the debt is the shop's loss, and the account of the merchant is level. */
export const writeOffApprovals = {
  async write_off(tx, payload, { askedBy, decidedBy }) {
    const { merchant_id: merchantId, cents: agreed } = Payload.parse(payload);
    // No refund books anything of them between the sum and what is written of it.
    await tx.execute(
      sql`select from merchant_sales where merchant_id = ${merchantId} order by line_id for update`,
    );
    const { cents } = await findDebt(tx, merchantId);
    if (cents !== agreed) throw new ShopError("no_debt");
    const id = newId("po");
    await tx.insert(payouts).values({ id, merchantId, state: "written_off", cents: -cents });
    const lines = await tx.execute<{ cents: number }>(sql`
      insert into payout_lines (payout_id, attempt, line_id, cents)
      select ${id}, 1, line_id, booked_cents - paid_out_cents from merchant_sales
      where merchant_id = ${merchantId} and booked_cents <> paid_out_cents returning cents`);
    // A sale was booked for the first time meanwhile.
    if (lines.reduce((sum, line) => sum + line.cents, 0) !== -cents) throw new ShopError("no_debt");
    await tx.execute(sql`
      update merchant_sales s set paid_out_cents = s.paid_out_cents + l.cents
      from payout_lines l where l.payout_id = ${id} and l.line_id = s.line_id`);
    await tx.execute(sql`
      insert into ledger_entries (transfer_id, account, amount_cents, merchant_id)
      select ${`write_off:${id}`}, a.account, a.cents, ${merchantId}
      from (values ('platform_loss', ${cents}::int), ('merchant_payable', ${-cents}::int)) a(account, cents)`);
    const detail = { cents, asked_by: askedBy };
    await audit({ actor: decidedBy, action: "merchant.debt_written_off", subject: merchantId, detail }, tx);
  },
} satisfies ApprovedActions;
