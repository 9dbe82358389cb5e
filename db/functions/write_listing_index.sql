-- Writes the listing index of these products, or of all when null: every listed plan with its price, stock and rank among
-- the product's plans. Callers that pass product ids hold locks on these products, so that concurrent calls never write
-- from uncommitted changes.
CREATE OR REPLACE FUNCTION write_listing_index(ids int[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = 'force_custom_plan' AS $$
DECLARE
  clock timestamptz := shop_now();
BEGIN
  DELETE FROM listing_index_queue WHERE ids IS NULL OR product_id = ANY (ids);
  DELETE FROM listing_index o WHERE (ids IS NULL OR o.product_id = ANY (ids)) AND NOT EXISTS (
    SELECT FROM plans pl JOIN products p ON p.id = pl.product_id AND p.listed WHERE pl.id = o.plan_id AND pl.listed);
  INSERT INTO listing_index AS o
  SELECT f.plan_id, f.product_id, f.sort_num, f.category, f.vendor, f.type, f.duration_days, f.position, f.price_cents,
    CASE WHEN f.duration_days IS NULL THEN NULL WHEN f.price_cents = 0 THEN 0
      ELSE greatest(1, (2 * f.price_cents::bigint + f.duration_days) / (2 * f.duration_days)) END,
    f.deal_ends_at, f.in_stock, f.buyable,
    row_number() OVER (PARTITION BY f.product_id
      ORDER BY f.in_stock DESC, f.buyable DESC, f.price_cents, f.position, f.plan_id) = 1,
    row_number() OVER (PARTITION BY f.product_id, f.type
      ORDER BY f.in_stock DESC, f.buyable DESC, f.price_cents, f.position, f.plan_id) = 1,
    f.changes_at
  FROM (
    SELECT pl.id AS plan_id, pl.product_id, p.sort_num, p.category, p.vendor, pl.type, pl.duration_days, pl.position,
      coalesce(d.price_cents, pl.price_cents) AS price_cents, d.ends_at AS deal_ends_at, stock.in_stock,
      stock.in_stock OR now.availability = 'pre_order' AS buyable,
      least(d.ends_at, CASE WHEN now.availability = 'pre_order' THEN pl.releases_at END,
        (SELECT k.sell_by FROM keys k WHERE k.plan_id = pl.id AND k.state = 'available' AND k.sell_by > clock
          ORDER BY k.redeem_by LIMIT 1)) AS changes_at
    FROM products p JOIN plans pl ON pl.product_id = p.id AND pl.listed
    LEFT JOIN deals d ON d.plan_id = pl.id AND d.ended_at IS NULL AND d.ends_at > clock AND d.claimed < d.quantity
    CROSS JOIN LATERAL (SELECT CASE WHEN pl.availability = 'pre_order' AND pl.releases_at <= clock THEN 'in_stock'
      ELSE pl.availability END AS availability) now
    CROSS JOIN LATERAL (SELECT now.availability = 'in_stock' AND EXISTS (SELECT FROM keys k WHERE k.plan_id = pl.id
      AND k.state = 'available' AND (k.sell_by IS NULL OR k.sell_by > clock)) AS in_stock) stock
    WHERE p.listed AND (ids IS NULL OR p.id = ANY (ids))) f
  ON CONFLICT (plan_id) DO UPDATE SET product_id = excluded.product_id, sort_num = excluded.sort_num,
    category = excluded.category, vendor = excluded.vendor, type = excluded.type,
    duration_days = excluded.duration_days, position = excluded.position, price_cents = excluded.price_cents,
    price_per_day_cents = excluded.price_per_day_cents, deal_ends_at = excluded.deal_ends_at,
    in_stock = excluded.in_stock, buyable = excluded.buyable, best = excluded.best, best_of_type = excluded.best_of_type,
    changes_at = excluded.changes_at
  WHERE o.* IS DISTINCT FROM excluded.*;
END $$;
