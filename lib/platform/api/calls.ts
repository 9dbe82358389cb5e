// Written by scripts/write-openapi.ts from the declarations of the calls: not to be edited.

type Item = {
  announcement_id: string;
  texts: { en: string; zh: string; ja: string };
  link: string | null;
  starts_at: string;
  ends_at: string;
  state: "scheduled" | "running" | "ended";
};

type By = { id: string; email: string | null; name: string | null };

type Item2 = {
  slug: string;
  revision: number;
  source: "import" | "console";
  line: Record<string, unknown>;
  products: number | null;
};

type Kind = "new" | "plans" | "details" | "price" | "availability" | "texts";

type State = "draft" | "proposed" | "returned" | "approved" | "refused" | "cancelled";

type Change = { path: string; before: string | null; after: string | null };

type Price = {
  plan: string;
  price: number;
  list_price: number | null;
  list_price_kind: ("previous" | "vendor") | null;
  lowest_price_30d: number | null;
  percent: number | null;
};

type Check = {
  stale: boolean;
  rebased: boolean;
  revision: number;
  conflicts: { path: string; mine: string | null; theirs: string | null }[];
  problems: { path: string; message: string }[];
  needs_approval: boolean;
  prices: Price[];
};

type Status =
  | "pending"
  | "processingPayment"
  | "paid"
  | "processing"
  | "shipped"
  | "completed"
  | "cancelled"
  | "refunded";

type State2 =
  | "creating"
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "requires_capture"
  | "processing"
  | "succeeded"
  | "canceled";

type RecentOrder = {
  order_id: string;
  order_number: string;
  created_at: string;
  send_email: string;
  passes: { product_name: string; vip_type: string; quantity: number; waiting: boolean }[];
  final_amount: number;
  status: Status;
  payment: { state: State2; method: string | null } | null;
  paid_at: string | null;
  disputed: boolean;
};

type Mail = {
  mail_id: string;
  event: string;
  codes: ("all" | "some" | "none") | null;
  to_address: string;
  locale: string;
  order_number: string | null;
  state: "queued" | "sent" | "failed" | "dropped";
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
};

type Note = { note_id: string; text: string; written_by: string; created_at: string };

type AdminCustomersIdCouponOutput = {
  items: {
    campaign: string;
    title: string;
    amount: number | null;
    percent: number | null;
    max_discount: number | null;
    minimum: number;
    first_order_only: boolean;
    expires_at: string | null;
  }[];
  total: number;
  left: number | null;
};

type Counts = { added: number; changed: number; unchanged: number; refused: number };

type Event =
  | "verification-code"
  | "welcome"
  | "order-placed"
  | "keys"
  | "delay"
  | "refund"
  | "payment-failed"
  | "email-changed"
  | "subscription-confirm"
  | "discount-alert"
  | "wait-list"
  | "unsubscribe-link"
  | "application-received"
  | "application-approved"
  | "application-refused"
  | "order-expiring"
  | "order-cancelled"
  | "refund-requested"
  | "refund-refused"
  | "refund-failed"
  | "coupon"
  | "referral-reward"
  | "account-notice"
  | "vendor-confirmation"
  | "withdrawal-received"
  | "pass-ending"
  | "replacement-refused"
  | "code-request"
  | "contact"
  | "contact-received"
  | "wishlist"
  | "gift"
  | "gift-returned"
  | "merchant-invite"
  | "merchant-notice"
  | "merchant-name"
  | "change-approved"
  | "change-returned"
  | "change-refused"
  | "products-changed"
  | "stock-low"
  | "codes-withdrawn"
  | "plan-paused"
  | "staff-changed";

type Discounts = { gross: number; shop_paid: number; share: number | null; high_since: string | null };

type AdminMerchantsIdSalesInput = {
  from?: string | undefined;
  to?: string | undefined;
  product_id?: number | undefined;
  vip_id?: number | undefined;
  state?: ("sold" | "reduced" | "refunded") | undefined;
  cursor?: string | undefined;
};

type Invite = {
  invite_id: string;
  email: string;
  role: "owner" | "member";
  created_at: string;
  expires_at: string;
  expired: boolean;
};

type AdminMerchantsIdSalesOutput = {
  items: {
    sale_id: string;
    sold_at: string;
    product_id: number;
    product_name: string;
    vip_id: number;
    pass_type: "day" | "week" | "month" | "year" | "lifetime";
    vip_type: string;
    units: number;
    price: number;
    discount: number;
    discount_by: ("shop" | "merchant") | null;
    commission: number;
    net: number;
    refunded: number;
    refunded_units: number;
    commission_back: number;
    net_back: number;
    payable: number;
    payable_on: string;
    state: "sold" | "reduced" | "refunded";
    buyer: string;
  }[];
  next_cursor: string | null;
  total: number;
  total_exact: boolean;
  looked_back_to: string | null;
  totals: {
    sales: number;
    units: number;
    price: number;
    discount: number;
    commission: number;
    net: number;
    refunded: number;
    payable: number;
    exact: boolean;
  };
};

type AdminOrderDetailInput = {
  user_id?: string | undefined;
  update_user_id?: string | undefined;
  create_user_id?: string | undefined;
  order_id: string;
};

type Gift = {
  state: "scheduled" | "sent" | "claimed" | "returned";
  recipient_email: string | null;
  deliver_on: string;
  message: string;
  sent_at: string | null;
  email_failed: boolean;
  claim_until: string | null;
  claimed_at: string | null;
  returned_at: string | null;
  can_change: boolean;
  can_resend: boolean;
};

type Refund = {
  order_product_id: string | null;
  amount: number;
  step: "submitted" | "done" | "failed";
  at: string;
};

type State3 = "reserved" | "waiting" | "assigned" | "released" | "refunded";

type Refund2 = {
  refundable: boolean;
  amount: number;
  until: string | null;
  reason:
    | "refundable"
    | "before_delivery"
    | "before_delivery_and_days"
    | "free"
    | "limited_time"
    | "short_pass"
    | "window_over"
    | "redeemed"
    | "gift_seen"
    | "disputed";
  days: number;
};

type RefundRequest = {
  state: "asked" | "approved" | "refused";
  asked_at: string;
  answer_by: string | null;
  stated_country: string | null;
  refused_by: ("vendor" | "shop") | null;
  refusal_reason: string | null;
};

type OrderProduct = {
  order_product_id: string;
  product_id: number;
  vip_id: number;
  slug: string;
  product_name: string;
  product_image: string;
  language: "en" | "zh" | "ja";
  maker: string;
  pass_type: "day" | "week" | "month" | "year" | "lifetime";
  vip_type: string;
  duration_days: number | null;
  quantity: number;
  price: number;
  added_price: number | null;
  price_per_day: number | null;
  total: number;
  refunded_quantity: number;
  refunded_amount: number;
  state: State3;
  keep_in_library: boolean;
  immediate_delivery: boolean | null;
  immediate_consent_at: string | null;
  consent_source: ("ticked" | "api-default" | "revealed" | "returns-limit") | null;
  pre_order: boolean;
  deliver_by: string | null;
  redeem_by: string | null;
  refund: Refund2;
  refund_request: RefundRequest | null;
  can_refund: boolean;
  refund_at_once: boolean;
  withdrawable: boolean;
  review: "none" | "open" | "written";
  keys: {
    library_id: string;
    masked_code: string;
    revealed_at: string | null;
    seen: boolean;
    needs_consent: boolean;
    redeem_by: string | null;
  }[];
};

type AdminOrderDetailOutput = {
  order_id: string;
  order_number: string;
  user_id: string;
  status: Status;
  send_email: string;
  email_failed: boolean;
  transaction_id: string | null;
  subtotal: number;
  discount_amount: number;
  final_amount: number;
  currency: "usd";
  created_at: string;
  paid_at: string | null;
  hold_ends_at: string;
  seconds_left: number;
  server_time: string;
  country: string | null;
  withdrawal_applies: boolean;
  can_pay: boolean;
  can_cancel: boolean;
  can_delete: boolean;
  cancel_requested: boolean;
  payment_error: string | null;
  dispute_open: boolean;
  dispute_lost: boolean;
  gift: Gift | null;
  refunds: Refund[];
  order_products: OrderProduct[];
  immediate_only: boolean;
  history: {
    event:
      | "created"
      | "payment_started"
      | "payment_failed"
      | "payment_verified"
      | "free_completed"
      | "assigned"
      | "stock_short"
      | "delivered"
      | "cancelled"
      | "expired"
      | "refunded"
      | "reopened";
    status: Status;
    at: string;
  }[];
};

type Texts = {
  en: { title: string; description: string; body: string };
  zh: { title: string; description: string; body: string };
  ja: { title: string; description: string; body: string };
};

type Verdict = {
  language: "en" | "zh" | "ja";
  state: "shown" | "english" | "refused";
  flaws: { path: string; message: string }[];
};

type History = {
  kind: "price" | "list" | "deal_start" | "deal_end";
  price: number | null;
  at: string;
  deal_id: string | null;
};

type Plan = {
  plan: string;
  vip_id: number;
  shown: Price;
  stock: number;
  stock_exact: boolean;
  deal_sold: number | null;
  history: History[];
};

type Item3 = {
  revision: number;
  source: "import" | "console";
  by: string | null;
  at: string;
  note: string | null;
  changes: Change[];
};

type Reason =
  | "same_person"
  | "throwaway_address"
  | "same_card"
  | "many_from_one_place"
  | "refunded"
  | "monthly_cap"
  | "account_closed"
  | "staff";

type BlockedBy = "own_request" | "disputed" | "refund_requested" | "code_locked" | "no_stock";

type AdminShopOutput = { open: boolean; closure: { reason: string; by: string; since: string } | null };

type Kind2 =
  | "worker"
  | "payment_event"
  | "order"
  | "stock"
  | "overdue"
  | "hold"
  | "refund"
  | "mail_queued"
  | "mail_failed"
  | "job"
  | "reconciliation"
  | "audit_seals"
  | "custody_seals";

type List =
  | "orders"
  | "customers"
  | "mails"
  | "applications"
  | "products"
  | "keys"
  | "refunds"
  | "reviews"
  | "disputes"
  | "replacements";

type Item4 = { view_id: string; list: List; name: string; filters: Record<string, string> };

type Address = {
  address_id: string;
  full_name: string;
  line1: string;
  line2: string | null;
  city: string;
  region: string | null;
  postal_code: string | null;
  country: string;
  is_default: boolean;
};

type State4 = "valid" | "used" | "expired" | "not_yet_valid" | "bound_to_another" | "invalid";

type Item5 = {
  coupon_code: string;
  title: string;
  kind: "daily" | "new_user" | "inviter" | "promotion";
  state: State4;
  amount: number | null;
  percent: number | null;
  max_discount: number | null;
  min_amount: number;
  first_order_only: boolean;
  free: boolean;
  starts_at: string | null;
  expires_at: string | null;
  used_at: string | null;
  held: boolean;
  order_id: string | null;
};

type AuthNotificationsOutput = {
  email: string;
  email_verified: boolean;
  discounts: boolean;
  wait_list: boolean;
  wishlist: boolean;
  locale: "en" | "zh" | "ja";
};

type AuthSecondFactorOutput = {
  roles: ("support" | "catalogue" | "finance" | "admin")[];
  permissions: (
    | "orders.read"
    | "orders.write"
    | "refunds.decide"
    | "refunds.goodwill"
    | "customers.read"
    | "mails.read"
    | "products.read"
    | "products.write"
    | "applications.read"
    | "disputes.read"
    | "disputes.evidence"
    | "replacements.decide"
    | "reviews.moderate"
    | "merchants.read"
    | "changes.decide"
    | "merchants.decide"
    | "mails.resend"
    | "stuck.retry"
    | "shop.manage"
    | "stock.manage"
    | "imports.read"
    | "imports.run"
    | "posts.write"
    | "keys.find"
    | "notes.write"
    | "customers.access"
    | "coupons.give"
    | "campaigns.manage"
    | "campaigns.free"
    | "insight.read"
    | "announcements.manage"
    | "commission.read"
    | "commission.write"
    | "exports.persons"
    | "approvals.decide"
    | "staff.manage"
    | "audit.read"
  )[];
  enrolled: boolean;
  active: boolean;
  expires_at: string | null;
  idle_minutes: number;
  reauthenticated: boolean;
  recovery_codes_left: number;
};

type Previous = {
  post_id: number;
  slug: string;
  title: string;
  description: string;
  author: string;
  category: string;
  category_name: string;
  image: string;
  hue: number;
  recommended: boolean;
  published_at: string;
  updated_at: string;
  reading_minutes: number;
  language: "en" | "zh" | "ja";
};

type Deal = { ends_at: string; quantity: number; items_left: number };

type CartItem = {
  cart_id: string;
  user_id: string;
  product_id: number;
  vip_id: number;
  quantity: number;
  selected: boolean;
  slug: string;
  product_name: string;
  product_image: string;
  language: "en" | "zh" | "ja";
  maker: string;
  pass_type: "day" | "week" | "month" | "year" | "lifetime";
  vip_type: string;
  duration_days: number | null;
  price: number;
  added_price: number | null;
  list_price: number | null;
  list_price_kind: ("previous" | "vendor") | null;
  lowest_price_30d: number | null;
  price_per_day: number | null;
  line_total: number;
  stock: number;
  stock_state: "in_stock" | "low" | "pre_order" | "sold_out";
  purchase_limit: number | null;
  max_quantity: number;
  releases_at: string | null;
  redeem_by: string | null;
  deal: Deal | null;
  refund: Refund2;
};

