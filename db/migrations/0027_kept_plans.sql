-- What a sale runs in a trigger is planned once for each connection: Postgres compares its guesses and otherwise plans
-- anew each time, which takes longer than the work (docs/performance.md#prepared-statements).
ALTER FUNCTION tell_stock(integer, bigint, boolean) SET plan_cache_mode = force_generic_plan;
--> statement-breakpoint
ALTER FUNCTION check_key_unit() SET plan_cache_mode = force_generic_plan;
