CREATE TABLE "deal_announcements" (
	"deal_id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deal_announcements" ADD CONSTRAINT "deal_announcements_deal_id_deals_id_fk" FOREIGN KEY ("deal_id") REFERENCES "public"."deals"("id") ON DELETE no action ON UPDATE no action;