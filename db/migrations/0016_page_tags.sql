-- Which finished pages a commit makes outdated (lib/cache.ts): triggers say it, so that no command, script or hand
-- can forget to. Tags: product:ID (all that shows the product), list (what stands on lists, and in which order), posts,
-- campaigns. Delivered with the commit, each tag once a transaction.
CREATE FUNCTION tell_page_tag(tag text) RETURNS void LANGUAGE sql AS $$ SELECT pg_notify('page_tags', tag) $$;
--> statement-breakpoint
CREATE FUNCTION product_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  PERFORM tell_page_tag('product:' || coalesce(one->>TG_ARGV[0], ''));
  PERFORM tell_page_tag('list');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_page_tags AFTER INSERT OR UPDATE OR DELETE ON "products"
  FOR EACH ROW EXECUTE FUNCTION product_pages_changed('id');
--> statement-breakpoint
CREATE TRIGGER product_texts_page_tags AFTER INSERT OR UPDATE OR DELETE ON "product_texts"
  FOR EACH ROW EXECUTE FUNCTION product_pages_changed('product_id');
--> statement-breakpoint
CREATE TRIGGER plans_page_tags AFTER INSERT OR UPDATE OR DELETE ON "plans"
  FOR EACH ROW EXECUTE FUNCTION product_pages_changed('product_id');
--> statement-breakpoint
-- A claimed unit changes the number that the product's pages show; the last one, and the first that comes back, the lists.
CREATE FUNCTION deal_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one deals := coalesce(NEW, OLD);
BEGIN
  PERFORM tell_page_tag('product:' || p.product_id) FROM plans p WHERE p.id = one.plan_id;
  IF TG_OP <> 'UPDATE' OR (NEW.claimed < NEW.quantity) <> (OLD.claimed < OLD.quantity)
    OR (NEW.plan_id, NEW.price_cents, NEW.ends_at, NEW.quantity, NEW.ended_at)
      IS DISTINCT FROM (OLD.plan_id, OLD.price_cents, OLD.ends_at, OLD.quantity, OLD.ended_at) THEN
    PERFORM tell_page_tag('list');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deals_page_tags AFTER INSERT OR UPDATE OR DELETE ON "deals"
  FOR EACH ROW EXECUTE FUNCTION deal_pages_changed();
--> statement-breakpoint
-- Stock is shown exactly at 5 and fewer, else as in stock: beyond 20 nothing is told (rivals that this transaction does
-- not see yet may take some of the difference). None left, or some again, changes the lists.
CREATE FUNCTION tell_stock(plan integer, gained bigint) RETURNS void LANGUAGE plpgsql AS $$
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
  PERFORM tell_page_tag('product:' || p.product_id) FROM plans p WHERE p.id = plan;
  IF least(now_free, was_free) <= 2 THEN
    PERFORM tell_page_tag('list');
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION key_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM tell_stock(plan_id, count(*)) FROM new_keys WHERE state = 'available' GROUP BY plan_id;
  ELSE
    PERFORM tell_stock(n.plan_id, sum((n.state = 'available')::int - (o.state = 'available')::int))
    FROM new_keys n JOIN old_keys o ON o.id = n.id
    WHERE (n.state = 'available') <> (o.state = 'available') GROUP BY n.plan_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER keys_page_tags_in AFTER INSERT ON "keys" REFERENCING NEW TABLE AS new_keys
  FOR EACH STATEMENT EXECUTE FUNCTION key_pages_changed();
--> statement-breakpoint
CREATE TRIGGER keys_page_tags AFTER UPDATE ON "keys" REFERENCING OLD TABLE AS old_keys NEW TABLE AS new_keys
  FOR EACH STATEMENT EXECUTE FUNCTION key_pages_changed();
--> statement-breakpoint
CREATE FUNCTION review_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_page_tag('product:' || (coalesce(NEW, OLD)).product_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER reviews_page_tags AFTER INSERT OR UPDATE OR DELETE ON "reviews"
  FOR EACH ROW EXECUTE FUNCTION review_pages_changed();
--> statement-breakpoint
CREATE FUNCTION one_page_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_page_tag(TG_ARGV[0]);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER categories_page_tags AFTER INSERT OR UPDATE OR DELETE ON "categories"
  FOR EACH STATEMENT EXECUTE FUNCTION one_page_tag('list');
--> statement-breakpoint
CREATE TRIGGER posts_page_tags AFTER INSERT OR UPDATE OR DELETE ON "posts"
  FOR EACH STATEMENT EXECUTE FUNCTION one_page_tag('posts');
--> statement-breakpoint
CREATE TRIGGER post_texts_page_tags AFTER INSERT OR UPDATE OR DELETE ON "post_texts"
  FOR EACH STATEMENT EXECUTE FUNCTION one_page_tag('posts');
--> statement-breakpoint
-- Each claim writes the campaign's row; what everybody is shown changes with its terms, and when the budget is spent.
CREATE FUNCTION campaign_pages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR to_jsonb(NEW) - '{promised_cents,budget_month}'::text[] <> to_jsonb(OLD) - '{promised_cents,budget_month}'::text[]
    OR coalesce(NEW.promised_cents + coalesce(NEW.amount_cents, 0) > NEW.monthly_budget_cents, false)
      <> coalesce(OLD.promised_cents + coalesce(OLD.amount_cents, 0) > OLD.monthly_budget_cents, false) THEN
    PERFORM tell_page_tag('campaigns');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER campaigns_page_tags AFTER INSERT OR UPDATE OR DELETE ON "campaigns"
  FOR EACH ROW EXECUTE FUNCTION campaign_pages_changed();
--> statement-breakpoint
-- When the next code can no longer be redeemed: a page is finished at the latest until then.
CREATE INDEX "keys_next_redeem_by" ON "keys" ("redeem_by") WHERE state = 'available' AND redeem_by IS NOT NULL;
