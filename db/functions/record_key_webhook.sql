-- Tells a merchant's systems what became of a sold code: its buyer activated it, it no longer serves its buyer, or it does again.
-- Never the code: its reference is added before the message is sent (lib/webhooks/delivery).
CREATE OR REPLACE FUNCTION record_key_webhook() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  kind text := CASE WHEN OLD.state = NEW.state THEN 'key.activated' WHEN NEW.state = 'assigned' THEN 'key.restored' ELSE 'key.revoked' END;
  line record;
BEGIN
  SELECT p.merchant_id, l.product_id INTO line FROM order_lines l JOIN products p ON p.id = l.product_id
    WHERE l.id = NEW.order_line_id
      AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.merchant_id = p.merchant_id AND e.removed_at IS NULL AND e.state = 'enabled');
  IF FOUND THEN
    PERFORM record_webhook_message(line.merchant_id, kind, 'sale:' || NEW.order_line_id,
      jsonb_build_object('sale_id', NEW.order_line_id, 'product_id', line.product_id, 'vip_id', NEW.plan_id) || CASE kind
        WHEN 'key.activated' THEN jsonb_build_object('activated_at', webhook_time(NEW.activated_at))
        WHEN 'key.revoked' THEN jsonb_build_object('reason', CASE NEW.state WHEN 'revoked' THEN 'replaced' ELSE 'refunded' END)
        ELSE '{}' END, NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER keys_webhooks AFTER UPDATE OF state, activated_at ON keys
  FOR EACH ROW WHEN (NEW.order_line_id IS NOT NULL AND (
    (OLD.state = 'assigned' AND NEW.state IN ('revoked', 'quarantined')) OR (OLD.state = 'quarantined' AND NEW.state = 'assigned')
    OR (OLD.state = NEW.state AND NEW.activated_at IS NOT NULL AND OLD.activated_at IS DISTINCT FROM NEW.activated_at)))
  EXECUTE FUNCTION record_key_webhook();
