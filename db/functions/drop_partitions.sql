-- Drops the partitions of a table that hold only rows from before a moment. Returns their number.
CREATE OR REPLACE FUNCTION drop_partitions(parent text, before timestamptz) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  past record;
  count int := 0;
BEGIN
  FOR past IN SELECT p.name FROM partitions_of(parent) p WHERE p.until <= before ORDER BY p.until LOOP
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, past.name);
    EXECUTE format('DROP TABLE %I', past.name);
    count := count + 1;
  END LOOP;
  RETURN count;
END $$;
