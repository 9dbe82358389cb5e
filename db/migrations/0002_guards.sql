-- What the application promises, the database enforces.

-- 1. The transition table of orders (lib/orders/rules.ts says the same; a law compares them).
INSERT INTO "order_transitions" ("from_status", "event", "to_status") VALUES
  ('pending', 'payment_started', 'processingPayment'),
  ('processingPayment', 'payment_failed', 'pending'),
  ('pending', 'payment_verified', 'paid'),
  ('processingPayment', 'payment_verified', 'paid'),
  ('pending', 'free_completed', 'paid'),
  ('paid', 'assigned', 'shipped'),
  ('paid', 'stock_short', 'processing'),
  ('processing', 'assigned', 'shipped'),
  ('shipped', 'delivered', 'completed'),
  ('pending', 'cancelled', 'cancelled'),
  ('processingPayment', 'cancelled', 'cancelled'),
  ('pending', 'expired', 'cancelled'),
  ('processingPayment', 'expired', 'cancelled'),
  ('cancelled', 'payment_verified', 'paid'),
  ('cancelled', 'refunded', 'refunded'),
  ('paid', 'refunded', 'refunded'),
  ('processing', 'refunded', 'refunded'),
  ('shipped', 'refunded', 'refunded'),
  ('completed', 'refunded', 'refunded');
--> statement-breakpoint
CREATE FUNCTION check_order_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status IS DISTINCT FROM OLD.status AND NOT EXISTS (
    SELECT 1 FROM order_transitions WHERE from_status = OLD.status AND to_status = NEW.status
  ) THEN
    RAISE EXCEPTION 'order % cannot go from % to %', OLD.id, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_transition';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_transition BEFORE UPDATE OF status ON "orders"
  FOR EACH ROW EXECUTE FUNCTION check_order_transition();
--> statement-breakpoint
CREATE FUNCTION check_order_start() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'pending' THEN
    RAISE EXCEPTION 'an order starts as pending, not as %', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_transition';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_start BEFORE INSERT ON "orders"
  FOR EACH ROW EXECUTE FUNCTION check_order_start();
--> statement-breakpoint

-- 2. A key moves forward only: a sold, revealed or refunded key never returns to stock.
CREATE FUNCTION check_key_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state, NEW.state) NOT IN (
    ('available', 'reserved'), ('available', 'revoked'), ('reserved', 'available'), ('reserved', 'assigned'),
    ('assigned', 'quarantined'), ('assigned', 'revoked'), ('quarantined', 'revoked')
  ) THEN
    RAISE EXCEPTION 'key % cannot go from % to %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'keys_transition';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER keys_transition BEFORE UPDATE OF state ON "keys"
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_key_state();
--> statement-breakpoint
CREATE FUNCTION check_key_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.order_line_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM order_lines WHERE id = NEW.order_line_id AND plan_id = NEW.plan_id AND quantity >= NEW.slot
  ) THEN
    RAISE EXCEPTION 'key % does not fit unit % of line %', NEW.id, NEW.slot, NEW.order_line_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'keys_unit';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER keys_unit BEFORE INSERT OR UPDATE OF order_line_id, slot, plan_id ON "keys"
  FOR EACH ROW EXECUTE FUNCTION check_key_unit();
--> statement-breakpoint

-- 3. Histories are append-only.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only';
END $$;
--> statement-breakpoint
CREATE TRIGGER order_events_append_only BEFORE UPDATE OR DELETE ON "order_events" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER key_events_append_only BEFORE UPDATE OR DELETE ON "key_events" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON "ledger_entries" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- 4. The ledger balances at every commit.
CREATE FUNCTION check_ledger_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(amount_cents) FROM ledger_entries WHERE transfer_id = NEW.transfer_id) <> 0 THEN
    RAISE EXCEPTION 'transfer % does not balance', NEW.transfer_id USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balance';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_balance AFTER INSERT ON "ledger_entries"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_balance();
