-- Run once by a superuser, after the service has migrated. Never run by this project's tests: docs/scale.md says what is known.
select create_reference_table('understudy.sandboxes');
select create_distributed_table('understudy.counters', 'sandbox_id');
select create_distributed_table('understudy.users', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.tokens', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.sandbox_tokens', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.projects', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.components', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.groups', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.group_projects', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.user_groups', 'sandbox_id', colocate_with => 'understudy.counters');
select create_distributed_table('understudy.subscriptions', 'sandbox_id', colocate_with => 'understudy.counters');
