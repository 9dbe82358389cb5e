-- Whether there was, in the last 72 hours, somebody besides the person who asked, and the person concerned, with a role that
-- decides about this approval: nobody decides alone by removing the others first, or before a new one may decide.
CREATE OR REPLACE FUNCTION has_other_decider(approval approvals) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM staff_members m JOIN users u ON u.id = m.user_id
    WHERE m.user_id <> approval.asked_by AND m.user_id IS DISTINCT FROM approval.concerns AND m.roles && approval.roles
      AND coalesce(m.ended_at, shop_now()) > shop_now() - interval '72 hours'
      AND coalesce(u.deleted_at, shop_now()) > shop_now() - interval '72 hours')
$$;
