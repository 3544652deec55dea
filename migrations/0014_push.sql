-- Web push: browsers that show notifications while the app is closed.

-- The subscription of one session's browser. It is deleted with the session, in whichever way the session ends.
create table push_subscriptions (
  session_id uuid primary key constraint push_subscriptions_session_exists references sessions on delete cascade,
  user_id uuid not null
    constraint push_subscriptions_person_exists references profiles (user_id) on delete restrict,
  -- SHA-256 of the endpoint's URL. If somebody else signs in on this browser, it is subscribed for that person only.
  endpoint_hash text not null
    constraint push_subscriptions_endpoint_unique unique
    constraint push_subscriptions_endpoint_hash_is_hex check (endpoint_hash ~ '^[0-9a-f]{64}$'),
  -- The endpoint's URL and the browser's keys, encrypted with DATA_KEY.
  subscription_encrypted text not null
    constraint push_subscriptions_subscription_is_encrypted check (subscription_encrypted ~ '^v1\.'),
  created_at timestamptz not null default now()
);
create index push_subscriptions_user on push_subscriptions (user_id);

create function forget_push_subscription() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.session_id;
  return null;
end $$;
create trigger sessions_forget_push_subscription after update of ended_at on sessions
  for each row when (new.ended_at is not null) execute function forget_push_subscription();

-- The sessions whose browsers have accepted a push message that others still have to get.
alter table deliveries add column accepted_by uuid[]
  constraint deliveries_accepted_by_browsers check (accepted_by is null or channel = 'push');
