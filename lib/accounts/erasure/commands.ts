import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { queueSecurityNotice } from "@/lib/accounts/commands";
import type { DeleteAccountInput } from "@/lib/accounts/profile/contract";
import { requireReauthentication } from "@/lib/accounts/reauthentication/queries";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { errorMessage } from "@/lib/platform/error-messages";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { anonymizeUser } from "./commands-anonymize";

/**
 * Deletes the viewer's account for good: in one transaction everything that names the person is removed or replaced;
 * orders, payments, codes and reviews stay without a name (reliability.md "Privacy"). The mailbox may register again.
 * @throws ShopError confirm_differs, proof_required, account_in_use: an order is open, or money on its way back
 */
export async function deleteAccount(
  viewer: UserViewer,
  { confirm }: DeleteAccountInput,
  locale: Locale,
): Promise<{ deleted: true }> {
  const { userId } = viewer;
  await db.transaction(async (tx) => {
    // The whole row is locked: an order that is being placed is waited for, and seen.
    const [user] = await tx.execute<{ email: string; proved: boolean }>(sql`
      select lower(email) as email, email_verified_at is not null as proved from users
      where id = ${userId} and deleted_at is null for update`);
    if (!user) throw new ShopError("session_ended");
    if (user.email !== confirm) refuseConfirm(locale);
    await requireReauthentication(viewer, tx);
    await refuseWhileInUse(tx, userId);
    await anonymizeUser(tx, { userId, ...user });
    await queueSecurityNotice(tx, { kind: "account_deleted", to: user.email, locale, userId });
    await audit({ actor: userId, action: "account.deleted", subject: userId }, tx);
  });
  return { deleted: true };
}

function refuseConfirm(locale: Locale): never {
  throw new ShopError("confirm_differs", {
    issues: [{ path: "confirm", message: errorMessage("confirm_differs", locale) }],
  });
}

/** Paid means delivered or refunded: who waits for either has to be found. */
async function refuseWhileInUse(tx: Tx, userId: string): Promise<void> {
  const open = await tx.execute(sql`
    select 1 where exists (select from orders o where o.user_id = ${userId}
        and (o.status in ('pending', 'processingPayment', 'paid', 'processing')
          or exists (select from refunds r where r.order_id = o.id and r.state in ('pending', 'submitted'))))
      or exists (select from refund_requests where user_id = ${userId} and state = 'asked')`);
  if (open.length > 0) throw new ShopError("account_in_use");
}
