-- A setting without a row has its default (src/domain/settings/contract.ts); a row is what an operator decided.
delete from site_settings
where (key, value) in (
  ('platform_fee_config', '{"mode": "percentage", "percent": 2, "enabled": true}'::jsonb),
  ('cancellation_policy', '{"freeUntilHours": 24, "lateRefundPercent": 0, "refundsEnabled": true}'::jsonb),
  ('payrun_control', '{"needsSecondAdmin": false}'::jsonb));

update site_settings set value = jsonb_build_object('isShown', true, 'stats', value)
where key = 'landing_stats' and jsonb_typeof(value) = 'array';
