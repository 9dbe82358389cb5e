-- Tells a merchant's systems of a new review.
CREATE OR REPLACE FUNCTION record_review_webhook() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_webhook_message(NEW.merchant_id, 'review.created', 'review:' || NEW.id,
    jsonb_build_object('review_id', NEW.id, 'product_id', NEW.product_id, 'rating', NEW.rating));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER reviews_webhook AFTER INSERT ON reviews
  FOR EACH ROW WHEN (NEW.state = 'published' AND NEW.merchant_id IS NOT NULL AND NOT NEW.demo) EXECUTE FUNCTION record_review_webhook();
