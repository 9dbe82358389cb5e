-- Invalidates all public pages, which show the running announcement. One that begins later than cached pages live
-- (a minute, lib/platform/page-cache/store.ts) invalidates none: the pages expire when it begins.
CREATE OR REPLACE FUNCTION announcement_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  soon CONSTANT timestamptz := shop_now() + interval '2 minutes';
BEGIN
  IF (TG_OP <> 'DELETE' AND NEW.starts_at < soon AND NEW.ends_at > shop_now())
    OR (TG_OP <> 'INSERT' AND OLD.starts_at < soon AND OLD.ends_at > shop_now()) THEN
    PERFORM notify_page_tag('announcements');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announcements_page_tags AFTER INSERT OR UPDATE OR DELETE ON announcements
  FOR EACH ROW EXECUTE FUNCTION announcement_pages_changed();
