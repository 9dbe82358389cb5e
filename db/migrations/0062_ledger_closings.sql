CREATE TABLE "ledger_closings" (
	"account" text NOT NULL,
	"merchant_id" text NOT NULL,
	"cents" bigint NOT NULL,
	CONSTRAINT "ledger_closings_account_merchant_id_pk" PRIMARY KEY("account","merchant_id")
);
--> statement-breakpoint
ALTER TABLE "payout_settings" ADD COLUMN "ledger_closed_id" bigint DEFAULT 0 NOT NULL;