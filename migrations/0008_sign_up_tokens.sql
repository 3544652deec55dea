-- The password and name that came with a sign-up travel with its own link: whoever opens the mail confirms
-- what was asked for in that mail, never a password that a stranger set for the same address before or after.
-- Where the link leads afterwards is part of the link itself.
alter table one_time_tokens
  add column password_hash text,
  add column full_name text check (length(full_name) <= 200),
  drop column redirect_to;
