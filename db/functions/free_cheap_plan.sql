-- A pass whose own price is below the payment provider's least charge (50 cents, MINIMUM_CHARGE_CENTS) is free, one per
-- person (docs/product.md#84-free-passes-and-purchase-limits). Every writer of plans gets the rule here.
CREATE OR REPLACE FUNCTION free_cheap_plan() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.price_cents := 0;
  NEW.purchase_limit := 1;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER plans_cheap_are_free BEFORE INSERT OR UPDATE OF price_cents, purchase_limit ON plans
  FOR EACH ROW WHEN (NEW.price_cents BETWEEN 1 AND 49) EXECUTE FUNCTION free_cheap_plan();
