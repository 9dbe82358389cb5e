CREATE TABLE "webhook_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" bigint NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ms" integer NOT NULL,
	"status" integer,
	"error" text,
	"answer" text DEFAULT '' NOT NULL,
	CONSTRAINT "webhook_attempts_error" CHECK (error in ('timeout', 'address', 'name', 'connection', 'certificate')),
	CONSTRAINT "webhook_attempts_outcome" CHECK ((status is null) = (error is not null))
);--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" text NOT NULL,
	"message_id" text NOT NULL,
	"object" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_state" CHECK (state in ('waiting', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_ended" CHECK ((state = 'waiting') = (ended_at is null))
);--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"sealed" "bytea" NOT NULL,
	"vault_key_id" text NOT NULL,
	"old_sealed" "bytea",
	"old_vault_key_id" text,
	"old_until" timestamp with time zone,
	"state" text DEFAULT 'enabled' NOT NULL,
	"disabled_reason" text,
	"disabled_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"slow" boolean DEFAULT false NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoints_state" CHECK (state in ('enabled', 'disabled')),
	CONSTRAINT "webhook_endpoints_reason" CHECK (disabled_reason in ('merchant', 'gone', 'failing')),
	CONSTRAINT "webhook_endpoints_disabled" CHECK ((state = 'disabled') = (disabled_reason is not null) and (state = 'disabled') = (disabled_at is not null)),
	CONSTRAINT "webhook_endpoints_old" CHECK ((old_sealed is null) = (old_vault_key_id is null) and (old_sealed is null) = (old_until is null))
);--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"merchant_id" text NOT NULL,
	"type" text NOT NULL,
	"object" text NOT NULL,
	"data" jsonb NOT NULL,
	"key_id" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);--> statement-breakpoint
ALTER TABLE "stock_alerts" ADD COLUMN "out_at" timestamp with time zone;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_message_id_webhook_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."webhook_messages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "webhook_messages" ADD CONSTRAINT "webhook_messages_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "webhook_attempts_of_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("message_id","endpoint_id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_at","endpoint_id") WHERE state = 'waiting';--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("endpoint_id","object","id") WHERE state = 'waiting';--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "webhook_deliveries_of_state" ON "webhook_deliveries" USING btree ("endpoint_id","state","id");--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "webhook_endpoints_of_merchant" ON "webhook_endpoints" USING btree ("merchant_id","created_at") WHERE removed_at is null;--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "webhook_messages_age" ON "webhook_messages" USING btree ("created_at");
