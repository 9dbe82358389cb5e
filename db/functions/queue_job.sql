-- Queues a job as graphile_worker.add_job does (version 0.17, job_key_mode replace), without its NOTIFY: Postgres lets
-- one notifying transaction at a time commit. The usual case, a known task and a free key, comes first.
CREATE OR REPLACE FUNCTION queue_job(
  task text,
  body json,
  with_key text,
  due_at timestamptz,
  most_attempts int,
  with_priority int
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, key, priority)
  SELECT t.id, body, coalesce(due_at, now()), most_attempts, with_key, with_priority
  FROM graphile_worker._private_tasks t WHERE t.identifier = task
  ON CONFLICT (key) DO NOTHING;
  IF FOUND THEN
    RETURN;
  END IF;
  INSERT INTO graphile_worker._private_tasks (identifier) VALUES (task) ON CONFLICT DO NOTHING;
  IF with_key IS NOT NULL THEN
    -- One that is at work already does not know why it is asked for again: it keeps its turn, and another takes its key.
    UPDATE graphile_worker._private_jobs j SET key = NULL, attempts = j.max_attempts, updated_at = now()
    WHERE j.key = with_key AND j.is_available IS NOT TRUE;
  END IF;
  INSERT INTO graphile_worker._private_jobs AS j (task_id, payload, run_at, max_attempts, key, priority)
  SELECT t.id, body, coalesce(due_at, now()), most_attempts, with_key, with_priority
  FROM graphile_worker._private_tasks t WHERE t.identifier = task
  ON CONFLICT (key) DO UPDATE SET job_queue_id = NULL, task_id = excluded.task_id, payload = excluded.payload,
    max_attempts = excluded.max_attempts, run_at = excluded.run_at, priority = excluded.priority, flags = NULL,
    revision = j.revision + 1, attempts = 0, last_error = NULL, updated_at = now()
  WHERE j.locked_at IS NULL;
END $$;
