import type { OrdersResent } from "@/lib/orders/console/contract-refunds";
import { resendKeysByStaff } from "@/lib/orders/fulfilment/resend-keys";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { collectRefused } from "./collect-refused";

/** Mails the codes of several orders again; those without a code that may be sent again are left out. */
export async function resendOrders(viewer: StaffViewer, ids: readonly string[]): Promise<OrdersResent> {
  const failed = await collectRefused(ids, (id) => resendKeysByStaff(viewer, id));
  return { resent: new Set(ids).size - failed.length, failed };
}
