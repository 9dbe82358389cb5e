CREATE TABLE "sandbox_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"due_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"deliveries" integer DEFAULT 0 NOT NULL,
	"last_answer" text,
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
	"payment_method" text,
	"latest_charge" text,
	"last_error" jsonb,
	"cancellation_reason" text,
	"canceled_at" timestamp with time zone,
	"settles_at" timestamp with time zone,
	"settles_as" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_intents_client_secret_unique" UNIQUE("client_secret"),
	CONSTRAINT "sandbox_intents_status" CHECK (status in ('requires_payment_method', 'requires_confirmation', 'requires_action', 'processing', 'succeeded', 'canceled')),
	CONSTRAINT "sandbox_intents_settlement" CHECK ((settles_at is null) = (settles_as is null) and (settles_at is null or status = 'processing')),
	CONSTRAINT "sandbox_intents_amount" CHECK (amount_cents > 0 and received_cents in (0, amount_cents)),
	CONSTRAINT "sandbox_intents_refunded" CHECK (refunded_cents between 0 and received_cents)
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"metadata" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK (amount_cents > 0)
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
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sandbox_events_due" ON "sandbox_events" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "sandbox_intents_settling" ON "sandbox_intents" USING btree ("settles_at") WHERE settles_at is not null;--> statement-breakpoint
CREATE INDEX "sandbox_refunds_by_intent" ON "sandbox_refunds" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "sandbox_requests_age" ON "sandbox_requests" USING btree ("created_at");