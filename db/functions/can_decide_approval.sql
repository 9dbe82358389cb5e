-- Whether a person may decide about this approval for somebody else: holds a deciding role, and has held it for 72 hours; did
-- not ask, is not concerned, and got no role from who asked (docs/product.md#13-staff-console). A change of roles ends a
-- row of staff_members and begins the next at the same time, so that the rows of an unbroken membership meet. Taking roles
-- away is no grant, or each of two administrators could end the other's say.
CREATE OR REPLACE FUNCTION can_decide_approval(approval approvals, person text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  WITH joined AS (
    SELECT max(m.created_at) AS at FROM staff_members m
    WHERE m.user_id = person AND NOT EXISTS (
      SELECT FROM staff_members p WHERE p.user_id = person AND p.ended_at = m.created_at AND p.id <> m.id))
  SELECT may_decide_approval(approval, person)
    AND person <> approval.asked_by AND person IS DISTINCT FROM approval.concerns
    AND EXISTS (SELECT FROM unnest(approval.roles) AS decides(role) WHERE has_held_role(person, decides.role))
    AND NOT EXISTS (
      SELECT FROM staff_members m
      WHERE m.user_id = person AND m.granted_by = approval.asked_by AND m.created_at >= (SELECT at FROM joined)
        AND NOT EXISTS (
          SELECT FROM staff_members p
          WHERE p.user_id = person AND p.ended_at = m.created_at AND p.id <> m.id AND m.roles <@ p.roles))
    AND NOT EXISTS (
      SELECT FROM approvals g
      WHERE g.payload->>'user_id' = person AND g.kind IN ('grant_admin', 'grant_roles') AND g.state = 'approved'
        AND g.asked_by = approval.asked_by AND g.decided_at >= (SELECT at FROM joined))
$$;
