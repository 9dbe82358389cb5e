-- The coupons that the shop gives by itself are called coupons everywhere, also in a coupon's own title. A title that staff
-- have changed stays.
UPDATE "campaigns" SET "title" = '{"en": "Daily coupon", "zh": "每日优惠券", "ja": "デイリークーポン"}'
  WHERE "id" = 'daily' AND "title" = '{"en": "Daily voucher", "zh": "每日代金券", "ja": "デイリークーポン"}';--> statement-breakpoint
UPDATE "campaigns" SET "title" = '{"en": "First-order coupon", "zh": "首单优惠券", "ja": "初回購入クーポン"}'
  WHERE "id" = 'new_user' AND "title" = '{"en": "First-order voucher", "zh": "首单代金券", "ja": "初回購入クーポン"}';
