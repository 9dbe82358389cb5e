-- Reports of what may be unlawful, and objections to their decisions. The tables are new and empty.
CREATE TABLE "content_reports" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"target_id" text NOT NULL,
	"target_name" text NOT NULL,
	"reason" text NOT NULL,
	"text" text NOT NULL,
	"email" text,
	"locale" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"outcome" text,
	"statement" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	CONSTRAINT "content_reports_kind" CHECK (kind in ('product', 'review', 'seller')),
	CONSTRAINT "content_reports_reason" CHECK (reason in ('illegal', 'misleading', 'rights', 'unsafe', 'personal_data', 'abusive', 'other')),
	CONSTRAINT "content_reports_outcome" CHECK (outcome in ('restricted', 'kept')),
	CONSTRAINT "content_reports_decision" CHECK ((decided_at is null) = (outcome is null) and (decided_at is null) = (decided_by is null) and (decided_at is null) = (statement is null))
);
--> statement-breakpoint
CREATE TABLE "report_appeals" (
	"id" text PRIMARY KEY NOT NULL,
	"report_id" text NOT NULL,
	"party" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"outcome" text,
	"statement" text,
	"decided_at" timestamp with time zone,
	"decided_by" text,
	CONSTRAINT "report_appeals_party" CHECK (party in ('reporter', 'affected')),
	CONSTRAINT "report_appeals_outcome" CHECK (outcome in ('upheld', 'reversed')),
	CONSTRAINT "report_appeals_decision" CHECK ((decided_at is null) = (outcome is null) and (decided_at is null) = (decided_by is null) and (decided_at is null) = (statement is null))
);
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "report_appeals" ADD CONSTRAINT "report_appeals_report_id_content_reports_id_fk" FOREIGN KEY ("report_id") REFERENCES "public"."content_reports"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "content_reports_open" ON "content_reports" USING btree ("created_at","id") WHERE decided_at is null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "content_reports_decided" ON "content_reports" USING btree ("created_at","id") WHERE decided_at is not null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "content_reports_of" ON "content_reports" USING btree ("kind","target_id");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "content_reports_by_email" ON "content_reports" USING btree ("email") WHERE email is not null;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "report_appeals_one" ON "report_appeals" USING btree ("report_id","party");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "report_appeals_open" ON "report_appeals" USING btree ("created_at","id") WHERE decided_at is null;
