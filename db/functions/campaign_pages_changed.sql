-- Invalidates cached pages that show campaigns. Every claim writes the campaign's row, so counters are compared only
-- by whether the budget of the month or the day is spent.
CREATE OR REPLACE FUNCTION campaign_pages_changed() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  counters CONSTANT text[] := '{promised_cents,budget_month,promised_today_cents,budget_day}';
BEGIN
  IF TG_OP <> 'UPDATE' OR to_jsonb(NEW) - counters <> to_jsonb(OLD) - counters
    OR coalesce(NEW.promised_cents + coalesce(NEW.amount_cents, 0) > NEW.monthly_budget_cents, false)
      <> coalesce(OLD.promised_cents + coalesce(OLD.amount_cents, 0) > OLD.monthly_budget_cents, false)
    OR coalesce(NEW.promised_today_cents + coalesce(NEW.amount_cents, 0) > NEW.daily_budget_cents, false)
      <> coalesce(OLD.promised_today_cents + coalesce(OLD.amount_cents, 0) > OLD.daily_budget_cents, false) THEN
    PERFORM notify_page_tag('campaigns');
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER campaigns_page_tags AFTER INSERT OR UPDATE OR DELETE ON campaigns
  FOR EACH ROW EXECUTE FUNCTION campaign_pages_changed();
