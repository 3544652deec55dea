-- What a payrun paid never changes, but the key that its bank details are encrypted with may.
create function refuse_change_except_key_rotation() returns trigger language plpgsql as $$
declare
  encrypted constant text[] := array['account_number_encrypted', 'sort_code_encrypted'];
begin
  -- "v1.keyId.nonce.text": a fresh text under the same key would be another account.
  if tg_op = 'UPDATE' and to_jsonb(new) - encrypted = to_jsonb(old) - encrypted
    and split_part(new.account_number_encrypted, '.', 2) <> split_part(old.account_number_encrypted, '.', 2)
    and split_part(new.sort_code_encrypted, '.', 2) <> split_part(old.sort_code_encrypted, '.', 2)
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

drop trigger payrun_recipients_are_append_only on payrun_recipients;
create trigger payrun_recipients_are_append_only before update or delete on payrun_recipients
  for each row execute function refuse_change_except_key_rotation();
