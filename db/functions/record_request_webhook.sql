-- Tells a merchant's systems that a buyer asks for a refund or another code, and what was decided. A withdrawal that staff alone
-- decide is not the merchant's (refund_requests.stated_country).
CREATE OR REPLACE FUNCTION record_request_webhook() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  this jsonb := to_jsonb(NEW);
  of_refund boolean := TG_TABLE_NAME = 'refund_requests';
  line record;
BEGIN
  IF of_refund AND this ->> 'stated_country' IS NOT NULL OR NOT EXISTS (SELECT FROM webhook_endpoints e
      WHERE e.merchant_id = NEW.merchant_id AND e.removed_at IS NULL AND e.state = 'enabled') THEN
    RETURN NULL;
  END IF;
  SELECT l.id, l.product_id, l.plan_id INTO line FROM order_lines l WHERE l.id = CASE WHEN of_refund THEN this ->> 'order_line_id'
    ELSE (SELECT k.order_line_id FROM keys k WHERE k.id = this ->> 'key_id') END;
  PERFORM record_webhook_message(NEW.merchant_id, CASE NEW.state WHEN 'asked' THEN 'request.opened' ELSE 'request.decided' END,
    'sale:' || line.id,
    jsonb_build_object('request_id', NEW.id, 'kind', CASE WHEN of_refund THEN 'refund' ELSE 'replacement' END, 'sale_id', line.id,
      'product_id', line.product_id, 'vip_id', line.plan_id) || CASE NEW.state
        WHEN 'asked' THEN jsonb_build_object('answer_by',
          CASE WHEN of_refund THEN webhook_time((this ->> 'answer_by')::timestamptz) END)
        ELSE jsonb_build_object('state', NEW.state) END);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER refund_requests_opened_webhook AFTER INSERT ON refund_requests
  FOR EACH ROW WHEN (NEW.state = 'asked') EXECUTE FUNCTION record_request_webhook();
CREATE OR REPLACE TRIGGER refund_requests_decided_webhook AFTER UPDATE OF state ON refund_requests
  FOR EACH ROW WHEN (OLD.state = 'asked' AND NEW.state <> 'asked') EXECUTE FUNCTION record_request_webhook();
CREATE OR REPLACE TRIGGER replacement_requests_opened_webhook AFTER INSERT ON replacement_requests
  FOR EACH ROW WHEN (NEW.state = 'asked') EXECUTE FUNCTION record_request_webhook();
CREATE OR REPLACE TRIGGER replacement_requests_decided_webhook AFTER UPDATE OF state ON replacement_requests
  FOR EACH ROW WHEN (OLD.state = 'asked' AND NEW.state <> 'asked') EXECUTE FUNCTION record_request_webhook();
