-- Who changes prices in this transaction: the setting `shop.author` (`import`, a user's id), else `system`.
CREATE OR REPLACE FUNCTION price_author() RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT coalesce(nullif(current_setting('shop.author', true), ''), 'system')
$$;
