-- outside
CREATE INDEX CONCURRENTLY "keys_by_letters" ON "keys" USING btree ("letters_hash");
--> statement-breakpoint
-- outside
CREATE INDEX CONCURRENTLY "keys_of_former_form" ON "keys" USING btree ("id") WHERE letters_hash is null;
