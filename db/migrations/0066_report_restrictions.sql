ALTER TABLE "content_reports" ADD COLUMN "restriction" jsonb;--> statement-breakpoint
-- Reviews that a decision has hidden and that are hidden still, so that an objection can put them back. There are few reports.
UPDATE "content_reports" r SET "restriction" = jsonb_build_object('mark', v.hidden_at::text) FROM "reviews" v
  WHERE r.kind = 'review' AND r.outcome = 'restricted' AND v.id = r.target_id AND v.state = 'hidden' AND v.hidden_reason = r.statement;
