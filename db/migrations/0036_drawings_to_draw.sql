-- outside
CREATE INDEX CONCURRENTLY "drawings_to_draw" ON "product_images" USING btree ("hash") WHERE mime = 'image/svg+xml' and drawn is null;