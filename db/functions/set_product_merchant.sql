-- A new product belongs to its vendor's merchant unless another one is named; a vendor without a merchant gets one. While the
-- merchant is not active, or its trader file holds its sales, the product is off the shop.
CREATE OR REPLACE FUNCTION set_product_merchant() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  slug text;
  merchant_state text;
  held boolean;
BEGIN
  IF NEW.merchant_id IS NULL THEN
    slug := vendor_slug(NEW.vendor);
    SELECT id INTO NEW.merchant_id FROM merchants WHERE handle = slug;
    IF NEW.merchant_id IS NULL THEN
      INSERT INTO merchants (id, handle, name) VALUES ('mch_' || left(md5(slug), 20), slug, NEW.vendor)
        ON CONFLICT DO NOTHING; -- of id and handle, as two first products may come at once
      SELECT id INTO NEW.merchant_id FROM merchants WHERE handle = slug;
    END IF;
  END IF;
  SELECT state, trade_held_at IS NOT NULL INTO merchant_state, held FROM merchants WHERE id = NEW.merchant_id;
  NEW.blocked_reason := CASE WHEN merchant_state <> 'active' THEN 'merchant_' || merchant_state
    WHEN held THEN 'merchant_unverified' END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER products_merchant BEFORE INSERT OR UPDATE OF merchant_id ON products
  FOR EACH ROW EXECUTE FUNCTION set_product_merchant();
