CREATE TABLE "custody_seals" (
	"event_id" bigint PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"position" integer NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "custody_seals_position" CHECK (position > 0)
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
CREATE TABLE "drift_reports" (
	"day" date PRIMARY KEY NOT NULL,
	"checked" integer NOT NULL,
	"drift" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
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
ALTER TABLE "verification_codes" DROP CONSTRAINT "verification_codes_purpose";--> statement-breakpoint
ALTER TABLE "key_events" DROP CONSTRAINT "key_events_event";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "maker_email" text;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "activated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "reminded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "keep_in_library" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "immediate_consent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "method" text;--> statement-breakpoint
ALTER TABLE "custody_seals" ADD CONSTRAINT "custody_seals_event_id_key_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."key_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custody_seals" ADD CONSTRAINT "custody_seals_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD CONSTRAINT "replacement_requests_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replacement_requests" ADD CONSTRAINT "replacement_requests_new_key_id_keys_id_fk" FOREIGN KEY ("new_key_id") REFERENCES "public"."keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "custody_seals_chain" ON "custody_seals" USING btree ("key_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "replacement_requests_one" ON "replacement_requests" USING btree ("key_id") WHERE state in ('asked', 'approved');--> statement-breakpoint
CREATE INDEX "disputes_of_order" ON "disputes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("created_at") WHERE is_open;--> statement-breakpoint
CREATE INDEX "withdrawals_of_order" ON "withdrawals" USING btree ("order_id");--> statement-breakpoint
ALTER TABLE "verification_codes" ADD CONSTRAINT "verification_codes_purpose" CHECK (purpose in ('register', 'reset_password', 'change_email', 'order_email', 'bind_phone', 'withdraw'));--> statement-breakpoint
ALTER TABLE "key_events" ADD CONSTRAINT "key_events_event" CHECK (event in ('imported', 'reserved', 'released', 'assigned', 'mailed', 'revealed', 'quarantined', 'revoked', 'activated', 'resealed'));--> statement-breakpoint
CREATE TRIGGER custody_seals_append_only BEFORE UPDATE OR DELETE ON "custody_seals" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER withdrawals_append_only BEFORE UPDATE OR DELETE ON "withdrawals" FOR EACH ROW EXECUTE FUNCTION refuse_change();