type CartListOutput = { cart_items: CartItem[]; total: number; selected_total: number; server_time: string };

type MerchantProfileOutput = {
  handle: string;
  state: "invited" | "active" | "paused" | "suspended" | "ended";
  state_note: string | null;
  name: string;
  proposed_name: string | null;
  name_note: string | null;
  website: string | null;
  support_email: string | null;
  country: string | null;
  locale: "en" | "zh" | "ja";
  texts: { en: string; zh: string; ja: string };
  closed_until: string | null;
  revision: string;
};

type Scope = "products:read" | "products:write" | "keys:write" | "sales:read" | "requests:write";

type OrderListInput = { page?: number | undefined; size?: number | undefined };

type Order = {
  order_id: string;
  order_number: string;
  user_id: string;
  status: Status;
  send_email: string;
  email_failed: boolean;
  transaction_id: string | null;
  subtotal: number;
  discount_amount: number;
  final_amount: number;
  currency: "usd";
  created_at: string;
  paid_at: string | null;
  hold_ends_at: string;
  seconds_left: number;
  server_time: string;
  country: string | null;
  withdrawal_applies: boolean;
  can_pay: boolean;
  can_cancel: boolean;
  can_delete: boolean;
  cancel_requested: boolean;
  payment_error: string | null;
  dispute_open: boolean;
  dispute_lost: boolean;
  gift: Gift | null;
  refunds: Refund[];
  order_products: OrderProduct[];
};

type Card = {
  payment_id: string;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  created_at: string;
};

type Item6 = {
  product_id: number;
  slug: string;
  product_name: string;
  product_tagline: string;
  product_description: string;
  product_image: string;
  maker: string;
  vendor_slug: string;
  category: string;
  category_name: string;
  language: "en" | "zh" | "ja";
  price: number;
  list_price: number | null;
  list_price_kind: ("previous" | "vendor") | null;
  lowest_price_30d: number | null;
  price_per_day: number | null;
  vip_id: number;
  pass_type: "day" | "week" | "month" | "year" | "lifetime";
  vip_type: string;
  duration_days: number | null;
  stock: number;
  stock_state: "in_stock" | "low" | "pre_order" | "sold_out";
  sort_num: number;
  deal: Deal | null;
  rating: { average: number; count: number } | null;
};

type ProductDiscountOutput = { items: Item6[]; total: number; total_exact: boolean };

type AdminAnnouncementsInput = {
  texts: { en: string; zh: string; ja: string };
  link?: string | undefined;
  starts_at?: string | undefined;
  ends_at: string;
};

type Effect = { kind: "order_status"; order_number: string; status: Status };

type Change2 = "reserved" | "released" | "assigned" | "quarantined" | "revoked" | "restocked";

type Effect2 = {
  kind: "coupon_terms";
  amount: number | null;
  percent: number | null;
  max_discount: number | null;
  minimum: number;
  first_order_only: boolean;
  expires_at: string | null;
};

type Effect3 = { kind: "campaign_budget"; campaign: string; before: number | null; after: number | null };

type Effect4 = {
  kind: "campaign_daily_budget";
  campaign: string;
  before: number | null;
  after: number | null;
};

type Effect5 = { kind: "campaign_minimum"; campaign: string; before: number; after: number };

type Effect6 = { kind: "product_written"; product: string; count: number };

type Effect7 = {
  kind: "roles";
  person: string;
  before: ("support" | "catalogue" | "finance" | "admin")[];
  after: ("support" | "catalogue" | "finance" | "admin")[];
};

type Effect8 = { kind: "retry"; outcome: "queued" | "waiting" | "done" | "open" | "gone" };

type Effect9 = {
  kind: "commission";
  merchant: string | null;
  category: string | null;
  vip_type: ("day" | "week" | "month" | "year" | "lifetime") | null;
  before: { percent: number; fixed: number } | null;
  after: { percent: number; fixed: number };
  valid_from: string | null;
};

type AdminApplicationsIdApproveOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { application_id: string; state: "approved" | "refused"; merchant_id: string | null } | null;
};

type AdminApplicationsIdRefuseInput = {
  version?: string | undefined;
  note: string;
  preview?: boolean | undefined;
};

type AdminApprovalsIdApproveInput = {
  version?: string | undefined;
  note?: string | undefined;
  preview?: boolean | undefined;
};

type AdminApprovalsIdApproveOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { approval_id: string; state: "asked" | "approved" | "refused" | "expired" } | null;
};

type AdminCategoriesSlugInput = {
  base_revision: number;
  line: Record<string, unknown>;
  preview?: boolean | undefined;
};

type Result = { change_id: string; state: State; revision: number | null };

type AdminChangesIdApproveOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: Result | null;
};

type AdminCustomersIdNewPasswordOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { ended: number } | null;
};

type AdminKeysBatchesIdWithdrawOutput = {
  batch_id: string;
  preview: boolean;
  withdrawn: number;
  reserved: number;
  undo_until: string | null;
};

type AdminKeysWithheldIdReleaseInput = { version?: string | undefined; preview?: boolean | undefined };

type AdminKeysWithheldIdReleaseOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { vip_id: number; state: "available" | "revoked"; count: number } | null;
};

type AdminMerchantsIdEndOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { merchant_id: string; state: "invited" | "active" | "paused" | "suspended" | "ended" } | null;
};

type AdminMerchantsIdNameApproveOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { merchant_id: string; name: string } | null;
};

type Result2 = {
  order_id: string;
  order_product_id: string;
  state: "approved" | "asked";
  refund_amount: number;
  answer_by: string | null;
};

type Result3 = { order_id: string; send_email: string; sent: number };

type AdminPostsOutput = { post_id: number; revision: number; slug: string; listed: boolean };

type AdminProductsOutput = {
  product_id: number | null;
  slug: string;
  revision: number;
  saved: boolean;
  needs_approval: boolean;
  changes: Change[];
  prices: Price[];
};

type AdminProductsIdUndoInput = { base_revision: number; revision: number; preview?: boolean | undefined };

type AdminProductsBulkInput = {
  product_ids: readonly number[];
  action: "pause" | "resume" | "list" | "unlist" | "category";
  category?: string | undefined;
  preview?: boolean | undefined;
};

type AdminProductsBulkOutput = {
  changed: number;
  unchanged: number;
  refused: { product_id: number; message: string }[];
  needs_approval: boolean;
};

type AdminRefundsIdApproveOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { refund_id: string; state: "approved" | "refused" } | null;
};

type AdminRefundsIdRefuseInput = {
  version?: string | undefined;
  reason: string;
  preview?: boolean | undefined;
};

type AdminReplacementsIdApproveOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: { request_id: string; state: "approved" | "refused"; new_key_id: string | null } | null;
};

type AdminReviewsIdReplyRefuseOutput = { review_id: string; state: "waiting" | "shown" | "refused" };

type AdminShopCloseOutput = {
  effects:
    | (
        | { kind: "money_returned"; amount: number }
        | { kind: "refund_waits"; amount: number }
        | { kind: "paid_otherwise"; amount: number }
        | { kind: "payments_cancelled"; count: number }
        | { kind: "cancellation_open"; order_number: string }
        | Effect
        | { kind: "codes"; change: Change2; count: number }
        | { kind: "replacement_asked" }
        | { kind: "coupons_issued"; count: number }
        | Effect2
        | { kind: "coupons_returned"; count: number }
        | { kind: "coupons_revoked"; count: number }
        | { kind: "referrals_refused"; count: number }
        | { kind: "products_off"; count: number }
        | { kind: "products_on"; count: number }
        | { kind: "campaign_on"; campaign: string }
        | { kind: "campaign_off"; campaign: string }
        | Effect3
        | Effect4
        | { kind: "campaign_free"; campaign: string }
        | { kind: "campaign_paid"; campaign: string }
        | Effect5
        | Effect6
        | { kind: "password_removed" }
        | { kind: "sessions_ended"; count: number }
        | Effect7
        | { kind: "staff_mode_ended"; count: number }
        | { kind: "email"; event: Event; to: string }
        | Effect8
        | { kind: "jobs_retried"; count: number }
        | { kind: "shop_closed" }
        | { kind: "shop_opened"; count: number }
        | Effect9
        | { kind: "second_person" }
      )[]
    | null;
  result: AdminShopOutput | null;
};

type AuthCouponBindInput = {
  user_id?: string | undefined;
  update_user_id?: string | undefined;
  create_user_id?: string | undefined;
  coupon_code: string;
};

type AuthEmailUpdateOutput = {
  token: string;
  refresh_token: string;
  user_id: string;
  user_email: string;
  username: string;
  phone: string | null;
  country_code: string | null;
};

type Consent = { source: string; terms: string; wording: { locale: string; version: string } };

type SourceInfo = {
  source?: (string | null) | undefined;
  campaign?: (string | null) | undefined;
  medium?: (string | null) | undefined;
  content?: (string | null) | undefined;
  id?: (string | null) | undefined;
  timestamp?: ((string | number) | null) | undefined;
  landingPage?: (string | null) | undefined;
  referrer?: (string | null) | undefined;
};

type GiftClaimInput = {
  user_id?: string | undefined;
  update_user_id?: string | undefined;
  create_user_id?: string | undefined;
  token: string;
};

type MerchantChangesOutput = {
  change_id: string | null;
  product_id: number | null;
  state: State;
  kind: Kind;
  risk: "low" | "high";
  automatic: boolean;
  needs_approval: boolean;
  changes: Change[];
  prices: Price[];
};

type MerchantPauseOutput = { state: "invited" | "active" | "paused" | "suspended" | "ended" };

type MerchantPlansIdPauseOutput = { vip_id: number; paused: boolean; revision: number };

type AdminImagesOutput = { image: string; hash: string; width: number; height: number };

type AdminImportsCatalogPreviewOutput = {
  sha256: string;
  lines: number;
  counts: Counts;
  report: { line: number; field: string; message: string }[];
  held: number;
  needs_approval: boolean;
};

type AdminImportsCouponsRunInput = {
  confirm_held?: (string | boolean) | undefined;
  sha256: string;
  name: string;
};

