-- Invalidates cached pages by tag when the transaction commits (lib/platform/page-cache/invalidation-listener.ts). Tags:
-- product:ID, list, list:CATEGORY, merchant:HANDLE, seller:HANDLE, posts, campaigns, announcements, commission. Only triggers call it, so that every command, script and manual
-- statement invalidates what it changes.
CREATE OR REPLACE FUNCTION notify_page_tag(tag text) RETURNS void
LANGUAGE sql AS $$
  SELECT pg_notify('page_tags', tag)
$$;
