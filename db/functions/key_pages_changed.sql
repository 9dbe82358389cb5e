-- Reports the change of stock per plan. One statement may change many keys, hence the transition tables.
CREATE OR REPLACE FUNCTION key_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM notify_stock_change(plan_id, count(*), bool_or(redeem_by IS NOT NULL))
    FROM new_keys WHERE state = 'available' GROUP BY plan_id;
  ELSE
    PERFORM notify_stock_change(n.plan_id, sum((n.state = 'available')::int - (o.state = 'available')::int),
      bool_or(n.redeem_by IS NOT NULL OR o.redeem_by IS NOT NULL))
    FROM new_keys n JOIN old_keys o ON o.id = n.id
    WHERE (n.state = 'available') <> (o.state = 'available')
      OR n.state = 'available' AND (n.redeem_by, n.sell_by) IS DISTINCT FROM (o.redeem_by, o.sell_by)
    GROUP BY n.plan_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER keys_page_tags AFTER UPDATE ON keys REFERENCING OLD TABLE AS old_keys NEW TABLE AS new_keys
  FOR EACH STATEMENT EXECUTE FUNCTION key_pages_changed();

CREATE OR REPLACE TRIGGER keys_page_tags_in AFTER INSERT ON keys REFERENCING NEW TABLE AS new_keys
  FOR EACH STATEMENT EXECUTE FUNCTION key_pages_changed();
