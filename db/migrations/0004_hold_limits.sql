CREATE TABLE "order_holds" (
	"order_id" text PRIMARY KEY NOT NULL,
	"email_identity" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"device" text,
	"address_group" text,
	"further" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
DROP INDEX "purchase_claims_slot";--> statement-breakpoint
ALTER TABLE "purchase_claims" ADD COLUMN "unverified_identity" text;--> statement-breakpoint
ALTER TABLE "order_holds" ADD CONSTRAINT "order_holds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_holds_by_identity" ON "order_holds" USING btree ("email_identity");--> statement-breakpoint
CREATE INDEX "order_holds_by_device" ON "order_holds" USING btree ("device") WHERE further;--> statement-breakpoint
CREATE INDEX "order_holds_by_address" ON "order_holds" USING btree ("address_group") WHERE further;--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_claims_unverified_identity" ON "purchase_claims" USING btree ("unverified_identity","plan_id","slot");--> statement-breakpoint
CREATE INDEX "purchase_claims_by_user" ON "purchase_claims" USING btree ("user_id","plan_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_claims_slot" ON "purchase_claims" USING btree ("user_id","plan_id","slot") WHERE email_identity is not null;