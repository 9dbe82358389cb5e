-- outside
CREATE INDEX CONCURRENTLY "merchant_sales_unpaid" ON "merchant_sales" USING btree ("merchant_id","line_id") WHERE booked_cents <> paid_out_cents;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "ledger_in_transit" ON "ledger_entries" USING btree ("merchant_id") WHERE account = 'payouts_in_transit';