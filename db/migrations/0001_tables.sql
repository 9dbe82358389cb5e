CREATE TABLE "proven_emails" (
	"user_id" text NOT NULL,
	"email" text NOT NULL,
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
	"revoked_at" timestamp with time zone
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
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "verification_codes_purpose" CHECK (purpose in ('register', 'reset_password', 'change_email', 'order_email', 'bind_phone')),
	CONSTRAINT "verification_codes_tries" CHECK (tries >= 0)
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
	"maker" text NOT NULL,
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
CREATE TABLE "key_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "key_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key_id" text NOT NULL,
	"event" text NOT NULL,
	"order_line_id" text,
	"actor" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "key_events_event" CHECK (event in ('imported', 'reserved', 'released', 'assigned', 'mailed', 'revealed', 'quarantined', 'revoked'))
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
	CONSTRAINT "keys_fingerprint_unique" UNIQUE("fingerprint"),
	CONSTRAINT "keys_state" CHECK (state in ('available', 'reserved', 'assigned', 'quarantined', 'revoked')),
	CONSTRAINT "keys_redemption" CHECK (redemption in ('unknown', 'unredeemed', 'redeemed')),
	CONSTRAINT "keys_bound" CHECK ((state <> 'available' or order_line_id is null) and (state not in ('reserved', 'assigned') or order_line_id is not null) and (order_line_id is null) = (slot is null) and coalesce(slot, 1) > 0)
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
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "mails_dedupe_key_unique" UNIQUE("dedupe_key"),
	CONSTRAINT "mails_state" CHECK (state in ('queued', 'sent', 'failed'))
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
	"pass_type" text NOT NULL,
	"duration_days" integer,
	"deal_id" text,
	"pre_order" boolean DEFAULT false NOT NULL,
	"refund_rule" jsonb NOT NULL,
	"state" text DEFAULT 'reserved' NOT NULL,
	"deliver_by" timestamp with time zone,
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
	"order_id" text NOT NULL
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
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"intent_id" text,
	"state" text DEFAULT 'creating' NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "payments_intent_id_unique" UNIQUE("intent_id"),
	CONSTRAINT "payments_state" CHECK (state in ('creating', 'requires_payment_method', 'requires_confirmation', 'requires_action', 'requires_capture', 'processing', 'succeeded', 'canceled')),
	CONSTRAINT "payments_amount" CHECK (amount_cents > 0)
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"order_line_id" text,
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
ALTER TABLE "proven_emails" ADD CONSTRAINT "proven_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_codes" ADD CONSTRAINT "verification_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deals" ADD CONSTRAINT "deals_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_texts" ADD CONSTRAINT "product_texts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_category_categories_slug_fk" FOREIGN KEY ("category") REFERENCES "public"."categories"("slug") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_events" ADD CONSTRAINT "key_events_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "keys" ADD CONSTRAINT "keys_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_line_id_order_lines_id_fk" FOREIGN KEY ("order_line_id") REFERENCES "public"."order_lines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "proven_emails_unique" ON "proven_emails" USING btree ("user_id",lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_refresh_hash" ON "sessions" USING btree ("refresh_hash");--> statement-breakpoint
CREATE INDEX "sessions_previous_refresh_hash" ON "sessions" USING btree ("previous_refresh_hash");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "verification_codes_email" ON "verification_codes" USING btree (lower("email"),"purpose","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "cart_lines_one_per_plan" ON "cart_lines" USING btree ("user_id","plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "deals_one_per_plan" ON "deals" USING btree ("plan_id") WHERE ended_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "plans_kind" ON "plans" USING btree ("product_id","type",coalesce(duration_days, 0));--> statement-breakpoint
CREATE INDEX "products_by_sort" ON "products" USING btree ("sort_num");--> statement-breakpoint
CREATE INDEX "products_by_category" ON "products" USING btree ("category");--> statement-breakpoint
CREATE INDEX "key_events_by_key" ON "key_events" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "keys_available" ON "keys" USING btree ("plan_id","created_at","id") WHERE state = 'available';--> statement-breakpoint
CREATE UNIQUE INDEX "keys_one_per_unit" ON "keys" USING btree ("order_line_id","slot") WHERE state in ('reserved', 'assigned');--> statement-breakpoint
CREATE INDEX "keys_by_line" ON "keys" USING btree ("order_line_id");--> statement-breakpoint
CREATE INDEX "mails_queued" ON "mails" USING btree ("created_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "order_events_by_order" ON "order_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_lines_by_order" ON "order_lines" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_lines_waiting" ON "order_lines" USING btree ("plan_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "orders_by_user" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_to_expire" ON "orders" USING btree ("hold_ends_at") WHERE status in ('pending', 'processingPayment');--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("paid_at") WHERE status in ('paid', 'processing');--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_claims_slot" ON "purchase_claims" USING btree ("user_id","plan_id","slot");--> statement-breakpoint
CREATE INDEX "purchase_claims_by_order" ON "purchase_claims" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_once" ON "ledger_entries" USING btree ("transfer_id","account");--> statement-breakpoint
CREATE INDEX "ledger_by_order" ON "ledger_entries" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_live" ON "payments" USING btree ("order_id") WHERE state <> 'canceled';--> statement-breakpoint
CREATE INDEX "payments_unsettled" ON "payments" USING btree ("updated_at") WHERE state not in ('succeeded', 'canceled');--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_per_line" ON "refunds" USING btree ("order_id",coalesce(order_line_id, '')) WHERE state <> 'failed';--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("updated_at") WHERE state in ('pending', 'submitted');--> statement-breakpoint
CREATE INDEX "webhook_events_open" ON "webhook_events" USING btree ("created_at") WHERE processed_at is null;--> statement-breakpoint
CREATE INDEX "audit_by_subject" ON "audit_entries" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_age" ON "rate_limits" USING btree ("ends_at");