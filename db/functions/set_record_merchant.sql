-- Requests and reviews are their product's merchant's, so that its lists need no look at the products.
CREATE OR REPLACE FUNCTION set_record_merchant() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.merchant_id := CASE TG_TABLE_NAME
    WHEN 'refund_requests' THEN (SELECT p.merchant_id FROM order_lines l JOIN products p ON p.id = l.product_id
      WHERE l.id = (to_jsonb(NEW) ->> 'order_line_id'))
    WHEN 'replacement_requests' THEN (SELECT p.merchant_id FROM keys k JOIN plans v ON v.id = k.plan_id
      JOIN products p ON p.id = v.product_id WHERE k.id = (to_jsonb(NEW) ->> 'key_id'))
    ELSE (SELECT p.merchant_id FROM products p WHERE p.id = (to_jsonb(NEW) ->> 'product_id')::int)
  END;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER refund_requests_merchant BEFORE INSERT ON refund_requests
  FOR EACH ROW EXECUTE FUNCTION set_record_merchant();
CREATE OR REPLACE TRIGGER replacement_requests_merchant BEFORE INSERT ON replacement_requests
  FOR EACH ROW EXECUTE FUNCTION set_record_merchant();
CREATE OR REPLACE TRIGGER reviews_merchant BEFORE INSERT ON reviews
  FOR EACH ROW EXECUTE FUNCTION set_record_merchant();
