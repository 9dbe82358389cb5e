CREATE TABLE "generated_file_parts" (
	"version" text NOT NULL,
	"part" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "generated_file_parts_version_part_pk" PRIMARY KEY("version","part")
);
--> statement-breakpoint
CREATE TABLE "generated_files" (
	"path" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"took_ms" integer NOT NULL
);
