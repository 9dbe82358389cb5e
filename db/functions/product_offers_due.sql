-- Marks a product for the listing index when its rank, category, maker or listing changes.
CREATE OR REPLACE FUNCTION product_offers_due() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offers_due (product_id) VALUES (NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_offers_due AFTER UPDATE ON products
  FOR EACH ROW WHEN ((OLD.sort_num, OLD.category, OLD.maker, OLD.listed) IS DISTINCT FROM (NEW.sort_num, NEW.category, NEW.maker, NEW.listed))
  EXECUTE FUNCTION product_offers_due();