export type GetCalls = {
  "/admin/announcements": { query: Record<string, never>; data: { items: Item[]; total: number } };
  "/admin/applications": {
    query: {
      cursor?: string | undefined;
      email?: string | undefined;
      state?: ("received" | "approved" | "refused") | undefined;
      from?: string | undefined;
      to?: string | undefined;
    };
    data: {
      items: {
        application_id: string;
        email: string;
        product_url: string;
        phone_num: string;
        locale: string;
        state: "received" | "approved" | "refused";
        created_at: string;
        decided_at: string | null;
        decided_by: string | null;
        note: string | null;
        version: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/approvals": {
    query: { state?: ("open" | "all") | undefined };
    data: {
      items: {
        approval_id: string;
        kind:
          | "grant_admin"
          | "grant_roles"
          | "remove_admin"
          | "reset_factor"
          | "export_persons"
          | "goodwill"
          | "campaign_budget"
          | "campaign_create"
          | "change_prices"
          | "change_products"
          | "bulk_import"
          | "coupon_import"
          | "end_merchant"
          | "commission";
        subject: string;
        state: "asked" | "approved" | "refused" | "expired";
        asked_by: string;
        decided_by: string | null;
        asked_at: string;
        decided_at: string | null;
        expires_at: string;
        alone: boolean;
        note: string | null;
        decidable: boolean;
        version: string;
      }[];
      total: number;
    };
  };
  "/admin/audit": {
    query: {
      cursor?: string | undefined;
      actor?: string | undefined;
      action?: string | undefined;
      subject?: string | undefined;
    };
    data: {
      items: {
        entry_id: number;
        at: string;
        actor: string;
        by: By;
        action: string;
        subject: string;
        subject_name: string | null;
        detail: Record<string, unknown> | null;
        names: Record<string, string>;
        position: number | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
      chain: { position: number; sealed_at: string; waiting: number } | null;
    };
  };
  "/admin/campaigns": {
    query: Record<string, never>;
    data: {
      items: {
        campaign: string;
        kind: "daily" | "new_user" | "inviter" | "promotion";
        title: string;
        coupon_code: string | null;
        amount: number | null;
        percent: number | null;
        max_discount: number | null;
        minimum: number;
        first_order_only: boolean;
        free: boolean;
        enabled: boolean;
        state: "running" | "off" | "scheduled" | "ended" | "spent" | "spent_today";
        starts_at: string | null;
        ends_at: string | null;
        monthly_budget: number | null;
        promised: number;
        daily_budget: number | null;
        promised_today: number;
        coupons: number;
        used: number;
      }[];
      total: number;
    };
  };
  "/admin/categories": { query: Record<string, never>; data: { items: Item2[] } };
  "/admin/changes": {
    query: {
      cursor?: string | undefined;
      state?: ("proposed" | "returned" | "approved" | "refused") | undefined;
      merchant?: string | undefined;
    };
    data: {
      items: {
        change_id: string;
        product_id: number | null;
        product_name: string;
        kind: Kind;
        risk: "low" | "high";
        state: State;
        base_revision: number;
        note: string | null;
        created_by: string;
        by_shop: boolean;
        created_at: string;
        updated_at: string;
        proposed_at: string | null;
        decided_at: string | null;
        automatic: boolean;
        revision: number | null;
        merchant: string;
        merchant_name: string;
        trust: string;
        decided_by: string | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/changes/${string}`]: {
    query: Record<string, never>;
    data: {
      change_id: string;
      product_id: number | null;
      product_name: string;
      kind: Kind;
      risk: "low" | "high";
      state: State;
      base_revision: number;
      note: string | null;
      created_by: string;
      by_shop: boolean;
      created_at: string;
      updated_at: string;
      proposed_at: string | null;
      decided_at: string | null;
      automatic: boolean;
      revision: number | null;
      line: Record<string, unknown>;
      changes: Change[];
      check: Check | null;
      merchant: string;
      merchant_name: string;
      trust: string;
      decided_by: string | null;
      version: string;
    };
  };
  "/admin/commission": {
    query: Record<string, never>;
    data: {
      items: {
        rule_id: string;
        merchant: string | null;
        merchant_name: string | null;
        category: string | null;
        pass_type: ("day" | "week" | "month" | "year" | "lifetime") | null;
        percent: number;
        fixed: number;
        valid_from: string;
        created_by: string;
        current: boolean;
      }[];
      total: number;
    };
  };
  "/admin/coupons": {
    query: { coupon_code: string };
    data: {
      coupon_code: string;
      campaign: string;
      title: string;
      state: "open" | "reserved" | "used" | "revoked";
      amount: number | null;
      percent: number | null;
      max_discount: number | null;
      minimum: number;
      created_at: string;
      expires_at: string | null;
      used_at: string | null;
      customer: { customer_id: string; email: string } | null;
      order_number: string | null;
    };
  };
  "/admin/customers": {
    query: {
      cursor?: string | undefined;
      email?: string | undefined;
      name?: string | undefined;
      state?: ("verified" | "unverified" | "staff" | "deleted") | undefined;
      from?: string | undefined;
      to?: string | undefined;
    };
    data: {
      items: {
        customer_id: string;
        email: string;
        username: string;
        state: "verified" | "unverified" | "staff" | "deleted";
        since: string;
        orders: number;
        orders_exact: boolean;
        spent: number;
        refunded: number;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/customers/${string}`]: {
    query: Record<string, never>;
    data:
      | {
          customer_id: string;
          email: string;
          username: string;
          state: "verified" | "unverified" | "staff" | "deleted";
          since: string;
          orders: number;
          orders_exact: boolean;
          spent: number;
          refunded: number;
          locale: string;
          country: string | null;
          email_verified_at: string | null;
          has_password: boolean;
          new_password_required_at: string | null;
          providers: ("google" | "github")[];
          recent_orders: RecentOrder[];
          order_total: number;
          order_total_exact: boolean;
          library: {
            key_id: string;
            order_id: string;
            order_number: string;
            product_name: string;
            vip_type: string;
            masked_code: string;
            is_gift: boolean;
            assigned_at: string | null;
            revealed_at: string | null;
            activated_at: string | null;
            redeem_by: string | null;
          }[];
          coupons: {
            coupon_code: string;
            campaign: string;
            title: string;
            amount: number | null;
            percent: number | null;
            max_discount: number | null;
            minimum: number;
            state: "open" | "reserved" | "used" | "revoked";
            expires_at: string | null;
            order_id: string | null;
            given_by: By | null;
            reason: string | null;
          }[];
          sessions: { session_id: string; device: string; created_at: string; seen_at: string }[];
          mails: Mail[];
          notes: Note[];
          locks: { sign_in: string | null; second_factor: string | null };
          access_changes: {
            action: "customer.new_password_required" | "customer.sessions_ended" | "customer.unlocked";
            at: string;
            by: By;
            reason: string | null;
            ended: number | null;
          }[];
        }
      | AdminCustomersIdCouponOutput;
  };
  [path: `/admin/customers/${string}/coupon`]: {
    query: Record<string, never>;
    data: AdminCustomersIdCouponOutput;
  };
  "/admin/disputes": {
    query: { cursor?: string | undefined; state?: ("open" | "closed") | undefined };
    data: {
      items: {
        dispute_id: string;
        amount: number;
        reason: string;
        status: string;
        is_open: boolean;
        evidence_due_at: string | null;
        created_at: string;
        closed_at: string | null;
        transaction_id: string;
        order_id: string;
        order_number: string;
        order_status: Status;
        customer_id: string;
        email: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/images": {
    query: Record<string, never>;
    data: { items: { hash: string; width: number; height: number; used_by: string }[]; total: number };
  };
  "/admin/imports": {
    query: { cursor?: string | undefined; kind?: ("catalog" | "keys" | "coupons") | undefined };
    data: {
      items: {
        import_id: string;
        kind: "catalog" | "keys" | "coupons";
        name: string;
        sha256: string;
        state: "running" | "done" | "failed" | "broken";
        lines: number;
        counts: Counts;
        started_by: string;
        started_at: string;
        ended_at: string | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/imports/${string}`]: {
    query: Record<string, never>;
    data: {
      import_id: string;
      kind: "catalog" | "keys" | "coupons";
      name: string;
      sha256: string;
      state: "running" | "done" | "failed" | "broken";
      lines: number;
      counts: Counts;
      started_by: string;
      started_at: string;
      ended_at: string | null;
      report: { line: number; field: string; message: string }[];
    };
  };
  "/admin/insight/days": {
    query: {
      days?: number | undefined;
      kind?: ("all" | "none" | "other") | undefined;
      came_from?: string | undefined;
    };
    data: {
      kind: "all" | "none" | "named" | "other";
      source: string | null;
      days: {
        day: string;
        visits: number;
        product_views: number;
        carts: number;
        orders: number;
        paid: number;
      }[];
    };
  };
  "/admin/insight/searches": {
    query: { cursor?: string | undefined; locale?: ("en" | "zh" | "ja") | undefined };
    data: {
      items: { content: string; locale: "en" | "zh" | "ja"; searches: number; last_at: string }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/insight/sources": {
    query: { cursor?: string | undefined; days?: number | undefined };
    data: {
      items: {
        kind: "none" | "named" | "other";
        source: string | null;
        visits: number;
        product_views: number;
        carts: number;
        orders: number;
        paid: number;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
      all: { visits: number; product_views: number; carts: number; orders: number; paid: number };
    };
  };
  "/admin/keys/batches": {
    query: {
      cursor?: string | undefined;
      merchant?: string | undefined;
      state?: ("running" | "done" | "failed" | "broken") | undefined;
    };
    data: {
      items: {
        batch_id: string;
        name: string;
        sha256: string;
        source: "issued" | "licensed";
        state: "running" | "done" | "failed" | "broken";
        lines: number;
        counts: { "new": number; known: number; refused: number };
        available: number;
        undo_until: string | null;
        by: string;
        started_at: string;
        ended_at: string | null;
        merchant_id: string;
        merchant: string;
        handle: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/keys/batches/${string}`]: {
    query: Record<string, never>;
    data: {
      batch_id: string;
      name: string;
      sha256: string;
      source: "issued" | "licensed";
      state: "running" | "done" | "failed" | "broken";
      lines: number;
      counts: { "new": number; known: number; refused: number };
      available: number;
      undo_until: string | null;
      by: string;
      started_at: string;
      ended_at: string | null;
      statement: string;
      reserved: number;
      sold: number;
      replaced: number;
      replaced_share: number | null;
      withdrawn: number;
      refused: { line: number; reason: string; message: string }[];
      merchant_id: string;
      merchant: string;
      handle: string;
    };
  };
  "/admin/keys/stock": {
    query: {
      cursor?: string | undefined;
      vip_id?: number | undefined;
      product_id?: number | undefined;
      vendor?: string | undefined;
      category?: string | undefined;
      vip_type?: ("day" | "week" | "month" | "year" | "lifetime") | undefined;
      pass_type?: ("day" | "week" | "month" | "year" | "lifetime") | undefined;
      listed?: (string | boolean) | undefined;
      no_stock?: (string | boolean) | undefined;
      waiting?: (string | boolean) | undefined;
    };
    data: {
      items: {
        vip_id: number;
        product_id: number;
        product_name: string;
        vip_type: string;
        vendor: string;
        vendor_slug: string;
        listed: boolean;
        available: number;
        reserved: number;
        waiting: number;
        sold_28_days: number;
        days_of_cover: number | null;
        next_redeem_by: string | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/keys/withheld": {
    query: { cursor?: string | undefined };
    data: {
      items: {
        vip_id: number;
        product_id: number;
        product_name: string;
        vip_type: string;
        withheld: number;
        available: number;
        waiting: number;
        version: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/mails": {
    query: {
      cursor?: string | undefined;
      email?: string | undefined;
      state?: ("queued" | "sent" | "failed" | "dropped") | undefined;
      event?: Event | undefined;
      order_number?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
    };
    data: {
      items: Mail[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/merchants": {
    query: {
      cursor?: string | undefined;
      name?: string | undefined;
      state?: ("invited" | "active" | "paused" | "suspended" | "ended") | undefined;
      unowned?: (string | boolean) | undefined;
      keys_stopped?: (string | boolean) | undefined;
      high_discounts?: (string | boolean) | undefined;
      renamed?: (string | boolean) | undefined;
    };
    data: {
      items: {
        merchant_id: string;
        handle: string;
        name: string;
        state: "invited" | "active" | "paused" | "suspended" | "ended";
        trust: "new" | "trusted";
        created_at: string;
        renamed: boolean;
        members: number;
        products: number;
        products_exact: boolean;
        sales: number;
        sales_exact: boolean;
        discounts: Discounts | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/merchants/${string}`]: {
    query: Record<string, never> | AdminMerchantsIdSalesInput;
    data:
      | {
          merchant_id: string;
          handle: string;
          name: string;
          state: "invited" | "active" | "paused" | "suspended" | "ended";
          trust: "new" | "trusted";
          created_at: string;
          version: string;
          proposed_name: { name: string; at: string; version: string } | null;
          state_note: string | null;
          keys_stopped_at: string | null;
          keys_version: string;
          state_at: string;
          country: string | null;
          locale: string;
          support_email: string | null;
          website: string | null;
          closed_until: string | null;
          application_id: string | null;
          members: {
            member_id: string;
            user_id: string;
            email: string;
            name: string;
            role: "owner" | "member";
            since: string;
            enrolled: boolean;
          }[];
          invites: Invite[];
          tokens: {
            token_id: string;
            name: string;
            created_at: string;
            last_used_at: string | null;
            revoked: boolean;
          }[];
          products: { product_id: number; slug: string; name: string; on_sale: boolean }[];
          products_total: number;
          sales: {
            lines: number;
            units: number;
            gross: number;
            net: number;
            refunded: number;
            exact: boolean;
          };
          replaced: number;
          discounts: Discounts | null;
          history: { entry_id: number; at: string; actor: string; action: string; note: string }[];
        }
      | AdminMerchantsIdSalesOutput;
  };
  [path: `/admin/merchants/${string}/sales`]: {
    query: AdminMerchantsIdSalesInput;
    data: AdminMerchantsIdSalesOutput;
  };
  "/admin/order/detail": { query: AdminOrderDetailInput; data: AdminOrderDetailOutput };
  "/admin/orders": {
    query: {
      cursor?: string | undefined;
      status?: Status | undefined;
      from?: string | undefined;
      to?: string | undefined;
      email?: string | undefined;
      customer_id?: string | undefined;
      number?: string | undefined;
      vip_id?: number | undefined;
      vendor?: string | undefined;
      amount_from?: number | undefined;
      amount_to?: number | undefined;
      coupon_code?: string | undefined;
      disputed?: (string | boolean) | undefined;
      waiting?: (string | boolean) | undefined;
      came_from?: string | undefined;
    };
    data: {
      items: RecentOrder[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/orders/${string}`]: {
    query: Record<string, never>;
    data: {
      order_id: string;
      order_number: string;
      version: string;
      status: Status;
      created_at: string;
      paid_at: string | null;
      hold_ends_at: string;
      cancel_requested: boolean;
      customer: { customer_id: string; email: string; username: string };
      send_email: string;
      locale: string;
      country: string | null;
      came_from: string | null;
      subtotal: number;
      discount_amount: number;
      coupon_code: string | null;
      final_amount: number;
      goodwill_given: number;
      disputed: boolean;
      gift: {
        state: "scheduled" | "sent" | "claimed" | "returned";
        recipient_email: string | null;
        claimed_by: string | null;
        send_at: string;
        claimed_at: string | null;
      } | null;
      order_products: {
        order_product_id: string;
        product_id: number;
        vip_id: number;
        slug: string;
        product_name: string;
        maker: string;
        vip_type: string;
        quantity: number;
        price: number;
        total: number;
        refunded_quantity: number;
        refunded_amount: number;
        state: State3;
        keep_in_library: boolean;
        immediate_delivery: boolean | null;
        pre_order: boolean;
        deliver_by: string | null;
        refund: Refund2;
        refund_request: RefundRequest | null;
        refund_at_once: boolean;
        version: string;
      }[];
      payments: {
        payment_id: string;
        transaction_id: string | null;
        state: State2;
        amount: number;
        method: string | null;
        last_error: string | null;
        created_at: string;
        updated_at: string;
      }[];
      refunds: {
        refund_id: string;
        order_product_id: string | null;
        amount: number;
        reason: string;
        state: "pending" | "submitted" | "succeeded" | "failed" | "cancelled" | "settled";
        provider_id: string | null;
        created_at: string;
        updated_at: string;
      }[];
      disputes: {
        dispute_id: string;
        amount: number;
        reason: string;
        status: string;
        is_open: boolean;
        created_at: string;
        closed_at: string | null;
      }[];
      keys: {
        key_id: string;
        order_product_id: string | null;
        slot: number | null;
        state: "available" | "withheld" | "reserved" | "assigned" | "quarantined" | "revoked";
        redemption: "unknown" | "unredeemed" | "redeemed";
        redeem_by: string | null;
        assigned_at: string | null;
        mailed_at: string | null;
        revealed_at: string | null;
        activated_at: string | null;
        version: string;
        events: number;
        sealed: number;
      }[];
      mails: Mail[];
      ledger: {
        transfer_id: string;
        account: "provider_cash" | "sales" | "refunds" | "other_cash";
        amount: number;
        created_at: string;
      }[];
      notes: Note[];
      timeline: {
        at: string;
        kind: "order" | "payment" | "refund" | "key" | "email" | "dispute" | "staff" | "note";
        event: string;
        detail: string | null;
        actor: string | null;
        device: string | null;
      }[];
    };
  };
  "/admin/posts": {
    query: {
      cursor?: string | undefined;
      state?: ("draft" | "published") | undefined;
      category?: string | undefined;
      q?: string | undefined;
    };
    data: {
      items: {
        post_id: number;
        slug: string;
        title: string;
        author: string;
        category: string;
        recommended: boolean;
        listed: boolean;
        edited: boolean;
        published_on: string;
        updated_at: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/posts/${string}`]: {
    query: Record<string, never>;
    data: {
      post_id: number;
      revision: number;
      slug: string;
      author: string;
      category: string;
      image: string | null;
      recommended: boolean;
      related: string[];
      published_on: string;
      listed: boolean;
      edited: boolean;
      texts: Texts;
    };
  };
  "/admin/products": {
    query: {
      cursor?: string | undefined;
      product_id?: number | undefined;
      name?: string | undefined;
      vendor?: string | undefined;
      category?: string | undefined;
      listed?: (string | boolean) | undefined;
      untranslated?: (string | boolean) | undefined;
      no_stock?: (string | boolean) | undefined;
      unsold?: (string | boolean) | undefined;
    };
    data: {
      items: {
        product_id: number;
        slug: string;
        product_name: string;
        vendor: string;
        vendor_slug: string;
        category: string;
        plans: number;
        price_from: number | null;
        stock: number;
        stock_exact: boolean;
        listed: boolean;
        untranslated: string[];
        updated_at: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/admin/products/${string}`]: {
    query: Record<string, never> | { before?: number | undefined };
    data:
      | {
          product_id: number;
          revision: number;
          source: "import" | "console";
          updated_at: string;
          line: Record<string, unknown>;
          verdicts: Verdict[];
          plans: Plan[];
          weak_codes: boolean;
          earlier_plans: Record<string, unknown>[];
        }
      | { items: Item3[]; next_before: number | null };
  };
  [path: `/admin/products/${string}/revisions`]: {
    query: { before?: number | undefined };
    data: { items: Item3[]; next_before: number | null };
  };
  "/admin/referrals": {
    query: {
      cursor?: string | undefined;
      state?: ("registered" | "pending" | "paid" | "refused") | undefined;
      email?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
    };
    data: {
      items: {
        referral_id: string;
        inviter: { customer_id: string; email: string };
        friend: { customer_id: string; email: string };
        state: "registered" | "pending" | "paid" | "refused";
        reason: Reason | null;
        created_at: string;
        due_at: string | null;
        decided_at: string | null;
        order_number: string | null;
        coupon_code: string | null;
        version: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/refunds": {
    query: {
      cursor?: string | undefined;
      state?: ("open" | "late" | "refused" | "failed") | undefined;
      email?: string | undefined;
      vendor?: string | undefined;
      number?: string | undefined;
    };
    data: {
      items: {
        refund_id: string;
        order_id: string;
        order_number: string;
        email: string;
        product_name: string | null;
        vip_type: string | null;
        vendor: string | null;
        amount: number;
        at: string;
        answer_by: string | null;
        codes: number;
        codes_seen: number;
        decided_by: string | null;
        decided_at: string | null;
        asked_by: string | null;
        stated_country: string | null;
        order_country: string | null;
        failure: string | null;
        disputed: boolean;
        version: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/replacements": {
    query: {
      cursor?: string | undefined;
      state?: ("asked" | "approved" | "refused") | undefined;
      customer_id?: string | undefined;
    };
    data: {
      items: {
        request_id: string;
        state: "asked" | "approved" | "refused";
        asked_at: string;
        reason: string;
        asked_by: string | null;
        order_id: string;
        order_number: string;
        key_id: string;
        vip_id: number;
        product_name: string;
        vip_type: string;
        customer_id: string;
        email: string;
        shown: number;
        earlier: number;
        earlier_approved: number;
        stock: number;
        batch_id: string | null;
        batch_name: string | null;
        batch_requests: number | null;
        blocked_by: BlockedBy | null;
        decided_at: string | null;
        decided_by: string | null;
        version: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/reviews": {
    query: {
      cursor?: string | undefined;
      state?: ("published" | "hidden") | undefined;
      rating?: number | undefined;
      product_id?: number | undefined;
      email?: string | undefined;
      reply?: ("waiting" | "shown" | "refused") | undefined;
      from?: string | undefined;
      to?: string | undefined;
    };
    data: {
      items: {
        review_id: string;
        state: "published" | "hidden";
        rating: number;
        title: string;
        content: string;
        locale: string;
        product_id: number;
        slug: string;
        product_name: string;
        customer_id: string;
        email: string;
        order_id: string;
        demo: boolean;
        created_at: string;
        hidden_at: string | null;
        hidden_reason: string | null;
        version: string;
        reply: {
          text: string;
          locale: string;
          state: "waiting" | "shown" | "refused";
          merchant: string;
          written_at: string;
          note: string | null;
          version: string;
        } | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/admin/shop": { query: Record<string, never>; data: AdminShopOutput };
  "/admin/staff": {
    query: Record<string, never>;
    data: {
      items: {
        user_id: string;
        email: string;
        username: string;
        roles: ("support" | "catalogue" | "finance" | "admin")[];
        granted_by: string;
        since: string;
        enrolled: boolean;
        last_seen: string | null;
      }[];
      total: number;
    };
  };
  "/admin/stuck": {
    query: { kind?: Kind2 | undefined };
    data: {
      items: {
        kind: Kind2;
        id: string;
        since: string;
        why:
          | "queued"
          | "running"
          | "failing"
          | "given_up"
          | "no_job"
          | "failed"
          | "payment_open"
          | "not_released"
          | "not_refunded"
          | "stock_unassigned"
          | "differs"
          | "not_compared"
          | "unsealed"
          | "no_worker"
          | "shop_closed";
        error: string | null;
        attempts: number | null;
        next_at: string | null;
        order_number: string | null;
        about: string | null;
        mail_event: string | null;
      }[];
      more: Kind2[];
      checked_at: string;
    };
  };
  "/admin/stuck/queues": {
    query: Record<string, never>;
    data: {
      items: {
        queue: string;
        waiting: number;
        later: number;
        active: number;
        failed: number;
        oldest_at: string | null;
      }[];
      total: number;
    };
  };
  "/admin/synonyms": { query: Record<string, never>; data: { items: Item2[] } };
  "/admin/today": {
    query: { days?: number | undefined };
    data: {
      queues: {
        queue:
          | "refund_requests"
          | "failed_refunds"
          | "replacements"
          | "disputes"
          | "stuck"
          | "failed_mails"
          | "applications"
          | "stopped_merchants"
          | "high_discounts"
          | "changes"
          | "merchant_names"
          | "replies"
          | "approvals";
        count: number;
        more: boolean;
        oldest_at: string | null;
      }[];
      figures: {
        day: string;
        orders: number;
        revenue: number;
        refunded: number;
        refund_share: number | null;
        delivery_seconds: number | null;
        stock_outs: number;
      }[];
    };
  };
  "/admin/views": { query: { list?: List | undefined }; data: { items: Item4[]; total: number } };
  "/auth/billing/list": { query: Record<string, never>; data: { addresses: Address[] } };
  "/auth/coupon/user": {
    query: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
    };
    data: { items: Item5[]; total: number; server_time: string };
  };
  "/auth/get-info": {
    query: Record<string, never>;
    data: {
      user_id: string;
      user_email: string;
      username: string;
      phone: string | null;
      country_code: string | null;
      email_verified: boolean;
      role: "user" | "staff";
      locale: string;
      invite_code: string;
    };
  };
  "/auth/notifications": { query: Record<string, never>; data: AuthNotificationsOutput };
  "/auth/second-factor": { query: Record<string, never>; data: AuthSecondFactorOutput };
  "/auth/session-summary": {
    query: Record<string, never>;
    data: {
      signed_in: boolean;
      user_id?: string | undefined;
      username?: string | undefined;
      cart_count: number;
    };
  };
  "/auth/sessions": {
    query: Record<string, never>;
    data: {
      items: { session_id: string; device: string; created_at: string; seen_at: string; current: boolean }[];
      total: number;
    };
  };
  "/auth/sign-in-form": {
    query: Record<string, never>;
    data: {
      google: { client_id: string; script_url: string } | null;
      github: boolean;
      labels: {
        title_cart: string;
        title_buy: string;
        title_notify: string;
        title_claim: string;
        title_order: string;
        title_gift: string;
        title_merchant: string;
        tabs: string;
        "new": string;
        sign_in: string;
        close: string;
        email: string;
        password: string;
        password_hint: string;
        show: string;
        hide: string;
        username: string;
        username_hint: string;
        age_legend: string;
        adult: string;
        minor_with_guardian: string;
        under_13: string;
        age_missing: string;
        create: string;
        submit: string;
        login_instead: string;
        forgot: string;
        check: string;
        wait: string;
        waitSpoken: string;
        day: string;
        added: string;
        or: string;
        google: string;
        googleFailed: string;
        github: string;
        consent: string;
        refunds: string;
        terms: string;
        privacy: string;
        passwordMissing: string;
        username_missing: string;
        username_invalid: string;
        emailInvalid: string;
        password_short: string;
        under_age: string;
        network: string;
      };
    };
  };
  [path: `/blog/detail/${string}`]: {
    query: Record<string, never>;
    data: {
      post: {
        post_id: number;
        slug: string;
        title: string;
        description: string;
        author: string;
        category: string;
        category_name: string;
        image: string;
        hue: number;
        recommended: boolean;
        published_at: string;
        updated_at: string;
        reading_minutes: number;
        language: "en" | "zh" | "ja";
        html: string;
        related: string[];
      };
      previous: Previous | null;
      next: Previous | null;
    };
  };
  "/blog/list": {
    query: {
      type?: ("newest" | "hot" | "recommended") | undefined;
      keyword?: string | undefined;
      page?: number | undefined;
      size?: number | undefined;
    };
    data: { posts: Previous[]; total: number };
  };
  "/cart/list": { query: Record<string, never>; data: CartListOutput };
  "/comment/list": {
    query: { product_id: number; page?: number | undefined; size?: number | undefined };
    data: {
      items: {
        review_id: string;
        rating: number;
        title: string;
        content: string;
        author: string;
        created_at: string;
        language: "en" | "zh" | "ja";
        verified: boolean;
        demo: boolean;
        reply: { text: string; language: "en" | "zh" | "ja"; merchant: string; created_at: string } | null;
      }[];
      total: number;
      summary: { average: number | null; count: number; stars: number[]; demo: number };
    };
  };
  "/library": {
    query: Record<string, never>;
    data: {
      items: {
        library_id: string;
        order_id: string | null;
        order_product_id: string;
        product_id: number;
        vip_id: number;
        can_buy_again: boolean;
        price: number | null;
        slug: string;
        product_name: string;
        product_image: string;
        language: "en" | "zh" | "ja";
        maker: string;
        pass_type: "day" | "week" | "month" | "year" | "lifetime";
        vip_type: string;
        duration_days: number | null;
        masked_code: string;
        assigned_at: string;
        revealed_at: string | null;
        seen: boolean;
        needs_consent: boolean;
        redeem_by: string | null;
        refund_asked: boolean;
        disputed: boolean;
        gift_claimed_at: string | null;
        activated_at: string | null;
        can_activate: boolean;
        ends_at: string | null;
        reveals: { at: string; way: "shown" | "mailed"; device: string | null }[];
        replacement: {
          state: "asked" | "approved" | "refused";
          asked_by_staff: boolean;
          asked_at: string;
          decided_at: string | null;
        } | null;
        activation: { url: string | null; steps: string[] };
      }[];
      total: number;
      server_time: string;
    };
  };
  "/merchant/changes": {
    query: { cursor?: string | undefined; state?: State | undefined; product_id?: number | undefined };
    data: {
      items: {
        change_id: string;
        product_id: number | null;
        product_name: string;
        kind: Kind;
        risk: "low" | "high";
        state: State;
        base_revision: number;
        note: string | null;
        created_by: string;
        by_shop: boolean;
        created_at: string;
        updated_at: string;
        proposed_at: string | null;
        decided_at: string | null;
        automatic: boolean;
        revision: number | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/merchant/changes/${string}`]: {
    query: Record<string, never>;
    data: {
      change_id: string;
      product_id: number | null;
      product_name: string;
      kind: Kind;
      risk: "low" | "high";
      state: State;
      base_revision: number;
      note: string | null;
      created_by: string;
      by_shop: boolean;
      created_at: string;
      updated_at: string;
      proposed_at: string | null;
      decided_at: string | null;
      automatic: boolean;
      revision: number | null;
      line: Record<string, unknown>;
      changes: Change[];
      check: Check | null;
    };
  };
  "/merchant/insight/days": {
    query: { vip_id: number };
    data: {
      product_id: number;
      product_name: string;
      vip_id: number;
      vip_type: string;
      days: { day: string; views: number; carts: number; paid: number }[];
      forecast: { day: string; expected: number }[];
    };
  };
  "/merchant/insight/demand": {
    query: { cursor?: string | undefined; product_id?: number | undefined };
    data: {
      items: {
        product_id: number;
        product_name: string;
        vip_id: number;
        vip_type: string;
        available: number;
        waiting: number;
        rate: number;
        cover: number | null;
        expected: number;
        low: number;
        high: number;
        suggestion: number;
        suggestion_low: number;
        suggestion_high: number;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/merchant/insight/plans": {
    query: { cursor?: string | undefined; product_id?: number | undefined; days?: number | undefined };
    data: {
      items: {
        product_id: number;
        product_name: string;
        vip_id: number;
        vip_type: string;
        views: number;
        carts: number;
        paid: number;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/merchant/insight/searches": {
    query: Record<string, never>;
    data: {
      items: { product_id: number; product_name: string; content: string; searches: number; place: number }[];
      total: number;
    };
  };
  "/merchant/keys/batches": {
    query: { cursor?: string | undefined };
    data: {
      items: {
        batch_id: string;
        name: string;
        sha256: string;
        source: "issued" | "licensed";
        state: "running" | "done" | "failed" | "broken";
        lines: number;
        counts: { "new": number; known: number; refused: number };
        available: number;
        undo_until: string | null;
        by: string;
        started_at: string;
        ended_at: string | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/merchant/keys/batches/${string}`]: {
    query: Record<string, never>;
    data: {
      batch_id: string;
      name: string;
      sha256: string;
      source: "issued" | "licensed";
      state: "running" | "done" | "failed" | "broken";
      lines: number;
      counts: { "new": number; known: number; refused: number };
      available: number;
      undo_until: string | null;
      by: string;
      started_at: string;
      ended_at: string | null;
      statement: string;
      reserved: number;
      sold: number;
      replaced: number;
      replaced_share: number | null;
      withdrawn: number;
      refused: { line: number; reason: string; message: string }[];
    };
  };
  "/merchant/me": {
    query: Record<string, never>;
    data: {
      merchant_id: string;
      handle: string;
      name: string;
      state: "invited" | "active" | "paused" | "suspended" | "ended";
      trust: "new" | "trusted";
      role: ("owner" | "member") | null;
      permissions: (
        | "profile.read"
        | "profile.write"
        | "team.manage"
        | "tokens.manage"
        | "products.read"
        | "products.write"
        | "sales.read"
        | "requests.read"
        | "requests.write"
        | "reviews.reply"
        | "insight.read"
        | "keys.read"
        | "keys.write"
      )[];
    };
  };
  "/merchant/members": {
    query: Record<string, never>;
    data: {
      members: {
        member_id: string;
        email: string;
        name: string;
        role: "owner" | "member";
        since: string;
        enrolled: boolean;
        is_self: boolean;
      }[];
      invites: Invite[];
    };
  };
  [path: `/merchant/plans/${string}/prices`]: {
    query: Record<string, never>;
    data: { plan: string; vip_id: number; shown: Price; history: History[]; product_id: number };
  };
  "/merchant/products": {
    query: {
      cursor?: string | undefined;
      product_id?: number | undefined;
      name?: string | undefined;
      category?: string | undefined;
      untranslated?: (string | boolean) | undefined;
      no_stock?: (string | boolean) | undefined;
    };
    data: {
      items: {
        product_id: number;
        slug: string;
        product_name: string;
        vendor: string;
        category: string;
        plans: number;
        price_from: number | null;
        stock: number;
        stock_exact: boolean;
        untranslated: string[];
        updated_at: string;
        state: "sold" | "unlisted" | "blocked";
        open_change: { change_id: string; state: State } | null;
        shop_change: { change_id: string; at: string } | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  [path: `/merchant/products/${string}`]: {
    query: Record<string, never>;
    data: {
      product_id: number;
      revision: number;
      source: "import" | "console";
      updated_at: string;
      line: Record<string, unknown>;
      verdicts: Verdict[];
      plans: Plan[];
      weak_codes: boolean;
      earlier_plans: Record<string, unknown>[];
      state: "sold" | "unlisted" | "blocked";
      open_changes: { change_id: string; state: State }[];
      shop_change: { change_id: string; at: string } | null;
    };
  };
  "/merchant/profile": { query: Record<string, never>; data: MerchantProfileOutput };
  "/merchant/requests": {
    query: {
      cursor?: string | undefined;
      kind?: ("refund" | "replacement") | undefined;
      state?: ("open" | "decided") | undefined;
    };
    data: {
      items: {
        request_id: string;
        kind: "refund" | "replacement";
        state: "asked" | "approved" | "refused";
        asked_at: string;
        answer_by: string | null;
        sale_id: string;
        product_id: number;
        product_name: string;
        vip_id: number;
        vip_type: string;
        buyer: string;
        amount: number | null;
        codes: { digest: string; ending: string | null }[];
        asked_by_shop: boolean;
        reason: string | null;
        stock: number | null;
        blocked_by: BlockedBy | null;
        decided_at: string | null;
        decided_by: ("merchant" | "deadline" | "shop") | null;
        version: string;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/merchant/reviews": {
    query: {
      cursor?: string | undefined;
      product_id?: number | undefined;
      rating?: number | undefined;
      replied?: (string | boolean) | undefined;
    };
    data: {
      items: {
        review_id: string;
        product_id: number;
        product_name: string;
        rating: number;
        title: string;
        content: string;
        language: string;
        demo: boolean;
        created_at: string;
        reply: {
          text: string;
          language: string;
          state: "waiting" | "shown" | "refused";
          written_at: string;
          decided_at: string | null;
          note: string | null;
        } | null;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/merchant/sales": { query: AdminMerchantsIdSalesInput; data: AdminMerchantsIdSalesOutput };
  "/merchant/stock": {
    query: {
      cursor?: string | undefined;
      product_id?: number | undefined;
      no_stock?: (string | boolean) | undefined;
      waiting?: (string | boolean) | undefined;
    };
    data: {
      items: {
        plan_id: number;
        product_id: number;
        product_name: string;
        plan_label: string;
        listed: boolean;
        available: number;
        reserved: number;
        waiting: number;
        sold_28_days: number;
        days_of_cover: number | null;
        next_redeem_by: string | null;
        suggested: number;
        alert: { kind: "days" | "codes" | "off"; value: number };
        low: boolean;
      }[];
      next_cursor: string | null;
      total: number;
      total_exact: boolean;
      looked_back_to: string | null;
    };
  };
  "/merchant/tokens": {
    query: Record<string, never>;
    data: {
      items: {
        token_id: string;
        name: string;
        scopes: Scope[];
        networks: string[];
        created_at: string;
        created_by: string | null;
        expires_at: string | null;
        last_used_at: string | null;
        revoked_at: string | null;
        valid: boolean;
      }[];
    };
  };
  "/order/detail": { query: AdminOrderDetailInput; data: AdminOrderDetailOutput };
  "/order/list": { query: OrderListInput; data: { orders: Order[]; total: number } };
  "/order/list/user": { query: OrderListInput; data: { orders: Order[]; total: number } };
  "/payment/cards": { query: Record<string, never>; data: { cards: Card[] } };
  "/payment/rates": {
    query: Record<string, never>;
    data: { base: "usd"; as_of: string; rates: Record<string, number> };
  };
  "/product/categories": {
    query: Record<string, never>;
    data: { items: { category: string; category_name: string; total: number }[]; total: number };
  };
  [path: `/product/detail/${string}`]: {
    query: Record<string, never>;
    data: {
      product_id: number;
      slug: string;
      product_name: string;
      product_tagline: string;
      product_description: string;
      product_image: string;
      maker: string;
      vendor_slug: string;
      category: string;
      category_name: string;
      language: "en" | "zh" | "ja";
      price: number;
      list_price: number | null;
      list_price_kind: ("previous" | "vendor") | null;
      lowest_price_30d: number | null;
      price_per_day: number | null;
      vip_id: number;
      pass_type: "day" | "week" | "month" | "year" | "lifetime";
      vip_type: string;
      duration_days: number | null;
      stock: number;
      stock_state: "in_stock" | "low" | "pre_order" | "sold_out";
      sort_num: number;
      deal: Deal | null;
      rating: { average: number; count: number } | null;
      includes: string[];
      seller: { handle: string; name: string };
      vip_options: {
        vip_id: number;
        vip_type: string;
        pass_type: "day" | "week" | "month" | "year" | "lifetime";
        duration_days: number | null;
        price: number;
        list_price: number | null;
        list_price_kind: ("previous" | "vendor") | null;
        lowest_price_30d: number | null;
        price_per_day: number | null;
        stock: number;
        stock_state: "in_stock" | "low" | "pre_order" | "sold_out";
        purchase_limit: number | null;
        region: string[];
        releases_at: string | null;
        redeem_by: string | null;
        redeem_margin_days: number;
        deal: Deal | null;
        activation: { url: string | null; steps: string[] };
        includes: string[];
        refund: Refund2;
      }[];
      languages: ("en" | "zh" | "ja")[];
      server_time: string;
    };
  };
  "/product/discount": { query: Record<string, never>; data: ProductDiscountOutput };
  "/product/hot": { query: Record<string, never>; data: ProductDiscountOutput };
  "/product/list": {
    query: {
      sort?: ("recommend" | "price_asc" | "price_desc" | "price_per_day") | undefined;
      category?: string | undefined;
      vip_type?: string | undefined;
      pass_type?: ("day" | "week" | "month" | "year" | "lifetime") | undefined;
      in_stock?: (string | boolean) | undefined;
      price_from?: number | undefined;
      price_to?: number | undefined;
      price_per_day_to?: number | undefined;
      page?: number | undefined;
      size?: number | undefined;
    };
    data: ProductDiscountOutput;
  };
  "/product/suggest": {
    query: { keyword?: string | undefined };
    data: {
      products: {
        product_id: number;
        slug: string;
        product_name: string;
        maker: string;
        language: "en" | "zh" | "ja";
        product_image: string;
        price: number;
      }[];
      categories: { category: string; category_name: string }[];
      vip_types: ("day" | "week" | "month" | "year" | "lifetime")[];
    };
  };
  "/referral/info": {
    query: OrderListInput;
    data: {
      invite_code: string;
      invite_link: string;
      can_invite: boolean;
      running: boolean;
      reward_amount: number;
      friend_amount: number;
      friend_min_amount: number;
      monthly_cap: number | null;
      counts: { clicks: number; registered: number; pending: number; paid: number; refused: number };
      earned: number;
      items: {
        friend: string;
        state: "registered" | "pending" | "paid" | "refused";
        reason: Reason | null;
        registered_at: string;
        due_at: string | null;
        decided_at: string | null;
        coupon_code: string | null;
      }[];
      total: number;
    };
  };
  "/subscription/confirm": { query: { token: string }; data: { topic: "discounts"; email: string } };
  "/voucher/free/status": {
    query: Record<string, never>;
    data: {
      items: {
        type: "daily" | "new_user";
        state: "available" | "claimed" | "not_eligible" | "unavailable";
        amount: number;
        min_amount: number;
        valid_hours: number;
        next_at: string | null;
        coupon: Item5 | null;
      }[];
      server_time: string;
    };
  };
  "/wishlist/list": { query: { product_ids?: string | undefined }; data: { items: Item6[]; total: number } };
};

export type PostCalls = {
  "/admin/announcements": { body: AdminAnnouncementsInput; data: Item };
  [path: `/admin/announcements/${string}`]: {
    body: AdminAnnouncementsInput | Record<string, never>;
    data: Item;
  };
  [path: `/admin/announcements/${string}/end`]: { body: Record<string, never>; data: Item };
  [path: `/admin/applications/${string}/approve`]: {
    body: {
      version?: string | undefined;
      note?: string | undefined;
      handle?: string | undefined;
      name?: string | undefined;
      merchant_id?: string | undefined;
      preview?: boolean | undefined;
    };
    data: AdminApplicationsIdApproveOutput;
  };
  [path: `/admin/applications/${string}/refuse`]: {
    body: AdminApplicationsIdRefuseInput;
    data: AdminApplicationsIdApproveOutput;
  };
  [path: `/admin/approvals/${string}/approve`]: {
    body: AdminApprovalsIdApproveInput;
    data: AdminApprovalsIdApproveOutput;
  };
  [path: `/admin/approvals/${string}/refuse`]: {
    body: AdminApprovalsIdApproveInput;
    data: AdminApprovalsIdApproveOutput;
  };
  "/admin/campaigns": {
    body: {
      campaign: string;
      title: { en: string; zh: string; ja: string };
      amount?: number | undefined;
      percent?: number | undefined;
      max_discount?: number | undefined;
      minimum?: number | undefined;
      monthly_budget: number;
      daily_budget?: number | undefined;
      free?: boolean | undefined;
      coupon_code?: string | undefined;
      ends_at: string;
    };
    data: { campaign: string };
  };
  [path: `/admin/campaigns/${string}`]: {
    body: {
      enabled?: boolean | undefined;
      monthly_budget?: (number | null) | undefined;
      daily_budget?: (number | null) | undefined;
      free?: boolean | undefined;
      minimum?: number | undefined;
      preview?: boolean | undefined;
    };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { campaign: string } | null;
    };
  };
  [path: `/admin/categories/${string}`]: {
    body: AdminCategoriesSlugInput;
    data: { slug: string; revision: number; saved: boolean };
  };
  [path: `/admin/changes/${string}/approve`]: {
    body: AdminApprovalsIdApproveInput;
    data: AdminChangesIdApproveOutput;
  };
  [path: `/admin/changes/${string}/refuse`]: {
    body: AdminApplicationsIdRefuseInput;
    data: AdminChangesIdApproveOutput;
  };
  [path: `/admin/changes/${string}/return`]: {
    body: AdminApplicationsIdRefuseInput;
    data: AdminChangesIdApproveOutput;
  };
  "/admin/commission": {
    body: {
      merchant?: string | undefined;
      category?: string | undefined;
      pass_type?: ("day" | "week" | "month" | "year" | "lifetime") | undefined;
      vip_type?: ("day" | "week" | "month" | "year" | "lifetime") | undefined;
      percent: number;
      fixed?: number | undefined;
      valid_from?: string | undefined;
    };
    data: { rule_id: string };
  };
  "/admin/coupons/revoke": {
    body: { coupon_code: string; reason: string; preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { coupon_code: string } | null;
    };
  };
  [path: `/admin/customers/${string}/coupon`]: {
    body: { campaign: string; reason: string; preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { coupon_code: string; expires_at: string | null } | null;
    };
  };
  [path: `/admin/customers/${string}/new-password`]: {
    body: { reason: string; preview?: boolean | undefined };
    data: AdminCustomersIdNewPasswordOutput;
  };
  [path: `/admin/customers/${string}/note`]: { body: { text: string }; data: { note_id: string } };
  [path: `/admin/customers/${string}/sessions/end`]: {
    body: { session_id?: string | undefined; preview?: boolean | undefined };
    data: AdminCustomersIdNewPasswordOutput;
  };
  [path: `/admin/customers/${string}/unlock`]: {
    body: Record<string, never>;
    data: { sign_in: boolean; second_factor: boolean };
  };
  "/admin/find": {
    body: { q: string };
    data: {
      items: {
        kind: "order" | "payment" | "customer" | "product" | "merchant" | "coupon" | "key";
        id: string;
        vip_id: number | null;
        owner_id: string | null;
        title: string;
        detail: string | null;
      }[];
    };
  };
  [path: `/admin/keys/batches/${string}/withdraw`]: {
    body: { preview?: boolean | undefined; request_id?: string | undefined };
    data: AdminKeysBatchesIdWithdrawOutput;
  };
  [path: `/admin/keys/withheld/${string}/release`]: {
    body: AdminKeysWithheldIdReleaseInput;
    data: AdminKeysWithheldIdReleaseOutput;
  };
  [path: `/admin/keys/withheld/${string}/revoke`]: {
    body: AdminKeysWithheldIdReleaseInput;
    data: AdminKeysWithheldIdReleaseOutput;
  };
  [path: `/admin/mails/${string}/again`]: {
    body: { preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { mail_id: string; to_address: string; state: "queued" | "sent" | "failed" | "dropped" } | null;
    };
  };
  [path: `/admin/merchants/${string}/allow-keys`]: {
    body: { version?: string | undefined };
    data: { merchant_id: string };
  };
  [path: `/admin/merchants/${string}/end`]: {
    body: AdminApplicationsIdRefuseInput;
    data: AdminMerchantsIdEndOutput;
  };
  [path: `/admin/merchants/${string}/invite`]: {
    body: { email: string; preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { merchant_id: string; invite_id: string } | null;
    };
  };
  [path: `/admin/merchants/${string}/name/approve`]: {
    body: AdminKeysWithheldIdReleaseInput;
    data: AdminMerchantsIdNameApproveOutput;
  };
  [path: `/admin/merchants/${string}/name/refuse`]: {
    body: AdminApplicationsIdRefuseInput;
    data: AdminMerchantsIdNameApproveOutput;
  };
  [path: `/admin/merchants/${string}/pause`]: {
    body: AdminApprovalsIdApproveInput;
    data: AdminMerchantsIdEndOutput;
  };
  [path: `/admin/merchants/${string}/resume`]: {
    body: AdminApprovalsIdApproveInput;
    data: AdminMerchantsIdEndOutput;
  };
  [path: `/admin/merchants/${string}/suspend`]: {
    body: AdminApplicationsIdRefuseInput;
    data: AdminMerchantsIdEndOutput;
  };
  [path: `/admin/merchants/${string}/trust`]: {
    body: { version?: string | undefined; trust: "new" | "trusted" };
    data: { merchant_id: string; trust: "new" | "trusted" };
  };
  [path: `/admin/orders/${string}/cancel`]: {
    body: AdminKeysWithheldIdReleaseInput;
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { order_id: string; status: Status } | null;
    };
  };
  [path: `/admin/orders/${string}/goodwill`]: {
    body: {
      version?: string | undefined;
      order_product_id: string;
      amount: number;
      refunded_amount: number;
      reason: string;
      preview?: boolean | undefined;
    };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { order_id: string; order_product_id: string; amount: number } | null;
    };
  };
  [path: `/admin/orders/${string}/note`]: { body: { text: string }; data: { note_id: string } };
  [path: `/admin/orders/${string}/refund`]: {
    body: { version?: string | undefined; order_product_id: string; preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: Result2 | null;
    };
  };
  [path: `/admin/orders/${string}/replace`]: {
    body: { version?: string | undefined; key_id: string; reason: string; preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: {
        request_id: string;
        order_id: string;
        key_id: string;
        state: "asked";
        asked_at: string;
      } | null;
    };
  };
  [path: `/admin/orders/${string}/resend`]: {
    body: { preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: Result3 | null;
    };
  };
  "/admin/orders/resend": {
    body: { order_ids: readonly string[]; preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { resent: number; failed: string[] } | null;
    };
  };
  "/admin/post-preview": {
    body: { locale: "en" | "zh" | "ja"; text: { title: string; description: string; body: string } };
    data: {
      title: string;
      description: string;
      html: string;
      reading_minutes: number;
      problems: { field: string; line: number | null; message: string }[];
    };
  };
  "/admin/posts": {
    body: {
      slug: string;
      author: string;
      category: string;
      image: string | null;
      recommended: boolean;
      related: readonly string[];
      published_on: string;
      listed: boolean;
      texts: Texts;
    };
    data: AdminPostsOutput;
  };
  [path: `/admin/posts/${string}`]: {
    body: {
      slug: string;
      author: string;
      category: string;
      image: string | null;
      recommended: boolean;
      related: readonly string[];
      published_on: string;
      listed: boolean;
      texts: Texts;
      revision: number;
    };
    data: AdminPostsOutput;
  };
  "/admin/products": {
    body: { line: Record<string, unknown>; note?: string | undefined; preview?: boolean | undefined };
    data: AdminProductsOutput;
  };
  [path: `/admin/products/${string}`]: {
    body:
      | {
          base_revision: number;
          line: Record<string, unknown>;
          note?: string | undefined;
          preview?: boolean | undefined;
        }
      | AdminProductsIdUndoInput
      | { allowed: boolean }
      | AdminProductsBulkInput;
    data: AdminProductsOutput | { allowed: boolean; product_id: number } | AdminProductsBulkOutput;
  };
  [path: `/admin/products/${string}/undo`]: { body: AdminProductsIdUndoInput; data: AdminProductsOutput };
  [path: `/admin/products/${string}/weak-codes`]: {
    body: { allowed: boolean };
    data: { allowed: boolean; product_id: number };
  };
  "/admin/products/bulk": { body: AdminProductsBulkInput; data: AdminProductsBulkOutput };
  [path: `/admin/referrals/${string}/refuse`]: {
    body: AdminKeysWithheldIdReleaseInput;
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { referral_id: string } | null;
    };
  };
  [path: `/admin/refunds/${string}/approve`]: {
    body: { version?: string | undefined; overrule?: boolean | undefined; preview?: boolean | undefined };
    data: AdminRefundsIdApproveOutput;
  };
  [path: `/admin/refunds/${string}/refuse`]: {
    body: AdminRefundsIdRefuseInput;
    data: AdminRefundsIdApproveOutput;
  };
  [path: `/admin/refunds/${string}/settle`]: {
    body: AdminApplicationsIdRefuseInput;
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { refund_id: string; amount: number } | null;
    };
  };
  "/admin/refunds/approve": {
    body: {
      refund_ids: readonly string[];
      versions?: Record<string, string> | undefined;
      preview?: boolean | undefined;
    };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { approved: number; failed: string[] } | null;
    };
  };
  [path: `/admin/replacements/${string}/approve`]: {
    body: AdminKeysWithheldIdReleaseInput;
    data: AdminReplacementsIdApproveOutput;
  };
  [path: `/admin/replacements/${string}/refuse`]: {
    body: AdminRefundsIdRefuseInput;
    data: AdminReplacementsIdApproveOutput;
  };
  [path: `/admin/reviews/${string}/hide`]: {
    body: { version?: string | undefined; reason: string };
    data: { review_id: string; state: "published" | "hidden" };
  };
  [path: `/admin/reviews/${string}/reply/refuse`]: {
    body: { version?: string | undefined; note: string };
    data: AdminReviewsIdReplyRefuseOutput;
  };
  [path: `/admin/reviews/${string}/reply/show`]: {
    body: { version?: string | undefined };
    data: AdminReviewsIdReplyRefuseOutput;
  };
  [path: `/admin/reviews/${string}/show`]: {
    body: { version?: string | undefined };
    data: { review_id: string; state: "published" | "hidden" } | AdminReviewsIdReplyRefuseOutput;
  };
  "/admin/shop/close": {
    body: { reason: string; preview?: boolean | undefined };
    data: AdminShopCloseOutput;
  };
  "/admin/shop/open": { body: { preview?: boolean | undefined }; data: AdminShopCloseOutput };
  "/admin/staff": {
    body: {
      email: string;
      roles: readonly ("support" | "catalogue" | "finance" | "admin")[];
      preview?: boolean | undefined;
    };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { changed: boolean } | null;
    };
  };
  "/admin/staff/reset-factor": { body: { email: string }; data: { reset: true } };
  "/admin/stuck/queues/retry": {
    body: { queue: string; preview?: boolean | undefined };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { queue: string; retried: number } | null;
    };
  };
  "/admin/stuck/retry": {
    body: {
      kind:
        | "payment_event"
        | "order"
        | "stock"
        | "overdue"
        | "hold"
        | "refund"
        | "mail_queued"
        | "job"
        | "reconciliation"
        | "audit_seals"
        | "custody_seals";
      id: string;
      preview?: boolean | undefined;
    };
    data: {
      effects:
        | (
            | { kind: "money_returned"; amount: number }
            | { kind: "refund_waits"; amount: number }
            | { kind: "paid_otherwise"; amount: number }
            | { kind: "payments_cancelled"; count: number }
            | { kind: "cancellation_open"; order_number: string }
            | Effect
            | { kind: "codes"; change: Change2; count: number }
            | { kind: "replacement_asked" }
            | { kind: "coupons_issued"; count: number }
            | Effect2
            | { kind: "coupons_returned"; count: number }
            | { kind: "coupons_revoked"; count: number }
            | { kind: "referrals_refused"; count: number }
            | { kind: "products_off"; count: number }
            | { kind: "products_on"; count: number }
            | { kind: "campaign_on"; campaign: string }
            | { kind: "campaign_off"; campaign: string }
            | Effect3
            | Effect4
            | { kind: "campaign_free"; campaign: string }
            | { kind: "campaign_paid"; campaign: string }
            | Effect5
            | Effect6
            | { kind: "password_removed" }
            | { kind: "sessions_ended"; count: number }
            | Effect7
            | { kind: "staff_mode_ended"; count: number }
            | { kind: "email"; event: Event; to: string }
            | Effect8
            | { kind: "jobs_retried"; count: number }
            | { kind: "shop_closed" }
            | { kind: "shop_opened"; count: number }
            | Effect9
            | { kind: "second_person" }
          )[]
        | null;
      result: { outcome: "queued" | "waiting" | "done" | "open" | "gone" } | null;
    };
  };
  [path: `/admin/synonyms/${string}`]: {
    body: AdminCategoriesSlugInput;
    data: { slug: string; revision: number; saved: boolean };
  };
  "/admin/views": { body: { list: List; name: string; filters: Record<string, string> }; data: Item4 };
  [path: `/admin/views/${string}/delete`]: { body: Record<string, never>; data: { deleted: true } };
  "/auth/billing/delete": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      address_id: string;
    };
    data: { addresses: Address[] };
  };
  "/auth/billing/save": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      address_id?: string | undefined;
      full_name: string;
      line1: string;
      line2?: (string | null) | undefined;
      city: string;
      region?: (string | null) | undefined;
      postal_code?: (string | null) | undefined;
      country: string;
      is_default?: boolean | undefined;
    };
    data: { address_id: string; addresses: Address[] };
  };
  "/auth/coupon/bind": { body: AuthCouponBindInput; data: Item5 };
  "/auth/coupon/preview": {
    body: AuthCouponBindInput;
    data: {
      coupon_code: string;
      title: string;
      kind: "daily" | "new_user" | "inviter" | "promotion";
      state: State4;
      amount: number | null;
      percent: number | null;
      max_discount: number | null;
      min_amount: number;
      first_order_only: boolean;
      free: boolean;
      starts_at: string | null;
      expires_at: string | null;
      used_at: string | null;
      held: boolean;
      order_id: string | null;
      shared: boolean;
    };
  };
  "/auth/coupon/query": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      coupon_code: string;
      cart_ids?: readonly string[] | undefined;
    };
    data: {
      coupon_code: string;
      state: "valid";
      title: string;
      bound: boolean;
      subtotal: number;
      discount_amount: number;
      final_amount: number;
      min_amount: number;
      expires_at: string | null;
    };
  };
  "/auth/coupon/send": { body: { campaign: string; email?: string | undefined }; data: Item5 };
  "/auth/delete": { body: { confirm: string }; data: { deleted: true } };
  "/auth/email/update": {
    body: { new_email: string; verification_code: string; verification_id?: string | undefined };
    data: AuthEmailUpdateOutput;
  };
  "/auth/email/verify-code": {
    body: { email: string; code: string };
    data: { email: string; is_verified: true };
  };
  "/auth/export": {
    body: Record<string, never>;
    data: {
      exported_at: string;
      account: {
        user_id: string;
        user_email: string;
        username: string;
        phone: string | null;
        country_code: string | null;
        email_verified: boolean;
        role: "user" | "staff";
        locale: string;
        invite_code: string;
        age_group: string | null;
        privacy_accepted_at: string | null;
        email_verified_at: string | null;
        created_at: string;
        signup_source: Record<string, string> | null;
        country: string | null;
        has_password: boolean;
        proven_emails: { email: string; proved_at: string }[];
      };
      sessions: {
        session_id: string;
        device: string;
        created_at: string;
        seen_at: string;
        current: boolean;
        time_zone: string | null;
        ended_at: string | null;
      }[];
      merchants: { merchant: string; role: string; created_at: string; ended_at: string | null }[];
      identities: { provider: string; subject: string; email: string; created_at: string }[];
      addresses: {
        address_id: string;
        full_name: string;
        line1: string;
        line2: string | null;
        city: string;
        region: string | null;
        postal_code: string | null;
        country: string;
        is_default: boolean;
        created_at: string;
      }[];
      cart: {
        product_id: number;
        vip_id: number;
        quantity: number;
        source: string | null;
        created_at: string;
      }[];
      orders: {
        order_id: string;
        order_number: string;
        country: string | null;
        time_zone: string | null;
        attribution: Record<string, string> | null;
        status: string;
        send_email: string;
        subtotal: number;
        discount: number;
        total: number;
        created_at: string;
        paid_at: string | null;
        shipped_at: string | null;
        cancelled_at: string | null;
        order_products: {
          product_id: number;
          vip_id: number;
          product_name: string;
          pass_type: string;
          quantity: number;
          unit_price: number;
          total: number;
          state: string;
          cart_at: string | null;
          cart_source: string | null;
          immediate_delivery: boolean | null;
          immediate_consent_at: string | null;
          consent: Consent | null;
          codes: {
            code: "••••";
            assigned_at: string | null;
            first_revealed_at: string | null;
            consent: Consent | null;
          }[];
        }[];
        gift: {
          state: string;
          recipient_email: string | null;
          deliver_on: string;
          time_zone: string;
          message: string;
          sent_at: string | null;
          claimed_at: string | null;
          returned_at: string | null;
        } | null;
        payments: {
          amount: number;
          state: string;
          receipt_email: string;
          card_fingerprint: string | null;
          created_at: string;
        }[];
        refunds: { amount: number; reason: string; state: string; created_at: string }[];
      }[];
      gifts_claimed: {
        message: string;
        claimed_at: string;
        passes: {
          product_id: number;
          product_name: string;
          pass_type: string;
          code: "••••";
          first_revealed_at: string | null;
          activated_at: string | null;
          consent: Consent | null;
        }[];
      }[];
      refund_requests: {
        order_id: string;
        amount: number;
        state: string;
        stated_country: string | null;
        created_at: string;
        decided_at: string | null;
      }[];
      reviews: {
        product_id: number;
        order_id: string;
        rating: number;
        title: string;
        content: string;
        state: string;
        created_at: string;
      }[];
      coupons: {
        code: string;
        campaign: string;
        amount: number | null;
        percent: number | null;
        state: string;
        order_id: string | null;
        created_at: string;
        expires_at: string | null;
      }[];
      referrals: {
        state: string;
        role: "inviter" | "friend";
        created_at: string;
        decided_at: string | null;
      }[];
      wait_list: { vip_id: number; email: string; state: string; created_at: string }[];
      wishlist: {
        product_id: number;
        seen_prices: Record<string, number>;
        seen_in_stock: boolean;
        created_at: string;
        mailed_at: string | null;
      }[];
      subscriptions: {
        topic: string;
        state: string;
        created_at: string;
        confirmed_at: string | null;
        ended_at: string | null;
      }[];
      unsubscribed: { topic: string; created_at: string }[];
      searches: { content: string; locale: string; created_at: string }[];
      sources: {
        event_type: string;
        source: string | null;
        campaign: string | null;
        medium: string | null;
        content: string | null;
        landing_page: string | null;
        referrer: string | null;
        order_id: string | null;
        created_at: string;
      }[];
      activity: { action: string; subject: string; created_at: string }[];
      applications: { product_url: string; phone_num: string; state: string; created_at: string }[];
      contact_messages: { email: string; message: string; order_number: string | null; created_at: string }[];
      mails: { event: string; to: string; state: string; created_at: string; sent_at: string | null }[];
    };
  };
  "/auth/login/email": { body: { user_email: string; user_password: string }; data: AuthEmailUpdateOutput };
  "/auth/login/github": {
    body: {
      redirect?: (string | null) | undefined;
      add?: (string | null) | undefined;
      surface?: ("desktop" | "mobile") | undefined;
      invited_account?: (string | null) | undefined;
      source_info?: (SourceInfo | null) | undefined;
    };
    data: { url: string };
  };
  "/auth/login/google": {
    body: {
      google_token: string;
      invited_account?: (string | null) | undefined;
      source_info?: (SourceInfo | null) | undefined;
    };
    data: AuthEmailUpdateOutput;
  };
  "/auth/login/google/nonce": { body: Record<string, never>; data: { nonce: string } };
  "/auth/logout": { body: Record<string, never>; data: null };
  "/auth/notifications": {
    body: {
      discounts?: boolean | undefined;
      wait_list?: boolean | undefined;
      wishlist?: boolean | undefined;
      locale?: ("en" | "zh" | "ja") | undefined;
    };
    data: AuthNotificationsOutput;
  };
  "/auth/payment/delete": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      payment_id: string;
    };
    data: { payment_id: string };
  };
  "/auth/phone/update": {
    body: { new_phone: string; country_code?: (string | null) | undefined };
    data: { phone: string | null; country_code: string | null };
  };
  "/auth/reauthenticate": {
    body: {
      password?: string | undefined;
      verification_code?: string | undefined;
      verification_id?: string | undefined;
      second_factor?: string | undefined;
    };
    data: { proved: true; expires_in: number };
  };
  "/auth/refresh": { body: { refresh_token: string }; data: AuthEmailUpdateOutput };
  "/auth/register/direct": {
    body: {
      create_user_id?: string | undefined;
      user_email: string;
      user_password: string;
      username?: string | undefined;
      accept_privacy?: boolean | undefined;
      age_group?: ("adult" | "minor_with_guardian" | "under_13") | undefined;
      invited_account?: (string | null) | undefined;
      auth_provider?: (string | null) | undefined;
      source_info?: (SourceInfo | null) | undefined;
      tracking_id?: (string | null) | undefined;
      id?: (string | null) | undefined;
    };
    data: AuthEmailUpdateOutput;
  };
  "/auth/register/email": {
    body: {
      create_user_id?: string | undefined;
      user_email: string;
      user_password: string;
      username?: string | undefined;
      accept_privacy?: boolean | undefined;
      age_group?: ("adult" | "minor_with_guardian" | "under_13") | undefined;
      invited_account?: (string | null) | undefined;
      auth_provider?: (string | null) | undefined;
      source_info?: (SourceInfo | null) | undefined;
      verification_code: string;
      verification_id?: string | undefined;
    };
    data: AuthEmailUpdateOutput;
  };
  "/auth/reset-password": {
    body: {
      email: string;
      new_password: string;
      verification_code: string;
      verification_id?: string | undefined;
    };
    data: { reset: true };
  };
  "/auth/second-factor": { body: { code: string }; data: AuthSecondFactorOutput };
  "/auth/second-factor/confirm": { body: { code: string }; data: { recovery_codes: string[] } };
  "/auth/second-factor/leave": { body: Record<string, never>; data: { left: true } };
  "/auth/second-factor/recovery-codes": { body: Record<string, never>; data: { recovery_codes: string[] } };
  "/auth/second-factor/setup": {
    body: Record<string, never>;
    data: { secret: string; uri: string; qr_svg: string };
  };
  "/auth/send-verification-code": {
    body: {
      email: string;
      verification_type: "register" | "reset_password" | "change_email" | "order_email" | "bind_phone";
    };
    data: { verification_id: string; resend_after: number; expires_in: number };
  };
  "/auth/sessions/revoke": {
    body: { session_id?: string | undefined; all_others?: true | undefined; all?: true | undefined };
    data: { revoked: number; signed_out: boolean };
  };
  "/auth/verify-reset-code": {
    body: { email: string; verification_code: string; verification_id?: string | undefined };
    data: { verified: true };
  };
  "/business/invite": {
    body: { token: string };
    data: {
      state: "open" | "used" | "expired";
      merchant_name: string;
      role: "owner" | "member";
      expires_at: string;
      for_viewer: boolean | null;
      handle: string | null;
    };
  };
  "/business/invite/accept": { body: { token: string }; data: { handle: string; role: "owner" | "member" } };
  "/business/register": {
    body: { email: string; productUrl: string; phoneNum: string };
    data: { application_id: string; state: "received" };
  };
  "/cart/add": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      product_id: number;
      vip_id: number;
      quantity?: number | undefined;
    };
    data: { cart_id: string; quantity: number; total: number };
  };
  "/cart/auto-add": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      product_id: number;
      vip_id?: number | undefined;
    };
    data: { cart_id: string; quantity: number; total: number };
  };
  "/cart/delete": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      cart_id: string;
    };
    data: { total: number };
  };
  "/cart/settle": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      cart_ids?: readonly string[] | undefined;
    };
    data: {
      cart_items: CartItem[];
      subtotal: number;
      discount_amount: number;
      final_amount: number;
      currency: "usd";
    };
  };
  "/cart/update": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      cart_id: string;
      quantity?: number | undefined;
      vip_id?: number | undefined;
      selected?: boolean | undefined;
    };
    data: CartListOutput;
  };
  "/comment/create": {
    body: { product_id: number; order_id: string; rating: number; title: string; content: string };
    data: { review_id: string };
  };
  "/contact/create": {
    body: {
      email: string;
      message: string;
      order_number?: (string | null) | undefined;
      website?: (string | null) | undefined;
    };
    data: { reference: string };
  };
  "/gift/claim": { body: GiftClaimInput; data: { claimed_at: string; library_ids: string[] } };
  "/gift/view": {
    body: GiftClaimInput;
    data: {
      state: "open" | "claimed" | "returned" | "refunded" | "disputed";
      yours: boolean;
      message: string;
      claim_until: string | null;
      passes: {
        slug: string;
        product_name: string;
        product_image: string;
        language: "en" | "zh" | "ja";
        maker: string;
        pass_type: "day" | "week" | "month" | "year" | "lifetime";
        vip_type: string;
        duration_days: number | null;
        quantity: number;
      }[];
    };
  };
  "/library/activate": {
    body: { library_id: string; activated_at?: string | undefined };
    data: { library_id: string; activated_at: string; ends_at: string | null };
  };
  "/library/replace": {
    body: { library_id: string; reason: string };
    data: {
      state: "asked" | "approved" | "refused";
      asked_by_staff: boolean;
      asked_at: string;
      decided_at: string | null;
      library_id: string;
    };
  };
  "/library/reveal": {
    body: { library_id: string };
    data: { library_id: string; code: string; revealed_at: string };
  };
  "/merchant/changes": {
    body: {
      product_id?: (number | null) | undefined;
      base_revision: number;
      line: Record<string, unknown>;
      preview?: boolean | undefined;
    };
    data: MerchantChangesOutput;
  };
  [path: `/merchant/changes/${string}`]: {
    body: AdminCategoriesSlugInput | Record<string, never>;
    data: MerchantChangesOutput | Result;
  };
  [path: `/merchant/changes/${string}/cancel`]: { body: Record<string, never>; data: Result };
  [path: `/merchant/changes/${string}/propose`]: { body: Record<string, never>; data: Result };
  "/merchant/invites": {
    body: { email: string; role?: ("owner" | "member") | undefined };
    data: { invite_id: string; expires_at: string };
  };
  [path: `/merchant/invites/${string}/revoke`]: {
    body: Record<string, never>;
    data: { invite_id: string; revoked: true };
  };
  [path: `/merchant/keys/batches/${string}/undo-withdrawal`]: {
    body: Record<string, never>;
    data: { batch_id: string; restored: number };
  };
  [path: `/merchant/keys/batches/${string}/withdraw`]: {
    body: { preview?: boolean | undefined };
    data: AdminKeysBatchesIdWithdrawOutput;
  };
  [path: `/merchant/members/${string}/end`]: {
    body: Record<string, never>;
    data: { member_id: string; ended: true };
  };
  [path: `/merchant/members/${string}/role`]: {
    body: { role: "owner" | "member" };
    data: { member_id: string; role: "owner" | "member" };
  };
  "/merchant/pause": { body: Record<string, never>; data: MerchantPauseOutput };
  [path: `/merchant/plans/${string}/pause`]: {
    body: Record<string, never>;
    data: MerchantPlansIdPauseOutput;
  };
  [path: `/merchant/plans/${string}/price`]: {
    body: { price: number; preview?: boolean | undefined };
    data: MerchantChangesOutput;
  };
  [path: `/merchant/plans/${string}/resume`]: {
    body: Record<string, never>;
    data: MerchantPlansIdPauseOutput;
  };
  "/merchant/profile": {
    body: {
      name: string;
      website?: (string | null) | undefined;
      support_email?: (string | null) | undefined;
      country?: (string | null) | undefined;
      locale: "en" | "zh" | "ja";
      texts: { en?: string | undefined; zh?: string | undefined; ja?: string | undefined };
      closed_until?: (string | null) | undefined;
      revision: string;
    };
    data: MerchantProfileOutput;
  };
  [path: `/merchant/requests/${string}/answer`]: {
    body: {
      version?: string | undefined;
      answer: "used" | "unused" | "replace" | "refuse";
      reason?: string | undefined;
    };
    data: { request_id: string; kind: "refund" | "replacement"; state: "approved" | "refused" };
  };
  "/merchant/resume": { body: Record<string, never>; data: MerchantPauseOutput };
  [path: `/merchant/reviews/${string}/reply`]: {
    body: { text: string };
    data: AdminReviewsIdReplyRefuseOutput;
  };
  [path: `/merchant/stock/${string}`]: {
    body: { kind: "days" | "codes" | "off"; value: number };
    data: { kind: "days" | "codes" | "off"; value: number; plan_id: number };
  };
  "/merchant/tokens": {
    body: {
      name: string;
      scopes: readonly Scope[];
      networks?: readonly string[] | undefined;
      days?: (number | null) | undefined;
    };
    data: { token_id: string; token: string; expires_at: string | null };
  };
  [path: `/merchant/tokens/${string}/revoke`]: {
    body: Record<string, never>;
    data: { token_id: string; revoked: true };
  };
  "/order/cancel": { body: AdminOrderDetailInput; data: { order_id: string; status: Status } };
  "/order/create": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      cart_record_ids?: readonly string[] | undefined;
      vip_id?: number | undefined;
      coupon_code?: string | undefined;
      send_email?: string | undefined;
      expected_total?: number | undefined;
    };
    data: { order_id: string; order_number: string; final_amount: number; hold_ends_at: string };
  };
  "/order/delete": { body: AdminOrderDetailInput; data: { order_id: string } };
  "/order/free-payment": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      final_amount?: number | undefined;
      keep_in_library?: boolean | undefined;
      immediate_delivery?: boolean | undefined;
    };
    data: { order_id: string; status: Status };
  };
  "/order/gift/remove": { body: AdminOrderDetailInput; data: { order_id: string; gift: Gift | null } };
  "/order/gift/resend": { body: AdminOrderDetailInput; data: { order_id: string; gift: Gift } };
  "/order/gift/save": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      recipient_email: string;
      deliver_on?: string | undefined;
      message?: string | undefined;
    };
    data: { order_id: string; gift: Gift };
  };
  "/order/refund/request": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      order_product_id: string;
    };
    data: Result2;
  };
  "/order/resend": { body: AdminOrderDetailInput; data: Result3 };
  "/order/update-delivery": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      keep_in_library?: boolean | undefined;
      immediate_delivery?: boolean | undefined;
      country?: string | undefined;
    };
    data: {
      order_id: string;
      keep_in_library: boolean;
      immediate_delivery: boolean | null;
      country: string | null;
      withdrawal_applies: boolean;
      kept_order_product_ids: string[];
    };
  };
  "/order/update-status": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      status: Status;
      transaction_id?: string | undefined;
    };
    data: { order_id: string; status: Status };
  };
  "/order/update/email": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      send_email: string;
      is_verified?: boolean | undefined;
    };
    data: { order_id: string; send_email: string };
  };
  "/order/vendor-confirmation": {
    body: { token: string };
    data: { answer: "used" | "unused"; decided: boolean; state: "asked" | "approved" | "refused" };
  };
  "/order/withdraw": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      email?: string | undefined;
      code?: string | undefined;
      token?: string | undefined;
      confirm?: boolean | undefined;
      country?: string | undefined;
      order_product_ids?: readonly string[] | undefined;
    };
    data: {
      step: "code_sent" | "review" | "done";
      order_id: string;
      token: string | null;
      resend_after: number | null;
      withdraw_until: string | null;
      lines: {
        order_product_id: string;
        product_name: string;
        language: "en" | "zh" | "ja";
        duration_days: number | null;
        quantity: number;
        units: number;
        amount: number;
        review_units: number;
        review_amount: number;
        reason:
          | "open"
          | "unpaid"
          | "free"
          | "returned"
          | "shown"
          | "elsewhere"
          | "review"
          | "over"
          | "disputed";
      }[];
      refund_amount: number;
      review_amount: number;
      country: string | null;
      email: string | null;
    };
  };
  "/payment/add": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      payment_method_id?: string | undefined;
      setup_id?: string | undefined;
    };
    data:
      | {
          client_secret: string;
          publishableKey: string;
          payment_mode: "sandbox" | "test" | "live";
          setup_id: string;
        }
      | Card;
  };
  "/payment/sandbox/confirm": {
    body: {
      client_secret: string;
      outcome:
        | "succeeded"
        | "declined"
        | "requires_action"
        | "processing_succeeded"
        | "processing_failed"
        | "silent";
      payment_method?: string | undefined;
    };
    data: { status: string };
  };
  "/payment/sandbox/confirm-setup": {
    body: {
      client_secret: string;
      card: "visa" | "mastercard" | "authentication" | "declined" | "approved" | "refused";
    };
    data: { status: string; problem: string | null };
  };
  "/payment/stripe/create-payment-intent": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      order_id: string;
      amount?: number | undefined;
      currency?: string | undefined;
      product_name?: string | undefined;
      save_card?: boolean | undefined;
      keep_in_library?: boolean | undefined;
      immediate_delivery?: boolean | undefined;
      choose_later?: boolean | undefined;
    };
    data: { client_secret: string; publishableKey: string; payment_mode: "sandbox" | "test" | "live" };
  };
  "/payment/stripe/webhook": { body: Record<string, never>; data: { received: boolean } };
  "/product/search": {
    body: {
      keyword?: string | undefined;
      sort?: ("recommend" | "price_asc" | "price_desc" | "price_per_day") | undefined;
      category?: string | undefined;
      vip_type?: string | undefined;
      pass_type?: ("day" | "week" | "month" | "year" | "lifetime") | undefined;
      in_stock?: (string | boolean) | undefined;
      price_from?: number | undefined;
      price_to?: number | undefined;
      price_per_day_to?: number | undefined;
      page?: number | undefined;
      size?: number | undefined;
    };
    data: {
      items: Item6[];
      total: number;
      total_exact: boolean;
      match: "exact" | "corrected" | "closest";
      corrected: string | null;
    };
  };
  "/search/record/manage": {
    body: {
      user_id?: string | undefined;
      search_content: string;
      search_device_type: "phone" | "computer";
      search_time?: ((number | string) | null) | undefined;
      browser_language?: (string | null) | undefined;
      country_region?: (string | null) | undefined;
      search_device_model?: (string | null) | undefined;
    };
    data: { recorded: boolean };
  };
  "/subscription/create": { body: { email: string; topic?: "discounts" | undefined }; data: { sent: true } };
  "/subscription/unsubscribe": {
    body: {
      token?: string | undefined;
      email?: string | undefined;
      all?: boolean | undefined;
      "List-Unsubscribe"?: string | undefined;
    };
    data: { state: "ended" | "sent"; topics: ("discounts" | "wait_list" | "wishlist")[] };
  };
  "/tracking/source-refresh": {
    body: {
      source?: (string | null) | undefined;
      campaign?: (string | null) | undefined;
      medium?: (string | null) | undefined;
      content?: (string | null) | undefined;
      marketingUserId?: (string | null) | undefined;
      tracking_id?: (string | null) | undefined;
      timestamp?: ((number | string) | null) | undefined;
      user_id?: string | undefined;
    };
    data: { live: boolean };
  };
  "/tracking/source-tracking": {
    body: {
      source?: (string | null) | undefined;
      campaign?: (string | null) | undefined;
      medium?: (string | null) | undefined;
      content?: (string | null) | undefined;
      event_type: "visit" | "order";
      landingPage?: (string | null) | undefined;
      referrer?: (string | null) | undefined;
      marketingUserId?: (string | null) | undefined;
      tracking_id?: (string | null) | undefined;
      timestamp?: ((number | string) | null) | undefined;
      user_id?: string | undefined;
      userId?: string | undefined;
      orderId?: (string | null) | undefined;
      productId?: ((string | number) | null) | undefined;
      vipId?: ((string | number) | null) | undefined;
      email?: (string | null) | undefined;
    };
    data: { recorded: boolean };
  };
  "/visit/record": {
    body: {
      ip_address?: (string | null) | undefined;
      visit_device_type: "mobile" | "desktop";
      browser_language?: (string | null) | undefined;
      visit_device_model?: (string | null) | undefined;
      page_url: string;
    };
    data: { recorded: boolean };
  };
  "/voucher/free/claim": {
    body: {
      user_id?: string | undefined;
      update_user_id?: string | undefined;
      create_user_id?: string | undefined;
      type: "daily" | "new_user";
    };
    data: Item5;
  };
  "/wait-list/create": {
    body: { user_id?: string | undefined; vip_id: number; email?: string | undefined };
    data: { wait_list_id: string; vip_id: number; email: string };
  };
  "/wishlist/add": {
    body: { user_id?: string | undefined; product_id: number };
    data: { product_ids: number[]; total: number };
  };
  "/wishlist/merge": {
    body: { user_id?: string | undefined; product_ids: readonly number[] };
    data: { product_ids: number[]; total: number };
  };
  "/wishlist/remove": {
    body: { user_id?: string | undefined; product_id: number };
    data: { product_ids: number[]; total: number };
  };
};

