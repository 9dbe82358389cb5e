-- outside
CREATE INDEX CONCURRENTLY "returned_keys_by_line" ON "returned_keys" USING btree ("order_line_id");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "returned_keys_by_identity" ON "returned_keys" USING btree ("identity") WHERE identity is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "returned_keys_by_card" ON "returned_keys" USING btree ("card_fingerprint") WHERE card_fingerprint is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "returned_keys_by_address" ON "returned_keys" USING btree ("address_group") WHERE address_group is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "returned_keys_to_forget" ON "returned_keys" USING btree ("created_at") WHERE identity is not null;
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "order_holds_of_address" ON "order_holds" USING btree ("address_group") WHERE address_group is not null;
