-- The shop's clock: the database's time plus an offset that only tests set (/readyz refuses it in production).
CREATE TABLE "shop_clock" (
  "only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
  "shift" interval NOT NULL DEFAULT '0'
);
--> statement-breakpoint
INSERT INTO "shop_clock" DEFAULT VALUES;
--> statement-breakpoint
CREATE FUNCTION shop_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT now() + (SELECT shift FROM shop_clock) $$;
