CREATE TABLE "catalog_counts" (
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"total" integer NOT NULL,
	CONSTRAINT "catalog_counts_kind_name_pk" PRIMARY KEY("kind","name")
);
--> statement-breakpoint
CREATE TABLE "offers_due" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "offers_due_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"product_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plan_offers" (
	"plan_id" integer PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"sort_num" integer NOT NULL,
	"category" text NOT NULL,
	"maker" text NOT NULL,
	"type" text NOT NULL,
	"duration_days" integer,
	"position" integer NOT NULL,
	"cents" integer NOT NULL,
	"per_day" integer,
	"deal_ends_at" timestamp with time zone,
	"in_stock" boolean NOT NULL,
	"buyable" boolean NOT NULL,
	"best" boolean NOT NULL,
	"best_of_type" boolean NOT NULL,
	"changes_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "plan_offers" ADD CONSTRAINT "plan_offers_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plan_offers_by_product" ON "plan_offers" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "plan_offers_best" ON "plan_offers" USING btree ("sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_best_cheap" ON "plan_offers" USING btree ("cents","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_best_dear" ON "plan_offers" USING btree ("cents" desc,"sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_best_daily" ON "plan_offers" USING btree ("per_day","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_category" ON "plan_offers" USING btree ("category","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_category_cheap" ON "plan_offers" USING btree ("category","cents","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_category_dear" ON "plan_offers" USING btree ("category","cents" desc,"sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_category_daily" ON "plan_offers" USING btree ("category","per_day","sort_num" desc,"product_id") WHERE best;--> statement-breakpoint
