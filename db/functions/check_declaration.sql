-- What was declared stays as it was: words are only added, and only the end of a declaration changes, once.
CREATE OR REPLACE FUNCTION check_declaration() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.last_at > shop_now() - interval '3 years' THEN
      RAISE EXCEPTION 'a declaration of withdrawal is kept for three years' USING ERRCODE = 'check_violation', CONSTRAINT = 'declaration_kept';
    END IF;
    RETURN OLD;
  END IF;
  IF (NEW.id, NEW.order_ref, NEW.email, NEW.declared_at) IS DISTINCT FROM (OLD.id, OLD.order_ref, OLD.email, OLD.declared_at)
    OR NEW.times < OLD.times
    OR OLD.proved_at IS NOT NULL OR OLD.closed_at IS NOT NULL
    OR EXISTS (
      SELECT FROM jsonb_array_elements(OLD.words) WITH ORDINALITY o(word, n)
      WHERE NEW.words -> (n - 1)::int IS DISTINCT FROM word) THEN
    RAISE EXCEPTION 'a declaration of withdrawal is not changed' USING ERRCODE = 'check_violation', CONSTRAINT = 'declaration_kept';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER withdrawal_declarations_kept BEFORE UPDATE OR DELETE ON withdrawal_declarations
  FOR EACH ROW EXECUTE FUNCTION check_declaration();
