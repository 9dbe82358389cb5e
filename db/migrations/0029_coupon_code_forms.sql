-- Codes are looked up with plain hyphens and without letters that are not drawn (`foldCode`). A code whose plain form is taken
-- stays as it is.
UPDATE "coupons" c SET "code" = f.plain FROM (
  SELECT id, regexp_replace(regexp_replace(code, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]', '', 'g'), '[\u00af\u02d7\u058a\u2010-\u2015\u2043\u2212\u2500\u2e3a\u2e3b\u301c\u3030]', '-', 'g') AS plain,
    row_number() OVER (PARTITION BY regexp_replace(regexp_replace(code, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]', '', 'g'), '[\u00af\u02d7\u058a\u2010-\u2015\u2043\u2212\u2500\u2e3a\u2e3b\u301c\u3030]', '-', 'g') ORDER BY id) AS n
  FROM "coupons" WHERE code ~ '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\u00af\u02d7\u058a\u2010-\u2015\u2043\u2212\u2500\u2e3a\u2e3b\u301c\u3030]') f
WHERE f.id = c.id AND f.n = 1 AND f.plain <> '' AND NOT EXISTS (SELECT FROM "coupons" o WHERE o.code = f.plain);--> statement-breakpoint
UPDATE "campaigns" c SET "code" = f.plain FROM (
  SELECT id, regexp_replace(regexp_replace(code, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]', '', 'g'), '[\u00af\u02d7\u058a\u2010-\u2015\u2043\u2212\u2500\u2e3a\u2e3b\u301c\u3030]', '-', 'g') AS plain,
    row_number() OVER (PARTITION BY regexp_replace(regexp_replace(code, '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]', '', 'g'), '[\u00af\u02d7\u058a\u2010-\u2015\u2043\u2212\u2500\u2e3a\u2e3b\u301c\u3030]', '-', 'g') ORDER BY id) AS n
  FROM "campaigns" WHERE code ~ '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\u00af\u02d7\u058a\u2010-\u2015\u2043\u2212\u2500\u2e3a\u2e3b\u301c\u3030]') f
WHERE f.id = c.id AND f.n = 1 AND f.plain <> '' AND NOT EXISTS (SELECT FROM "campaigns" o WHERE o.code = f.plain);
