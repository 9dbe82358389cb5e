CREATE TABLE "product_revisions" (
	"product_id" integer NOT NULL,
	"revision" integer NOT NULL,
	"line" jsonb NOT NULL,
	"source" text NOT NULL,
	"by" text NOT NULL,
	"note" text,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "product_revisions_product_id_revision_pk" PRIMARY KEY("product_id","revision"),
	CONSTRAINT "product_revisions_source" CHECK (source in ('import', 'console'))
);
--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "source" text DEFAULT 'import' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "source" text DEFAULT 'import' NOT NULL;--> statement-breakpoint
ALTER TABLE "search_synonyms" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "search_synonyms" ADD COLUMN "source" text DEFAULT 'import' NOT NULL;--> statement-breakpoint
ALTER TABLE "product_revisions" ADD CONSTRAINT "product_revisions_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_source" CHECK (source in ('import', 'console'));--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_source" CHECK (source in ('import', 'console'));--> statement-breakpoint
ALTER TABLE "search_synonyms" ADD CONSTRAINT "search_synonyms_source" CHECK (source in ('import', 'console'));