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
CREATE TABLE "payment_customers" (
	"user_id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "payment_customers_customer_id_unique" UNIQUE("customer_id")
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
	"mailbox" text NOT NULL,
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
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp with time zone DEFAULT shop_now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "merchant_applications" ADD COLUMN "decided_by" text;--> statement-breakpoint
ALTER TABLE "merchant_applications" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "card_fingerprint" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "hidden_reason" text;--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD CONSTRAINT "billing_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_customers" ADD CONSTRAINT "payment_customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invite_clicks" ADD CONSTRAINT "invite_clicks_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_friend_id_users_id_fk" FOREIGN KEY ("friend_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_addresses_of_user" ON "billing_addresses" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_addresses_default" ON "billing_addresses" USING btree ("user_id") WHERE is_default;--> statement-breakpoint
CREATE UNIQUE INDEX "user_identities_subject" ON "user_identities" USING btree ("provider","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "user_identities_one" ON "user_identities" USING btree ("user_id","provider");--> statement-breakpoint
CREATE INDEX "campaigns_by_kind" ON "campaigns" USING btree ("kind");--> statement-breakpoint
CREATE INDEX "coupons_of_user" ON "coupons" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "coupons_to_lapse" ON "coupons" USING btree ("expires_at") WHERE state = 'open' and promised_cents > 0;--> statement-breakpoint
CREATE INDEX "coupons_of_campaign" ON "coupons" USING btree ("campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_one" ON "refund_requests" USING btree ("order_line_id") WHERE state in ('asked', 'approved');--> statement-breakpoint
CREATE INDEX "refund_requests_open" ON "refund_requests" USING btree ("answer_by") WHERE state = 'asked';--> statement-breakpoint
CREATE UNIQUE INDEX "invite_clicks_one" ON "invite_clicks" USING btree ("inviter_id","visitor","day");--> statement-breakpoint
CREATE INDEX "invite_clicks_by_time" ON "invite_clicks" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "referrals_of_inviter" ON "referrals" USING btree ("inviter_id","created_at");--> statement-breakpoint
CREATE INDEX "referrals_due" ON "referrals" USING btree ("due_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "referrals_mailbox" ON "referrals" USING btree ("mailbox");--> statement-breakpoint
CREATE INDEX "referrals_network" ON "referrals" USING btree ("network","created_at");