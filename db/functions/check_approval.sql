-- A second person decides about an approval (docs/product.md#13-staff-console), whom can_decide_approval() allows. It begins
-- undecided, and is given only while the person who asked still has a role for it. The person who asked decides only where there was no other for 72 hours, and then as `alone`. What was asked
-- never changes, nor does a decision.
CREATE OR REPLACE FUNCTION check_approval() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'asked' OR NEW.decided_by IS NOT NULL OR NEW.alone THEN
      RAISE EXCEPTION 'approval % begins undecided', NEW.id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_start';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.kind, NEW.payload, NEW.subject, NEW.asked_by, NEW.roles, NEW.created_at, NEW.expires_at)
      IS DISTINCT FROM
      (OLD.id, OLD.kind, OLD.payload, OLD.subject, OLD.asked_by, OLD.roles, OLD.created_at, OLD.expires_at)
    OR NEW.concerns IS DISTINCT FROM OLD.concerns OR OLD.state <> 'asked' THEN
    RAISE EXCEPTION 'approval % cannot change', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_final';
  END IF;
  IF NEW.decided_by IS NOT NULL AND NOT may_decide_approval(NEW, NEW.decided_by)
    OR NEW.decided_by IS NOT NULL AND NOT NEW.alone AND NOT can_decide_approval(NEW, NEW.decided_by) THEN
    RAISE EXCEPTION '% may not decide approval %', NEW.decided_by, OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_decider';
  END IF;
  IF NEW.state = 'approved' AND NOT may_decide_approval(NEW, NEW.asked_by) THEN
    RAISE EXCEPTION '% may no longer ask for approval %', NEW.asked_by, OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_asker';
  END IF;
  IF NEW.alone AND (NEW.decided_by IS DISTINCT FROM NEW.asked_by OR has_other_decider(NEW)) THEN
    RAISE EXCEPTION 'another person can decide approval %', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'approvals_alone';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER approvals_check BEFORE INSERT OR UPDATE ON approvals
  FOR EACH ROW EXECUTE FUNCTION check_approval();
