-- A payrun may take two admins: who created it must not be the one who marks it as paid. What the setting said when a
-- payrun was created holds for it, so that switching the setting off opens none that waits.
alter table payruns add column needs_second_admin boolean not null default false;
alter table payruns add column paid_by uuid references profiles (user_id) on delete restrict;
create index payruns_payer on payruns (paid_by);
alter table payruns add constraint payruns_two_admins
  check (not needs_second_admin or status <> 'paid' or (paid_by is not null and paid_by <> created_by));

insert into site_settings (key, value) values ('payrun_control', '{"needsSecondAdmin": false}')
on conflict (key) do nothing;
