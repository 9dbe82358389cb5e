-- Orders that are about to lapse are found by the sweep: what is queued for one order each has nobody who would do it.
DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
WHERE t.id = j.task_id AND t.identifier = 'remind-expiry';
