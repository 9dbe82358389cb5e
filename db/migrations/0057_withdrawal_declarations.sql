-- Declarations of withdrawal. The tables that the references read are not changed, and the new table is empty.
CREATE TABLE "withdrawal_declarations" (
	"id" text PRIMARY KEY NOT NULL,
	"order_ref" text NOT NULL,
	"email" text NOT NULL,
	"words" jsonb NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"declared_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT shop_now() NOT NULL,
	"order_id" text,
	"proved_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"closed_by" text,
	"closed_note" text,
	CONSTRAINT "withdrawal_declarations_end" CHECK (proved_at is null or closed_at is null),
	CONSTRAINT "withdrawal_declarations_closing" CHECK ((closed_at is null) = (closed_by is null) and (closed_at is null) = (closed_note is null))
);
--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "withdrawal_declarations" ADD CONSTRAINT "withdrawal_declarations_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE "withdrawal_declarations" ADD CONSTRAINT "withdrawal_declarations_closed_by_users_id_fk" FOREIGN KEY ("closed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "withdrawal_declarations_one" ON "withdrawal_declarations" USING btree ("order_ref","email") WHERE proved_at is null and closed_at is null;--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "withdrawal_declarations_open" ON "withdrawal_declarations" USING btree ("declared_at","id") WHERE proved_at is null and closed_at is null;--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "withdrawal_declarations_newest" ON "withdrawal_declarations" USING btree ("declared_at","id");--> statement-breakpoint
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "withdrawal_declarations_of_order" ON "withdrawal_declarations" USING btree ("order_id") WHERE order_id is not null;
