import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { sendWithdrawalCode } from "@/lib/accounts/verification/send-verification-code";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { CloseDeclarationInput } from "./contract-declarations";
import { declarationVersionSql } from "./list-console-declarations";

type Open = { email: string; language: Locale; order_id: string | null };

async function lockOpen(tx: Tx, id: string, { version }: SeenVersion): Promise<Open> {
  const from = sql`withdrawal_declarations d where d.id = ${id}`;
  const [row] = await tx.execute<Open & { ended: boolean }>(sql`
    select d.email, d.words->-1->>'language' as language, d.order_id, d.proved_at is not null or d.closed_at is not null as ended
    from ${from} for update`);
  if (!row) throw new ShopError("declaration_unknown");
  if (row.ended) throw new ShopError("declaration_ended");
  await requireShownRow(tx, { version }, { version: declarationVersionSql("d"), from });
  return row;
}

/**
 * Ends a declaration of withdrawal that nobody proved; its record stays, and who declares again begins another.
 * @throws ShopError declaration_unknown, declaration_ended, revision_conflict, note_has_code
 */
export async function closeDeclaration({ userId }: StaffViewer, id: string, input: CloseDeclarationInput) {
  return transaction(async (tx) => {
    await requireNoCode(tx, input.note);
    await lockOpen(tx, id, input);
    await tx.execute(sql`
      update withdrawal_declarations set closed_at = shop_now(), closed_by = ${userId}, closed_note = ${input.note} where id = ${id}`);
    const detail = { note: input.note };
    await audit({ actor: userId, action: "withdrawal_declaration_closed", subject: id, detail }, tx);
    return { declaration_id: id };
  });
}

/**
 * Mails the code of the proof again, to the declared address, which belongs to the order.
 * @throws ShopError declaration_unknown, declaration_ended, order_unknown (the address belongs to none), revision_conflict,
 * code_just_sent, too_many_codes
 */
export async function sendDeclarationCode(
  { userId }: StaffViewer,
  id: string,
  seen: SeenVersion,
  ip: string,
) {
  // The code has a transaction of its own, so none is open meanwhile.
  const { email, language, order_id: orderId } = await transaction((tx) => lockOpen(tx, id, seen));
  if (!orderId) throw new ShopError("order_unknown");
  await sendWithdrawalCode(email, language, ip, async () => true);
  await transaction((tx) =>
    audit({ actor: userId, action: "withdrawal_code_sent", subject: id, detail: {} }, tx),
  );
  return { declaration_id: id };
}
