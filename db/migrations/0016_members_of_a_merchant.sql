-- outside
CREATE INDEX CONCURRENTLY "merchant_members_of_merchant" ON "merchant_members" USING btree ("merchant_id","user_id");
