-- outside
CREATE INDEX CONCURRENTLY "reviews_of_identity" ON "reviews" USING btree ("product_id","author_identity") WHERE state = 'published';