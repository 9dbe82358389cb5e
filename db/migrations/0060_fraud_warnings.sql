-- Early fraud warnings, reviews at the provider, and methods of the sandbox that redirect. The new tables are empty; the new check allows more than the one before.
CREATE TABLE "fraud_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"dispute_cost_cents" integer NOT NULL,
	CONSTRAINT "fraud_settings_one" CHECK (id = 1 and dispute_cost_cents between 0 and 1000000)
);
--> statement-breakpoint
CREATE TABLE "fraud_warnings" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"intent_id" text NOT NULL,
	"fraud_type" text,
	"state" text DEFAULT 'received' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	"note" text,
	CONSTRAINT "fraud_warnings_state" CHECK (state in ('received', 'open', 'refunded', 'released', 'closed')),
	CONSTRAINT "fraud_warnings_decided" CHECK ((state in ('received', 'open')) = (decided_at is null) and (decided_at is null) = (decided_by is null))
);
--> statement-breakpoint
CREATE TABLE "payment_reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"intent_id" text NOT NULL,
	"is_open" boolean NOT NULL,
	"reason" text NOT NULL,
	"closed_reason" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"closed_at" timestamp with time zone,
	CONSTRAINT "payment_reviews_closed" CHECK (is_open = (closed_at is null))
);
--> statement-breakpoint
CREATE TABLE "sandbox_fraud_warnings" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"fraud_type" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_fraud_warnings_intent_id_unique" UNIQUE("intent_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"reason" text NOT NULL,
	"closed_reason" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_reviews_intent_id_unique" UNIQUE("intent_id")
);
--> statement-breakpoint
ALTER TABLE "sandbox_intents" DROP CONSTRAINT "sandbox_intents_payment_method_type";
--> statement-breakpoint
ALTER TABLE "sandbox_intents" ADD COLUMN "return_url" text;
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "payment_reviews" ADD CONSTRAINT "payment_reviews_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "sandbox_fraud_warnings" ADD CONSTRAINT "sandbox_fraud_warnings_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "sandbox_reviews" ADD CONSTRAINT "sandbox_reviews_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "fraud_warnings_of_order" ON "fraud_warnings" USING btree ("order_id");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "fraud_warnings_open" ON "fraud_warnings" USING btree ("created_at","id") WHERE decided_at is null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "fraud_warnings_decided" ON "fraud_warnings" USING btree ("created_at","id") WHERE decided_at is not null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payment_reviews_of_order" ON "payment_reviews" USING btree ("order_id");
--> statement-breakpoint
ALTER TABLE "sandbox_intents" ADD CONSTRAINT "sandbox_intents_payment_method_type" CHECK (payment_method_type in ('card', 'apple_pay', 'google_pay', 'link', 'alipay', 'wechat_pay')) NOT VALID;
--> statement-breakpoint
-- What a dispute costs besides the payment: the provider's fee, and the time of a person.
INSERT INTO "fraud_settings" ("id", "dispute_cost_cents") VALUES (1, 2500) ON CONFLICT DO NOTHING;
