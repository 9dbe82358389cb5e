-- A time as calls write it: ISO 8601 in UTC with milliseconds.
CREATE OR REPLACE FUNCTION webhook_time(moment timestamptz) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
