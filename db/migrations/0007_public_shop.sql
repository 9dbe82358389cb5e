CREATE TABLE "post_texts" (
	"post_id" integer NOT NULL,
	"locale" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "post_texts_post_id_locale_pk" PRIMARY KEY("post_id","locale")
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "posts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 301 CACHE 1),
	"slug" text NOT NULL,
	"author" text NOT NULL,
	"category" text NOT NULL,
	"recommended" boolean DEFAULT false NOT NULL,
	"related" jsonb NOT NULL,
	"published_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"listed" boolean DEFAULT true NOT NULL,
	"import_hash" text NOT NULL,
	CONSTRAINT "posts_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "merchant_applications" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"product_url" text NOT NULL,
	"phone_num" text NOT NULL,
	"locale" text NOT NULL,
	"source" jsonb,
	"state" text DEFAULT 'received' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "merchant_applications_state" CHECK (state in ('received', 'approved', 'refused')),
	CONSTRAINT "merchant_applications_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "mail_optouts" (
	"email" text NOT NULL,
	"topic" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "mail_optouts_email_topic_pk" PRIMARY KEY("email","topic"),
	CONSTRAINT "mail_optouts_topic" CHECK (topic in ('discounts', 'wait_list')),
	CONSTRAINT "mail_optouts_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"topic" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"asked_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "subscriptions_topic" CHECK (topic in ('discounts')),
	CONSTRAINT "subscriptions_state" CHECK (state in ('pending', 'confirmed', 'ended')),
	CONSTRAINT "subscriptions_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "wait_list" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"plan_id" integer NOT NULL,
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "wait_list_state" CHECK (state in ('waiting', 'told', 'left'))
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"order_id" text NOT NULL,
	"user_id" text NOT NULL,
	"rating" integer NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"locale" text NOT NULL,
	"state" text DEFAULT 'published' NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"hidden_at" timestamp with time zone,
	CONSTRAINT "reviews_rating" CHECK (rating between 1 and 5),
	CONSTRAINT "reviews_state" CHECK (state in ('published', 'hidden'))
);
--> statement-breakpoint
CREATE TABLE "searches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "searches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text,
	"content" text NOT NULL,
	"locale" text NOT NULL,
	"device_type" text NOT NULL,
	"device_model" text,
	"language" text,
	"region" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "searches_device" CHECK (device_type in ('phone', 'computer'))
);
--> statement-breakpoint
CREATE TABLE "source_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "source_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_type" text NOT NULL,
	"landing_page" text,
	"referrer" text,
	"source" text,
	"campaign" text,
	"medium" text,
	"content" text,
	"marketing_user_id" text,
	"tracking_id" text,
	"user_id" text,
	"order_id" text,
	"product_id" integer,
	"plan_id" integer,
	"ip_network" text,
	"happened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "source_events_type" CHECK (event_type in ('visit', 'order'))
);
--> statement-breakpoint
CREATE TABLE "visits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "visits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"path" text NOT NULL,
	"locale" text NOT NULL,
	"device_type" text NOT NULL,
	"device_model" text,
	"language" text,
	"ip_network" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "visits_device" CHECK (device_type in ('mobile', 'desktop'))
);
--> statement-breakpoint
ALTER TABLE "post_texts" ADD CONSTRAINT "post_texts_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_category_categories_slug_fk" FOREIGN KEY ("category") REFERENCES "public"."categories"("slug") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wait_list" ADD CONSTRAINT "wait_list_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wait_list" ADD CONSTRAINT "wait_list_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "posts_newest" ON "posts" USING btree ("published_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE listed;--> statement-breakpoint
CREATE UNIQUE INDEX "merchant_applications_one" ON "merchant_applications" USING btree ("email") WHERE state <> 'refused';--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_one" ON "subscriptions" USING btree ("email","topic");--> statement-breakpoint
CREATE INDEX "subscriptions_confirmed" ON "subscriptions" USING btree ("topic","id") WHERE state = 'confirmed';--> statement-breakpoint
CREATE UNIQUE INDEX "wait_list_one" ON "wait_list" USING btree ("user_id","plan_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "wait_list_queue" ON "wait_list" USING btree ("plan_id","created_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one" ON "reviews" USING btree ("order_id","product_id");--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("product_id","created_at") WHERE state = 'published';--> statement-breakpoint
CREATE INDEX "reviews_of_user" ON "reviews" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "searches_by_time" ON "searches" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "searches_of_user" ON "searches" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "source_events_by_time" ON "source_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "source_events_of_order" ON "source_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "visits_by_path" ON "visits" USING btree ("path","created_at");--> statement-breakpoint
CREATE INDEX "visits_by_time" ON "visits" USING btree ("created_at");