CREATE TABLE "plan_sales_daily" (
	"plan_id" integer NOT NULL,
	"day" date NOT NULL,
	"units" integer NOT NULL,
	CONSTRAINT "plan_sales_daily_plan_id_day_pk" PRIMARY KEY("plan_id","day")
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"id" text PRIMARY KEY NOT NULL,
	"about" text NOT NULL,
	"subject_id" text NOT NULL,
	"text" text NOT NULL,
	"written_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "notes_about" CHECK (about in ('order', 'customer'))
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"filters" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "saved_views_list" CHECK (list in ('orders', 'customers', 'mails', 'applications', 'products', 'keys'))
);
--> statement-breakpoint
ALTER TABLE "plan_sales_daily" ADD CONSTRAINT "plan_sales_daily_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_written_by_users_id_fk" FOREIGN KEY ("written_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plan_sales_daily_by_day" ON "plan_sales_daily" USING btree ("day");--> statement-breakpoint
CREATE INDEX "notes_by_subject" ON "notes" USING btree ("subject_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("user_id","list","name");--> statement-breakpoint
CREATE INDEX "users_by_time" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree (lower("email") collate "C","created_at","id");--> statement-breakpoint
CREATE INDEX "product_texts_by_name" ON "product_texts" USING btree ("locale",lower("name") collate "C","product_id");--> statement-breakpoint
CREATE INDEX "products_of_vendor" ON "products" USING btree ("vendor_slug" collate "C","id");--> statement-breakpoint
CREATE INDEX "products_of_category" ON "products" USING btree ("category","id");--> statement-breakpoint
CREATE INDEX "keys_reserved" ON "keys" USING btree ("plan_id") WHERE state = 'reserved';--> statement-breakpoint
CREATE INDEX "merchant_applications_by_time" ON "merchant_applications" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "merchant_applications_by_state" ON "merchant_applications" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "merchant_applications_by_email" ON "merchant_applications" USING btree ("email" collate "C","created_at","id");--> statement-breakpoint
CREATE INDEX "mails_by_time" ON "mails" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "mails_by_address" ON "mails" USING btree (lower("to_address") collate "C","created_at","id");--> statement-breakpoint
CREATE INDEX "mails_by_order" ON "mails" USING btree ("order_number","created_at","id") WHERE order_number is not null;--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("state","created_at","id") WHERE state <> 'sent';