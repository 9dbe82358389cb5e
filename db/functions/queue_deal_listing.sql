-- Queues products for the listing index when a deal changes what a list shows.
CREATE OR REPLACE FUNCTION queue_deal_listing() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR (NEW.claimed < NEW.quantity) <> (OLD.claimed < OLD.quantity)
    OR (NEW.plan_id, NEW.price_cents, NEW.ends_at, NEW.ended_at)
      IS DISTINCT FROM (OLD.plan_id, OLD.price_cents, OLD.ends_at, OLD.ended_at) THEN
    INSERT INTO listing_index_queue (product_id) SELECT product_id FROM plans
    WHERE id IN ((coalesce(NEW, OLD)).plan_id, (coalesce(OLD, NEW)).plan_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER deals_queue_listing AFTER INSERT OR UPDATE OR DELETE ON deals
  FOR EACH ROW EXECUTE FUNCTION queue_deal_listing();
