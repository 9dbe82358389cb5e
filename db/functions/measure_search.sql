-- Measures how far down the rank order the first 1,024, 1,218 … documents reach, from 1,024 on in quarter steps.
CREATE OR REPLACE FUNCTION measure_search() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  step int := 0;
  wanted int;
  near record;
  far record;
  place int;
  block int;
BEGIN
  LOCK TABLE search_depths IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM search_depths;
  LOOP
    wanted := round(1024 * power(2, step / 4.0));
    step := step + 1;
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO near FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET round(wanted * 0.96) LIMIT 1;
    SELECT place_of(sort_num) AS p, product_id >> 14 AS block INTO far FROM product_documents
      ORDER BY sort_num DESC, product_id OFFSET round(wanted * 1.04) LIMIT 1;
    EXIT WHEN far IS NULL;
    place := far.p;
    block := CASE WHEN near.p = far.p THEN greatest(far.block, 1) ELSE 0 END;
    IF near.p < far.p THEN
      FOR n IN REVERSE 20 .. 0 LOOP
        place := far.p >> n << n;
        EXIT WHEN place > near.p;
      END LOOP;
    END IF;
    INSERT INTO search_depths (depth, reach) VALUES (wanted, reach_down_to(place, block));
  END LOOP;
END $$;
