-- outside
CREATE INDEX CONCURRENTLY "users_by_part" ON "users" USING gin (lower("email") gin_trgm_ops,lower("username") gin_trgm_ops) WHERE deleted_at is null;