CREATE TABLE "inbox_marks" (
	"key" text PRIMARY KEY NOT NULL,
	"queue" text NOT NULL,
	"id" text NOT NULL,
	"snoozed_until" timestamp with time zone,
	"assigned_to" text,
	"handed_to" text,
	"note" text,
	"marked_by" text NOT NULL,
	"at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	CONSTRAINT "inbox_marks_asked_role" CHECK (queue <> 'asked' or (handed_to is not null and note is not null))
);
--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "inbox_marks_asked" ON "inbox_marks" USING btree ("at","key") WHERE queue = 'asked';--> statement-breakpoint
-- The table is new and empty.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "inbox_marks_by_time" ON "inbox_marks" USING btree ("at");