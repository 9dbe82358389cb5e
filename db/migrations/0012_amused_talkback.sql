CREATE TABLE "import_pictures" (
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "import_pictures_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
CREATE TABLE "import_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"sha256" text NOT NULL,
	"name" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"lines" integer NOT NULL,
	"counts" jsonb NOT NULL,
	"report" jsonb NOT NULL,
	"started_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"beat_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "import_runs_kind" CHECK (kind in ('catalog', 'keys', 'coupons')),
	CONSTRAINT "import_runs_state" CHECK (state in ('running', 'done', 'failed', 'broken')),
	CONSTRAINT "import_runs_ended" CHECK ((state = 'running') = (ended_at is null))
);
--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "edited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "import_pictures" ADD CONSTRAINT "import_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_pictures" ADD CONSTRAINT "import_pictures_hash_product_images_hash_fk" FOREIGN KEY ("hash") REFERENCES "public"."product_images"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_started_by_users_id_fk" FOREIGN KEY ("started_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_pictures_hash" ON "import_pictures" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX "import_runs_running" ON "import_runs" USING btree ("kind","sha256") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "import_runs_by_time" ON "import_runs" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);