-- Invalidates cached pages that show the name of a category: its lists and the pages of its products.
CREATE OR REPLACE FUNCTION category_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_category_lists((coalesce(NEW, OLD)).slug);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER categories_page_tags AFTER INSERT OR UPDATE OR DELETE ON categories
  FOR EACH ROW EXECUTE FUNCTION category_pages_changed();
