import { jsonSchema } from "@/lib/platform/api/openapi";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import type { ApiCall } from "./all-calls";
import type { CatalogFixture, SoldFixture, UserFixture } from "./fixtures";

/**
 * What each id-like field of a call refers to. The access matrix fails for a field that is not listed here, because the
 * owner of the record decides what another user may learn about it.
 */
export type Field =
  /** A record of one user: for another user the call responds as if it did not exist. */
  | { kind: "owned"; own: (user: UserFixture) => unknown; missing: () => unknown }
  /** As above, but for another user's record the call responds with a distinct code. */
  | { kind: "distinct-code"; own: (user: UserFixture) => unknown; missing: () => unknown; code: string }
  /** A public record. */
  | { kind: "public"; own: (catalog: CatalogFixture) => unknown; missing: () => unknown }
  /** A secret that authorizes its holder: a token, a code from an email. Tested with malformed values only. */
  | { kind: "possession"; reason: string }
  /** Stored, never looked up. */
  | { kind: "stored" };

const ownedField = (prefix: string, own: (user: UserFixture) => unknown): Field => ({
  kind: "owned",
  own,
  missing: () => newId(prefix),
});
const publicField = (own: (catalog: CatalogFixture) => unknown, missing: unknown): Field => ({
  kind: "public",
  own,
  missing: () => missing,
});
const ownedNumber = (own: (user: UserFixture) => unknown): Field => ({
  kind: "owned",
  own,
  missing: () => MISSING_NUMBER,
});
const possessionField = (reason: string): Field => ({ kind: "possession", reason });
const storedField: Field = { kind: "stored" };
const MISSING_NUMBER = 2_000_000_000;
/** What the merchant of the caller owns. */
const soldField = (own: (sold: SoldFixture) => unknown, missing: () => unknown): Field => ({
  kind: "owned",
  own: ({ sold }) => sold && own(sold),
  missing,
});
const soldProduct = soldField(
  ({ productId }) => productId,
  () => MISSING_NUMBER,
);
const soldPlan = soldField(
  ({ planId }) => planId,
  () => MISSING_NUMBER,
);
const soldChange = soldField(
  ({ change }) => change,
  () => newId("chg"),
);
const cartField = {
  kind: "owned",
  own: (user: UserFixture) => [user.cart],
  missing: () => [newId("cart")],
} satisfies Field;
const couponField = (code?: string): Field => {
  const field = { own: (user: UserFixture) => user.coupon, missing: () => randomText(10).toUpperCase() };
  return code ? { kind: "distinct-code", code, ...field } : { kind: "owned", ...field };
};

const FIELDS: Record<string, Field> = {
  order_id: ownedField("ord", (user) => user.order),
  order_product_id: ownedField("line", (user) => user.line),
  order_product_ids: {
    kind: "owned",
    own: (user) => [user.line],
    missing: () => [newId("line")],
  },
  cart_id: ownedField("cart", (user) => user.cart),
  cart_ids: cartField,
  cart_record_ids: cartField,
  library_id: ownedField("key", (user) => user.key),
  session_id: ownedField("ses", (user) => user.session),
  conversation_id: ownedField("cnv", (user) => user.conversation),
  address_id: ownedField("addr", (user) => user.address),
  payment_id: ownedField("pm", (user) => user.card),
  payment_method_id: ownedField("pm", (user) => user.card),
  setup_id: ownedField("seti", (user) => user.setup),
  client_secret: ownedField("pi_secret", (user) => user.secret),
  coupon_code: couponField("40301"), // "bound to another account" (docs/product.md#91-codes)
  verification_id: possessionField("selects the code; the code itself authorizes"),
  verification_code: possessionField("emailed to the address"),
  code: possessionField("emailed to the address"),
  token: possessionField("signed by this server, emailed to the address"),
  proof: possessionField("derived by this server, emailed to the address"),
  refresh_token: possessionField("the session itself"),
  google_token: possessionField("signed by Google"),
  product_id: publicField((catalog) => catalog.productId, MISSING_NUMBER),
  vip_id: publicField((catalog) => catalog.planId, MISSING_NUMBER),
  invited_account: storedField, // a public code
  campaign: storedField,
  tracking_id: storedField,
  marketingUserId: storedField,
  transaction_id: storedField,
  userId: storedField,
  orderId: storedField,
  productId: storedField,
  vipId: storedField,
  country_code: storedField,
  postal_code: storedField,
};

