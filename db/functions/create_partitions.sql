-- Creates the partitions of this month and of `ahead` months after it, of every table that is partitioned by the month of created_at
-- (UTC): visits_2026_12. Rows that came before their partition lie in the default partition, from which they are moved.
CREATE OR REPLACE FUNCTION create_partitions(ahead int) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  parent record;
  month timestamptz;
  next_month timestamptz;
  name text;
  -- Where the partitions that exist end; the first one holds everything before.
  covered timestamptz;
BEGIN
  FOR parent IN SELECT c.relname, c.oid FROM pg_class c
    WHERE c.relkind = 'p' AND c.relnamespace = current_schema::regnamespace ORDER BY c.relname
  LOOP
    SELECT max(p.until) INTO covered FROM partitions_of(parent.relname) p;
    FOR i IN 0..ahead LOOP
      month := (date_trunc('month', shop_now() AT TIME ZONE 'UTC') + make_interval(months => i)) AT TIME ZONE 'UTC';
      next_month := (month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
      name := parent.relname || '_' || to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
      CONTINUE WHEN month < covered OR to_regclass(quote_ident(name)) IS NOT NULL;
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', name, parent.relname);
      EXECUTE format('LOCK TABLE %I IN EXCLUSIVE MODE', parent.relname || '_default');
      EXECUTE format('WITH moved AS (DELETE FROM %I WHERE created_at >= $1 AND created_at < $2 RETURNING *) INSERT INTO %I SELECT * FROM moved',
        parent.relname || '_default', name) USING month, next_month;
      -- Attaching locks the table for other changes of its structure only; CREATE TABLE … PARTITION OF would lock out its readers.
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent.relname, name, month,
        next_month);
    END LOOP;
  END LOOP;
END $$;
