-- Invalidates the page tag that is the trigger's argument.
CREATE OR REPLACE FUNCTION notify_fixed_page_tag() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_page_tag(TG_ARGV[0]);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER post_texts_page_tags AFTER INSERT OR UPDATE OR DELETE ON post_texts
  FOR EACH STATEMENT EXECUTE FUNCTION notify_fixed_page_tag('posts');

CREATE OR REPLACE TRIGGER posts_page_tags AFTER INSERT OR UPDATE OR DELETE ON posts
  FOR EACH STATEMENT EXECUTE FUNCTION notify_fixed_page_tag('posts');

-- Each written line of a product, and each change of a merchant's state, changes the feed.
CREATE OR REPLACE TRIGGER product_revisions_feed_tag AFTER INSERT ON product_revisions
  FOR EACH STATEMENT EXECUTE FUNCTION notify_fixed_page_tag('feed');

CREATE OR REPLACE TRIGGER merchants_feed_tag AFTER UPDATE OF state ON merchants
  FOR EACH STATEMENT EXECUTE FUNCTION notify_fixed_page_tag('feed');
