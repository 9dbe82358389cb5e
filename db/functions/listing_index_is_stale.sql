-- True if the listing index must be refreshed. Called in the statement that reads a list.
CREATE OR REPLACE FUNCTION listing_index_is_stale() RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM listing_index_queue)
    OR EXISTS (SELECT FROM listing_index WHERE changes_at IS NOT NULL AND changes_at <= (SELECT shop_now()))
$$;
