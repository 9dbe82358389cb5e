-- Fills in whose the requests and reviews are that are older than set_record_merchant.
CREATE OR REPLACE FUNCTION set_missing_merchants() RETURNS void
LANGUAGE sql AS $$
  UPDATE refund_requests q SET merchant_id = p.merchant_id FROM order_lines l JOIN products p ON p.id = l.product_id
    WHERE q.merchant_id IS NULL AND l.id = q.order_line_id;
  UPDATE replacement_requests r SET merchant_id = p.merchant_id
    FROM keys k JOIN plans v ON v.id = k.plan_id JOIN products p ON p.id = v.product_id
    WHERE r.merchant_id IS NULL AND k.id = r.key_id;
  UPDATE reviews r SET merchant_id = p.merchant_id FROM products p
    WHERE r.merchant_id IS NULL AND p.id = r.product_id;
$$;
