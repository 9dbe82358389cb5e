/**
 * The table of errors (docs/product.md#91-codes): name → code. The HTTP status is the first three digits of the code,
 * the message is `errors.<name>` in messages/. A new code is added here first.
 */
const CODES = {
  // Invalid input: 40000, with its own message where docs/product.md#51-fields gives one.
  invalid_input: "40000",
  username_invalid: "40000",
  password_short: "40000",
  passwords_differ: "40000",
  privacy_required: "40000",
  under_age: "40000",
  email_invalid: "40000",
  confirm_differs: "40000",
  product_url_invalid: "40000",
  phone_invalid: "40000",
  postal_code_invalid: "40000",
  country_invalid: "40000",
  rating_missing: "40000",
  review_title_missing: "40000",
  review_content_missing: "40000",
  field_unknown: "40000",
  field_required: "40000",
  field_invalid: "40000",
  field_text: "40000",
  field_number: "40000",
  field_whole_number: "40000",
  field_truth: "40000",
  field_list: "40000",
  field_object: "40000",
  field_url: "40000",
  field_time: "40000",
  field_choice: "40000",
  field_long: "40000",
  field_short: "40000",
  field_large: "40000",
  field_small: "40000",
  field_deep: "40000",
  list_long: "40000",
  list_short: "40000",
  cursor_invalid: "40000",
  merchant_missing: "40000",
  text_unreadable: "40000",
  body_unreadable: "40000",
  nothing_selected: "40000",
  activation_date_wrong: "40000",
  gift_date_wrong: "40000",
  note_has_code: "40000",
  statement_has_code: "40000",
  period_invalid: "40000",
  picture_invalid: "40000",
  post_incomplete: "40000",
  views_full: "40000",
  line_control: "40000",
  line_slug: "40000",
  line_slug_reserved: "40000",
  line_slug_taken: "40000",
  line_slug_fixed: "40000",
  line_price: "40000",
  line_time: "40000",
  line_placeholder: "40000",
  line_script_zh: "40000",
  line_script_ja: "40000",
  line_days: "40000",
  line_list_price: "40000",
  line_free_limit: "40000",
  line_release: "40000",
  line_deal_price: "40000",
  line_deal_minimum: "40000",
  line_deal_units: "40000",
  line_plan_twice: "40000",
  line_category: "40000",
  line_picture: "40000",
  line_synonyms: "40000",
  line_refused: "40000",
  key_line_header: "40000",
  key_line_unreadable: "40000",
  key_line_fields: "40000",
  key_line_product: "40000",
  key_line_plan_kind: "40000",
  key_line_plan: "40000",
  key_line_length: "40000",
  key_line_characters: "40000",
  key_line_date: "40000",
  key_line_past: "40000",
  key_line_repeated: "40000",
  key_line_known: "40000",
  price_too_soon: "40000",
  price_too_many: "40000",
  price_needs_approval: "40000",
  price_raised: "40000",
  picture_type: "40000",
  picture_broken: "40000",
  picture_pixels: "40000",
  picture_small: "40000",
  code_wrong: "40001",
  code_expired: "40002",
  password_wrong: "40003", // not 401, which would sign the client out (docs/product.md#41-session)
  too_many_fields: "40000",
  // Refused before a page or a call sees the request (lib/platform/http/request-limits.ts).
  address_invalid: "400",
  host_invalid: "400",
  address_too_long: "414",
  too_many_headers: "431",
  coupon_code_invalid: "400", // of the call that binds a coupon (docs/product.md#91-codes)
  // Authentication and permission.
  session_required: "401",
  session_ended: "401",
  login_failed: "40101",
  token_invalid: "40102",
  wrong_actor: "40300",
  permission_missing: "40300",
  cross_origin: "40310",
  email_unverified: "40311",
  reauthentication_required: "40312",
  throwaway_address: "40313",
  second_factor_required: "40314",
  second_factor_missing: "40314",
  merchant_suspended: "40316",
  amount_above_limit: "40380",
  coupon_limit: "40370",
  own_account: "40371",
  sign_in_unavailable: "50301",
  // Missing objects. Only /auth/* returns "404" itself, because it signs the client out.
  account_missing: "404",
  call_unknown: "40400",
  method_not_allowed: "40500",
  product_unknown: "40401",
  coupon_unknown: "40403",
  payment_method_unknown: "40406",
  address_unknown: "40406",
  session_unknown: "40408",
  campaign_unknown: "40409",
  link_invalid: "40415",
  gift_link_invalid: "40416",
  gift_unknown: "40416",
  order_unknown: "40402",
  post_unknown: "40404",
  member_unknown: "40417",
  approval_unknown: "40418",
  customer_unknown: "40421",
  view_unknown: "40422",
  replacement_unknown: "40490",
  dispute_unknown: "40491",
  mail_unknown: "40492",
  review_unknown: "40493",
  application_unknown: "40494",
  announcement_unknown: "40470",
  referral_unknown: "40471",
  revision_unknown: "40425",
  category_unknown: "40426",
  synonyms_unknown: "40427",
  image_unknown: "40428",
  import_unknown: "40433",
  key_batch_unknown: "40434",
  plan_unknown: "40435",
  cart_line_unknown: "40405",
  key_unknown: "40407",
  refund_unknown: "40480",
  // Conflicts with the current state.
  sold_out: "409",
  plan_in_stock: "40914",
  application_exists: "409",
  review_exists: "40915",
  review_not_bought: "40302",
  stock_short: "409",
  email_in_use: "409",
  coupon_used: "409",
  coupon_held: "409",
  purchase_limit: "40901",
  delivery_email_unverified: "40902",
  payment_unconfirmed: "40903",
  amount_differs: "40904",
  already_claimed: "40905",
  idempotency_reused: "40906",
  idempotency_in_progress: "40907",
  order_not_payable: "40909",
  order_not_cancellable: "40910",
  order_not_deletable: "40911",
  delivery_frozen: "40912",
  delivery_order_cancelled: "40912",
  code_unseen: "40912",
  key_frozen: "40913",
  coupon_already_bound: "40908",
  voucher_unavailable: "40916",
  refund_not_allowed: "40917",
  refund_asked: "40918",
  account_in_use: "40919",
  addresses_full: "40920",
  first_order_open: "40922",
  payment_disputed: "40923",
  activation_settled: "40930",
  replacement_asked: "40931",
  pass_without_end: "40932",
  wishlist_full: "40933",
  revision_conflict: "40940",
  approval_required: "40941",
  approval_decided: "40942",
  own_approval: "40943",
  last_admin: "40944",
  refund_decided: "40980",
  own_refund: "40981",
  line_changed: "40982",
  amount_above_left: "40983",
  replacement_decided: "40990",
  replacement_no_stock: "40991",
  replacement_locked: "40992",
  mail_waiting: "40993",
  mail_not_repeatable: "40994",
  review_moderated: "40995",
  application_decided: "40996",
  announcement_ended: "40970",
  campaign_exists: "40971",
  campaign_code_taken: "40971",
  coupon_in_use: "40972",
  coupon_revoked: "40973",
  referral_decided: "40974",
  nothing_locked: "40975",
  nothing_changes: "40976",
  import_file_differs: "40960",
  key_batch_runs: "40963",
  post_slug_taken: "40961",
  post_slug_fixed: "40962",
  gift_claimed: "40950",
  gift_returned: "40951",
  gift_refunded: "40952",
  gift_disputed: "40953",
  gift_fixed: "40954",
  gift_unsent: "40955",
  coupon_bound: "40301",
  coupon_expired: "41001",
  coupon_below_minimum: "42202",
  coupon_invalid: "42203",
  coupon_first_order: "42204",
  coupon_order_open: "42204",
  coupon_not_applied: "42204",
  coupon_not_yet_valid: "42501",
  body_too_large: "413",
  unsupported_media: "415",
  file_unsupported: "415",
  free_payment_not_zero: "42205",
  cart_full: "42206",
  // Rate limits.
  too_many_requests: "429",
  holds_full: "429",
  holds_unverified: "429",
  holds_shared: "429",
  holds_paused: "429",
  stock_held: "429",
  too_many_codes: "42901",
  code_just_sent: "42901",
  too_many_tries: "42901",
  code_used_up: "42901",
  // Failures of the shop or a provider.
  system_error: "500",
  unavailable: "503",
  provider_unavailable: "50302",
  timeout: "504",
} as const;

