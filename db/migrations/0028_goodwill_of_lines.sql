-- What of a line's refunds the shop gave as a gesture. Gestures are its own loss, so the sale of the merchant keeps them.
ALTER TABLE "order_lines" ADD COLUMN "goodwill_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "order_lines" l SET "goodwill_cents" = least(given.cents, l.refunded_cents)
FROM (SELECT order_line_id, sum(amount_cents)::int AS cents FROM refunds
  WHERE reason = 'goodwill' AND state NOT IN ('failed', 'cancelled') GROUP BY order_line_id) given
WHERE given.order_line_id = l.id;
