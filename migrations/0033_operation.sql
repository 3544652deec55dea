-- When the last payment sweep of any process ended. Readiness and metrics tell its age: an old one means that payments
-- whose answer was lost are not settled.
alter table health add swept_at timestamptz not null default now();
