CREATE TABLE "search_synonyms" (
	"slug" text PRIMARY KEY NOT NULL,
	"terms" jsonb NOT NULL,
	"query" text NOT NULL,
	"import_hash" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "search_terms" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "search_terms" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "search_vocabulary" ADD COLUMN "stem" text GENERATED ALWAYS AS (coalesce((ts_lexize('english_stem', word))[1], word)) STORED;--> statement-breakpoint
CREATE INDEX "search_vocabulary_by_stem" ON "search_vocabulary" USING btree ("stem");