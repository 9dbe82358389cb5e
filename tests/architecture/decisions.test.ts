import { describe, expect, it } from "vitest";
import { z } from "zod";
import { isMerchantAccess, isStaffAccess } from "@/lib/platform/api/declaration";
import { apiRoutes } from "@/scripts/write-openapi";

/** The fields in which a body names what was shown. */
const SHOWN = ["version", "versions", "revision", "revisions", "base_revision"];

/** Calls of staff and merchants that name something that exists, but not how it was shown, and why an old screen does no harm. */
const BY_ID_ALONE: Record<string, string> = {
  "/admin/campaigns": "It makes a new campaign.",
  "/admin/coupons/revoke":
    "The terms of a coupon never change; one that is used or revoked since is refused.",
  "/admin/customers/[id]/coupon": "It gives something new.",
  "/admin/customers/[id]/new-password": "It protects the account, whatever has become of it.",
  "/admin/customers/[id]/note": "It adds words of one's own.",
  "/admin/customers/[id]/sessions/end": "A session never becomes another one; its owner signs in again.",
  "/admin/customers/[id]/unlock": "It forgets failed tries, and may be repeated.",
  "/admin/inbox/asked/[id]/done":
    "It ends whatever is asked; what follows from it is decided by its own call.",
  "/admin/keys/batches/[id]/withdraw": "It takes what is unsold now; what was sold since stays sold.",
  "/admin/mails/[id]/again": "An email that was sent never changes.",
  "/admin/mails/[id]/dismiss": "It is refused for one that has not failed.",
  "/admin/merchants/[id]/invite": "It makes a new invitation.",
  "/admin/merchants/[id]/account-wait": "In the sandbox only: it ends the wait of what waits now.",
  "/admin/merchants/[id]/payouts": "It names the state to which it leads.",
  "/admin/merchants/[id]/write-off": "A second person decides about the debt that is named to both.",
  "/admin/orders/[id]/ask": "It adds words of one's own.",
  "/admin/orders/[id]/note": "It adds words of one's own.",
  "/admin/orders/[id]/resend": "It mails the buyer codes that the buyer has.",
  "/admin/orders/resend": "It mails buyers codes that they have.",
  "/admin/orders/[id]/sandbox-signal": "In the sandbox only: it sends an event.",
  "/admin/payouts/[id]/end": "It names the end itself, and is refused where that does not follow.",
  "/admin/payouts/end-window": "In the sandbox only: a sale's window ends once.",
  "/admin/payouts/runs/[id]/ask": "A second person decides about the total that is named to both.",
  "/admin/payouts/runs/[id]/cancel": "What is cancelled is in the next run.",
  "/admin/payouts/runs/[id]/files": "A payout stands in one file.",
  "/admin/products/[id]/weak-codes": "It names the setting itself, and is refused where it is so.",
  "/admin/stuck/queues/retry": "It does at once what is done anyway.",
  "/admin/stuck/retry": "It does at once what is done anyway.",
  "/admin/views/[id]/delete": "A view belongs to who deletes it.",
  "/merchant/invites": "It makes a new invitation.",
  "/merchant/invites/[id]/revoke": "An invitation never changes.",
  "/merchant/keys/batches/[id]/undo-withdrawal": "It undoes the one withdrawal of the batch.",
  "/merchant/keys/batches/[id]/withdraw": "It takes what is unsold now, and can be undone for a day.",
  "/merchant/keys/import": "It adds codes of one's own.",
  "/merchant/keys/preview": "It changes nothing.",
  "/merchant/money/account/cancel": "An account never changes; one that counts already is refused.",
  "/merchant/plans/[id]/pause": "It names the state to which it leads.",
  "/merchant/plans/[id]/price": "It names the price itself, which is compared with the present one.",
  "/merchant/plans/[id]/resume":
    "It names the state to which it leads, and ends only the merchant's own pause.",
  "/merchant/plans/pause": "It names the state to which it leads.",
  "/merchant/products/[id]/pause": "It names the state to which it leads.",
  "/merchant/products/[id]/resume":
    "It names the state to which it leads, and ends only the merchant's own pauses.",
  "/merchant/reviews/[id]/reply": "It adds words of one's own, which wait for staff.",
  "/merchant/trade-file/documents/[id]/remove": "A document never changes.",
  "/merchant/stock/[id]": "It names the setting itself.",
  "/admin/merchants/[id]/trade-file/open": "It reads a document, which never changes.",
  "/merchant/tokens/[id]/revoke": "A token never changes.",
  "/merchant/webhooks/[id]": "It names all that the endpoint becomes.",
  "/merchant/webhooks/[id]/redeliver": "A message never changes.",
  "/merchant/webhooks/[id]/remove": "It takes the endpoint away as it is.",
  "/merchant/webhooks/[id]/rotate": "It replaces whatever secret there is.",
  "/merchant/webhooks/[id]/test": "It changes nothing of the endpoint.",
};

describe("a staff or merchant call that decides about something", async () => {
  const routes = await apiRoutes();
  const writes = routes.flatMap(({ path, method, handler: { declaration } }) => {
    const { access, body, errors } = declaration;
    if (method === "GET" || (!isStaffAccess(access) && !isMerchantAccess(access))) return [];
    const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
    const names = path.includes("[") || fields.some((field) => /(^|_)(ids?|code|email|queue)$/.test(field));
    return names ? [{ path, errors, shown: fields.some((field) => SHOWN.includes(field)) }] : [];
  });

  it("names the state that was shown, or is listed here with the reason why it need not", () => {
    const alone = writes.filter(({ shown }) => !shown).map(({ path }) => path);
    expect(alone.sort()).toEqual(Object.keys(BY_ID_ALONE).sort());
  });

  it("is refused when that state has changed since", () => {
    const silent = writes.filter(({ shown, errors }) => shown && !errors.includes("revision_conflict"));
    // The answer names those of a batch that were not approved.
    expect(silent.map(({ path }) => path)).toEqual(["/admin/refunds/approve"]);
  });
});
