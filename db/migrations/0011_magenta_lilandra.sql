ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_account";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_state";--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "asked_by" text;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_asked_by_users_id_fk" FOREIGN KEY ("asked_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refund_requests_refused" ON "refund_requests" USING btree ("decided_at","id") WHERE state = 'refused';--> statement-breakpoint
CREATE INDEX "refunds_failed" ON "refunds" USING btree ("updated_at","id") WHERE state = 'failed';--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_account" CHECK (account in ('provider_cash', 'sales', 'refunds', 'other_cash'));--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_two_people" CHECK (decided_by is null or (decided_by <> user_id and decided_by is distinct from asked_by));--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_state" CHECK (state in ('pending', 'submitted', 'succeeded', 'failed', 'cancelled', 'settled'));