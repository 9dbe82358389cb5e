-- The baseline: every table as of 23 November 2026. Functions and triggers are in db/functions.

-- The shop's clock. Defaults of columns call shop_now(), so the tables need it; db/functions/shop_now.sql replaces it.
CREATE TABLE "shop_clock" (
	"only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
	"shift" interval NOT NULL DEFAULT '0'
);
--> statement-breakpoint
INSERT INTO "shop_clock" DEFAULT VALUES;
--> statement-breakpoint
CREATE FUNCTION shop_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT now() + (SELECT shift FROM shop_clock)
$$;
--> statement-breakpoint
-- Which files of db/functions this database has, by their content (scripts/migrate.ts).
CREATE TABLE "applied_functions" (
	"name" text PRIMARY KEY,
	"hash" text NOT NULL,
	"applied_at" timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE "billing_addresses" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"full_name" text NOT NULL,
	"line1" text NOT NULL,
	"line2" text,
	"city" text NOT NULL,
	"region" text,
	"postal_code" text,
	"country" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"refresh_hash" text NOT NULL,
	"previous_refresh_hash" text,
	"rotated_at" timestamp with time zone,
	"device" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"reauthenticated_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_identities" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "user_identities_provider" CHECK (provider in ('google', 'github'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"username" text NOT NULL,
	"password_hash" text,
	"email_verified_at" timestamp with time zone,
	"phone" text,
	"country_code" text,
	"locale" text NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"age_group" text,
	"privacy_accepted_at" timestamp with time zone,
	"invite_code" text NOT NULL,
	"invited_by" text,
	"signup_source" jsonb,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "users_invite_code_unique" UNIQUE("invite_code"),
	CONSTRAINT "users_role" CHECK (role in ('user', 'staff')),
	CONSTRAINT "users_not_under_13" CHECK (age_group is distinct from 'under_13')
);
--> statement-breakpoint
CREATE TABLE "verification_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"purpose" text NOT NULL,
	"user_id" text,
	"code_hash" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"requester_network" text,
	"tries_from_other_networks" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "verification_codes_purpose" CHECK (purpose in ('register', 'reset_password', 'change_email', 'order_email', 'bind_phone', 'withdraw')),
	CONSTRAINT "verification_codes_tries" CHECK (tries >= 0)
);
--> statement-breakpoint
CREATE TABLE "verified_emails" (
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "post_texts" (
	"post_id" integer NOT NULL,
	"locale" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "post_texts_post_id_locale_pk" PRIMARY KEY("post_id","locale")
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "posts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 301 CACHE 1),
	"slug" text NOT NULL,
	"author" text NOT NULL,
	"category" text NOT NULL,
	"image" text DEFAULT 'placeholder' NOT NULL,
	"recommended" boolean DEFAULT false NOT NULL,
	"related" jsonb NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"listed" boolean DEFAULT true NOT NULL,
	"import_hash" text NOT NULL,
	CONSTRAINT "posts_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "cart_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"product_id" integer NOT NULL,
	"plan_id" integer NOT NULL,
	"quantity" integer NOT NULL,
	"selected" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "cart_lines_quantity" CHECK (quantity > 0)
);
--> statement-breakpoint
CREATE TABLE "catalog_counts" (
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"total" integer NOT NULL,
	CONSTRAINT "catalog_counts_kind_name_pk" PRIMARY KEY("kind","name")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"slug" text PRIMARY KEY NOT NULL,
	"sort_num" integer NOT NULL,
	"hue" integer NOT NULL,
	"names" jsonb NOT NULL,
	"import_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deals" (
	"id" text PRIMARY KEY NOT NULL,
	"plan_id" integer NOT NULL,
	"price_cents" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"quantity" integer NOT NULL,
	"claimed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "deals_claimed" CHECK (claimed between 0 and quantity),
	CONSTRAINT "deals_price" CHECK (price_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "listing_index" (
	"plan_id" integer PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"sort_num" integer NOT NULL,
	"category" text NOT NULL,
	"vendor" text NOT NULL,
	"type" text NOT NULL,
	"duration_days" integer,
	"position" integer NOT NULL,
	"price_cents" integer NOT NULL,
	"price_per_day_cents" integer,
	"deal_ends_at" timestamp with time zone,
	"in_stock" boolean NOT NULL,
	"buyable" boolean NOT NULL,
	"best" boolean NOT NULL,
	"best_of_type" boolean NOT NULL,
	"changes_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "listing_index_queue" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "listing_index_queue_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 5001 CACHE 1),
	"product_id" integer NOT NULL,
	"type" text NOT NULL,
	"duration_days" integer,
	"price_cents" integer NOT NULL,
	"list_price_cents" integer,
	"purchase_limit" integer,
	"availability" text NOT NULL,
	"releases_at" timestamp with time zone,
	"region" jsonb NOT NULL,
	"activation" jsonb,
	"position" integer NOT NULL,
	"listed" boolean DEFAULT true NOT NULL,
	CONSTRAINT "plans_type" CHECK (type in ('day', 'week', 'month', 'year', 'lifetime')),
	CONSTRAINT "plans_availability" CHECK (availability in ('in_stock', 'pre_order', 'paused')),
	CONSTRAINT "plans_price" CHECK (price_cents >= 0 and (list_price_cents is null or list_price_cents > price_cents)),
	CONSTRAINT "plans_duration" CHECK ((type = 'lifetime') = (duration_days is null) and coalesce(duration_days, 1) > 0),
	CONSTRAINT "plans_free_is_limited" CHECK (price_cents > 0 or purchase_limit = 1),
	CONSTRAINT "plans_pre_order_has_date" CHECK (availability <> 'pre_order' or releases_at is not null)
);
--> statement-breakpoint
CREATE TABLE "product_images" (
	"hash" text PRIMARY KEY NOT NULL,
	"mime" text NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_texts" (
	"product_id" integer NOT NULL,
	"locale" text NOT NULL,
	"name" text NOT NULL,
	"tagline" text NOT NULL,
	"description" text NOT NULL,
	"includes" jsonb NOT NULL,
	CONSTRAINT "product_texts_product_id_locale_pk" PRIMARY KEY("product_id","locale")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1001 CACHE 1),
	"slug" text NOT NULL,
	"vendor" text NOT NULL,
	"vendor_email" text,
	"category" text NOT NULL,
	"image" text NOT NULL,
	"sort_num" integer NOT NULL,
	"activation" jsonb NOT NULL,
	"listed" boolean DEFAULT true NOT NULL,
	"import_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "products_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "search_documents" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"sort_num" integer NOT NULL,
	"document" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_vocabulary" (
	"word" text PRIMARY KEY NOT NULL,
	"rank" smallint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"title" jsonb NOT NULL,
	"code" text,
	"amount_cents" integer,
	"percent" integer,
	"max_discount_cents" integer,
	"minimum_cents" integer DEFAULT 0 NOT NULL,
	"first_order_only" boolean DEFAULT false NOT NULL,
	"valid_hours" integer,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"monthly_budget_cents" integer,
	"budget_month" text DEFAULT '' NOT NULL,
	"promised_cents" integer DEFAULT 0 NOT NULL,
	"monthly_cap" integer,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "campaigns_code_unique" UNIQUE("code"),
	CONSTRAINT "campaigns_kind" CHECK (kind in ('daily', 'new_user', 'inviter', 'promotion')),
	CONSTRAINT "campaigns_worth" CHECK ((amount_cents is null) <> (percent is null)),
	CONSTRAINT "campaigns_amount" CHECK (coalesce(amount_cents, 1) > 0 and coalesce(percent, 1) between 1 and 100),
	CONSTRAINT "campaigns_code" CHECK (code = upper(code)),
	CONSTRAINT "campaigns_budget" CHECK (promised_cents >= 0 and (monthly_budget_cents is null or monthly_budget_cents >= 0) and minimum_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"campaign_id" text NOT NULL,
	"user_id" text,
	"amount_cents" integer,
	"percent" integer,
	"max_discount_cents" integer,
	"minimum_cents" integer NOT NULL,
	"first_order_only" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"state" text DEFAULT 'open' NOT NULL,
	"order_id" text,
	"issue_key" text,
	"promised_cents" integer DEFAULT 0 NOT NULL,
	"promised_month" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"bound_at" timestamp with time zone,
	"used_at" timestamp with time zone,
	CONSTRAINT "coupons_code_unique" UNIQUE("code"),
	CONSTRAINT "coupons_order_id_unique" UNIQUE("order_id"),
	CONSTRAINT "coupons_issue_key_unique" UNIQUE("issue_key"),
	CONSTRAINT "coupons_state" CHECK (state in ('open', 'reserved', 'used', 'revoked')),
	CONSTRAINT "coupons_code" CHECK (code = upper(code)),
	CONSTRAINT "coupons_worth" CHECK ((amount_cents is null) <> (percent is null)),
	CONSTRAINT "coupons_amount" CHECK (coalesce(amount_cents, 1) > 0 and coalesce(percent, 1) between 1 and 100),
	CONSTRAINT "coupons_order" CHECK ((state in ('reserved', 'used')) = (order_id is not null)),
	CONSTRAINT "coupons_owner" CHECK (order_id is null or user_id is not null),
	CONSTRAINT "coupons_promised" CHECK (promised_cents >= 0 and minimum_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "custody_seals" (
	"event_id" bigint PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"position" integer NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "custody_seals_position" CHECK (position > 0)
);
--> statement-breakpoint
CREATE TABLE "key_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "key_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key_id" text NOT NULL,
	"event" text NOT NULL,
	"order_line_id" text,
	"actor" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "key_events_event" CHECK (event in ('imported', 'reserved', 'released', 'assigned', 'mailed', 'revealed', 'quarantined', 'revoked', 'activated', 'resealed'))
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" text PRIMARY KEY NOT NULL,
	"plan_id" integer NOT NULL,
	"state" text DEFAULT 'available' NOT NULL,
	"sealed" "bytea" NOT NULL,
	"vault_key_id" text NOT NULL,
	"fingerprint" text NOT NULL,
	"redeem_by" timestamp with time zone,
	"order_line_id" text,
	"slot" integer,
	"redemption" text DEFAULT 'unknown' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"reserved_at" timestamp with time zone,
	"assigned_at" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	"first_revealed_at" timestamp with time zone,
	"activated_at" timestamp with time zone,
	"reminded_at" timestamp with time zone,
	CONSTRAINT "keys_fingerprint_unique" UNIQUE("fingerprint"),
	CONSTRAINT "keys_state" CHECK (state in ('available', 'reserved', 'assigned', 'quarantined', 'revoked')),
	CONSTRAINT "keys_redemption" CHECK (redemption in ('unknown', 'unredeemed', 'redeemed')),
	CONSTRAINT "keys_bound" CHECK ((state <> 'available' or order_line_id is null) and (state not in ('reserved', 'assigned') or order_line_id is not null) and (order_line_id is null) = (slot is null) and coalesce(slot, 1) > 0)
);
--> statement-breakpoint
CREATE TABLE "replacement_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"user_id" text NOT NULL,
	"reason" text NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"new_key_id" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	CONSTRAINT "replacement_requests_state" CHECK (state in ('asked', 'approved', 'refused')),
	CONSTRAINT "replacement_requests_new" CHECK ((state = 'approved') = (new_key_id is not null))
);
--> statement-breakpoint
CREATE TABLE "merchant_applications" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"product_url" text NOT NULL,
	"phone_num" text NOT NULL,
	"locale" text NOT NULL,
	"source" jsonb,
	"state" text DEFAULT 'received' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"note" text,
	CONSTRAINT "merchant_applications_state" CHECK (state in ('received', 'approved', 'refused')),
	CONSTRAINT "merchant_applications_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "deal_announcements" (
	"deal_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_optouts" (
	"email" text NOT NULL,
	"topic" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "mail_optouts_email_topic_pk" PRIMARY KEY("email","topic"),
	CONSTRAINT "mail_optouts_topic" CHECK (topic in ('discounts', 'wait_list')),
	CONSTRAINT "mail_optouts_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" text PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"to_address" text NOT NULL,
	"locale" text NOT NULL,
	"refs" jsonb NOT NULL,
	"dedupe_key" text NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"failed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "mails_dedupe_key_unique" UNIQUE("dedupe_key"),
	CONSTRAINT "mails_state" CHECK (state in ('queued', 'sent', 'failed', 'dropped'))
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"topic" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"requested_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "subscriptions_topic" CHECK (topic in ('discounts')),
	CONSTRAINT "subscriptions_state" CHECK (state in ('pending', 'confirmed', 'ended')),
	CONSTRAINT "subscriptions_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "wait_list" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"plan_id" integer NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "wait_list_state" CHECK (state in ('waiting', 'told', 'left'))
);
--> statement-breakpoint
CREATE TABLE "order_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" text NOT NULL,
	"from_status" text,
	"event" text NOT NULL,
	"to_status" text NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"product_id" integer NOT NULL,
	"plan_id" integer NOT NULL,
	"position" integer NOT NULL,
	"quantity" integer NOT NULL,
	"unit_price_cents" integer NOT NULL,
	"discount_cents" integer DEFAULT 0 NOT NULL,
	"total_cents" integer NOT NULL,
	"refunded_quantity" integer DEFAULT 0 NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"pass_type" text NOT NULL,
	"duration_days" integer,
	"deal_id" text,
	"pre_order" boolean DEFAULT false NOT NULL,
	"refund_rule" jsonb NOT NULL,
	"state" text DEFAULT 'reserved' NOT NULL,
	"keep_in_library" boolean DEFAULT false NOT NULL,
	"immediate_consent_at" timestamp with time zone,
	"deliver_by" timestamp with time zone,
	CONSTRAINT "order_lines_refunded" CHECK (refunded_quantity between 0 and quantity and refunded_cents between 0 and total_cents),
	CONSTRAINT "order_lines_state" CHECK (state in ('reserved', 'waiting', 'assigned', 'released', 'refunded')),
	CONSTRAINT "order_lines_money" CHECK (quantity > 0 and unit_price_cents >= 0 and discount_cents >= 0 and total_cents = unit_price_cents * quantity - discount_cents and total_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "order_transitions" (
	"from_status" text NOT NULL,
	"event" text NOT NULL,
	"to_status" text NOT NULL,
	CONSTRAINT "order_transitions_from_status_event_to_status_pk" PRIMARY KEY("from_status","event","to_status")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"send_email" text NOT NULL,
	"locale" text NOT NULL,
	"subtotal_cents" integer NOT NULL,
	"discount_cents" integer DEFAULT 0 NOT NULL,
	"total_cents" integer NOT NULL,
	"coupon_id" text,
	"transaction_id" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"hold_ends_at" timestamp with time zone NOT NULL,
	"released_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"shipped_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"hidden_at" timestamp with time zone,
	CONSTRAINT "orders_status" CHECK (status in ('pending', 'processingPayment', 'paid', 'processing', 'shipped', 'completed', 'cancelled', 'refunded')),
	CONSTRAINT "orders_money" CHECK (subtotal_cents >= 0 and discount_cents between 0 and subtotal_cents and total_cents = subtotal_cents - discount_cents)
);
--> statement-breakpoint
CREATE TABLE "purchase_claims" (
	"user_id" text NOT NULL,
	"plan_id" integer NOT NULL,
	"slot" integer NOT NULL,
	"order_id" text NOT NULL,
	"email_identity" text
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"intent_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"is_open" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "disputes_amount" CHECK (amount_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transfer_id" text NOT NULL,
	"account" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"order_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "ledger_account" CHECK (account in ('provider_cash', 'sales', 'refunds'))
);
--> statement-breakpoint
CREATE TABLE "payment_customers" (
	"user_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "payment_customers_customer_id_unique" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"intent_id" text,
	"state" text DEFAULT 'creating' NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"receipt_email" text NOT NULL,
	"last_error" text,
	"card_fingerprint" text,
	"method" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "payments_intent_id_unique" UNIQUE("intent_id"),
	CONSTRAINT "payments_state" CHECK (state in ('creating', 'requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture', 'processing', 'succeeded', 'canceled')),
	CONSTRAINT "payments_amount" CHECK (amount_cents > 0)
);
--> statement-breakpoint
CREATE TABLE "reconciliation_reports" (
	"day" date PRIMARY KEY NOT NULL,
	"checked" integer NOT NULL,
	"differences" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"order_line_id" text NOT NULL,
	"user_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"answer_by" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	CONSTRAINT "refund_requests_state" CHECK (state in ('asked', 'approved', 'refused')),
	CONSTRAINT "refund_requests_amount" CHECK (amount_cents > 0)
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"order_line_id" text,
	"intent_id" text,
	"amount_cents" integer NOT NULL,
	"reason" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"provider_id" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "refunds_provider_id_unique" UNIQUE("provider_id"),
	CONSTRAINT "refunds_state" CHECK (state in ('pending', 'submitted', 'succeeded', 'failed')),
	CONSTRAINT "refunds_amount" CHECK (amount_cents > 0)
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"object_id" text NOT NULL,
	"livemode" boolean NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"processed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"email" text NOT NULL,
	"refunded_cents" integer NOT NULL,
	"refused" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invite_clicks" (
	"id" text PRIMARY KEY NOT NULL,
	"inviter_id" text NOT NULL,
	"visitor" text NOT NULL,
	"day" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "referrals" (
	"id" text PRIMARY KEY NOT NULL,
	"inviter_id" text NOT NULL,
	"friend_id" text NOT NULL,
	"email_identity" text NOT NULL,
	"network" text NOT NULL,
	"state" text DEFAULT 'registered' NOT NULL,
	"reason" text,
	"order_id" text,
	"due_at" timestamp with time zone,
	"coupon_id" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "referrals_friend_id_unique" UNIQUE("friend_id"),
	CONSTRAINT "referrals_state" CHECK (state in ('registered', 'pending', 'paid', 'refused')),
	CONSTRAINT "referrals_reason" CHECK (reason in ('same_person', 'throwaway_address', 'same_card', 'many_from_one_place', 'refunded', 'monthly_cap', 'account_closed', 'staff')),
	CONSTRAINT "referrals_refused" CHECK ((state = 'refused') = (reason is not null)),
	CONSTRAINT "referrals_paid" CHECK ((state = 'paid') = (coupon_id is not null)),
	CONSTRAINT "referrals_pending" CHECK ((state = 'pending') <= (due_at is not null and order_id is not null)),
	CONSTRAINT "referrals_not_self" CHECK (inviter_id <> friend_id)
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"http_status" integer,
	"body" jsonb,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"locked_until" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_owner_key_pk" PRIMARY KEY("owner","key")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"bucket" text PRIMARY KEY NOT NULL,
	"hits" integer NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"order_id" text NOT NULL,
	"user_id" text NOT NULL,
	"rating" integer NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'published' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"hidden_at" timestamp with time zone,
	"hidden_reason" text,
	CONSTRAINT "reviews_rating" CHECK (rating between 1 and 5),
	CONSTRAINT "reviews_state" CHECK (state in ('published', 'hidden'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_customers" (
	"id" text PRIMARY KEY NOT NULL,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_disputes_intent_id_unique" UNIQUE("intent_id"),
	CONSTRAINT "sandbox_disputes_status" CHECK (status in ('needs_response', 'warning_needs_response', 'under_review', 'won', 'lost'))
);
--> statement-breakpoint
CREATE TABLE "sandbox_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"due_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"deliveries" integer DEFAULT 0 NOT NULL,
	"last_response" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_intents" (
	"id" text PRIMARY KEY NOT NULL,
	"client_secret" text NOT NULL,
	"status" text DEFAULT 'requires_payment_method' NOT NULL,
	"amount_cents" integer NOT NULL,
	"received_cents" integer DEFAULT 0 NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"description" text,
	"receipt_email" text,
	"metadata" jsonb NOT NULL,
	"customer_id" text,
	"setup_future_usage" text,
	"payment_method" text,
	"payment_method_type" text,
	"card_fingerprint" text,
	"latest_charge" text,
	"last_error" jsonb,
	"cancellation_reason" text,
	"canceled_at" timestamp with time zone,
	"settles_at" timestamp with time zone,
	"settles_as" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_intents_client_secret_unique" UNIQUE("client_secret"),
	CONSTRAINT "sandbox_intents_status" CHECK (status in ('requires_payment_method', 'requires_confirmation', 'requires_action', 'processing', 'succeeded', 'canceled')),
	CONSTRAINT "sandbox_intents_future_usage" CHECK (setup_future_usage in ('on_session', 'off_session')),
	CONSTRAINT "sandbox_intents_payment_method_type" CHECK (payment_method_type in ('card', 'apple_pay', 'google_pay', 'link')),
	CONSTRAINT "sandbox_intents_settlement" CHECK ((settles_at is null) = (settles_as is null) and (settles_at is null or status = 'processing')),
	CONSTRAINT "sandbox_intents_amount" CHECK (amount_cents > 0 and received_cents in (0, amount_cents)),
	CONSTRAINT "sandbox_intents_refunded" CHECK (refunded_cents between 0 and received_cents)
);
--> statement-breakpoint
CREATE TABLE "sandbox_payment_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text,
	"brand" text NOT NULL,
	"last4" text NOT NULL,
	"exp_month" integer NOT NULL,
	"exp_year" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_payment_methods_expiry" CHECK (exp_month between 1 and 12)
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"status" text DEFAULT 'succeeded' NOT NULL,
	"failure_reason" text,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK (amount_cents > 0),
	CONSTRAINT "sandbox_refunds_status" CHECK (status in ('pending', 'succeeded', 'failed')),
	CONSTRAINT "sandbox_refunds_failure" CHECK ((status = 'failed') = (failure_reason is not null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_requests" (
	"key" text PRIMARY KEY NOT NULL,
	"parameters" text NOT NULL,
	"http_status" integer,
	"body" jsonb,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_setup_intents" (
	"id" text PRIMARY KEY NOT NULL,
	"client_secret" text NOT NULL,
	"customer_id" text NOT NULL,
	"status" text DEFAULT 'requires_payment_method' NOT NULL,
	"metadata" jsonb NOT NULL,
	"payment_method_id" text,
	"last_error" jsonb,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_setup_intents_client_secret_unique" UNIQUE("client_secret"),
	CONSTRAINT "sandbox_setup_intents_status" CHECK (status in ('requires_payment_method', 'requires_action', 'succeeded', 'canceled')),
	CONSTRAINT "sandbox_setup_intents_payment_method" CHECK ((status in ('requires_action', 'succeeded')) = (payment_method_id is not null))
);
--> statement-breakpoint
CREATE TABLE "searches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "searches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text,
	"content" text NOT NULL,
	"locale" text NOT NULL,
	"device_type" text NOT NULL,
	"device_model" text,
	"language" text,
	"region" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "searches_device" CHECK (device_type in ('phone', 'computer'))
);
--> statement-breakpoint
CREATE TABLE "source_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "source_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_type" text NOT NULL,
	"landing_page" text,
	"referrer" text,
	"source" text,
	"campaign" text,
	"medium" text,
	"content" text,
	"marketing_user_id" text,
	"tracking_id" text,
	"user_id" text,
	"order_id" text,
	"product_id" integer,
	"plan_id" integer,
	"ip_network" text,
	"happened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "source_events_type" CHECK (event_type in ('visit', 'order'))
);
--> statement-breakpoint
CREATE TABLE "visits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "visits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"path" text NOT NULL,
	"locale" text NOT NULL,
	"device_type" text NOT NULL,
	"device_model" text,
	"language" text,
	"ip_network" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "visits_device" CHECK (device_type in ('mobile', 'desktop'))
);
--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD CONSTRAINT "billing_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_codes" ADD CONSTRAINT "verification_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verified_emails" ADD CONSTRAINT "verified_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "post_texts" ADD CONSTRAINT "post_texts_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_category_categories_slug_fk" FOREIGN KEY ("category") REFERENCES "public"."categories"("slug") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_index" ADD CONSTRAINT "listing_index_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_texts" ADD CONSTRAINT "product_texts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_category_categories_slug_fk" FOREIGN KEY ("category") REFERENCES "public"."categories"("slug") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_documents" ADD CONSTRAINT "search_documents_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody_seals" ADD CONSTRAINT "custody_seals_event_id_key_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."key_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody_seals" ADD CONSTRAINT "custody_seals_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_events" ADD CONSTRAINT "key_events_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD CONSTRAINT "replacement_requests_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD CONSTRAINT "replacement_requests_new_key_id_keys_id_fk" FOREIGN KEY ("new_key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deal_announcements" ADD CONSTRAINT "deal_announcements_deal_id_deals_id_fk" FOREIGN KEY ("deal_id") REFERENCES "public"."deals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wait_list" ADD CONSTRAINT "wait_list_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wait_list" ADD CONSTRAINT "wait_list_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_legal" FOREIGN KEY ("from_status","event","to_status") REFERENCES "public"."order_transitions"("from_status","event","to_status") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_deal_id_deals_id_fk" FOREIGN KEY ("deal_id") REFERENCES "public"."deals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_claims" ADD CONSTRAINT "purchase_claims_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_claims" ADD CONSTRAINT "purchase_claims_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_claims" ADD CONSTRAINT "purchase_claims_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invite_clicks" ADD CONSTRAINT "invite_clicks_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_friend_id_users_id_fk" FOREIGN KEY ("friend_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_disputes" ADD CONSTRAINT "sandbox_disputes_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_intents" ADD CONSTRAINT "sandbox_intents_customer_id_sandbox_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."sandbox_customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_payment_methods" ADD CONSTRAINT "sandbox_payment_methods_customer_id_sandbox_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."sandbox_customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_setup_intents" ADD CONSTRAINT "sandbox_setup_intents_customer_id_sandbox_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."sandbox_customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_setup_intents" ADD CONSTRAINT "sandbox_setup_intents_payment_method_id_sandbox_payment_methods_id_fk" FOREIGN KEY ("payment_method_id") REFERENCES "public"."sandbox_payment_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_addresses_of_user" ON "billing_addresses" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_addresses_default" ON "billing_addresses" USING btree ("user_id") WHERE is_default;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_refresh_hash" ON "sessions" USING btree ("refresh_hash");--> statement-breakpoint
CREATE INDEX "sessions_previous_refresh_hash" ON "sessions" USING btree ("previous_refresh_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "user_identities_subject" ON "user_identities" USING btree ("provider","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "user_identities_one" ON "user_identities" USING btree ("user_id","provider");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "verification_codes_email" ON "verification_codes" USING btree (lower("email"),"purpose","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "verified_emails_unique" ON "verified_emails" USING btree ("user_id",lower("email"));--> statement-breakpoint
CREATE INDEX "posts_newest" ON "posts" USING btree ("published_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE listed;--> statement-breakpoint
CREATE UNIQUE INDEX "cart_lines_one_per_plan" ON "cart_lines" USING btree ("user_id","plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deals_one_per_plan" ON "deals" USING btree ("plan_id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "deals_to_end" ON "deals" USING btree ("ends_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "listing_index_by_product" ON "listing_index" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "listing_index_best" ON "listing_index" USING btree ("sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_best_price" ON "listing_index" USING btree ("price_cents","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_best_price_desc" ON "listing_index" USING btree ("price_cents" desc,"sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_best_daily_price" ON "listing_index" USING btree ("price_per_day_cents","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_category" ON "listing_index" USING btree ("category","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_category_price" ON "listing_index" USING btree ("category","price_cents","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_category_price_desc" ON "listing_index" USING btree ("category","price_cents" desc,"sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_category_daily_price" ON "listing_index" USING btree ("category","price_per_day_cents","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "listing_index_type" ON "listing_index" USING btree ("type","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "listing_index_type_price" ON "listing_index" USING btree ("type","price_cents","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "listing_index_type_price_desc" ON "listing_index" USING btree ("type","price_cents" desc,"sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "listing_index_type_daily_price" ON "listing_index" USING btree ("type","price_per_day_cents","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "listing_index_category_type" ON "listing_index" USING btree ("category","type","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "listing_index_price" ON "listing_index" USING btree ("price_cents","sort_num" desc,"product_id","price_per_day_cents");--> statement-breakpoint
CREATE INDEX "listing_index_price_desc" ON "listing_index" USING btree ("price_cents" desc,"sort_num" desc,"product_id","price_per_day_cents");--> statement-breakpoint
CREATE INDEX "listing_index_daily_price" ON "listing_index" USING btree ("price_per_day_cents","sort_num" desc,"product_id","price_cents");--> statement-breakpoint
CREATE INDEX "listing_index_free" ON "listing_index" USING btree ("sort_num" desc,"product_id") WHERE price_cents = 0;--> statement-breakpoint
CREATE INDEX "listing_index_deals" ON "listing_index" USING btree ("deal_ends_at") WHERE deal_ends_at is not null;--> statement-breakpoint
CREATE INDEX "listing_index_changing" ON "listing_index" USING btree ("changes_at") WHERE changes_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "plans_kind" ON "plans" USING btree ("product_id","type",coalesce(duration_days, 0));--> statement-breakpoint
CREATE INDEX "plans_to_release" ON "plans" USING btree ("releases_at") WHERE releases_at is not null;--> statement-breakpoint
CREATE INDEX "products_by_sort" ON "products" USING btree ("sort_num");--> statement-breakpoint
CREATE INDEX "products_by_category" ON "products" USING btree ("category");--> statement-breakpoint
CREATE INDEX "search_documents_by_word" ON "search_documents" USING gin ("document");--> statement-breakpoint
CREATE INDEX "search_documents_by_sort" ON "search_documents" USING btree ("sort_num" desc,"product_id");--> statement-breakpoint
CREATE INDEX "search_vocabulary_trigrams" ON "search_vocabulary" USING gin ("word" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "campaigns_by_kind" ON "campaigns" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "coupons_of_user" ON "coupons" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "coupons_to_expire" ON "coupons" USING btree ("expires_at") WHERE state = 'open' and promised_cents > 0;--> statement-breakpoint
CREATE INDEX "coupons_of_campaign" ON "coupons" USING btree ("campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "custody_seals_chain" ON "custody_seals" USING btree ("key_id","position");--> statement-breakpoint
CREATE INDEX "key_events_by_key" ON "key_events" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "keys_available" ON "keys" USING btree ("plan_id","redeem_by","created_at","id") WHERE state = 'available';--> statement-breakpoint
CREATE UNIQUE INDEX "keys_one_per_unit" ON "keys" USING btree ("order_line_id","slot") WHERE state in ('reserved', 'assigned');--> statement-breakpoint
CREATE INDEX "keys_by_line" ON "keys" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "keys_next_redeem_by" ON "keys" USING btree ("redeem_by") WHERE state = 'available' and redeem_by is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "replacement_requests_one" ON "replacement_requests" USING btree ("key_id") WHERE state in ('asked', 'approved');--> statement-breakpoint
CREATE UNIQUE INDEX "merchant_applications_one" ON "merchant_applications" USING btree ("email") WHERE state <> 'refused';--> statement-breakpoint
CREATE INDEX "mails_queued" ON "mails" USING btree ("created_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "mails_sent" ON "mails" USING btree ("sent_at") WHERE sent_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_one" ON "subscriptions" USING btree ("email","topic");--> statement-breakpoint
CREATE INDEX "subscriptions_confirmed" ON "subscriptions" USING btree ("topic","id") WHERE state = 'confirmed';--> statement-breakpoint
CREATE UNIQUE INDEX "wait_list_one" ON "wait_list" USING btree ("user_id","plan_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "wait_list_queue" ON "wait_list" USING btree ("plan_id","created_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "order_events_by_order" ON "order_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_lines_by_order" ON "order_lines" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_lines_waiting" ON "order_lines" USING btree ("plan_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "orders_by_user" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_to_expire" ON "orders" USING btree ("hold_ends_at") WHERE status in ('pending', 'processingPayment');--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("paid_at") WHERE status in ('paid', 'processing');--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_claims_slot" ON "purchase_claims" USING btree ("user_id","plan_id","slot");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_claims_email_identity" ON "purchase_claims" USING btree ("email_identity","plan_id","slot");--> statement-breakpoint
CREATE INDEX "purchase_claims_by_order" ON "purchase_claims" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_of_order" ON "disputes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("created_at") WHERE is_open;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_once" ON "ledger_entries" USING btree ("transfer_id","account");--> statement-breakpoint
CREATE INDEX "ledger_by_order" ON "ledger_entries" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_live" ON "payments" USING btree ("order_id") WHERE state <> 'canceled';--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("updated_at") WHERE state not in ('succeeded', 'canceled');--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_one" ON "refund_requests" USING btree ("order_line_id") WHERE state in ('asked', 'approved');--> statement-breakpoint
CREATE INDEX "refund_requests_open" ON "refund_requests" USING btree ("answer_by") WHERE state = 'asked';--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_once" ON "refunds" USING btree ("order_id",coalesce(order_line_id, ''),"reason",coalesce(intent_id, '')) WHERE state <> 'failed';--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("updated_at") WHERE state in ('pending', 'submitted');--> statement-breakpoint
CREATE INDEX "webhook_events_open" ON "webhook_events" USING btree ("created_at") WHERE processed_at is null;--> statement-breakpoint
CREATE INDEX "withdrawals_of_order" ON "withdrawals" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invite_clicks_one" ON "invite_clicks" USING btree ("inviter_id","visitor","day");--> statement-breakpoint
CREATE INDEX "invite_clicks_by_time" ON "invite_clicks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "referrals_of_inviter" ON "referrals" USING btree ("inviter_id","created_at");--> statement-breakpoint
CREATE INDEX "referrals_due" ON "referrals" USING btree ("due_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "referrals_email_identity" ON "referrals" USING btree ("email_identity");--> statement-breakpoint
CREATE INDEX "referrals_network" ON "referrals" USING btree ("network","created_at");--> statement-breakpoint
CREATE INDEX "audit_by_subject" ON "audit_entries" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_age" ON "rate_limits" USING btree ("ends_at");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one" ON "reviews" USING btree ("order_id","product_id");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("product_id","created_at") WHERE state = 'published';--> statement-breakpoint
CREATE INDEX "reviews_of_user" ON "reviews" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sandbox_events_due" ON "sandbox_events" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "sandbox_intents_settling" ON "sandbox_intents" USING btree ("settles_at") WHERE settles_at is not null;--> statement-breakpoint
CREATE INDEX "sandbox_payment_methods_by_customer" ON "sandbox_payment_methods" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "sandbox_refunds_by_intent" ON "sandbox_refunds" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "sandbox_requests_age" ON "sandbox_requests" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "searches_by_time" ON "searches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "searches_of_user" ON "searches" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "source_events_by_time" ON "source_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "source_events_of_order" ON "source_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "visits_by_path" ON "visits" USING btree ("path","created_at");--> statement-breakpoint
CREATE INDEX "visits_by_time" ON "visits" USING btree ("created_at");
--> statement-breakpoint
INSERT INTO "catalog_counts" ("kind", "name", "total") VALUES ('makers', '', 0);
--> statement-breakpoint
-- The transitions of an order (lib/orders/rules.ts holds the same table; a test compares them).
INSERT INTO "order_transitions" ("from_status", "event", "to_status") VALUES
  ('pending', 'payment_started', 'processingPayment'),
  ('processingPayment', 'payment_failed', 'pending'),
  ('pending', 'payment_verified', 'paid'),
  ('processingPayment', 'payment_verified', 'paid'),
  ('pending', 'free_completed', 'paid'),
  ('paid', 'assigned', 'shipped'),
  ('paid', 'stock_short', 'processing'),
  ('processing', 'assigned', 'shipped'),
  ('shipped', 'delivered', 'completed'),
  ('pending', 'cancelled', 'cancelled'),
  ('processingPayment', 'cancelled', 'cancelled'),
  ('pending', 'expired', 'cancelled'),
  ('processingPayment', 'expired', 'cancelled'),
  ('cancelled', 'payment_verified', 'paid'),
  ('cancelled', 'refunded', 'refunded'),
  ('paid', 'refunded', 'refunded'),
  ('processing', 'refunded', 'refunded'),
  ('shipped', 'refunded', 'refunded'),
  ('completed', 'refunded', 'refunded');
--> statement-breakpoint
-- The campaigns that the shop runs by itself (lib/coupons/rules.ts holds the same; a test compares them). Amounts in
-- cents; staff change minimum, budget and switch with `npm run staff -- vouchers`.
INSERT INTO "campaigns" ("id", "kind", "title", "amount_cents", "minimum_cents", "first_order_only", "valid_hours", "monthly_budget_cents", "monthly_cap") VALUES
  ('daily', 'daily', '{"en": "Daily voucher", "zh": "每日代金券", "ja": "デイリークーポン"}', 500, 1000, false, 24, 500000, null),
  ('new_user', 'new_user', '{"en": "First-order voucher", "zh": "首单代金券", "ja": "初回購入クーポン"}', 1000, 5000, true, 720, 500000, null),
  ('inviter', 'inviter', '{"en": "Thank-you for an invitation", "zh": "邀请好友奖励", "ja": "お友だち紹介のお礼"}', 500, 1000, false, 2160, 250000, 20);
