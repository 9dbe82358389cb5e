-- Accounts with a text anywhere in their address or name, at least three letters, in no order. The limit of the index ends a
-- search for what very many have in common; without it the index is read whole before the first row.
CREATE OR REPLACE FUNCTION find_people(part text, most integer)
RETURNS TABLE (id text, email text, username text)
LANGUAGE sql STABLE
SET gin_fuzzy_search_limit = 500 SET enable_seqscan = off AS $$
  SELECT u.id, u.email, u.username FROM users u
  WHERE u.deleted_at IS NULL AND (
    lower(u.email) LIKE '%' || replace(replace(replace(part, '\', '\\'), '%', '\%'), '_', '\_') || '%'
    OR lower(u.username) LIKE '%' || replace(replace(replace(part, '\', '\\'), '%', '\%'), '_', '\_') || '%')
  LIMIT most
$$;
