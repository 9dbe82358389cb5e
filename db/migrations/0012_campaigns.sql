-- The campaigns that the shop runs by itself (lib/coupons/rules.ts says the same; a test compares them). Amounts in
-- cents; staff change minimum, budget and switch with `npm run staff -- vouchers`.
INSERT INTO "campaigns" ("id", "kind", "title", "amount_cents", "minimum_cents", "first_order_only", "valid_hours", "monthly_budget_cents", "monthly_cap") VALUES
  ('daily', 'daily', '{"en": "Daily voucher", "zh": "每日代金券", "ja": "デイリークーポン"}', 500, 1000, false, 24, 500000, null),
  ('new_user', 'new_user', '{"en": "First-order voucher", "zh": "首单代金券", "ja": "初回購入クーポン"}', 1000, 5000, true, 720, 500000, null),
  ('inviter', 'inviter', '{"en": "Thank-you for an invitation", "zh": "邀请好友奖励", "ja": "お友だち紹介のお礼"}', 500, 1000, false, 2160, 250000, 20);
--> statement-breakpoint
-- A coupon is used once. It comes back from an order that was let go, and from one that nothing was delivered of.
CREATE FUNCTION check_coupon_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'used' AND NEW.state = 'open' AND EXISTS (
    SELECT 1 FROM orders WHERE id = OLD.order_id AND status = 'refunded' AND shipped_at IS NULL
  ) THEN
    RETURN NEW;
  END IF;
  IF (OLD.state, NEW.state) NOT IN (('open', 'reserved'), ('open', 'revoked'), ('reserved', 'open'), ('reserved', 'used')) THEN
    RAISE EXCEPTION 'coupon % cannot go from % to %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'coupons_transition';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER coupons_transition BEFORE UPDATE OF state ON "coupons"
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION check_coupon_state();
--> statement-breakpoint
-- Whose a coupon is does not change once it is somebody's; who used it does not change at all.
CREATE FUNCTION check_coupon_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'coupon % belongs to %', OLD.id, OLD.user_id
    USING ERRCODE = 'check_violation', CONSTRAINT = 'coupons_bound';
END $$;
--> statement-breakpoint
CREATE TRIGGER coupons_bound BEFORE UPDATE OF user_id ON "coupons"
  FOR EACH ROW WHEN (OLD.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id) EXECUTE FUNCTION check_coupon_owner();