/** Fields whose name has another meaning in one call. */
const FIELD_OVERRIDES: Record<string, Field> = {
  "POST /order/withdraw/declare order_id": storedField, // recorded as typed; the response reveals nothing about an order
  "POST /payment/sandbox/confirm-setup client_secret": ownedField("seti_secret", (user) => user.setupSecret),
  "POST /library/reveal library_id": ownedField("key", (user) => user.key),
  "POST /comment/create order_id": ownedField("ord", (user) => user.deliveredOrder),
  "GET /order/invoice order_id": ownedField("ord", (user) => user.deliveredOrder),
  "GET /order/invoice document_id": storedField, // of the order in order_id
  "POST /order/resend order_id": ownedField("ord", (user) => user.deliveredOrder),
  "POST /order/refund/request order_id": ownedField("ord", (user) => user.deliveredOrder),
  "POST /order/refund/request order_product_id": ownedField("line", (user) => user.deliveredLine),
  "POST /wait-list/create vip_id": publicField((catalog) => catalog.soldOutPlanId, MISSING_NUMBER),
  "POST /wishlist/remove product_id": storedField, // removing what is not there changes nothing
  "POST /wishlist/merge product_ids": storedField, // unknown products are left out
  "GET /wishlist/list product_ids": storedField,
  "GET /admin/product-image/[id] id": publicField((catalog) => catalog.productId, MISSING_NUMBER),
  "GET /product/detail/[id] id": publicField((catalog) => catalog.productId, MISSING_NUMBER),
  "GET /blog/detail/[id] id": publicField(() => "no-such-post", "no-such-post-either"),
  "GET /blog/image/[id] id": publicField(() => "no-such-post", "no-such-post-either"),
  "POST /admin/approvals/[id]/approve id": publicField(() => "apr_none", "apr_neither"),
  "POST /admin/approvals/[id]/refuse id": publicField(() => "apr_none", "apr_neither"),
  "POST /admin/declarations/[id]/close id": publicField(() => "wdc_none", "wdc_neither"),
  "POST /admin/declarations/[id]/code id": publicField(() => "wdc_none", "wdc_neither"),
  "GET /admin/orders/[id] id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/orders/[id]/replace id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/orders/[id]/replace key_id": storedField, // of the order in the path
  "POST /admin/orders/[id]/refund id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/orders/[id]/refund order_product_id": storedField, // of the order in the path
  "POST /admin/orders/[id]/goodwill id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/orders/[id]/goodwill order_product_id": storedField,
  "POST /admin/orders/[id]/resend id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/orders/[id]/cancel id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/orders/resend order_ids": storedField, // staff act on all orders
  "POST /admin/refunds/approve refund_ids": storedField,
  "POST /admin/refunds/[id]/approve id": publicField(() => "rrq_none", "rrq_neither"),
  "POST /admin/refunds/[id]/refuse id": publicField(() => "rrq_none", "rrq_neither"),
  "POST /admin/refunds/[id]/settle id": publicField(() => "rfd_none", "rfd_neither"),
  "POST /admin/orders/[id]/note id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/replacements/[id]/approve id": publicField(() => "rpl_none", "rpl_neither"),
  "POST /admin/replacements/[id]/refuse id": publicField(() => "rpl_none", "rpl_neither"),
  "POST /admin/keys/withheld/[id]/release id": publicField(() => MISSING_NUMBER, MISSING_NUMBER + 1),
  "POST /admin/keys/withheld/[id]/revoke id": publicField(() => MISSING_NUMBER, MISSING_NUMBER + 1),
  "GET /admin/replacements customer_id": storedField,
  "POST /admin/fraud-warnings/[id]/refund id": publicField(() => "issfr_none", "issfr_neither"),
  "POST /admin/fraud-warnings/[id]/release id": publicField(() => "issfr_none", "issfr_neither"),
  "POST /admin/orders/[id]/sandbox-signal id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/reports/[id]/decide id": publicField(() => "rpt_none", "rpt_neither"),
  "POST /admin/reports/[id]/appeal id": publicField(() => "rpt_none", "rpt_neither"),
  "GET /admin/disputes/[id]/evidence id": publicField(() => "du_none", "du_neither"),
  "GET /admin/mails/[id]/content id": publicField(() => "mail_none", "mail_neither"),
  "POST /admin/merchants/[id]/account-wait id": publicField(() => "mer_none", "mer_neither"),
  "POST /admin/merchants/[id]/payouts id": publicField(() => "mer_none", "mer_neither"),
  "POST /admin/merchants/[id]/write-off id": publicField(() => "mer_none", "mer_neither"),
  "POST /admin/payouts/[id]/end id": publicField(() => "pay_none", "pay_neither"),
  "POST /admin/payouts/end-window sale_id": publicField(() => "line_none", "line_neither"),
  "GET /admin/payouts/files/[id] id": publicField(() => "bfl_none", "bfl_neither"),
  "POST /admin/payouts/runs/[id]/ask id": publicField(() => "run_none", "run_neither"),
  "POST /admin/payouts/runs/[id]/cancel id": publicField(() => "run_none", "run_neither"),
  "POST /admin/payouts/runs/[id]/files id": publicField(() => "run_none", "run_neither"),
  "GET /admin/payouts/runs/[id] id": publicField(() => "run_none", "run_neither"),
  "POST /merchant/money/account/cancel account_id": ownedField("pac", (user) => user.sold?.account),
  "GET /admin/ledger payout_id": storedField, // a filter
  "GET /merchant/money/entries payout_id": storedField, // a filter: of another merchant's it shows nothing (payout-runs.test.ts)
  "GET /merchant/money/entries.csv payout_id": storedField, // a filter: of another merchant's it shows nothing (payout-runs.test.ts)
  "GET /merchant/money/statements/[id]/csv id": ownedField("st", (user) => user.sold?.statement),
  "GET /merchant/money/statements/[id]/pdf id": ownedField("st", (user) => user.sold?.statement),
  "GET /merchant/money/statements/[id] id": ownedField("st", (user) => user.sold?.statement),
  "POST /merchant/products/[id]/pause id": soldProduct,
  "POST /merchant/products/[id]/resume id": soldProduct,
  "POST /admin/mails/[id]/again id": publicField(() => "mail_none", "mail_neither"),
  "POST /admin/mails/[id]/dismiss id": publicField(() => "mail_none", "mail_neither"),
  "POST /admin/reviews/[id]/hide id": publicField(() => "rev_none", "rev_neither"),
  "POST /admin/reviews/[id]/show id": publicField(() => "rev_none", "rev_neither"),
  "GET /admin/reviews product_id": storedField,
  "POST /admin/reviews/[id]/reply/show id": publicField(() => "rev_none", "rev_neither"),
  "POST /admin/reviews/[id]/reply/refuse id": publicField(() => "rev_none", "rev_neither"),
  "GET /merchant/sales product_id": storedField, // a filter: of another merchant's it shows nothing (merchant-sales.test.ts)
  "GET /merchant/sales vip_id": storedField, // a filter: of another merchant's it shows nothing (merchant-sales.test.ts)
  "GET /merchant/sales.csv product_id": storedField, // a filter: of another merchant's it shows nothing (merchant-sales.test.ts)
  "GET /merchant/sales.csv vip_id": storedField, // a filter: of another merchant's it shows nothing (merchant-sales.test.ts)
  "POST /merchant/requests/[id]/answer id": soldField(
    ({ request }) => request,
    () => newId("rrq"),
  ),
  "GET /merchant/reviews product_id": storedField, // a filter: of another merchant's it shows nothing (merchant-sales.test.ts)
  "POST /merchant/reviews/[id]/reply id": soldField(
    ({ review }) => review,
    () => newId("rev"),
  ),
  "GET /merchant/insight/plans product_id": storedField, // a filter: of another merchant's it shows nothing (merchant-sales.test.ts)
  "GET /merchant/insight/demand product_id": storedField, // a filter: of another merchant's it shows nothing (merchant-sales.test.ts)
  "GET /merchant/insight/days vip_id": soldPlan,
  "POST /admin/applications/[id]/approve id": publicField(() => "mer_none", "mer_neither"),
  "POST /admin/applications/[id]/refuse id": publicField(() => "mer_none", "mer_neither"),
  "POST /admin/applications/[id]/approve merchant_id": storedField, // staff choose among all merchants
  "GET /admin/merchants/[id]/sales id": publicField(() => "mch_none", "mch_neither"),
  "GET /admin/merchants/[id] id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/invite id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/pause id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/resume id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/suspend id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/allow-keys id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/discounts-looked id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/name/approve id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/name/refuse id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/trust id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/end id": publicField(() => "mch_none", "mch_neither"),
  "GET /admin/merchants/[id]/trade-file id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/trade-file/check id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/trade-file/ask id": publicField(() => "mch_none", "mch_neither"),
  "POST /admin/merchants/[id]/trade-file/open id": publicField(() => "mch_none", "mch_neither"),
  "POST /merchant/trade-file/documents/[id]/remove id": ownedField("doc", (user) => user.sold?.document),
  "POST /merchant/trade-file vat_id": storedField, // numbers of a tax authority
  "POST /merchant/trade-file tax_id": storedField,
  "POST /merchant/members/[id]/end id": ownedField("mem", (user) => user.sold?.member),
  "POST /merchant/members/[id]/role id": ownedField("mem", (user) => user.sold?.member),
  "POST /merchant/invites/[id]/revoke id": ownedField("inv", (user) => user.sold?.invite),
  "POST /merchant/tokens/[id]/revoke id": ownedField("tok", (user) => user.sold?.token),
  "POST /merchant/webhooks/[id] id": ownedField("whk", (user) => user.sold?.endpoint),
  "POST /merchant/webhooks/[id]/rotate id": ownedField("whk", (user) => user.sold?.endpoint),
  "POST /merchant/webhooks/[id]/remove id": ownedField("whk", (user) => user.sold?.endpoint),
  "POST /merchant/webhooks/[id]/test id": ownedField("whk", (user) => user.sold?.endpoint),
  "POST /merchant/webhooks/[id]/redeliver id": ownedField("whk", (user) => user.sold?.endpoint),
  "POST /merchant/webhooks/[id]/redeliver message_id": ownedField("msg", (user) => user.sold?.message),
  "GET /merchant/webhooks/[id]/attempts id": ownedField("whk", (user) => user.sold?.endpoint),
  "POST /admin/stuck/retry id": storedField, // with an unknown id nothing is stuck
  "GET /admin/orders customer_id": storedField, // a filter for staff, who see all orders
  "GET /admin/orders vip_id": storedField,
  "GET /admin/orders coupon_code": storedField,
  "GET /admin/products product_id": storedField,
  "GET /admin/products/[id] id": publicField((catalog) => catalog.productId, MISSING_NUMBER),
  "POST /admin/products/[id] id": publicField((catalog) => catalog.productId, MISSING_NUMBER),
  "GET /admin/products/[id]/revisions id": publicField((catalog) => catalog.productId, MISSING_NUMBER),
  "POST /admin/products/[id]/weak-codes id": publicField((catalog) => catalog.productId, MISSING_NUMBER),
  "POST /admin/products/[id]/undo id": publicField((catalog) => catalog.productId, MISSING_NUMBER),
  "POST /admin/categories/[slug] slug": publicField(() => "no-category", "neither-category"),
  "POST /admin/synonyms/[slug] slug": publicField(() => "no-synonyms", "neither-synonyms"),
  "POST /admin/products/bulk product_ids": storedField, // staff, who change all products; unknown ones are named
  "GET /admin/keys/stock vip_id": storedField,
  "GET /admin/keys/stock product_id": storedField,
  "GET /admin/customers/[id] id": publicField(() => "usr_none", "usr_neither"),
  "POST /admin/customers/[id]/note id": publicField(() => "usr_none", "usr_neither"),
  "GET /admin/imports/[id] id": publicField(() => "imp_none", "imp_neither"),
  "GET /admin/imports/[id]/refused id": publicField(() => "imp_none", "imp_neither"),
  "POST /admin/customers/[id]/sessions/end id": publicField(() => "usr_none", "usr_neither"),
  "POST /admin/customers/[id]/sessions/end session_id": storedField, // of the customer in the path
  "POST /admin/customers/[id]/new-password id": publicField(() => "usr_none", "usr_neither"),
  "POST /admin/customers/[id]/unlock id": publicField(() => "usr_none", "usr_neither"),
  "GET /admin/customers/[id]/coupon id": publicField(() => "usr_none", "usr_neither"),
  "POST /admin/customers/[id]/coupon id": publicField(() => "usr_none", "usr_neither"),
  "GET /merchant/keys/batches/[id] id": ownedField("kb", (user) => user.sold?.batch),
  "GET /merchant/keys/batches/[id]/refused id": ownedField("kb", (user) => user.sold?.batch),
  "POST /merchant/keys/batches/[id]/undo-withdrawal id": ownedField("kb", (user) => user.sold?.batch),
  "POST /merchant/keys/batches/[id]/withdraw id": ownedField("kb", (user) => user.sold?.batch),
  "POST /merchant/stock/[id] id": ownedNumber((user) => user.sold?.planId),
  // Each code is refused as for a missing plan; the answer repeats the hash of the input (tests/domain/merchant-keys.test.ts).
  "POST /merchant/keys/preview plan_id": storedField,
  "POST /merchant/keys/import plan_id": storedField,
  "GET /merchant/stock product_id": storedField, // a filter of the merchant's own plans (tests/domain/merchant-keys.test.ts)
  "GET /admin/keys/batches/[id] id": publicField(() => "kb_none", "kb_neither"),
  "POST /admin/keys/batches/[id]/withdraw id": publicField(() => "kb_none", "kb_neither"),
  "POST /admin/keys/batches/[id]/withdraw request_id": storedField, // staff, who see all requests; it is about a code of the batch
  "POST /admin/announcements/[id] id": publicField(() => "ann_none", "ann_neither"),
  "POST /admin/announcements/[id]/end id": publicField(() => "ann_none", "ann_neither"),
  "GET /admin/conversations/[id] id": publicField(() => "cnv_none", "cnv_neither"),
  "POST /admin/conversations/[id]/answer id": publicField(() => "cnv_none", "cnv_neither"),
  "POST /admin/conversations/[id]/close id": publicField(() => "cnv_none", "cnv_neither"),
  "POST /admin/answers/[id] id": publicField(() => "ans_none", "ans_neither"),
  "POST /admin/answers/[id]/delete id": publicField(() => "ans_none", "ans_neither"),
  "POST /admin/inbox/asked/[id]/done id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/orders/[id]/ask id": publicField(() => "ord_none", "ord_neither"),
  "POST /admin/campaigns/[id] id": publicField(() => "no-such-campaign", "no-such-campaign-either"),
  "POST /admin/campaigns coupon_code": storedField,
  "GET /admin/coupons coupon_code": publicField(() => "NOSUCHCODE1", "NOSUCHCODE2"),
  "POST /admin/coupons/revoke coupon_code": publicField(() => "NOSUCHCODE1", "NOSUCHCODE2"),
  "POST /admin/referrals/[id]/refuse id": publicField(() => "ref_none", "ref_neither"),
  "GET /admin/posts/[id] id": publicField(() => MISSING_NUMBER, MISSING_NUMBER + 1),
  "POST /admin/posts/[id] id": publicField(() => MISSING_NUMBER, MISSING_NUMBER + 1),
  "POST /admin/posts/[id] slug": storedField, // the address of the post itself
  "POST /admin/posts slug": storedField,
  "POST /admin/views/[id]/delete id": publicField(() => "view_none", "view_neither"),
  "GET /merchant/products product_id": storedField, // a filter among the merchant's own
  "GET /merchant/products/[id] id": soldProduct,
  "GET /merchant/changes product_id": storedField,
  "POST /merchant/changes product_id": soldProduct,
  "GET /merchant/plans/[id]/prices id": soldPlan,
  // Another's plan is refused by its line as a missing one, and stops no other (tests/domain/price-files.test.ts).
  "POST /merchant/plans/pause vip_ids": storedField,
  "POST /merchant/plans/[id]/pause id": soldPlan,
  "POST /merchant/plans/[id]/resume id": soldPlan,
  "POST /merchant/plans/[id]/price id": soldPlan,
  "GET /merchant/changes/[id] id": soldChange,
  "POST /merchant/changes/[id] id": soldChange,
  "POST /merchant/changes/[id]/propose id": soldChange,
  "POST /merchant/changes/[id]/cancel id": soldChange,
  "GET /admin/changes/[id] id": publicField(() => "chg_none", "chg_neither"),
  "POST /admin/changes/[id]/approve id": publicField(() => "chg_none", "chg_neither"),
  "POST /admin/changes/[id]/return id": publicField(() => "chg_none", "chg_neither"),
  "POST /admin/changes/[id]/refuse id": publicField(() => "chg_none", "chg_neither"),
  "POST /auth/coupon/send campaign": publicField(() => "no-such-campaign", "no-such-campaign-either"),
  "POST /auth/register/direct id": storedField, // a tracking id of earlier clients
};

