-- What the service asks for when it connects, where a pooler stands between and drops it.
alter role understudy set plan_cache_mode = force_generic_plan;
alter role understudy set enable_seqscan = off;
alter role understudy set jit = off;
alter role understudy set statement_timeout = '10s';
