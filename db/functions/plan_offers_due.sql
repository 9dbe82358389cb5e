-- Marks the products of changed plans for the listing index. A note is left instead of a lock, so that concurrent sales
-- do not wait here.
CREATE OR REPLACE FUNCTION plan_offers_due() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offers_due (product_id) SELECT DISTINCT product_id FROM written;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER plans_offers_due AFTER UPDATE ON plans REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION plan_offers_due();

CREATE OR REPLACE TRIGGER plans_offers_due_in AFTER INSERT ON plans REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION plan_offers_due();

CREATE OR REPLACE TRIGGER plans_offers_due_out AFTER DELETE ON plans REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION plan_offers_due();
