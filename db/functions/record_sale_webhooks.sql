-- Tells merchants' systems of sales: paid, all codes there, refunded (also a part, or one that the bank sent back). The generic plan
-- is forced, because every sale runs this.
CREATE OR REPLACE FUNCTION record_sale_webhooks() RETURNS trigger
LANGUAGE plpgsql SET plan_cache_mode = 'force_generic_plan' AS $$
DECLARE
  line record;
  line_ids text[] := CASE TG_TABLE_NAME WHEN 'orders' THEN ARRAY(SELECT id FROM order_lines WHERE order_id = to_jsonb(NEW) ->> 'id')
    ELSE ARRAY[to_jsonb(NEW) ->> CASE TG_TABLE_NAME WHEN 'merchant_sales' THEN 'line_id' ELSE 'id' END] END;
  kind text := CASE TG_TABLE_NAME WHEN 'orders' THEN 'sale.created' WHEN 'merchant_sales' THEN 'sale.refunded'
    ELSE CASE WHEN to_jsonb(NEW) ->> 'state' = 'assigned' THEN 'sale.delivered' ELSE 'sale.refunded' END END;
BEGIN
  FOR line IN
    SELECT l.id, p.merchant_id, jsonb_build_object('sale_id', l.id, 'product_id', l.product_id, 'vip_id', l.plan_id,
        'pass_type', l.pass_type, 'units', l.quantity, 'price', round(l.unit_price_cents * l.quantity / 100.0, 2),
        'discount', round(l.discount_cents / 100.0, 2), 'pre_order', l.pre_order, 'sold_at', webhook_time(o.paid_at)) AS content,
      jsonb_build_object('refunded_units', coalesce(s.refunded_units, l.refunded_quantity),
        'refunded', round(coalesce(s.refunded_cents, l.refunded_cents - l.goodwill_cents) / 100.0, 2)) AS refund
    FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN products p ON p.id = l.product_id
      LEFT JOIN merchant_sales s ON s.line_id = l.id
    WHERE l.id = ANY (line_ids) AND o.paid_at IS NOT NULL
      -- A refund of a line with codes is told by its sale.
      AND (TG_TABLE_NAME <> 'order_lines' OR kind = 'sale.delivered' OR s.line_id IS NULL)
      AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.merchant_id = p.merchant_id AND e.removed_at IS NULL AND e.state = 'enabled')
    ORDER BY l.id
  LOOP
    PERFORM record_webhook_message(line.merchant_id, kind, 'sale:' || line.id,
      line.content || CASE kind WHEN 'sale.refunded' THEN line.refund ELSE '{}' END);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER orders_webhooks AFTER UPDATE OF paid_at ON orders
  FOR EACH ROW WHEN (OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL) EXECUTE FUNCTION record_sale_webhooks();
CREATE OR REPLACE TRIGGER order_lines_delivered_webhooks AFTER UPDATE OF state ON order_lines
  FOR EACH ROW WHEN (NEW.state = 'assigned' AND OLD.state IN ('reserved', 'waiting')) EXECUTE FUNCTION record_sale_webhooks();
CREATE OR REPLACE TRIGGER order_lines_refunded_webhooks AFTER UPDATE OF refunded_quantity, refunded_cents ON order_lines
  FOR EACH ROW WHEN ((OLD.refunded_quantity, OLD.refunded_cents - OLD.goodwill_cents)
    IS DISTINCT FROM (NEW.refunded_quantity, NEW.refunded_cents - NEW.goodwill_cents)) EXECUTE FUNCTION record_sale_webhooks();
CREATE OR REPLACE TRIGGER merchant_sales_webhooks AFTER UPDATE OF refunded_units, refunded_cents ON merchant_sales
  FOR EACH ROW WHEN ((OLD.refunded_units, OLD.refunded_cents) IS DISTINCT FROM (NEW.refunded_units, NEW.refunded_cents))
  EXECUTE FUNCTION record_sale_webhooks();
