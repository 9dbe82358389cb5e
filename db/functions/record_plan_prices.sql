-- Records each new regular price and list price of a plan in price_changes. An entry is never earlier than the plan's last
-- one, because a transaction may begin before another and write after it.
CREATE OR REPLACE FUNCTION record_plan_prices() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO price_changes (plan_id, kind, cents, at, by)
    SELECT w.id, c.kind, c.cents, shop_now(), price_author()
    FROM written w CROSS JOIN LATERAL (VALUES ('price', w.price_cents), ('list', w.list_price_cents)) c(kind, cents)
    WHERE c.cents IS NOT NULL ORDER BY w.id, c.kind DESC;
  ELSE
    INSERT INTO price_changes (plan_id, kind, cents, was_cents, at, by)
    SELECT w.id, c.kind, c.cents, c.was_cents, price_change_time(w.id), price_author()
    FROM written w JOIN replaced r ON r.id = w.id
    CROSS JOIN LATERAL (VALUES ('price', w.price_cents, r.price_cents),
      ('list', w.list_price_cents, r.list_price_cents)) c(kind, cents, was_cents)
    WHERE c.cents IS DISTINCT FROM c.was_cents ORDER BY w.id, c.kind DESC;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER plans_record_prices_insert AFTER INSERT ON plans REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION record_plan_prices();

CREATE OR REPLACE TRIGGER plans_record_prices_update AFTER UPDATE ON plans
  REFERENCING OLD TABLE AS replaced NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION record_plan_prices();
