-- In a file of its own, because statements outside of the transaction run before those of their file.
-- outside
CREATE INDEX CONCURRENTLY "order_lines_by_cart" ON "order_lines" USING btree ("cart_at") WHERE cart_at is not null;
