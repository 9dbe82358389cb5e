-- Whether somebody besides the person who asked, and the person concerned, could decide about this approval.
CREATE OR REPLACE FUNCTION has_other_decider(approval approvals) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM staff_members m JOIN users u ON u.id = m.user_id
    WHERE m.user_id <> approval.asked_by AND m.user_id IS DISTINCT FROM approval.concerns AND m.ended_at IS NULL
      AND m.roles && approval.roles AND u.role = 'staff' AND u.deleted_at IS NULL)
$$;