export const ACTOR_FIELDS = ["user_id", "update_user_id", "create_user_id"];
const ID_LIKE = /(^|_)ids?$|[a-z]Ids?$|(^|_)token$|secret$|(^|_)code$|^invited_account$|^campaign$|^slug$/;

export type InputPart = "params" | "query" | "body";
export type IdField = { part: InputPart; name: string; field: Field | undefined; required: boolean };

type Shape = { properties?: Record<string, Shape>; required?: string[]; items?: Shape; anyOf?: Shape[] };

/** Names below the first level, e.g. `items.order_id`. Only stored fields may be nested. */
function nestedNames(shape: Shape, path: string): string[] {
  const properties = Object.entries(shape.properties ?? {}).flatMap(([name, one]) => [
    `${path}.${name}`,
    ...nestedNames(one, `${path}.${name}`),
  ]);
  const others = [...(shape.anyOf ?? []), ...(shape.items ? [shape.items] : [])];
  return [...properties, ...others.flatMap((one) => nestedNames(one, path))];
}

type CallFields = { fields: IdField[]; hidden: string[] };
const known = new WeakMap<ApiCall, CallFields>();

/** The id-like fields of a call, and the paths of nested ones. */
export function listIdFields(call: ApiCall): CallFields {
  const listed = known.get(call) ?? readIdFields(call);
  known.set(call, listed);
  return listed;
}

function readIdFields({ name: call, declaration }: ApiCall): CallFields {
  const fields: IdField[] = [];
  const hidden: string[] = [];
  for (const part of ["params", "query", "body"] as const) {
    const schema = declaration[part];
    if (!schema) continue;
    const shape = jsonSchema(schema, "input") as Shape;
    for (const [name, properties] of Object.entries(shape.properties ?? {})) {
      if (ID_LIKE.test(name) && !ACTOR_FIELDS.includes(name))
        fields.push({
          part,
          name,
          field: FIELD_OVERRIDES[`${call} ${name}`] ?? FIELDS[name],
          required: part === "params" || (shape.required ?? []).includes(name),
        });
      hidden.push(
        ...nestedNames(properties, name).filter((path) => ID_LIKE.test(path.split(".").at(-1) ?? "")),
      );
    }
  }
  return { fields, hidden };
}

/** The attribution source of a visit (contract SourceInfo) and a VAT id are stored unchanged; plans of passes to order are public. */
export const NESTED_STORED_FIELDS = [
  "source_info.campaign",
  "source_info.id",
  "passes.vip_id",
  "business.vat_id",
];
