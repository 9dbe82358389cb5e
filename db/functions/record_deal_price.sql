-- Records when a deal begins and ends in price_changes. The end by the clock is written with the start; a later `deal_end`
-- of the same deal replaces it, and a later `deal_start` continues the deal at another price. A deal that is sold out has
-- been announced, so that it counts until its end.
CREATE OR REPLACE FUNCTION record_deal_price() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  deal deals := coalesce(NEW, OLD);
  time timestamptz := price_change_time(deal.plan_id);
  ran boolean := TG_OP <> 'INSERT' AND OLD.ended_at IS NULL AND OLD.ends_at > time;
  runs boolean := TG_OP <> 'DELETE' AND NEW.ended_at IS NULL AND NEW.ends_at > time;
  regular int := (SELECT price_cents FROM plans WHERE id = deal.plan_id);
BEGIN
  IF runs AND (NOT ran OR NEW.price_cents <> OLD.price_cents) THEN
    INSERT INTO price_changes (plan_id, kind, cents, was_cents, at, deal_id, by)
    VALUES (deal.plan_id, 'deal_start', deal.price_cents, CASE WHEN ran THEN OLD.price_cents ELSE regular END, time,
      deal.id, price_author());
  END IF;
  IF ran OR runs THEN
    INSERT INTO price_changes (plan_id, kind, cents, was_cents, at, deal_id, by)
    VALUES (deal.plan_id, 'deal_end', regular, deal.price_cents, CASE WHEN runs THEN NEW.ends_at ELSE time END,
      deal.id, price_author());
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER deals_record_price AFTER INSERT OR DELETE ON deals
  FOR EACH ROW EXECUTE FUNCTION record_deal_price();

CREATE OR REPLACE TRIGGER deals_record_price_update AFTER UPDATE ON deals
  FOR EACH ROW WHEN ((NEW.price_cents, NEW.ends_at, NEW.ended_at) IS DISTINCT FROM (OLD.price_cents, OLD.ends_at, OLD.ended_at))
  EXECUTE FUNCTION record_deal_price();
