-- Whether a person is staff with a role that decides about this approval.
CREATE OR REPLACE FUNCTION may_decide_approval(approval approvals, person text) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM staff_members m JOIN users u ON u.id = m.user_id
    WHERE m.user_id = person AND m.ended_at IS NULL AND m.roles && approval.roles
      AND u.role = 'staff' AND u.deleted_at IS NULL)
$$;
