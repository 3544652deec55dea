-- What admins can change without a release. A setting without a row has its default (domain/settings/contract.ts); a
-- row is what an admin decided.
create table site_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

insert into site_settings (key, value) values
  ('landing_stats', '{
    "isShown": true,
    "stats": [
      {"figure": "500+", "label": "active coaches"},
      {"figure": "10K+", "label": "five-star reviews"},
      {"figure": "50K+", "label": "lessons completed"}
    ]
  }');
