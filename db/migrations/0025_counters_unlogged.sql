-- Counters of the last minutes: what a crash of the database loses of them is worth less than a flush for each call
-- (docs/decisions/0055).
ALTER TABLE rate_limits SET UNLOGGED;
