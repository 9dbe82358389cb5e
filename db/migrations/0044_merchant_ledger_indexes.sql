-- outside
CREATE INDEX CONCURRENTLY "merchant_sales_unbooked" ON "merchant_sales" USING btree ("line_id") WHERE booked_cents <> net_cents - net_back_cents;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "merchant_sales_held" ON "merchant_sales" USING btree ("merchant_id","available_at","line_id");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "ledger_of_line" ON "ledger_entries" USING btree ("line_id","account") WHERE line_id is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "ledger_of_merchant" ON "ledger_entries" USING btree ("merchant_id","created_at","id") WHERE account = 'merchant_payable';
