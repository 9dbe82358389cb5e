CREATE SEQUENCE "public"."order_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "order_number_months" (
	"month" text PRIMARY KEY NOT NULL,
	"start" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "includes" jsonb;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "order_number" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "order_number" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "country" text;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_number" ON "orders" USING btree ("order_number");--> statement-breakpoint
UPDATE "orders" o SET "order_number" = 'PL-' || n.month || '-' || lpad(n.running::text, greatest(4, length(n.running::text)), '0')
FROM (
  SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYMM') AS month,
    row_number() OVER (PARTITION BY to_char(created_at AT TIME ZONE 'UTC', 'YYMM') ORDER BY created_at, id) AS running
  FROM "orders"
) n WHERE n.id = o.id;--> statement-breakpoint
SELECT setval('order_numbers', greatest(1, (SELECT count(*) FROM "orders")), EXISTS (SELECT FROM "orders"));--> statement-breakpoint
INSERT INTO "order_number_months" ("month", "start")
SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYMM'), (SELECT count(*) FROM "orders") - count(*)
FROM "orders" GROUP BY 1;
