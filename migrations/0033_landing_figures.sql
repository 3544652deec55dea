-- The figures of the landing page are hidden, as typed by the operator, or counted (docs/decisions/0105). The figures
-- that came with the product were nobody's, so they are hidden; figures that an operator typed stay shown. `isShown`
-- stays for the version before.
update site_settings
set value = value || jsonb_build_object('mode', case
  when value -> 'isShown' = 'true' and value -> 'stats' <> '[
    {"figure": "500+", "label": "active coaches"},
    {"figure": "10K+", "label": "five-star reviews"},
    {"figure": "50K+", "label": "lessons completed"}
  ]' then 'typed' else 'hidden' end)
where key = 'landing_stats' and jsonb_typeof(value) = 'object' and not value ? 'mode';
