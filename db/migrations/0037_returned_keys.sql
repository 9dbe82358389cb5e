-- Keys whose units are given back unseen are sold again: who gave them back is counted, and a key says whether its code was ever
-- decrypted to be read.
CREATE TABLE "returned_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "returned_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key_id" text NOT NULL,
	"order_line_id" text NOT NULL,
	"slot" integer NOT NULL,
	"assigned_at" timestamp with time zone NOT NULL,
	"identity" text,
	"card_fingerprint" text,
	"address_group" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "opened_at" timestamp with time zone;--> statement-breakpoint
-- Vendors have got references of these codes, which were decrypted for them.
UPDATE "keys" SET "opened_at" = shop_now() WHERE state = 'assigned' AND order_line_id IN (
  SELECT order_line_id FROM refund_requests WHERE decided_by IS DISTINCT FROM 'rule');
