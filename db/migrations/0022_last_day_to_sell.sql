-- A code is sold only while its last day to redeem is far enough away: `sell_by` is the last moment to sell it. The functions
-- stand here too, so that no key is written without it before the ones of db/functions are applied.
ALTER TABLE "plans" ADD COLUMN "redeem_margin_days" integer;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_redeem_margin" CHECK (redeem_margin_days > 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "keys" ADD COLUMN "sell_by" timestamp with time zone;--> statement-breakpoint
-- The least days between the sale of a code of a plan and its last day to redeem: the plan's own, else 14
-- (REDEEM_MARGIN_DAYS), and never less than the length of a day or week pass, whose buyer can use up all of it.
CREATE OR REPLACE FUNCTION sell_margin(plan plans) RETURNS int
LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(coalesce(plan.redeem_margin_days, 14), CASE WHEN plan.type IN ('day', 'week') THEN plan.duration_days END)
$$;--> statement-breakpoint
-- The last moment to sell a key: its last day to redeem less the margin of its plan. The lock, which a change of the margin
-- takes too (move_sell_by.sql), makes an import that runs at the same time read the new margin.
CREATE OR REPLACE FUNCTION set_key_sell_by() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.redeem_by IS NULL THEN
    NEW.sell_by := NULL;
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(70419, NEW.plan_id);
  NEW.sell_by := NEW.redeem_by - make_interval(hours => 24 * (SELECT sell_margin(pl) FROM plans pl WHERE pl.id = NEW.plan_id));
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER keys_sell_by BEFORE INSERT OR UPDATE OF redeem_by, plan_id ON keys
  FOR EACH ROW EXECUTE FUNCTION set_key_sell_by();
