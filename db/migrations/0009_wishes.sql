CREATE TABLE "wishes" (
	"user_id" text NOT NULL,
	"product_id" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"seen_prices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"seen_in_stock" boolean DEFAULT true NOT NULL,
	"mailed_at" timestamp with time zone,
	CONSTRAINT "wishes_user_id_product_id_pk" PRIMARY KEY("user_id","product_id")
);
--> statement-breakpoint
ALTER TABLE "mail_optouts" DROP CONSTRAINT "mail_optouts_topic";--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "demo" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "wishes" ADD CONSTRAINT "wishes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wishes" ADD CONSTRAINT "wishes_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wishes_of_product" ON "wishes" USING btree ("product_id");--> statement-breakpoint
ALTER TABLE "mail_optouts" ADD CONSTRAINT "mail_optouts_topic" CHECK (topic in ('discounts', 'wait_list', 'wishlist'));