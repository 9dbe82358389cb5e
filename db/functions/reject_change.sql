-- History tables are append-only.
CREATE OR REPLACE FUNCTION reject_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only';
END $$;

CREATE OR REPLACE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE ON audit_seals
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER custody_seals_append_only BEFORE UPDATE OR DELETE ON custody_seals
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER key_events_append_only BEFORE UPDATE OR DELETE ON key_events
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON order_events
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER withdrawals_append_only BEFORE UPDATE OR DELETE ON withdrawals
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER price_changes_append_only BEFORE UPDATE OR DELETE ON price_changes
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER product_revisions_append_only BEFORE UPDATE OR DELETE ON product_revisions
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER commission_rules_append_only BEFORE UPDATE OR DELETE ON commission_rules
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER statements_append_only BEFORE UPDATE OR DELETE ON statements
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER statement_lines_append_only BEFORE UPDATE OR DELETE ON statement_lines
  FOR EACH ROW EXECUTE FUNCTION reject_change();

CREATE OR REPLACE TRIGGER tax_documents_append_only BEFORE UPDATE OR DELETE ON tax_documents
  FOR EACH ROW EXECUTE FUNCTION reject_change();