export type PutCalls = {
  "/auth/username/update": { body: { new_username: string }; data: { username: string } };
};

export type FileCalls = {
  "/admin/images": { query: Record<string, never>; data: AdminImagesOutput };
  "/admin/imports/catalog/preview": {
    query: { take_over?: (string | boolean) | undefined };
    data: AdminImportsCatalogPreviewOutput;
  };
  "/admin/imports/catalog/run": {
    query: { sha256: string; name: string; take_over?: (string | boolean) | undefined };
    data: { import_id: string };
  };
  "/admin/imports/coupons/preview": {
    query: { confirm_held?: (string | boolean) | undefined };
    data: AdminImportsCatalogPreviewOutput;
  };
  "/admin/imports/coupons/run": { query: AdminImportsCouponsRunInput; data: { import_id: string } };
  "/admin/imports/keys/preview": {
    query: { confirm_held?: (string | boolean) | undefined };
    data: AdminImportsCatalogPreviewOutput;
  };
  "/admin/imports/keys/run": { query: AdminImportsCouponsRunInput; data: { import_id: string } };
  "/admin/imports/pictures": { query: { name: string }; data: { name: string } };
  "/merchant/images": { query: Record<string, never>; data: AdminImagesOutput };
  "/merchant/keys/import": {
    query: {
      confirm_held?: (string | boolean) | undefined;
      sha256: string;
      name: string;
      source: "issued" | "licensed";
      statement: string;
    };
    data: {
      batch_id: string;
      name: string;
      sha256: string;
      source: "issued" | "licensed";
      state: "running" | "done" | "failed" | "broken";
      lines: number;
      counts: { "new": number; known: number; refused: number };
      available: number;
      undo_until: string | null;
      by: string;
      started_at: string;
      ended_at: string | null;
      statement: string;
      reserved: number;
      sold: number;
      replaced: number;
      replaced_share: number | null;
      withdrawn: number;
      refused: { line: number; reason: string; message: string }[];
      started: boolean;
    };
  };
  "/merchant/keys/preview": {
    query: { confirm_held?: (string | boolean) | undefined };
    data: {
      sha256: string;
      lines: number;
      counts: { "new": number; known: number; refused: number };
      refused: { line: number; reason: string; message: string }[];
      held: number;
      batch_id: string | null;
    };
  };
};