CREATE INDEX "plan_offers_type" ON "plan_offers" USING btree ("type","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "plan_offers_type_cheap" ON "plan_offers" USING btree ("type","cents","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "plan_offers_type_dear" ON "plan_offers" USING btree ("type","cents" desc,"sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "plan_offers_type_daily" ON "plan_offers" USING btree ("type","per_day","sort_num" desc,"product_id") WHERE best_of_type;--> statement-breakpoint
CREATE INDEX "plan_offers_cheap" ON "plan_offers" USING btree ("cents","sort_num" desc,"product_id");--> statement-breakpoint
CREATE INDEX "plan_offers_dear" ON "plan_offers" USING btree ("cents" desc,"sort_num" desc,"product_id");--> statement-breakpoint
CREATE INDEX "plan_offers_daily" ON "plan_offers" USING btree ("per_day","sort_num" desc,"product_id");--> statement-breakpoint
CREATE INDEX "plan_offers_free" ON "plan_offers" USING btree ("sort_num" desc,"product_id") WHERE cents = 0;--> statement-breakpoint
CREATE INDEX "plan_offers_deals" ON "plan_offers" USING btree ("deal_ends_at") WHERE deal_ends_at is not null;--> statement-breakpoint
CREATE INDEX "plan_offers_changing" ON "plan_offers" USING btree ("changes_at") WHERE changes_at is not null;
--> statement-breakpoint
-- Writes the offers of these products anew, or of all when null: plans on the list, with what they cost now and whether
-- they can be had. Whoever calls it for some has their rows locked, so that two never write from what each has not seen.
CREATE FUNCTION write_offers(ids int[]) RETURNS void LANGUAGE plpgsql SET plan_cache_mode = 'force_custom_plan' AS $$
DECLARE
  clock timestamptz := shop_now();
BEGIN
  DELETE FROM offers_due WHERE ids IS NULL OR product_id = ANY (ids);
  DELETE FROM plan_offers o WHERE (ids IS NULL OR o.product_id = ANY (ids)) AND NOT EXISTS (
    SELECT FROM plans pl JOIN products p ON p.id = pl.product_id AND p.listed WHERE pl.id = o.plan_id AND pl.listed);
  INSERT INTO plan_offers AS o
  SELECT f.plan_id, f.product_id, f.sort_num, f.category, f.maker, f.type, f.duration_days, f.position, f.cents,
    CASE WHEN f.duration_days IS NULL THEN NULL WHEN f.cents = 0 THEN 0
      ELSE greatest(1, (2 * f.cents::bigint + f.duration_days) / (2 * f.duration_days)) END,
    f.deal_ends_at, f.in_stock, f.buyable,
    row_number() OVER (PARTITION BY f.product_id
      ORDER BY f.in_stock DESC, f.buyable DESC, f.cents, f.position, f.plan_id) = 1,
    row_number() OVER (PARTITION BY f.product_id, f.type
      ORDER BY f.in_stock DESC, f.buyable DESC, f.cents, f.position, f.plan_id) = 1,
    f.changes_at
  FROM (
    SELECT pl.id AS plan_id, pl.product_id, p.sort_num, p.category, p.maker, pl.type, pl.duration_days, pl.position,
      coalesce(d.price_cents, pl.price_cents) AS cents, d.ends_at AS deal_ends_at, stock.in_stock,
      stock.in_stock OR now.availability = 'pre_order' AS buyable,
      least(d.ends_at, CASE WHEN now.availability = 'pre_order' THEN pl.releases_at END,
        (SELECT k.redeem_by FROM keys k WHERE k.plan_id = pl.id AND k.state = 'available' AND k.redeem_by > clock
          ORDER BY k.redeem_by LIMIT 1)) AS changes_at
    FROM products p JOIN plans pl ON pl.product_id = p.id AND pl.listed
    LEFT JOIN deals d ON d.plan_id = pl.id AND d.ended_at IS NULL AND d.ends_at > clock AND d.claimed < d.quantity
    CROSS JOIN LATERAL (SELECT CASE WHEN pl.availability = 'pre_order' AND pl.releases_at <= clock THEN 'in_stock'
      ELSE pl.availability END AS availability) now
    CROSS JOIN LATERAL (SELECT now.availability = 'in_stock' AND EXISTS (SELECT FROM keys k WHERE k.plan_id = pl.id
      AND k.state = 'available' AND (k.redeem_by IS NULL OR k.redeem_by > clock)) AS in_stock) stock
    WHERE p.listed AND (ids IS NULL OR p.id = ANY (ids))) f
  ON CONFLICT (plan_id) DO UPDATE SET product_id = excluded.product_id, sort_num = excluded.sort_num,
    category = excluded.category, maker = excluded.maker, type = excluded.type,
    duration_days = excluded.duration_days, position = excluded.position, cents = excluded.cents,
    per_day = excluded.per_day, deal_ends_at = excluded.deal_ends_at, in_stock = excluded.in_stock,
    buyable = excluded.buyable, best = excluded.best, best_of_type = excluded.best_of_type,
    changes_at = excluded.changes_at
  WHERE o.* IS DISTINCT FROM excluded.*;
END $$;
--> statement-breakpoint
-- Brings the offers up to date with what was written since, and with the time. A product that somebody is writing at
-- this moment is left to the next reader: it is as it was until that commits.
CREATE FUNCTION settle_offers() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids int[];
BEGIN
  SELECT array_agg(locked.id) INTO ids FROM (
    SELECT p.id FROM products p WHERE p.id IN (
      SELECT product_id FROM offers_due UNION SELECT product_id FROM plan_offers WHERE changes_at <= (SELECT shop_now()))
    ORDER BY p.id LIMIT 2000 FOR NO KEY UPDATE SKIP LOCKED) locked;
  IF ids IS NOT NULL THEN
    PERFORM write_offers(ids);
  END IF;
END $$;
--> statement-breakpoint
-- Is anything to be settled? Asked within the statement that reads a list.
CREATE FUNCTION offers_are_due() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM offers_due)
    OR EXISTS (SELECT FROM plan_offers WHERE changes_at IS NOT NULL AND changes_at <= (SELECT shop_now())) $$;
--> statement-breakpoint
-- Who writes a plan, deal, key or product leaves a note and locks nothing more: rivals in a sale never wait here.
CREATE FUNCTION plan_offers_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offers_due (product_id) SELECT DISTINCT product_id FROM written;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER plans_offers_due_in AFTER INSERT ON "plans" REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION plan_offers_due();
--> statement-breakpoint
CREATE TRIGGER plans_offers_due AFTER UPDATE ON "plans" REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION plan_offers_due();
--> statement-breakpoint
CREATE TRIGGER plans_offers_due_out AFTER DELETE ON "plans" REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION plan_offers_due();
--> statement-breakpoint
CREATE FUNCTION product_offers_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO offers_due (product_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_offers_due AFTER UPDATE ON "products" FOR EACH ROW
  WHEN ((OLD.sort_num, OLD.category, OLD.maker, OLD.listed) IS DISTINCT FROM (NEW.sort_num, NEW.category, NEW.maker, NEW.listed))
  EXECUTE FUNCTION product_offers_due();
--> statement-breakpoint
CREATE FUNCTION deal_offers_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR (NEW.claimed < NEW.quantity) <> (OLD.claimed < OLD.quantity)
    OR (NEW.plan_id, NEW.price_cents, NEW.ends_at, NEW.ended_at)
      IS DISTINCT FROM (OLD.plan_id, OLD.price_cents, OLD.ends_at, OLD.ended_at) THEN
    INSERT INTO offers_due (product_id) SELECT product_id FROM plans
    WHERE id IN ((coalesce(NEW, OLD)).plan_id, (coalesce(OLD, NEW)).plan_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deals_offers_due AFTER INSERT OR UPDATE OR DELETE ON "deals"
  FOR EACH ROW EXECUTE FUNCTION deal_offers_due();
--> statement-breakpoint
-- As in migration page_tags, and where so little is free that it may run out, or has just come back, the offers are due.
CREATE OR REPLACE FUNCTION tell_stock(plan integer, gained bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_free integer;
  was_free integer;
BEGIN
  SELECT count(*) INTO now_free FROM (
    SELECT 1 FROM keys k WHERE k.plan_id = plan AND k.state = 'available'
      AND (k.redeem_by IS NULL OR k.redeem_by > shop_now()) LIMIT 40) free;
  was_free := now_free - gained;
  IF least(now_free, was_free) > 20 THEN
    RETURN;
  END IF;
  INSERT INTO offers_due (product_id) SELECT p.product_id FROM plans p WHERE p.id = plan;
  PERFORM tell_page_tag('product:' || p.product_id) FROM plans p WHERE p.id = plan;
  IF least(now_free, was_free) <= 2 THEN
    PERFORM tell_page_tag('list');
  END IF;
END $$;
--> statement-breakpoint
-- A code with a date by which it must be redeemed ends some stock by time alone.
CREATE FUNCTION key_offers_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR (NEW.redeem_by, NEW.plan_id) IS DISTINCT FROM (OLD.redeem_by, OLD.plan_id) THEN
    INSERT INTO offers_due (product_id) SELECT product_id FROM plans
    WHERE id IN ((coalesce(NEW, OLD)).plan_id, (coalesce(OLD, NEW)).plan_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER keys_offers_due_in AFTER INSERT ON "keys" FOR EACH ROW WHEN (NEW.redeem_by IS NOT NULL)
  EXECUTE FUNCTION key_offers_due();
--> statement-breakpoint
CREATE TRIGGER keys_offers_due AFTER UPDATE OF "redeem_by", "plan_id" ON "keys"
  FOR EACH ROW EXECUTE FUNCTION key_offers_due();
--> statement-breakpoint
CREATE TRIGGER keys_offers_due_out AFTER DELETE ON "keys" FOR EACH ROW EXECUTE FUNCTION key_offers_due();
--> statement-breakpoint
-- Tests set the clock, also back.
CREATE FUNCTION clock_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_offers(NULL);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER shop_clock_offers AFTER UPDATE ON "shop_clock" FOR EACH STATEMENT EXECUTE FUNCTION clock_offers();
--> statement-breakpoint
-- Counts follow the offers: a product counts by its best one.
CREATE FUNCTION count_offers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  more text := 'SELECT category, maker, best, 1 AS n FROM added';
  fewer text := 'SELECT category, maker, best, -1 AS n FROM removed';
BEGIN
  EXECUTE format('INSERT INTO catalog_counts AS c (kind, name, total)
    SELECT d.kind, d.name, sum(o.n) FROM (%s) o CROSS JOIN LATERAL (VALUES
      (''category'', o.category, o.best), (''maker'', o.maker, o.best), (''plan'', '''', true)) d(kind, name, counts)
    WHERE d.counts GROUP BY d.kind, d.name HAVING sum(o.n) <> 0 ORDER BY d.kind, d.name
    ON CONFLICT (kind, name) DO UPDATE SET total = c.total + excluded.total',
    CASE TG_OP WHEN 'INSERT' THEN more WHEN 'DELETE' THEN fewer ELSE more || ' UNION ALL ' || fewer END);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER plan_offers_count_in AFTER INSERT ON "plan_offers" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_offers();
--> statement-breakpoint
CREATE TRIGGER plan_offers_count AFTER UPDATE ON "plan_offers" REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_offers();
--> statement-breakpoint
CREATE TRIGGER plan_offers_count_out AFTER DELETE ON "plan_offers" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_offers();
--> statement-breakpoint
SELECT write_offers(NULL);
