ALTER TABLE "mails" DROP CONSTRAINT "mails_state";--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_state" CHECK (state in ('queued', 'sent', 'failed', 'dropped'));