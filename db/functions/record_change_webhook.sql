-- Tells a merchant's systems that staff, or the rule for trusted merchants, decided about a change that it proposed.
CREATE OR REPLACE FUNCTION record_change_webhook() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_webhook_message(NEW.merchant_id, 'change.decided', 'change:' || NEW.id, jsonb_build_object('change_id', NEW.id,
    'product_id', NEW.product_id, 'state', NEW.state, 'note', NEW.note, 'revision', NEW.revision));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER product_changes_webhook AFTER UPDATE OF state ON product_changes
  FOR EACH ROW WHEN (OLD.state <> NEW.state AND NEW.state IN ('approved', 'returned', 'refused')) EXECUTE FUNCTION record_change_webhook();
