-- Hides the reviews of a product of which an order has nothing left, and shows them again when the bank has sent the refund
-- back. The reason is one of REVIEW_RULES (lib/reviews/rules.ts).
CREATE OR REPLACE FUNCTION hide_refunded_reviews() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = NEW.order_id AND l.product_id = NEW.product_id
      AND l.state <> 'refunded' AND l.refunded_quantity < l.quantity) THEN
    UPDATE reviews r SET state = 'published', hidden_at = NULL, hidden_reason = NULL
      WHERE r.order_id = NEW.order_id AND r.product_id = NEW.product_id AND r.state = 'hidden' AND r.hidden_reason = 'rule:refunded'
        AND NOT EXISTS (SELECT 1 FROM reviews o WHERE o.product_id = r.product_id AND o.state = 'published' AND o.id <> r.id
          AND (o.user_id = r.user_id OR o.author_identity = r.author_identity));
  ELSE
    UPDATE reviews r SET state = 'hidden', hidden_at = shop_now(), hidden_reason = 'rule:refunded'
      WHERE r.order_id = NEW.order_id AND r.product_id = NEW.product_id AND r.state = 'published';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER order_lines_reviews AFTER UPDATE OF state, refunded_quantity ON order_lines
  FOR EACH ROW WHEN (OLD.refunded_quantity <> NEW.refunded_quantity OR (OLD.state = 'refunded') <> (NEW.state = 'refunded'))
  EXECUTE FUNCTION hide_refunded_reviews();
