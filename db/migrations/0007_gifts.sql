CREATE TABLE "gifts" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"state" text DEFAULT 'scheduled' NOT NULL,
	"recipient_email" text,
	"message" text DEFAULT '' NOT NULL,
	"deliver_on" date NOT NULL,
	"time_zone" text NOT NULL,
	"send_at" timestamp with time zone NOT NULL,
	"locale" text NOT NULL,
	"serial" integer DEFAULT 0 NOT NULL,
	"token_hash" text,
	"sent_at" timestamp with time zone,
	"claim_until" timestamp with time zone,
	"claimed_by" text,
	"claimed_at" timestamp with time zone,
	"returned_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "gifts_state" CHECK (state in ('scheduled', 'sent', 'claimed', 'returned')),
	CONSTRAINT "gifts_claimed" CHECK ((state = 'claimed') = (claimed_by is not null) and (state = 'claimed') = (claimed_at is not null)),
	CONSTRAINT "gifts_sent" CHECK (state <> 'sent' or (token_hash is not null and sent_at is not null and claim_until is not null))
);
--> statement-breakpoint
ALTER TABLE "key_events" DROP CONSTRAINT "key_events_event";--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gifts" ADD CONSTRAINT "gifts_claimed_by_users_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "gifts_one_per_order" ON "gifts" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "gifts_token" ON "gifts" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "gifts_to_send" ON "gifts" USING btree ("send_at") WHERE state = 'scheduled';--> statement-breakpoint
CREATE INDEX "gifts_to_return" ON "gifts" USING btree ("claim_until") WHERE state = 'sent';--> statement-breakpoint
CREATE INDEX "gifts_by_claimer" ON "gifts" USING btree ("claimed_by") WHERE claimed_by is not null;--> statement-breakpoint
-- Rows that fulfilled the former check fulfil this one, so they are not read again under the lock.
ALTER TABLE "key_events" ADD CONSTRAINT "key_events_event" CHECK (event in ('imported', 'reserved', 'released', 'assigned', 'mailed', 'revealed', 'quarantined', 'revoked', 'activated', 'resealed', 'gift_sent', 'gift_claimed', 'gift_returned')) NOT VALID;
