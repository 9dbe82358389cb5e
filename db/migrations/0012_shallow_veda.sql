DROP INDEX "orders_by_transaction";--> statement-breakpoint
CREATE INDEX "orders_by_transaction" ON "orders" USING btree ("transaction_id") WHERE transaction_id is not null;