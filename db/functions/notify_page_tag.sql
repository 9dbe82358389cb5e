-- Invalidates cached pages by tag when the transaction commits (lib/cache.ts). Tags: product:ID, list, list:CATEGORY,
-- posts, campaigns. Triggers call it, so that no command, script or manual statement can forget to.
CREATE OR REPLACE FUNCTION notify_page_tag(tag text) RETURNS void
LANGUAGE sql AS $$
  SELECT pg_notify('page_tags', tag)
$$;