export type ErrorName = keyof typeof CODES;

/** The errors of an emailed code. */
export const CODE_ERRORS = ["code_wrong", "code_expired", "code_used_up"] as const;

/** The errors of creating an account, or of logging in to it when the request is repeated. */
export const REGISTRATION_ERRORS = [
  "password_short",
  "privacy_required",
  "under_age",
  "email_invalid",
  "email_in_use",
  "login_failed",
  "too_many_tries",
] as const;

/** The errors of a coupon that this user cannot use now. */
export const COUPON_ERRORS = [
  "coupon_unknown",
  "coupon_used",
  "coupon_held",
  "coupon_expired",
  "coupon_not_yet_valid",
  "coupon_bound",
  "coupon_invalid",
  "email_unverified",
  "throwaway_address",
] as const;

/** The errors of a coupon for selected lines of the cart. */
export const CART_COUPON_ERRORS = [
  ...COUPON_ERRORS,
  "coupon_below_minimum",
  "coupon_first_order",
  "coupon_order_open",
  "coupon_not_applied",
  "cart_line_unknown",
  "nothing_selected",
] as const;

export type ErrorEntry = { status: number; code: string; message: `errors.${ErrorName}` };

export const ERRORS = Object.fromEntries(
  Object.entries(CODES).map(([name, code]) => [
    name,
    { status: Number(code.slice(0, 3)), code, message: `errors.${name}` },
  ]),
) as Readonly<Record<ErrorName, ErrorEntry>>;

export const ERROR_NAMES = Object.keys(CODES) as ErrorName[];

export const isErrorName = (name: unknown): name is ErrorName =>
  typeof name === "string" && Object.hasOwn(CODES, name);

/** An invalid field: its path (`cart_ids.0`) and a localised message. */
export type FieldIssue = { path: string; message: string };

export type ErrorParams = Record<string, string | number>;

/**
 * An error of the table: `throw new ShopError("purchase_limit", { params: { limit: 1 } })`. `params` fill the
 * message; `retryAfterSeconds` also becomes the Retry-After header.
 */
export class ShopError extends Error {
  readonly error: ErrorName;
  readonly params: ErrorParams;
  readonly issues: FieldIssue[] | undefined;

  constructor(error: ErrorName, more: { params?: ErrorParams; issues?: FieldIssue[]; cause?: unknown } = {}) {
    super(error, { cause: more.cause });
    this.name = "ShopError";
    this.error = error;
    this.params = more.params ?? {};
    this.issues = more.issues;
  }
}

/** True for a ShopError (of that name), also when the class was loaded twice by two bundles. */
export function isShopError(error: unknown, name?: ErrorName): error is ShopError {
  if (!(error instanceof Error) || error.name !== "ShopError") return false;
  return name === undefined || (error as ShopError).error === name;
}
