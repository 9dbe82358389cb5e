-- The conditions of a list's filters as SQL text: $2 type, $3 in stock, $4 from, $5 to, $6 price per day.
CREATE OR REPLACE FUNCTION offer_filter(a text, kind text, stocked boolean, cents_from int, cents_to int, per_day_to int) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT concat(CASE WHEN kind IS NOT NULL THEN ' AND ' || a || '.type = $2' END,
    CASE WHEN stocked THEN ' AND ' || a || '.in_stock' END,
    CASE WHEN cents_from IS NOT NULL THEN ' AND ' || a || '.cents >= $4' END,
    CASE WHEN cents_to IS NOT NULL THEN ' AND ' || a || '.cents <= $5' END,
    CASE WHEN per_day_to IS NOT NULL THEN ' AND ' || a || '.per_day <= $6' END)
$$;
