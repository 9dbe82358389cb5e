-- Whether the listing index has anything to refresh. Asked in the statement that reads a list.
CREATE OR REPLACE FUNCTION offers_are_due() RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM offers_due)
    OR EXISTS (SELECT FROM plan_offers WHERE changes_at IS NOT NULL AND changes_at <= (SELECT shop_now()))
$$;
