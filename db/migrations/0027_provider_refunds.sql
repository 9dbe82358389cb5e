-- Refunds that the provider made on its own: what their money stands for, and what follows when the bank returns one.
ALTER TABLE "key_events" DROP CONSTRAINT "key_events_event";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "effects" jsonb;--> statement-breakpoint
-- The check allows more than the one before, which every row has passed: NOT VALID saves reading the table under its lock.
ALTER TABLE "key_events" ADD CONSTRAINT "key_events_event" CHECK (event in ('imported', 'reserved', 'released', 'assigned', 'mailed', 'revealed', 'quarantined', 'revoked', 'activated', 'resealed', 'gift_sent', 'gift_claimed', 'gift_returned', 'withheld', 'restocked', 'unlocked')) NOT VALID;--> statement-breakpoint
INSERT INTO "order_transitions" ("from_status", "event", "to_status") VALUES ('refunded', 'reopened', 'shipped');
