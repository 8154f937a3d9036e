-- The settings that the service asks for when it connects, and that a pooler between drops. The service reads them back at start, and
-- exits where they are not in force.
alter role understudy set plan_cache_mode = force_generic_plan;
alter role understudy set enable_seqscan = off;
alter role understudy set enable_memoize = off;
alter role understudy set jit = off;
alter role understudy set statement_timeout = '10s';
alter role understudy set lock_timeout = '1s';
alter role understudy set client_connection_check_interval = '100ms';
