-- Invalidates the tag `list` of pages that list all products, and `list:CATEGORY` of the lists and product pages of the
-- category.
CREATE OR REPLACE FUNCTION notify_category_lists(category text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag('list');
  IF category IS NOT NULL THEN
    PERFORM notify_page_tag('list:' || category);
  END IF;
END $$;
