-- Whether a person has had this role of staff without a break for 72 hours, before which nobody decides with it
-- (docs/product.md#134-approvals).
CREATE OR REPLACE FUNCTION has_held_role(person text, wanted text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT (
    SELECT sum(coalesce(m.ended_at, shop_now()) - greatest(m.created_at, shop_now() - interval '72 hours'))
    FROM staff_members m
    WHERE m.user_id = person AND wanted = ANY (m.roles)
      AND coalesce(m.ended_at, shop_now()) > shop_now() - interval '72 hours') >= interval '72 hours'
$$;
