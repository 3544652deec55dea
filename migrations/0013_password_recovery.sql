-- How the person of a session proved who they are: by the password (or the link of the sign-up that set it), or
-- by the link of a recovery email, which lets them choose a new password without the old one.
alter table sessions add column method text not null default 'password'
  check (method in ('password', 'recovery'));
