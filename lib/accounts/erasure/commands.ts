import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
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
 * Deletes the viewer's account in one transaction (docs/reliability.md#privacy). The address may register again.
 * @throws ShopError confirm_differs, reauthentication_required, account_in_use: an order is open, or a refund is under way
 */
export async function deleteAccount(
  viewer: UserViewer,
  { confirm }: DeleteAccountInput,
  locale: Locale,
): Promise<{ deleted: true }> {
  const { userId } = viewer;
  await transaction(async (tx) => {
    // Locks the whole row, so that this waits for an order being placed and sees it.
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

/** An account with open orders or refunds must stay reachable. */
async function refuseWhileInUse(tx: Tx, userId: string): Promise<void> {
  const open = await tx.execute(sql`
    select 1 where exists (select from orders o where o.user_id = ${userId}
        and (o.status in ('pending', 'processingPayment', 'paid', 'processing')
          or exists (select from refunds r where r.order_id = o.id and r.state in ('pending', 'submitted'))))
      or exists (select from refund_requests where user_id = ${userId} and state = 'asked')`);
  if (open.length > 0) throw new ShopError("account_in_use");
}
