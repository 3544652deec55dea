-- What admins can change without a release. A missing or invalid entry falls back to its default.
create table site_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

insert into site_settings (key, value) values
  ('platform_fee_config', '{"mode": "percentage", "percent": 2, "enabled": true}'),
  ('cancellation_policy', '{"freeUntilHours": 24, "lateRefundPercent": 0, "refundsEnabled": true}'),
  ('landing_stats', '[
    {"figure": "500+", "label": "active coaches"},
    {"figure": "10K+", "label": "five-star reviews"},
    {"figure": "50K+", "label": "lessons completed"}
  ]'),
  ('payrun_control', '{"needsSecondAdmin": false}');
