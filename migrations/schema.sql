CREATE SCHEMA public;
COMMENT ON SCHEMA public IS 'standard public schema';
CREATE FUNCTION public.add_own_participant() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into participants (participant_id, kind) values (new.user_id, 'self') on conflict do nothing;
  return null;
end $$;
CREATE FUNCTION public.add_refund_to_booking() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update bookings booking
  set charged_cents = entered.charged_cents, refunded_cents = entered.refunded_cents, is_owed = entered.is_owed
  from (
    select coalesce(sum(amount_cents) filter (where kind = 'charged'), 0)::integer as charged_cents,
      coalesce(-sum(amount_cents) filter (where kind = 'refunded'), 0)::integer as refunded_cents,
      coalesce(sum(amount_cents) filter (where kind in ('charged', 'refunded')), 0)
        - coalesce(sum(amount_cents) filter (where kind in ('fee', 'fee_refunded')), 0)
        > (select coalesce(sum(item.amount_cents), 0) from payrun_items item
          where item.booking_id = new.booking_id and item.kind = 'carried_forward' and not item.is_cancelled) as is_owed
    from ledger_entries where booking_id = new.booking_id
  ) entered
  where booking.booking_id = new.booking_id
    and (booking.charged_cents, booking.refunded_cents, booking.is_owed)
      <> (entered.charged_cents, entered.refunded_cents, entered.is_owed);
  return null;
end $$;
CREATE FUNCTION public.assert_update_service_consent() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform from update_service_consents
  where coach_id = new.coach_id and withdrawn_at is null for key share;
  if not found then
    raise exception using errcode = 'check_violation', constraint = 'coach_documents_update_service_has_consent',
      message = 'The coach has not agreed to the Update Service.';
  end if;
  return new;
end $$;
CREATE FUNCTION public.cancel_payrun_items() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update payrun_items set is_cancelled = true where payrun_id = new.payrun_id;
  return null;
end $$;
CREATE FUNCTION public.cancel_returned_items() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update payrun_items set is_cancelled = true where payrun_id = new.payrun_id and coach_id = new.coach_id;
  perform record_change('admin', 'payruns'), record_change('admin', 'payable');
  perform record_change('coach', new.coach_id::text, 'earnings');
  return null;
end $$;
CREATE FUNCTION public.claim_coach_address(coach uuid, public_name text) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  base text := write_coach_address(public_name);
  candidate text;
  may_add boolean := (select count(*) < 20 from coach_addresses where coach_id = coach);
begin
  for number in 1..60 loop
    candidate := case
      when number = 1 then base
      when number <= 50 then base || '-' || number
      else base || '-' || left(md5(gen_random_uuid()::text), 8)
    end;
    continue when coach_address_is_reserved(candidate);
    if may_add then
      insert into coach_addresses (address, coach_id) values (candidate, coach) on conflict do nothing;
    end if;
    if exists (select from coach_addresses where address = candidate and coach_id = coach) then
      return candidate;
    end if;
  end loop;
  return null;
end $$;
CREATE FUNCTION public.clear_new_coach() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select clear.listed_until, clear.minors_until_dbs, clear.minors_until_pvg, clear.minors_until_access_ni,
    clear.minors_until, clear.listed_until >= (now() at time zone 'Europe/London')::date
  into new.listed_until, new.minors_until_dbs, new.minors_until_pvg, new.minors_until_access_ni, new.minors_until,
    new.is_listed
  from coach_clearance(new.coach_id, verification_policy()) clear;
  return new;
end $$;
CREATE FUNCTION public.close_next_month(of_sums text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  since timestamptz;
  upto timestamptz;
begin
  -- Late changes lock the same row, so each is either in the sums of this month or refreshes them afterwards.
  select until into strict since from closed_sums where name = of_sums for update;
  upto := (date_trunc('month', case
      when since > '-infinity' then since
      when of_sums = 'customer_coaches' then (select min(lower(during)) from bookings)
      when of_sums = 'coach_ledger_months' then (select min(created_at) from ledger_entries)
      else (select min(start_time) from lesson_slots)
    end at time zone 'Europe/London') + interval '1 month') at time zone 'Europe/London';
  if upto is null or upto > now() - interval '2 days' then
    return false;
  end if;
  case of_sums
    when 'customer_coaches' then
      insert into customer_coaches as sums select * from customer_lessons(since, upto)
      on conflict (customer_user_id, coach_id) do update
      set bookings = sums.bookings + excluded.bookings, lessons = sums.lessons + excluded.lessons,
        minutes = sums.minutes + excluded.minutes, latest = excluded.latest;
    when 'coach_ledger_months' then
      insert into coach_ledger_months select * from ledger_by_month(since, upto);
    when 'coach_lesson_months' then
      insert into coach_lesson_months select * from lessons_by_month(since, upto);
  end case;
  update closed_sums set until = upto where name = of_sums;
  return true;
end $$;
CREATE FUNCTION public.coach_address_is_reserved(address text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
  select address in ('all', 'apply', 'join', 'me', 'near', 'new', 'nobody', 'search', 'sitemap')
    -- Ids also lead to a coach's page.
    or address ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$_$;
CREATE FUNCTION public.coach_clearance(coach uuid, policy jsonb, OUT listed_until date, OUT minors_until_dbs date, OUT minors_until_pvg date, OUT minors_until_access_ni date, OUT minors_until date) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
  is_for_minors boolean := teaches_minors(coach);
  stated text[] := array(select distinct scheme_of_nation(nation) from locations
    where coach_id = coach and deleted_at is null and nation is not null);
  asks_check boolean := policy -> 'criminal_record_check' ->> 'askedOf' <> 'nobody';
  dbs date := 'infinity';
  pvg date := 'infinity';
  access_ni date := 'infinity';
  others date := 'infinity';
  asked record;
begin
  listed_until := 'infinity';
  for asked in select key as kind, value ->> 'askedOf' as asked_of, value ->> 'effect' as effect
    from jsonb_each(policy)
  loop
    continue when asked.effect <> 'hidden'
      or not (asked.asked_of = 'all' or (asked.asked_of = 'under_18s' and is_for_minors));
    listed_until := least(listed_until, kind_end(coach, asked.kind));
  end loop;
  if asks_check then
    dbs := document_end(coach, 'criminal_record_check', 'dbs', true);
    pvg := document_end(coach, 'criminal_record_check', 'pvg', true);
    access_ni := document_end(coach, 'criminal_record_check', 'access_ni', true);
  end if;
  if policy -> 'safeguarding' ->> 'askedOf' <> 'nobody' then
    others := document_end(coach, 'safeguarding', null, true);
  end if;
  minors_until_dbs := least(dbs, others);
  minors_until_pvg := least(pvg, others);
  minors_until_access_ni := least(access_ni, others);
  minors_until := case
    when not asks_check then others
    when cardinality(stated) = 0 then '-infinity'
    else least(others, case when 'dbs' = any(stated) then dbs end, case when 'pvg' = any(stated) then pvg end,
      case when 'access_ni' = any(stated) then access_ni end) end;
end $$;
CREATE TABLE public.profiles (
    user_id uuid NOT NULL,
    email text NOT NULL,
    full_name text NOT NULL,
    roles text[] DEFAULT '{customer}'::text[] NOT NULL,
    stripe_customer_id text,
    stripe_payment_method_id text,
    payment_method_brand text,
    payment_method_last_four text,
    payment_method_exp_month smallint,
    payment_method_exp_year smallint,
    card_expiry_warned_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    living_user_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (deleted_at IS NULL) THEN user_id
    ELSE NULL::uuid
END) STORED,
    avatar_url text,
    coach_address text,
    CONSTRAINT profiles_card_expiry_has_card CHECK (((payment_method_exp_year IS NULL) OR (stripe_payment_method_id IS NOT NULL))),
    CONSTRAINT profiles_card_expiry_has_month_and_year CHECK (((payment_method_exp_month IS NULL) = (payment_method_exp_year IS NULL))),
    CONSTRAINT profiles_card_expiry_month_range CHECK (((payment_method_exp_month >= 1) AND (payment_method_exp_month <= 12))),
    CONSTRAINT profiles_card_has_brand CHECK (((stripe_payment_method_id IS NULL) = (payment_method_brand IS NULL))),
    CONSTRAINT profiles_card_has_last_four CHECK (((stripe_payment_method_id IS NULL) = (payment_method_last_four IS NULL))),
    CONSTRAINT profiles_card_last_four_are_digits CHECK ((payment_method_last_four ~ '^\d{4}$'::text)),
    CONSTRAINT profiles_deleted_has_no_avatar CHECK (((deleted_at IS NULL) OR (avatar_url IS NULL))),
    CONSTRAINT profiles_deleted_has_no_coach_address CHECK (((deleted_at IS NULL) OR (coach_address IS NULL))),
    CONSTRAINT profiles_deleted_is_empty CHECK (((deleted_at IS NULL) OR ((email = ''::text) AND (roles = '{}'::text[]) AND (stripe_customer_id IS NULL) AND (stripe_payment_method_id IS NULL)))),
    CONSTRAINT profiles_roles_known CHECK ((roles <@ '{customer,coach,admin}'::text[]))
);
CREATE FUNCTION public.coach_public_name(coach public.profiles) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select coach.full_name
$$;
CREATE FUNCTION public.copy_avatar_url() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  person uuid := coalesce(new.owner_user_id, old.owner_user_id);
begin
  update profiles set avatar_url = (
    select '/storage/v1/object/public/avatars/' || path || '?v=' || left(content_id::text, 8)
    from storage_objects
    where owner_user_id = person and bucket = 'avatars' and state = 'live'
    order by updated_at desc limit 1)
  where user_id = person;
  return null;
end $$;
CREATE FUNCTION public.copy_lesson_to_booking() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select template.title, template.description, template.sport, coach_public_name(coach),
    case when location.location_id is not null then describe_location(location) end
  into new.title, new.description, new.sport, new.coach_name, new.location
  from lesson_slots slot
  join lesson_templates template using (template_id)
  join profiles coach on coach.user_id = slot.coach_id
  left join locations location on location.location_id = slot.location_id
  where slot.slot_id = new.slot_id;
  return new;
end $$;
CREATE FUNCTION public.customer_lessons(since timestamp with time zone, upto timestamp with time zone) RETURNS TABLE(customer_user_id uuid, coach_id uuid, bookings integer, lessons integer, minutes bigint, latest timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select booking.customer_user_id, slot.coach_id, count(*)::integer,
    (count(*) filter (where booking.status in ('booked', 'attended')))::integer,
    coalesce(sum(extract(epoch from upper(booking.during) - lower(booking.during)) / 60)
      filter (where booking.status in ('booked', 'attended')), 0)::bigint,
    max(lower(booking.during))
  from bookings booking join lesson_slots slot using (slot_id)
  where lower(booking.during) >= since and lower(booking.during) < upto
    and booking.status in ('booked', 'attended', 'cancelled', 'refunded')
  group by booking.customer_user_id, slot.coach_id
$$;
CREATE FUNCTION public.date_inactive_coach() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.inactive_since := case when new.is_active then null else now() end;
  return new;
end $$;
CREATE FUNCTION public.date_slot_cancellation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.cancelled_at := now();
  return new;
end $$;
CREATE TABLE public.locations (
    location_id uuid DEFAULT gen_random_uuid() NOT NULL,
    coach_id uuid NOT NULL,
    name text NOT NULL,
    address text NOT NULL,
    city text NOT NULL,
    postcode text NOT NULL,
    search tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, ((((name || ' '::text) || city) || ' '::text) || postcode))) STORED NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    nation text,
    CONSTRAINT locations_address_length CHECK ((length(address) <= 300)),
    CONSTRAINT locations_city_length CHECK (((length(TRIM(BOTH FROM city)) >= 1) AND (length(TRIM(BOTH FROM city)) <= 100))),
    CONSTRAINT locations_name_length CHECK (((length(TRIM(BOTH FROM name)) >= 1) AND (length(TRIM(BOTH FROM name)) <= 120))),
    CONSTRAINT locations_nation_known CHECK ((nation = ANY (ARRAY['england'::text, 'scotland'::text, 'wales'::text, 'northern_ireland'::text]))),
    CONSTRAINT locations_postcode_length CHECK ((length(postcode) <= 10))
);
CREATE FUNCTION public.describe_location(location public.locations) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_object_agg(left(key, 1) || substr(replace(initcap(key collate "C"), '_', ''), 2), value)
  from jsonb_each(to_jsonb(location) - array['coach_id', 'search', 'created_at', 'deleted_at'])
$$;
CREATE FUNCTION public.document_end(coach uuid, of_kind text, of_scheme text, for_minors boolean) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  with accepted as materialized (
    select issued_on, ends_on from coach_documents
    where coach_id = coach and kind = of_kind and status = 'accepted'
      and (of_scheme is null or scheme = of_scheme) and (counts_for_minors or not for_minors)
  ), current_end as (
    select max(ends_on) as ends_on from accepted where issued_on <= (now() at time zone 'Europe/London')::date
  )
  select coalesce(
    (select greatest(current_end.ends_on, max(accepted.ends_on)) from accepted
      where accepted.issued_on <= current_end.ends_on + 1),
    '-infinity')
  from current_end
$$;
CREATE FUNCTION public.end_own_participant() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select from guardians where user_id = new.user_id) then
    raise exception 'account % still has dependants', new.user_id using errcode = 'restrict_violation';
  end if;
  update participants set known_as = null, date_of_birth = null, deleted_at = new.deleted_at
  where participant_id = new.user_id and deleted_at is null;
  delete from participant_care where participant_id = new.user_id;
  return null;
end $$;
CREATE FUNCTION public.end_welfare_office() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.is_welfare_officer := false;
  return new;
end $$;
CREATE FUNCTION public.fill_charge() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.charged_cents := new.amount_cents;
  return new;
end $$;
CREATE FUNCTION public.fill_payment_lines() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into payment_lines (payment_id, line_no, booking_id, amount_cents)
  select booking.payment_id, 1, booking.booking_id, booking.amount_cents from after_rows booking
  where not exists (select from payment_lines line where line.booking_id = booking.booking_id)
  on conflict do nothing;
  return null;
end $$;
CREATE FUNCTION public.fill_refund_line() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
  select refund_id, new.booking_id, -new.amount_cents, -new.amount_cents - fee.cents, fee.cents
  from refunds
  cross join lateral (
    select coalesce(-sum(amount_cents), 0)::integer as cents from ledger_entries
    where booking_id = new.booking_id and kind = 'fee_refunded' and source_id = new.source_id
  ) fee
  where refund_id = new.source_id
  on conflict do nothing;
  return null;
end $$;
CREATE FUNCTION public.forget_push_subscription() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from push_subscriptions where session_id = new.session_id;
  return null;
end $$;
CREATE FUNCTION public.give_coach_address() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update profiles set coach_address = claim_coach_address(user_id, coach_public_name(profiles))
    where user_id = new.coach_id and deleted_at is null and coach_address is null;
  return null;
end $$;
CREATE FUNCTION public.guard_closed_sums() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'UPDATE' and new.name = old.name and new.until > old.until and new.until <= now() - interval '2 days'
    and extract(day from new.until at time zone 'Europe/London') = 1
    and (new.until at time zone 'Europe/London')::time = '00:00'
  then
    return new;
  end if;
  raise exception 'closed_sums only moves to the end of a month that is over' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.guard_note_file() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  note session_notes;
begin
  select * into note from session_notes where note_id = new.note_id for update;
  if note.is_for_all or not photos_allowed(note.participant_id) then
    raise exception 'no consent to a picture' using errcode = 'restrict_violation';
  end if;
  if (select count(*) from note_files where note_id = new.note_id) >= 3 then
    raise exception 'a note has at most three pictures' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
CREATE FUNCTION public.guard_payrun_item() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'UPDATE' and new.is_cancelled and not old.is_cancelled
    and (to_jsonb(new) - 'is_cancelled') = (to_jsonb(old) - 'is_cancelled')
    and (exists (select from payruns where payrun_id = new.payrun_id and status = 'cancelled')
      or exists (select from payrun_returns where payrun_id = new.payrun_id and coach_id = new.coach_id))
  then
    return new;
  end if;
  raise exception 'payrun_items is append-only' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.guard_payrun_return() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if not exists (select from payruns where payrun_id = new.payrun_id and status = 'paid') then
    raise exception 'payrun % is not paid', new.payrun_id
      using errcode = 'restrict_violation', constraint = 'payrun_returns_of_paid_payruns';
  end if;
  return new;
end $$;
CREATE FUNCTION public.guard_payrun_status() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if old.status <> 'pending' then
    raise exception 'a % payrun cannot change its status', old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
CREATE FUNCTION public.hash_address(address text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ select left(encode(sha256(convert_to(lower(address), 'UTF8')), 'hex'), 32) $$;
CREATE FUNCTION public.is_channel_on(of_user uuid, of_kind text, of_channel text, rule text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ select case rule when 'always' then true when 'never' then false else coalesce((
  select is_on from notification_preferences
  where user_id = of_user and kind = of_kind and channel = of_channel), rule = 'on') end $$;
CREATE FUNCTION public.kind_end(coach uuid, of_kind text) RETURNS date
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case when of_kind = 'criminal_record_check' and count(*) > 0
    then min(document_end(coach, of_kind, stated.scheme, teaches_minors(coach)))
    else document_end(coach, of_kind, null, teaches_minors(coach)) end
  from (select distinct scheme_of_nation(nation) as scheme from locations
    where coach_id = coach and deleted_at is null and nation is not null) stated
$$;
CREATE FUNCTION public.ledger_by_month(since timestamp with time zone, upto timestamp with time zone) RETURNS TABLE(coach_id uuid, month date, charged_cents bigint, refunded_cents bigint, fee_cents bigint, paid_out_cents bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select entry.coach_id, date_trunc('month', entry.created_at at time zone 'Europe/London')::date,
    coalesce(sum(entry.amount_cents) filter (where entry.kind = 'charged'), 0),
    coalesce(-sum(entry.amount_cents) filter (where entry.kind = 'refunded'), 0),
    coalesce(sum(entry.amount_cents) filter (where entry.kind in ('fee', 'fee_refunded')), 0),
    coalesce(-sum(entry.amount_cents) filter (
      where entry.kind in ('paid_out', 'paid_back', 'payout_returned', 'deduction_returned')), 0)
  from ledger_entries entry
  where entry.created_at >= since and entry.created_at < upto and entry.amount_cents <> 0
  group by 1, 2
$$;
CREATE FUNCTION public.lessons_by_month(since timestamp with time zone, upto timestamp with time zone) RETURNS TABLE(coach_id uuid, month date, share_cents bigint, lessons integer)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select slot.coach_id, date_trunc('month', slot.start_time at time zone 'Europe/London')::date,
    coalesce(sum(booked.share_cents), 0)::bigint, (count(*) filter (where booked.is_held))::integer
  from lesson_slots slot
  cross join lateral (
    select sum(entered.share_cents) as share_cents, bool_or(booking.status in ('booked', 'attended')) as is_held
    from bookings booking
    left join lateral (
      select sum(case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end)
        as share_cents
      from ledger_entries entry
      where entry.booking_id = booking.booking_id and entry.kind in ('charged', 'refunded', 'fee', 'fee_refunded')
    ) entered on true
    where booking.slot_id = slot.slot_id
  ) booked
  where slot.start_time >= since and slot.start_time < upto and booked.is_held is not null
  group by 1, 2
  having sum(booked.share_cents) <> 0 or bool_or(booked.is_held)
$$;
CREATE TABLE public.coaches (
    coach_id uuid NOT NULL,
    business_id uuid,
    business_role text DEFAULT 'employee'::text NOT NULL,
    hourly_rate_cents integer,
    coach_type text,
    bio text,
    sports text[] DEFAULT '{}'::text[] NOT NULL,
    towns text[] DEFAULT '{}'::text[] NOT NULL,
    languages text[] DEFAULT '{}'::text[] NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    is_welfare_officer boolean DEFAULT false NOT NULL,
    listed_until date DEFAULT 'infinity'::date NOT NULL,
    is_listed boolean DEFAULT true NOT NULL,
    minors_until_dbs date DEFAULT 'infinity'::date NOT NULL,
    minors_until_pvg date DEFAULT 'infinity'::date NOT NULL,
    minors_until_access_ni date DEFAULT 'infinity'::date NOT NULL,
    minors_until date DEFAULT 'infinity'::date NOT NULL,
    inactive_since timestamp with time zone,
    CONSTRAINT coaches_bio_length CHECK ((length(bio) <= 4000)),
    CONSTRAINT coaches_business_role_known CHECK ((business_role = ANY (ARRAY['owner'::text, 'employee'::text]))),
    CONSTRAINT coaches_coach_type_length CHECK ((length(coach_type) <= 100)),
    CONSTRAINT coaches_hourly_rate_range CHECK (((hourly_rate_cents >= 0) AND (hourly_rate_cents <= 1000000))),
    CONSTRAINT coaches_owner_has_business CHECK (((business_id IS NOT NULL) OR (business_role = 'employee'::text))),
    CONSTRAINT coaches_welfare_officer_has_business CHECK (((NOT is_welfare_officer) OR (business_id IS NOT NULL)))
);
CREATE FUNCTION public.minors_until_at(coach public.coaches, location_id uuid, nation text) RETURNS date
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case
    when location_id is null then coach.minors_until
    when nation in ('england', 'wales') then coach.minors_until_dbs
    when nation = 'scotland' then coach.minors_until_pvg
    when nation = 'northern_ireland' then coach.minors_until_access_ni
    else least(coach.minors_until_dbs, coach.minors_until_pvg, coach.minors_until_access_ni) end
$$;
CREATE FUNCTION public.name_coach_of_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select slot.coach_id,
    coalesce(new.source_id, case when new.kind in ('charged', 'fee') then booking.payment_id end)
  into new.coach_id, new.source_id
  from bookings booking join lesson_slots slot using (slot_id)
  where booking.booking_id = new.booking_id;
  return new;
end $$;
CREATE TABLE public.participants (
    participant_id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    own_user_id uuid GENERATED ALWAYS AS (
CASE
    WHEN (kind = 'self'::text) THEN participant_id
    ELSE NULL::uuid
END) STORED,
    full_name text,
    known_as text,
    date_of_birth date,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT participants_birth_of_dependants CHECK (((kind = 'self'::text) OR (deleted_at IS NOT NULL) OR (date_of_birth IS NOT NULL))),
    CONSTRAINT participants_date_of_birth_range CHECK ((date_of_birth >= '1900-01-01'::date)),
    CONSTRAINT participants_deleted_is_empty CHECK (((deleted_at IS NULL) OR ((full_name IS NULL) AND (known_as IS NULL) AND (date_of_birth IS NULL)))),
    CONSTRAINT participants_full_name_length CHECK (((length(TRIM(BOTH FROM full_name)) >= 1) AND (length(TRIM(BOTH FROM full_name)) <= 200))),
    CONSTRAINT participants_kind_known CHECK ((kind = ANY (ARRAY['self'::text, 'dependant'::text]))),
    CONSTRAINT participants_known_as_length CHECK (((length(TRIM(BOTH FROM known_as)) >= 1) AND (length(TRIM(BOTH FROM known_as)) <= 50))),
    CONSTRAINT participants_name_of_dependants CHECK (
CASE
    WHEN ((kind = 'self'::text) OR (deleted_at IS NOT NULL)) THEN (full_name IS NULL)
    ELSE (full_name IS NOT NULL)
END)
);
CREATE FUNCTION public.name_of_participant(participant public.participants) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select coalesce(participant.full_name,
    (select full_name from profiles where user_id = participant.own_user_id), 'Deleted participant')
$$;
CREATE FUNCTION public.name_participant_of_booking() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.participant_id := new.customer_user_id;
  return new;
end $$;
CREATE FUNCTION public.nation_of(of_location uuid) RETURNS text
    LANGUAGE sql
    AS $$
  select nation from locations where location_id = of_location
$$;
CREATE TABLE public.bookings (
    booking_id uuid DEFAULT gen_random_uuid() NOT NULL,
    slot_id uuid NOT NULL,
    customer_user_id uuid NOT NULL,
    payment_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    is_active boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['pending'::text, 'booked'::text, 'attended'::text]))) STORED NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    sport text NOT NULL,
    coach_name text NOT NULL,
    during tstzrange NOT NULL,
    location jsonb,
    moved_from tstzrange,
    relocated_from jsonb,
    changed_to jsonb,
    amount_cents integer NOT NULL,
    fee_cents integer NOT NULL,
    free_until_hours integer NOT NULL,
    late_refund_percent integer NOT NULL,
    refunds_enabled boolean NOT NULL,
    refunded_cents integer DEFAULT 0 NOT NULL,
    is_owed boolean DEFAULT true NOT NULL,
    is_in_payrun boolean DEFAULT false NOT NULL,
    attended boolean,
    hold_expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    booked_at timestamp with time zone,
    cancelled_at timestamp with time zone,
    cancelled_by text,
    sequence integer DEFAULT 0 NOT NULL,
    is_invited boolean DEFAULT false NOT NULL,
    charged_cents integer DEFAULT 0 NOT NULL,
    participant_id uuid NOT NULL,
    CONSTRAINT bookings_amount_not_negative CHECK ((amount_cents >= 0)),
    CONSTRAINT bookings_booked_has_time CHECK (((status <> ALL (ARRAY['booked'::text, 'attended'::text])) OR (booked_at IS NOT NULL))),
    CONSTRAINT bookings_cancelled_by_known CHECK ((cancelled_by = ANY (ARRAY['customer'::text, 'coach'::text, 'platform'::text]))),
    CONSTRAINT bookings_cancelled_has_time CHECK (((status = ANY (ARRAY['cancelled'::text, 'refunded'::text])) = (cancelled_at IS NOT NULL))),
    CONSTRAINT bookings_changed_to_is_whole CHECK ((changed_to ?& ARRAY['title'::text, 'description'::text, 'sport'::text])),
    CONSTRAINT bookings_fee_within_amount CHECK (((fee_cents >= 0) AND (fee_cents <= amount_cents))),
    CONSTRAINT bookings_free_until_hours_not_negative CHECK ((free_until_hours >= 0)),
    CONSTRAINT bookings_late_refund_percent_range CHECK (((late_refund_percent >= 0) AND (late_refund_percent <= 100))),
    CONSTRAINT bookings_location_is_whole CHECK ((location ?& ARRAY['locationId'::text, 'name'::text, 'address'::text, 'city'::text, 'postcode'::text])),
    CONSTRAINT bookings_moved_from_not_empty CHECK ((NOT isempty(moved_from))),
    CONSTRAINT bookings_refunded_within_charged CHECK (((refunded_cents >= 0) AND (refunded_cents <= charged_cents))),
    CONSTRAINT bookings_relocated_from_has_location CHECK ((relocated_from ? 'location'::text)),
    CONSTRAINT bookings_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'booked'::text, 'attended'::text, 'cancelled'::text, 'refunded'::text, 'released'::text])))
)
WITH (fillfactor='85');
CREATE TABLE public.lesson_slots (
    slot_id uuid DEFAULT gen_random_uuid() NOT NULL,
    template_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    location_id uuid,
    start_time timestamp with time zone NOT NULL,
    end_time timestamp with time zone NOT NULL,
    lesson_type text NOT NULL,
    sport text DEFAULT 'other'::text NOT NULL,
    min_capacity integer NOT NULL,
    max_capacity integer NOT NULL,
    booked_count integer DEFAULT 0 NOT NULL,
    is_open boolean GENERATED ALWAYS AS ((booked_count < max_capacity)) STORED NOT NULL,
    price_cents integer NOT NULL,
    status text DEFAULT 'scheduled'::text NOT NULL,
    cancellation_reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sequence integer DEFAULT 0 NOT NULL,
    cancelled_at timestamp with time zone,
    min_age smallint,
    max_age smallint,
    age_date text DEFAULT 'day'::text NOT NULL,
    CONSTRAINT lesson_slots_age_date_known CHECK ((age_date = ANY (ARRAY['day'::text, 'aug31'::text, 'dec31'::text]))),
    CONSTRAINT lesson_slots_ages_in_order CHECK ((min_age <= max_age)),
    CONSTRAINT lesson_slots_cancellation_reason_length CHECK (((length(TRIM(BOTH FROM cancellation_reason)) >= 1) AND (length(TRIM(BOTH FROM cancellation_reason)) <= 200))),
    CONSTRAINT lesson_slots_cancellation_reason_only_if_cancelled CHECK (((cancellation_reason IS NULL) OR (status = 'cancelled'::text))),
    CONSTRAINT lesson_slots_cancelled_has_no_bookings CHECK (((status <> 'cancelled'::text) OR (booked_count = 0))),
    CONSTRAINT lesson_slots_lasts_up_to_five_hours CHECK (((end_time > start_time) AND (end_time <= (start_time + '05:00:00'::interval)))),
    CONSTRAINT lesson_slots_lesson_type_known CHECK ((lesson_type = ANY (ARRAY['individual'::text, 'group'::text]))),
    CONSTRAINT lesson_slots_max_age_range CHECK (((max_age >= 0) AND (max_age <= 120))),
    CONSTRAINT lesson_slots_max_capacity_range CHECK (((max_capacity >= min_capacity) AND (max_capacity <= 20))),
    CONSTRAINT lesson_slots_min_age_range CHECK (((min_age >= 0) AND (min_age <= 120))),
    CONSTRAINT lesson_slots_min_capacity_positive CHECK ((min_capacity >= 1)),
    CONSTRAINT lesson_slots_price_range CHECK (((price_cents >= 0) AND (price_cents <= 1000000))),
    CONSTRAINT lesson_slots_seats_within_capacity CHECK (((booked_count >= 0) AND (booked_count <= max_capacity))),
    CONSTRAINT lesson_slots_sport_length CHECK ((length(sport) <= 40)),
    CONSTRAINT lesson_slots_status_known CHECK ((status = ANY (ARRAY['scheduled'::text, 'cancelled'::text, 'completed'::text])))
)
WITH (fillfactor='85', autovacuum_vacuum_scale_factor='0.02', autovacuum_analyze_scale_factor='0.05');
CREATE FUNCTION public.payout_waits_for(booking public.bookings, slot public.lesson_slots) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select case
    when slot.end_time <= now() - interval '7 days' or booking.cancelled_at is not null or booking.attended is false
      then null
    else (
      select case
        when business.payout_needs = 'none' then null
        when booking.attended is null then 'attendance'
        when business.payout_needs = 'note'
          and not exists (select from session_notes note where note.booking_id = booking.booking_id) then 'note'
      end
      from coaches coach join coaching_businesses business on business.business_id = coach.business_id
      where coach.coach_id = slot.coach_id)
  end
$$;
CREATE FUNCTION public.photos_allowed(participant uuid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select coalesce((select choice in ('coaching', 'club') from consents
    where participant_id = participant and kind = 'photos' order by consent_id desc limit 1), false)
$$;
CREATE FUNCTION public.prove_health() RETURNS void
    LANGUAGE plpgsql
    SET work_mem TO '64kB'
    AS $$
begin
  update health set proven_at = now();
  perform count(*)
  from (select repeat(md5(n::text), 8) as filler from generate_series(1, 1500) n order by 1) as spilled;
end $$;
CREATE FUNCTION public.queue_job(job_name text, job_payload json, job_run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, job_key text DEFAULT NULL::text, keeps_run_at boolean DEFAULT false) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  task integer;
begin
  select id into task from graphile_worker._private_tasks where identifier = job_name;
  if not found then
    insert into graphile_worker._private_tasks (identifier) values (job_name) on conflict do nothing;
    select id into strict task from graphile_worker._private_tasks where identifier = job_name;
  end if;
  if job_key is null then
    insert into graphile_worker._private_jobs (task_id, payload, run_at)
    values (task, job_payload, coalesce(job_run_at, now()));
    return;
  end if;
  loop
    -- A job that runs already, or has used up its attempts, gives its key up: it read an older state.
    update graphile_worker._private_jobs set key = null, attempts = max_attempts, updated_at = now()
    where key = job_key and not is_available;
    insert into graphile_worker._private_jobs as waiting (task_id, payload, run_at, key)
    values (task, job_payload, coalesce(job_run_at, now()), job_key)
    on conflict (key) do update set
      task_id = excluded.task_id,
      payload = excluded.payload,
      run_at = case when keeps_run_at and waiting.attempts = 0 then waiting.run_at else excluded.run_at end,
      revision = waiting.revision + 1,
      attempts = 0,
      last_error = null,
      updated_at = now()
    where waiting.locked_at is null;
    -- Otherwise a worker took the waiting job between the two statements.
    exit when found;
  end loop;
end
$$;
CREATE FUNCTION public.raise_sequence() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.sequence := old.sequence + 1;
  return new;
end $$;
CREATE FUNCTION public.record_announcement() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('coach', new.coach_id::text, 'slots', new.slot_id);
  perform record_change('user', customer_user_id::text, 'bookings', booking_id)
  from bookings where slot_id = new.slot_id and status in ('booked', 'attended');
  return null;
end $$;
CREATE FUNCTION public.record_application() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'people');
  return null;
end $$;
CREATE FUNCTION public.record_bank_details() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'payable'),
    record_change('coach', coalesce(new.coach_id, old.coach_id)::text, 'earnings');
  return null;
end $$;
CREATE FUNCTION public.record_change(topic text, key text, kind text DEFAULT NULL::text, subject_id uuid DEFAULT NULL::uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into changes (topic, key, kind, subject_id)
  values (record_change.topic, record_change.key, record_change.kind, record_change.subject_id);
end $$;
CREATE FUNCTION public.record_changed_booking() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('user', new.customer_user_id::text, 'bookings', new.booking_id),
    record_change('coach', coach_id::text, 'slots', slot_id)
  from lesson_slots where slot_id = new.slot_id;
  return null;
end $$;
CREATE FUNCTION public.record_changed_slot() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('places', new.slot_id::text);
  -- Taking a seat, the most frequent update, stops here.
  if (new.status, new.price_cents, new.start_time, new.end_time, new.location_id, new.lesson_type, new.sport,
      new.min_capacity, new.max_capacity, new.cancellation_reason)
    is not distinct from (old.status, old.price_cents, old.start_time, old.end_time, old.location_id, old.lesson_type,
      old.sport, old.min_capacity, old.max_capacity, old.cancellation_reason)
  then
    return null;
  end if;
  perform record_change('coach', new.coach_id::text, 'slots', new.slot_id);
  if new.status <> old.status then
    perform record_change('user', customer_user_id::text, 'bookings', booking_id)
    from bookings where slot_id = new.slot_id and status <> 'released';
  end if;
  -- The bookings of a completed lesson may be payable.
  if new.status = 'completed' and old.status <> 'completed' and new.booked_count > 0 then
    perform record_change('admin', 'payable');
  end if;
  return null;
end $$;
CREATE FUNCTION public.record_coach_application() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  application coach_applications := coalesce(new, old);
begin
  if tg_op <> 'UPDATE' or new.status <> old.status then
    perform record_change('user', application.user_id::text, 'application', application.application_id);
    perform record_change('admin', 'applications');
  end if;
  return null;
end $$;
CREATE FUNCTION public.record_consent() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('coach', slot.coach_id::text, 'slots', slot.slot_id)
  from bookings booking join lesson_slots slot using (slot_id)
  where booking.participant_id = new.participant_id and booking.is_active and upper(booking.during) > now();
  return null;
end $$;
CREATE FUNCTION public.record_deleted_slots() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('places', slot_id::text), record_change('coach', coach_id::text, 'slots', slot_id)
  from before_rows;
  return null;
end $$;
CREATE FUNCTION public.record_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('coach', coalesce(new.coach_id, old.coach_id)::text, 'documents');
  perform record_change('admin', 'documents');
  return null;
end $$;
CREATE FUNCTION public.record_hiding() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if new.is_active and not new.is_listed then
    insert into hidden_coaches (coach_id) values (new.coach_id)
    on conflict (coach_id) do update set listed_at = null;
  else
    delete from hidden_coaches where coach_id = new.coach_id
      and (not new.is_active or (owner_notified_at is null and coach_notified_at is null));
    update hidden_coaches set listed_at = now() where coach_id = new.coach_id;
  end if;
  return null;
end $$;
CREATE FUNCTION public.record_ledger_entries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('coach', coach_id::text, 'earnings') from (select distinct coach_id from after_rows) coach;
  perform record_change('admin', 'payable');
  perform record_change('admin', 'overview');
  return null;
end $$;
CREATE FUNCTION public.record_listing() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('coach', new.coach_id::text, 'documents');
  perform record_change('admin', 'documents');
  return null;
end $$;
CREATE FUNCTION public.record_location() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('places', slot_id::text) from lesson_slots
  where location_id = new.location_id and status = 'scheduled' and end_time > now();
  perform record_change('coach', new.coach_id::text, 'slots');
  return null;
end $$;
CREATE FUNCTION public.record_new_bookings() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('user', customer_user_id::text, 'bookings', booking_id),
    record_change('coach', slot.coach_id::text, 'slots', slot_id)
  from after_rows join lesson_slots slot using (slot_id);
  return null;
end $$;
CREATE FUNCTION public.record_new_slots() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('coach', coach_id::text, 'slots') from (select distinct coach_id from after_rows) coach;
  return null;
end $$;
CREATE FUNCTION public.record_note_part() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_progress_of(participant_id, coach_id, is_shared) from session_notes
  where note_id = coalesce(new.note_id, old.note_id);
  return null;
end $$;
CREATE FUNCTION public.record_notifications() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('user', user_id::text, 'notifications')
  from (select distinct user_id from after_rows where is_listed) person;
  return null;
end $$;
CREATE FUNCTION public.record_payable_mark() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'payable') from lesson_slots slot join coaches coach using (coach_id)
    join coaching_businesses business on business.business_id = coach.business_id
  where slot.slot_id = new.slot_id and business.payout_needs <> 'none';
  return null;
end $$;
CREATE FUNCTION public.record_payout_needs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'payable');
  perform record_change('coach', coach_id::text, 'earnings') from coaches where business_id = new.business_id;
  return null;
end $$;
CREATE FUNCTION public.record_payrun() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'payruns'), record_change('admin', 'payable');
  perform record_change('coach', coach_id::text, 'earnings') from payrun_recipients where payrun_id = new.payrun_id;
  return null;
end $$;
CREATE FUNCTION public.record_payrun_recipients() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('coach', coach_id::text, 'earnings') from (select distinct coach_id from after_rows) coach;
  return null;
end $$;
CREATE FUNCTION public.record_profile() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    perform record_change('admin', 'people');
    return null;
  end if;
  if (old.full_name, old.email, old.roles) is distinct from (new.full_name, new.email, new.roles) then
    perform record_change('user', new.user_id::text, 'profile'), record_change('admin', 'people');
  end if;
  if old.stripe_payment_method_id is distinct from new.stripe_payment_method_id then
    perform record_change('user', new.user_id::text, 'card');
  end if;
  return null;
end $$;
CREATE FUNCTION public.record_progress() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_progress_of(new.participant_id, new.coach_id, true);
  return null;
end $$;
CREATE FUNCTION public.record_progress_of(participant uuid, coach uuid, is_shared boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if is_shared then
    perform record_change('user', own_user_id::text, 'progress', participant_id) from participants
    where participant_id = participant and own_user_id is not null;
    perform record_change('user', user_id::text, 'progress', participant_id) from guardians
    where participant_id = participant;
  end if;
  perform record_change('coach', coach::text, 'progress', participant);
end $$;
CREATE FUNCTION public.record_refund() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('user', booking.customer_user_id::text, 'bookings', booking.booking_id)
  from refund_lines line join bookings booking using (booking_id) where line.refund_id = new.refund_id;
  if new.given_up_at is not null then
    perform record_change('admin', 'refunds');
  end if;
  return null;
end $$;
CREATE FUNCTION public.record_refund_request() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'refunds');
  return null;
end $$;
CREATE FUNCTION public.record_report() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'pictures');
  return null;
end $$;
CREATE FUNCTION public.record_review() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  review reviews := coalesce(new, old);
begin
  perform record_change('user', review.customer_user_id::text, 'reviews', review.review_id),
    record_change('coach', review.coach_id::text, 'reviews', review.review_id);
  return null;
end $$;
CREATE FUNCTION public.record_review_case() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'reviews');
  if tg_op <> 'DELETE' and new.opened_by is not null then
    perform record_change('user', new.opened_by::text, 'reviews', new.review_id);
  end if;
  return null;
end $$;
CREATE FUNCTION public.record_review_reply() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('user', customer_user_id::text, 'reviews', review_id),
    record_change('coach', coach_id::text, 'reviews', review_id)
  from reviews where review_id = new.review_id;
  return null;
end $$;
CREATE FUNCTION public.record_session() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('user', coalesce(new.user_id, old.user_id)::text, 'session');
  return null;
end $$;
CREATE FUNCTION public.record_session_note() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  note session_notes := coalesce(new, old);
begin
  perform record_progress_of(note.participant_id, note.coach_id, note.is_shared);
  if tg_op <> 'UPDATE' then
    perform record_change('admin', 'payable'), record_change('coach', note.coach_id::text, 'earnings');
  end if;
  return null;
end $$;
CREATE FUNCTION public.record_withheld_payment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform record_change('admin', 'payable');
  return null;
end $$;
CREATE FUNCTION public.refresh_coach_month(of_sums text, coach uuid, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  closed timestamptz;
  of_month date := date_trunc('month', at at time zone 'Europe/London');
  since timestamptz := of_month::timestamp at time zone 'Europe/London';
  upto timestamptz := (of_month + interval '1 month') at time zone 'Europe/London';
begin
  select until into strict closed from closed_sums where name = of_sums for update;
  if at >= closed or at is null then
    return;
  end if;
  if of_sums = 'coach_ledger_months' then
    delete from coach_ledger_months sums where sums.coach_id = coach and sums.month = of_month;
    insert into coach_ledger_months select * from ledger_by_month(since, upto) entered where entered.coach_id = coach;
  else
    delete from coach_lesson_months sums where sums.coach_id = coach and sums.month = of_month;
    insert into coach_lesson_months select * from lessons_by_month(since, upto) held where held.coach_id = coach;
  end if;
end $$;
CREATE FUNCTION public.refresh_customer_coach(customer uuid, slot_of_coach uuid, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  closed timestamptz;
  coach uuid := (select coach_id from lesson_slots where slot_id = slot_of_coach);
begin
  select until into strict closed from closed_sums where name = 'customer_coaches' for update;
  if at < closed then
    delete from customer_coaches sums where sums.customer_user_id = customer and sums.coach_id = coach;
    insert into customer_coaches select * from customer_lessons('-infinity', closed) lessons
    where lessons.customer_user_id = customer and lessons.coach_id = coach;
  end if;
end $$;
CREATE FUNCTION public.refresh_sums_of_booking() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_customer_coach(new.customer_user_id, new.slot_id, lower(new.during));
  perform refresh_coach_month('coach_lesson_months', coach_id, start_time)
  from lesson_slots where slot_id = new.slot_id;
  if tg_op = 'UPDATE' then
    perform refresh_customer_coach(old.customer_user_id, old.slot_id, lower(old.during));
    if old.slot_id <> new.slot_id then
      perform refresh_coach_month('coach_lesson_months', coach_id, start_time)
      from lesson_slots where slot_id = old.slot_id;
    end if;
  end if;
  return null;
end $$;
CREATE FUNCTION public.refresh_sums_of_entries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_coach_month('coach_ledger_months', late.coach_id, late.month at time zone 'Europe/London')
  from (
    select distinct coach_id, date_trunc('month', created_at at time zone 'Europe/London') as month
    from after_rows where created_at < now() - interval '1 day'
  ) late;
  perform refresh_coach_month('coach_lesson_months', late.coach_id, late.month at time zone 'Europe/London')
  from (
    select distinct slot.coach_id, date_trunc('month', slot.start_time at time zone 'Europe/London') as month
    from after_rows entry
    cross join lateral (
      select coach_id, start_time from bookings join lesson_slots using (slot_id)
      where booking_id = entry.booking_id offset 0
    ) slot
    where entry.kind in ('charged', 'refunded', 'fee', 'fee_refunded')
      and slot.start_time < now() - interval '1 day'
  ) late;
  return null;
end $$;
CREATE FUNCTION public.refresh_sums_of_slot() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform refresh_coach_month('coach_lesson_months', old.coach_id, old.start_time);
  perform refresh_coach_month('coach_lesson_months', new.coach_id, new.start_time);
  return null;
end $$;
CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_change_before_expiry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '6 years' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_change_except_key_rotation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  encrypted constant text[] := array['account_number_encrypted', 'sort_code_encrypted'];
begin
  -- "v1.keyId.nonce.text": a new text under the same key would be another account.
  if tg_op = 'UPDATE' and to_jsonb(new) - encrypted = to_jsonb(old) - encrypted
    and split_part(new.account_number_encrypted, '.', 2) <> split_part(old.account_number_encrypted, '.', 2)
    and split_part(new.sort_code_encrypted, '.', 2) <> split_part(old.sort_code_encrypted, '.', 2)
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_change_of_application() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if old.status in ('approved', 'declined', 'withdrawn') and new.status is distinct from old.status then
    raise exception 'an application is decided once' using errcode = 'restrict_violation';
  end if;
  if new.status in ('approved', 'declined') and old.status not in ('submitted', 'changes', new.status) then
    raise exception 'only an application that was handed in is decided' using errcode = 'restrict_violation';
  end if;
  if new.user_id <> old.user_id then
    raise exception 'an application keeps its person' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
CREATE FUNCTION public.refuse_change_of_locked_note() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a note is only added to after 7 days' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_change_of_moderation() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'moderation_log is append-only' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_change_of_reply() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a coach replies once' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_change_of_review() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a review keeps its lesson, coach and author' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_change_of_sold_lesson() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a sold lesson cannot be changed' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_half_settled_payment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (
    select from payment_lines line join bookings booking using (booking_id)
    where line.payment_id = new.payment_id and booking.status = 'pending'
  ) then
    raise exception 'a booking of payment % is still pending', new.payment_id
      using errcode = 'restrict_violation', constraint = 'payments_settle_whole';
  end if;
  return null;
end $$;
CREATE FUNCTION public.refuse_lower_sequence() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the sequence of a calendar event only rises' using errcode = 'restrict_violation';
end $$;
CREATE FUNCTION public.refuse_unverified_review() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if not exists (
    select from bookings booking join lesson_slots slot using (slot_id)
    where booking.booking_id = new.booking_id and booking.customer_user_id = new.customer_user_id
      and slot.coach_id = new.coach_id and booking.status in ('booked', 'attended') and upper(booking.during) < now()
      and booking.charged_cents > 0
  ) then
    raise exception 'a review needs a lesson that its author paid for' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
CREATE FUNCTION public.refuse_waiting_item() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if (select payout_waits_for(booking, slot) from bookings booking join lesson_slots slot using (slot_id)
      where booking.booking_id = new.booking_id) is not null then
    raise exception 'booking % is not payable yet', new.booking_id using errcode = 'restrict_violation';
  end if;
  select case when slot.end_time <= now() - interval '7 days' then 'none' else coalesce(business.payout_needs, 'none') end
  into new.payout_needs
  from bookings booking join lesson_slots slot using (slot_id)
  left join coaches coach on coach.coach_id = slot.coach_id
  left join coaching_businesses business on business.business_id = coach.business_id
  where booking.booking_id = new.booking_id;
  return new;
end $$;
CREATE FUNCTION public.remove_document_file() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from storage_objects where object_id = old.file_object_id;
  return null;
end $$;
CREATE FUNCTION public.remove_note_picture() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from storage_objects where object_id = old.object_id;
  return null;
end $$;
CREATE FUNCTION public.remove_pictures_without_consent() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from note_files using session_notes note
  where note_files.note_id = note.note_id and note.participant_id = new.participant_id;
  return null;
end $$;
CREATE FUNCTION public.remove_stored_bytes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into storage_removals (content_id, bucket) values (old.content_id, old.bucket) on conflict do nothing;
  return null;
end $$;
CREATE FUNCTION public.renew_clearance(coach uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  perform from coaches where coach_id = coach for no key update;
  update coaches set listed_until = clear.listed_until, minors_until_dbs = clear.minors_until_dbs,
    minors_until_pvg = clear.minors_until_pvg, minors_until_access_ni = clear.minors_until_access_ni,
    minors_until = clear.minors_until,
    is_listed = clear.listed_until >= (now() at time zone 'Europe/London')::date
  from coach_clearance(coach, verification_policy()) clear
  where coach_id = coach
    and (coaches.listed_until, coaches.minors_until_dbs, coaches.minors_until_pvg, coaches.minors_until_access_ni,
      coaches.minors_until, coaches.is_listed)
      is distinct from (clear.listed_until, clear.minors_until_dbs, clear.minors_until_pvg,
        clear.minors_until_access_ni, clear.minors_until,
        clear.listed_until >= (now() at time zone 'Europe/London')::date);
end $$;
CREATE FUNCTION public.renew_clearance_of_row() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform renew_clearance(coalesce(new.coach_id, old.coach_id));
  return null;
end $$;
CREATE FUNCTION public.renew_coach_address() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if new.deleted_at is not null and old.deleted_at is null then
    new.coach_address := null;
    delete from coach_addresses where coach_id = new.user_id;
  elsif new.coach_address is not null and coach_public_name(new) is distinct from coach_public_name(old) then
    new.coach_address := coalesce(claim_coach_address(new.user_id, coach_public_name(new)), new.coach_address);
  end if;
  return new;
end $$;
CREATE FUNCTION public.renew_search_of_coach() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
begin
  update lesson_templates set title = title
    where coach_id = coalesce(changed ->> 'coach_id', changed ->> 'user_id')::uuid;
  return null;
end $$;
CREATE FUNCTION public.scheme_of_nation(nation text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case nation when 'england' then 'dbs' when 'wales' then 'dbs' when 'scotland' then 'pvg'
    when 'northern_ireland' then 'access_ni' end
$$;
CREATE FUNCTION public.set_template_search() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.search :=
    setweight(to_tsvector('english', new.title || ' ' || new.sport), 'A')
    || setweight(to_tsvector('english', coalesce(
      (select coach_public_name(coach) from profiles coach where user_id = new.coach_id), '')), 'B')
    || setweight(to_tsvector('english', new.description), 'C');
  new.search_with_locations := new.search || to_tsvector('english', coalesce(
    (select string_agg(name || ' ' || city || ' ' || postcode, ' ') from locations where coach_id = new.coach_id), ''));
  return new;
end $$;
CREATE FUNCTION public.teaches_minors(coach uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select exists (
    select from lesson_templates where coach_id = coach and deleted_at is null and coalesce(min_age, 0) < 18)
$$;
CREATE FUNCTION public.verification_policy() RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select jsonb_build_object(
    'criminal_record_check', jsonb_build_object('askedOf', 'under_18s', 'effect', 'hidden'),
    'safeguarding', jsonb_build_object('askedOf', 'under_18s', 'effect', 'hidden'),
    'insurance', jsonb_build_object('askedOf', 'all', 'effect', 'hidden'),
    'first_aid', jsonb_build_object('askedOf', 'all', 'effect', 'badge'),
    'licence', jsonb_build_object('askedOf', 'all', 'effect', 'badge')
  ) || coalesce((select value from site_settings
    where key = 'verification_policy' and jsonb_typeof(value) = 'object'), '{}')
$$;
CREATE FUNCTION public.word_starts(words text) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select coalesce(array_agg(distinct left(word, letters)), '{}')
  from regexp_split_to_table(lower(words), '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') word,
    (values (1), (2)) size (letters)
  where length(word) >= letters
$$;
CREATE FUNCTION public.write_coach_address(public_name text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select coalesce(nullif(trim('-' from left(trim('-' from regexp_replace(lower(regexp_replace(
    normalize(
      replace(replace(replace(replace(replace(
        translate(public_name, 'ŁłØøĐđÐðı', 'LlOoDdDdi'),
        'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      NFKD),
    '[\u0300-\u036f''’]', '', 'g')), '[^a-z0-9]+', '-', 'g')), 60)), ''), 'coach')
$$;
CREATE TABLE public.age_requests (
    age_request_id uuid DEFAULT gen_random_uuid() NOT NULL,
    template_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    asked_by uuid NOT NULL,
    status text DEFAULT 'asked'::text NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT age_requests_decided_unless_asked CHECK (((status = 'asked'::text) = (decided_at IS NULL))),
    CONSTRAINT age_requests_status_known CHECK ((status = ANY (ARRAY['asked'::text, 'allowed'::text, 'declined'::text])))
);
CREATE TABLE public.announcements (
    announcement_id uuid DEFAULT gen_random_uuid() NOT NULL,
    slot_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    text text NOT NULL,
    recipients integer NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT announcements_recipients_positive CHECK ((recipients > 0)),
    CONSTRAINT announcements_text_length CHECK (((length(TRIM(BOTH FROM text)) >= 1) AND (length(TRIM(BOTH FROM text)) <= 400)))
);
CREATE TABLE public.assessments (
    assessment_id uuid DEFAULT gen_random_uuid() NOT NULL,
    participant_id uuid NOT NULL,
    skill_id uuid,
    sport text NOT NULL,
    skill_name text NOT NULL,
    level integer NOT NULL,
    coach_id uuid NOT NULL,
    business_id uuid,
    booking_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT assessments_level_range CHECK (((level >= 1) AND (level <= 5)))
);
CREATE TABLE public.audit_log (
    audit_id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    actor_user_id uuid,
    actor_system text,
    action text NOT NULL,
    subject_type text NOT NULL,
    subject_id text NOT NULL,
    before jsonb,
    after jsonb,
    CONSTRAINT audit_log_has_one_actor CHECK (((actor_user_id IS NULL) <> (actor_system IS NULL)))
);
ALTER TABLE public.audit_log ALTER COLUMN audit_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.business_invitations (
    invitation_id uuid DEFAULT gen_random_uuid() NOT NULL,
    business_id uuid NOT NULL,
    email text NOT NULL,
    token_hash bytea NOT NULL,
    invited_by uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    applied_at timestamp with time zone,
    decided_at timestamp with time zone,
    CONSTRAINT business_invitations_decided_unless_pending CHECK (((status = 'pending'::text) = (decided_at IS NULL))),
    CONSTRAINT business_invitations_email_normalised CHECK (((email = lower(email)) AND (length(email) <= 254))),
    CONSTRAINT business_invitations_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text])))
);
CREATE TABLE public.calendar_feeds (
    feed_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    scope text NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    read_at timestamp with time zone,
    CONSTRAINT calendar_feeds_scope_known CHECK ((scope = ANY (ARRAY['customer'::text, 'coach'::text])))
);
CREATE TABLE public.card_fingerprints (
    stripe_payment_method_id text NOT NULL,
    user_id uuid NOT NULL,
    card_hash text NOT NULL,
    saved_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT card_fingerprints_hash_length CHECK ((length(card_hash) = 43))
);
CREATE TABLE public.care_reads (
    care_read_id uuid DEFAULT gen_random_uuid() NOT NULL,
    participant_id uuid NOT NULL,
    read_by uuid NOT NULL,
    reader_role text NOT NULL,
    slot_id uuid,
    reason text,
    read_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT care_reads_of_admins_have_no_lesson CHECK (((reader_role = 'admin'::text) = (slot_id IS NULL))),
    CONSTRAINT care_reads_reader_role_known CHECK ((reader_role = ANY (ARRAY['coach'::text, 'owner'::text, 'welfare_officer'::text, 'admin'::text]))),
    CONSTRAINT care_reads_reason_length CHECK (((length(TRIM(BOTH FROM reason)) >= 1) AND (length(TRIM(BOTH FROM reason)) <= 500)))
);
CREATE UNLOGGED TABLE public.changes (
    change_id bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    topic text NOT NULL,
    key text NOT NULL,
    kind text,
    subject_id uuid,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT changes_of_people_have_a_kind CHECK (((topic = ANY (ARRAY['user'::text, 'coach'::text])) = (kind IS NOT NULL))),
    CONSTRAINT changes_topic_known CHECK ((topic = ANY (ARRAY['places'::text, 'user'::text, 'coach'::text, 'admin'::text])))
);
ALTER TABLE public.changes ALTER COLUMN change_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.changes_change_id_seq
    LOGGED
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.closed_sums (
    name text NOT NULL,
    until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT closed_sums_name_known CHECK ((name = ANY (ARRAY['customer_coaches'::text, 'coach_ledger_months'::text, 'coach_lesson_months'::text])))
);
CREATE TABLE public.coach_addresses (
    address text NOT NULL,
    coach_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT coach_addresses_address_form CHECK (((address ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(address) <= 80) AND (NOT public.coach_address_is_reserved(address))))
);
CREATE TABLE public.coach_applications (
    application_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL,
    headline text,
    bio text,
    sports text[] DEFAULT '{}'::text[] NOT NULL,
    nations text[] DEFAULT '{}'::text[] NOT NULL,
    experience text,
    coaches_juniors boolean,
    terms_accepted_at timestamp with time zone,
    decision_message text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    submitted_at timestamp with time zone,
    decided_at timestamp with time zone,
    decided_by uuid,
    CONSTRAINT coach_applications_bio_length CHECK (((length(bio) >= 1) AND (length(bio) <= 4000))),
    CONSTRAINT coach_applications_decided_has_time CHECK (((status = ANY (ARRAY['approved'::text, 'declined'::text, 'withdrawn'::text])) <= (decided_at IS NOT NULL))),
    CONSTRAINT coach_applications_decision_message_length CHECK (((length(decision_message) >= 1) AND (length(decision_message) <= 1000))),
    CONSTRAINT coach_applications_experience_length CHECK (((length(experience) >= 1) AND (length(experience) <= 4000))),
    CONSTRAINT coach_applications_handed_in_complete CHECK (((status <> ALL (ARRAY['submitted'::text, 'approved'::text])) OR ((headline IS NOT NULL) AND (bio IS NOT NULL) AND (cardinality(sports) > 0) AND (cardinality(nations) > 0) AND (experience IS NOT NULL) AND (coaches_juniors IS NOT NULL) AND (terms_accepted_at IS NOT NULL) AND (submitted_at IS NOT NULL)))),
    CONSTRAINT coach_applications_headline_length CHECK (((length(headline) >= 1) AND (length(headline) <= 100))),
    CONSTRAINT coach_applications_nations_known CHECK ((nations <@ '{england,scotland,wales,northern_ireland}'::text[])),
    CONSTRAINT coach_applications_refusal_has_message CHECK (((status <> ALL (ARRAY['changes'::text, 'declined'::text])) OR (decision_message IS NOT NULL))),
    CONSTRAINT coach_applications_status_known CHECK ((status = ANY (ARRAY['draft'::text, 'submitted'::text, 'changes'::text, 'approved'::text, 'declined'::text, 'withdrawn'::text])))
);
CREATE TABLE public.coach_bank_details (
    coach_id uuid NOT NULL,
    account_name text NOT NULL,
    account_number_encrypted text NOT NULL,
    sort_code_encrypted text NOT NULL,
    recipient_type text DEFAULT 'Individual'::text NOT NULL,
    bank_country text DEFAULT 'GB'::text NOT NULL,
    currency text DEFAULT 'GBP'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT coach_bank_details_account_name_length CHECK (((length(account_name) >= 1) AND (length(account_name) <= 70))),
    CONSTRAINT coach_bank_details_bank_country_known CHECK ((bank_country = 'GB'::text)),
    CONSTRAINT coach_bank_details_currency_known CHECK ((currency = 'GBP'::text)),
    CONSTRAINT coach_bank_details_recipient_type_known CHECK ((recipient_type = ANY (ARRAY['Individual'::text, 'Business'::text])))
);
CREATE TABLE public.coach_documents (
    document_id uuid DEFAULT gen_random_uuid() NOT NULL,
    coach_id uuid NOT NULL,
    kind text NOT NULL,
    scheme text,
    level text,
    workforce text,
    issuer text,
    number_encrypted text NOT NULL,
    issued_on date NOT NULL,
    valid_until date,
    recheck_on date,
    ends_on date GENERATED ALWAYS AS (COALESCE(valid_until, recheck_on)) STORED NOT NULL,
    counts_for_minors boolean GENERATED ALWAYS AS (((kind <> 'criminal_record_check'::text) OR ((level = ANY (ARRAY['enhanced'::text, 'enhanced_barred'::text, 'pvg'::text])) AND (workforce = ANY (ARRAY['child'::text, 'child_and_adult'::text]))))) STORED NOT NULL,
    method text,
    status text NOT NULL,
    decline_reason text,
    file_object_id uuid,
    file_content_id uuid,
    submitted_at timestamp with time zone DEFAULT now() NOT NULL,
    checked_by uuid,
    checked_at timestamp with time zone,
    closed_at timestamp with time zone,
    CONSTRAINT coach_documents_accepted_has_method CHECK (((status <> 'accepted'::text) OR (method IS NOT NULL))),
    CONSTRAINT coach_documents_check_has_no_file_or_text CHECK (((kind <> 'criminal_record_check'::text) OR ((file_object_id IS NULL) AND (issuer IS NULL) AND (decline_reason IS NULL)))),
    CONSTRAINT coach_documents_check_is_described CHECK (
CASE
    WHEN (kind = 'criminal_record_check'::text) THEN ((scheme IS NOT NULL) AND (level IS NOT NULL) AND (workforce IS NOT NULL) AND ((scheme = 'pvg'::text) = (level = 'pvg'::text)) AND (recheck_on IS NOT NULL) AND (valid_until IS NULL))
    ELSE ((scheme IS NULL) AND (level IS NULL) AND (workforce IS NULL) AND (issuer IS NOT NULL) AND (valid_until IS NOT NULL) AND (recheck_on IS NULL))
END),
    CONSTRAINT coach_documents_check_is_recorded_decided CHECK (((kind <> 'criminal_record_check'::text) OR (status <> 'submitted'::text))),
    CONSTRAINT coach_documents_closed_when_over CHECK (((status = ANY (ARRAY['declined'::text, 'replaced'::text])) = (closed_at IS NOT NULL))),
    CONSTRAINT coach_documents_decided_by_an_admin CHECK (
CASE
    WHEN (status = 'submitted'::text) THEN ((checked_by IS NULL) AND (checked_at IS NULL) AND (method IS NULL))
    ELSE ((status = 'replaced'::text) OR ((checked_by IS NOT NULL) AND (checked_at IS NOT NULL)))
END),
    CONSTRAINT coach_documents_decline_reason_length CHECK (((length(TRIM(BOTH FROM decline_reason)) >= 1) AND (length(TRIM(BOTH FROM decline_reason)) <= 300))),
    CONSTRAINT coach_documents_ends_after_issue CHECK ((COALESCE(valid_until, recheck_on) >= issued_on)),
    CONSTRAINT coach_documents_file_whole CHECK (((file_object_id IS NULL) = (file_content_id IS NULL))),
    CONSTRAINT coach_documents_issuer_length CHECK (((length(TRIM(BOTH FROM issuer)) >= 1) AND (length(TRIM(BOTH FROM issuer)) <= 120))),
    CONSTRAINT coach_documents_kind_known CHECK ((kind = ANY (ARRAY['criminal_record_check'::text, 'safeguarding'::text, 'insurance'::text, 'first_aid'::text, 'licence'::text]))),
    CONSTRAINT coach_documents_level_known CHECK ((level = ANY (ARRAY['basic'::text, 'standard'::text, 'enhanced'::text, 'enhanced_barred'::text, 'pvg'::text]))),
    CONSTRAINT coach_documents_method_known CHECK ((method = ANY (ARRAY['file'::text, 'original_in_person'::text, 'original_by_video'::text, 'update_service'::text, 'governing_body'::text]))),
    CONSTRAINT coach_documents_method_of_kind CHECK (((kind <> 'criminal_record_check'::text) OR (method <> 'file'::text))),
    CONSTRAINT coach_documents_scheme_known CHECK ((scheme = ANY (ARRAY['dbs'::text, 'pvg'::text, 'access_ni'::text]))),
    CONSTRAINT coach_documents_status_known CHECK ((status = ANY (ARRAY['submitted'::text, 'accepted'::text, 'declined'::text, 'replaced'::text]))),
    CONSTRAINT coach_documents_update_service_is_dbs CHECK (((method <> 'update_service'::text) OR (scheme = 'dbs'::text))),
    CONSTRAINT coach_documents_workforce_known CHECK ((workforce = ANY (ARRAY['child'::text, 'adult'::text, 'child_and_adult'::text, 'other'::text])))
);
CREATE TABLE public.coach_ledger_months (
    coach_id uuid NOT NULL,
    month date NOT NULL,
    charged_cents bigint NOT NULL,
    refunded_cents bigint NOT NULL,
    fee_cents bigint NOT NULL,
    paid_out_cents bigint NOT NULL,
    CONSTRAINT coach_ledger_months_month_is_first_day CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE TABLE public.coach_lesson_months (
    coach_id uuid NOT NULL,
    month date NOT NULL,
    share_cents bigint NOT NULL,
    lessons integer NOT NULL,
    CONSTRAINT coach_lesson_months_lessons_not_negative CHECK ((lessons >= 0)),
    CONSTRAINT coach_lesson_months_month_is_first_day CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE TABLE public.reviews (
    review_id uuid DEFAULT gen_random_uuid() NOT NULL,
    booking_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    customer_user_id uuid NOT NULL,
    written_for text NOT NULL,
    period daterange NOT NULL,
    card_hash text,
    rating smallint NOT NULL,
    body text NOT NULL,
    findings text[] DEFAULT '{}'::text[] NOT NULL,
    masked_body text,
    is_masked boolean DEFAULT false NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    submitted_at timestamp with time zone DEFAULT now() NOT NULL,
    published_at timestamp with time zone,
    edited_at timestamp with time zone,
    CONSTRAINT reviews_body_length CHECK (((length(body) >= 20) AND (length(body) <= 1000))),
    CONSTRAINT reviews_findings_have_masked_body CHECK (((cardinality(findings) > 0) = (masked_body IS NOT NULL))),
    CONSTRAINT reviews_held_has_findings CHECK (((status <> 'held'::text) OR (cardinality(findings) > 0))),
    CONSTRAINT reviews_masked_has_text CHECK (((NOT is_masked) OR (masked_body IS NOT NULL))),
    CONSTRAINT reviews_not_of_oneself CHECK ((coach_id <> customer_user_id)),
    CONSTRAINT reviews_published_has_time CHECK (((status <> 'published'::text) OR (published_at IS NOT NULL))),
    CONSTRAINT reviews_rating_range CHECK (((rating >= 1) AND (rating <= 5))),
    CONSTRAINT reviews_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'held'::text, 'published'::text, 'removed'::text]))),
    CONSTRAINT reviews_written_for_known CHECK ((written_for = ANY (ARRAY['self'::text, 'junior'::text, 'dependant'::text])))
);
CREATE VIEW public.coach_ratings AS
 SELECT reviews.coach_id,
    (count(*))::integer AS reviews,
    (sum(reviews.rating))::integer AS stars,
    ARRAY[(count(*) FILTER (WHERE (reviews.rating = 1)))::integer, (count(*) FILTER (WHERE (reviews.rating = 2)))::integer, (count(*) FILTER (WHERE (reviews.rating = 3)))::integer, (count(*) FILTER (WHERE (reviews.rating = 4)))::integer, (count(*) FILTER (WHERE (reviews.rating = 5)))::integer] AS distribution
   FROM public.reviews
  WHERE ((reviews.status = 'published'::text) AND (reviews.published_at > (now() - '2 years'::interval)))
  GROUP BY reviews.coach_id;
CREATE TABLE public.coaching_businesses (
    business_id uuid DEFAULT gen_random_uuid() NOT NULL,
    owner_user_id uuid NOT NULL,
    owner_role text GENERATED ALWAYS AS ('owner'::text) STORED NOT NULL,
    business_name text NOT NULL,
    business_email text,
    business_phone text,
    business_address text,
    tax_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    payout_needs text DEFAULT 'none'::text NOT NULL,
    CONSTRAINT coaching_businesses_name_length CHECK (((length(TRIM(BOTH FROM business_name)) >= 1) AND (length(TRIM(BOTH FROM business_name)) <= 200))),
    CONSTRAINT coaching_businesses_payout_needs_known CHECK ((payout_needs = ANY (ARRAY['none'::text, 'attendance'::text, 'note'::text])))
);
CREATE TABLE public.consents (
    consent_id bigint NOT NULL,
    participant_id uuid NOT NULL,
    kind text NOT NULL,
    choice text NOT NULL,
    text_version text NOT NULL,
    given_by uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT consents_choice_known CHECK ((choice = ANY (ARRAY['none'::text, 'coaching'::text, 'club'::text, 'yes'::text, 'no'::text]))),
    CONSTRAINT consents_choice_of_kind CHECK (((kind = 'photos'::text) = (choice = ANY (ARRAY['none'::text, 'coaching'::text, 'club'::text])))),
    CONSTRAINT consents_kind_known CHECK ((kind = ANY (ARRAY['photos'::text, 'first_aid'::text, 'medical'::text]))),
    CONSTRAINT consents_text_version_length CHECK (((length(text_version) >= 1) AND (length(text_version) <= 40)))
);
ALTER TABLE public.consents ALTER COLUMN consent_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.consents_consent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.customer_coaches (
    customer_user_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    bookings integer NOT NULL,
    lessons integer NOT NULL,
    minutes bigint NOT NULL,
    latest timestamp with time zone NOT NULL,
    CONSTRAINT customer_coaches_bookings_positive CHECK ((bookings > 0)),
    CONSTRAINT customer_coaches_lessons_within_bookings CHECK (((lessons >= 0) AND (lessons <= bookings))),
    CONSTRAINT customer_coaches_minutes_not_negative CHECK ((minutes >= 0))
);
CREATE TABLE public.deliveries (
    notification_id uuid NOT NULL,
    channel text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    reason text,
    address_hash text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    accepted_by uuid[],
    CONSTRAINT deliveries_accepted_by_browsers CHECK (((accepted_by IS NULL) OR (channel = 'push'::text))),
    CONSTRAINT deliveries_address_hash_is_hex CHECK ((address_hash ~ '^[0-9a-f]{32}$'::text)),
    CONSTRAINT deliveries_channel_known CHECK ((channel = ANY (ARRAY['email'::text, 'push'::text]))),
    CONSTRAINT deliveries_end_has_time CHECK (((status = 'queued'::text) = (ended_at IS NULL))),
    CONSTRAINT deliveries_reason_known CHECK ((reason = ANY (ARRAY['switched_off'::text, 'no_address'::text, 'suppressed'::text, 'no_longer_true'::text, 'refused'::text, 'gave_up'::text, 'complained'::text]))),
    CONSTRAINT deliveries_reason_of_failure CHECK (((reason IS NULL) OR (status = ANY (ARRAY['skipped'::text, 'failed'::text, 'bounced'::text])))),
    CONSTRAINT deliveries_status_known CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'skipped'::text, 'failed'::text, 'bounced'::text])))
)
WITH (fillfactor='85');
CREATE TABLE public.disputes (
    dispute_id text NOT NULL,
    payment_id uuid NOT NULL,
    status text NOT NULL,
    amount_cents integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    reason text,
    opened_at timestamp with time zone,
    evidence_due_by timestamp with time zone,
    stripe_fee_cents integer DEFAULT 0 NOT NULL,
    evidence jsonb,
    evidence_by uuid,
    evidence_asked_at timestamp with time zone,
    evidence_sent_at timestamp with time zone,
    evidence_refusal text,
    borne_by text,
    booked_cents integer,
    booked_at timestamp with time zone,
    booked_by uuid,
    CONSTRAINT disputes_amount_not_negative CHECK ((amount_cents >= 0)),
    CONSTRAINT disputes_booked_is_whole CHECK ((((booked_at IS NULL) = (borne_by IS NULL)) AND ((booked_at IS NULL) = (booked_by IS NULL)) AND ((booked_at IS NULL) = (booked_cents IS NULL)) AND ((booked_at IS NULL) OR ((status = 'lost'::text) AND ((booked_cents >= 0) AND (booked_cents <= amount_cents)))))),
    CONSTRAINT disputes_borne_by_known CHECK ((borne_by = ANY (ARRAY['coach'::text, 'platform'::text]))),
    CONSTRAINT disputes_evidence_is_whole CHECK ((((evidence_asked_at IS NULL) = (evidence_by IS NULL)) AND ((evidence IS NULL) OR (evidence_asked_at IS NOT NULL)) AND ((evidence_asked_at IS NOT NULL) OR ((evidence_sent_at IS NULL) AND (evidence_refusal IS NULL))))),
    CONSTRAINT disputes_reason_length CHECK (((length(reason) >= 1) AND (length(reason) <= 100))),
    CONSTRAINT disputes_status_length CHECK (((length(status) >= 1) AND (length(status) <= 40)))
);
CREATE TABLE public.document_openings (
    opening_id uuid DEFAULT gen_random_uuid() NOT NULL,
    document_id uuid NOT NULL,
    opened_by uuid NOT NULL,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE public.document_reminders (
    document_id uuid NOT NULL,
    days_before integer NOT NULL,
    ends_on date NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT document_reminders_days_range CHECK (((days_before >= 0) AND (days_before <= 60)))
);
CREATE TABLE public.email_changes (
    user_id uuid NOT NULL,
    new_email text NOT NULL,
    current_token_hash bytea,
    new_token_hash bytea,
    current_confirmed_at timestamp with time zone,
    new_confirmed_at timestamp with time zone,
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone DEFAULT (now() + '24:00:00'::interval) NOT NULL,
    CONSTRAINT email_changes_new_email_normalised CHECK (((new_email = lower(new_email)) AND (length(new_email) <= 254)))
);
CREATE TABLE public.external_refunds (
    stripe_refund_id text NOT NULL,
    payment_id uuid NOT NULL,
    amount_cents integer NOT NULL,
    status text NOT NULL,
    refund_id uuid,
    covers_cents integer DEFAULT 0 NOT NULL,
    made_at timestamp with time zone NOT NULL,
    found_at timestamp with time zone DEFAULT now() NOT NULL,
    entered_refund_id uuid,
    entered_cents integer DEFAULT 0 NOT NULL,
    CONSTRAINT external_refunds_amount_positive CHECK ((amount_cents > 0)),
    CONSTRAINT external_refunds_covers_only_a_refund CHECK (((refund_id IS NULL) = (covers_cents = 0))),
    CONSTRAINT external_refunds_covers_within_amount CHECK (((covers_cents >= 0) AND (entered_cents >= 0) AND ((covers_cents + entered_cents) <= amount_cents))),
    CONSTRAINT external_refunds_entered_as_a_refund CHECK (((entered_refund_id IS NULL) = (entered_cents = 0))),
    CONSTRAINT external_refunds_status_length CHECK (((length(status) >= 1) AND (length(status) <= 40)))
);
CREATE TABLE public.factor_challenges (
    challenge_id uuid DEFAULT gen_random_uuid() NOT NULL,
    factor_id uuid NOT NULL,
    session_id uuid NOT NULL,
    expires_at timestamp with time zone DEFAULT (now() + '00:05:00'::interval) NOT NULL
);
CREATE TABLE public.factors (
    factor_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    friendly_name text,
    status text DEFAULT 'unverified'::text NOT NULL,
    encrypted_secret text NOT NULL,
    last_step bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT factors_friendly_name_length CHECK ((length(friendly_name) <= 100)),
    CONSTRAINT factors_status_known CHECK ((status = ANY (ARRAY['unverified'::text, 'verified'::text])))
);
CREATE TABLE public.goals (
    goal_id uuid DEFAULT gen_random_uuid() NOT NULL,
    participant_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    business_id uuid,
    sport text NOT NULL,
    title text NOT NULL,
    due_on date,
    status text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT goals_decided_unless_open CHECK (((status = 'open'::text) = (decided_at IS NULL))),
    CONSTRAINT goals_status_known CHECK ((status = ANY (ARRAY['open'::text, 'reached'::text, 'dropped'::text]))),
    CONSTRAINT goals_title_length CHECK (((length(TRIM(BOTH FROM title)) >= 1) AND (length(TRIM(BOTH FROM title)) <= 200)))
);
CREATE TABLE public.guardian_invitations (
    guardian_invitation_id uuid DEFAULT gen_random_uuid() NOT NULL,
    participant_id uuid NOT NULL,
    email text NOT NULL,
    token_hash bytea NOT NULL,
    invited_by uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT guardian_invitations_decided_unless_pending CHECK (((status = 'pending'::text) = (decided_at IS NULL))),
    CONSTRAINT guardian_invitations_email_normalised CHECK (((email = lower(email)) AND (length(email) <= 254))),
    CONSTRAINT guardian_invitations_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text])))
);
CREATE TABLE public.guardians (
    participant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    relation text NOT NULL,
    declared_adult_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT guardians_relation_known CHECK ((relation = ANY (ARRAY['parent'::text, 'grandparent'::text, 'relative'::text, 'carer'::text, 'other'::text])))
);
CREATE TABLE public.health (
    is_only_row boolean DEFAULT true NOT NULL,
    proven_at timestamp with time zone DEFAULT now() NOT NULL,
    swept_at timestamp with time zone DEFAULT now() NOT NULL,
    events_read_until timestamp with time zone DEFAULT (now() - '30 days'::interval) NOT NULL,
    books_compared_at timestamp with time zone,
    CONSTRAINT health_has_one_row CHECK (is_only_row)
);
CREATE TABLE public.hidden_coaches (
    coach_id uuid NOT NULL,
    hidden_at timestamp with time zone DEFAULT now() NOT NULL,
    admins_notified_at timestamp with time zone,
    owner_notified_at timestamp with time zone,
    coach_notified_at timestamp with time zone,
    listed_at timestamp with time zone
);
CREATE TABLE public.ledger_entries (
    entry_id bigint NOT NULL,
    booking_id uuid NOT NULL,
    coach_id uuid,
    kind text NOT NULL,
    amount_cents integer NOT NULL,
    source_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ledger_entries_amount_has_sign_of_kind CHECK ((((kind = ANY (ARRAY['charged'::text, 'fee'::text, 'paid_back'::text, 'payout_returned'::text])) AND (amount_cents >= 0)) OR ((kind = ANY (ARRAY['refunded'::text, 'fee_refunded'::text, 'paid_out'::text, 'deduction_returned'::text])) AND (amount_cents <= 0)))),
    CONSTRAINT ledger_entries_coach_named CHECK ((coach_id IS NOT NULL)),
    CONSTRAINT ledger_entries_kind_known CHECK ((kind = ANY (ARRAY['charged'::text, 'fee'::text, 'refunded'::text, 'fee_refunded'::text, 'paid_out'::text, 'paid_back'::text, 'payout_returned'::text, 'deduction_returned'::text]))),
    CONSTRAINT ledger_entries_source_named CHECK ((source_id IS NOT NULL))
);
ALTER TABLE public.ledger_entries ALTER COLUMN entry_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ledger_entries_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lesson_answers (
    booking_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    business_id uuid,
    answered_by uuid NOT NULL,
    rating integer NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    answered_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT lesson_answers_body_length CHECK ((length(body) <= 300)),
    CONSTRAINT lesson_answers_rating_range CHECK (((rating >= 1) AND (rating <= 5)))
);
CREATE TABLE public.lesson_templates (
    template_id uuid DEFAULT gen_random_uuid() NOT NULL,
    coach_id uuid NOT NULL,
    title text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    sport text DEFAULT 'other'::text NOT NULL,
    duration_minutes integer NOT NULL,
    lesson_type text NOT NULL,
    min_capacity integer NOT NULL,
    max_capacity integer NOT NULL,
    base_price_cents integer NOT NULL,
    former_prices_cents integer[] DEFAULT '{}'::integer[] NOT NULL,
    search tsvector DEFAULT ''::tsvector NOT NULL,
    search_with_locations tsvector DEFAULT ''::tsvector NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    min_age smallint,
    max_age smallint,
    age_date text DEFAULT 'day'::text NOT NULL,
    CONSTRAINT lesson_templates_age_date_known CHECK ((age_date = ANY (ARRAY['day'::text, 'aug31'::text, 'dec31'::text]))),
    CONSTRAINT lesson_templates_ages_in_order CHECK ((min_age <= max_age)),
    CONSTRAINT lesson_templates_base_price_range CHECK (((base_price_cents >= 0) AND (base_price_cents <= 1000000))),
    CONSTRAINT lesson_templates_capacity_of_type CHECK ((((lesson_type = 'individual'::text) AND (min_capacity = 1) AND (max_capacity = 1)) OR ((lesson_type = 'group'::text) AND (min_capacity >= 2) AND ((max_capacity >= min_capacity) AND (max_capacity <= 20))))),
    CONSTRAINT lesson_templates_description_length CHECK ((length(description) <= 4000)),
    CONSTRAINT lesson_templates_duration_range CHECK (((duration_minutes >= 15) AND (duration_minutes <= 300))),
    CONSTRAINT lesson_templates_former_prices_are_few CHECK ((cardinality(former_prices_cents) <= 200)),
    CONSTRAINT lesson_templates_lesson_type_known CHECK ((lesson_type = ANY (ARRAY['individual'::text, 'group'::text]))),
    CONSTRAINT lesson_templates_max_age_range CHECK (((max_age >= 0) AND (max_age <= 120))),
    CONSTRAINT lesson_templates_min_age_range CHECK (((min_age >= 0) AND (min_age <= 120))),
    CONSTRAINT lesson_templates_sport_length CHECK ((length(sport) <= 40)),
    CONSTRAINT lesson_templates_title_length CHECK (((length(TRIM(BOTH FROM title)) >= 1) AND (length(TRIM(BOTH FROM title)) <= 120)))
);
CREATE TABLE public.moderation_log (
    log_id bigint NOT NULL,
    review_id uuid NOT NULL,
    about text NOT NULL,
    action text NOT NULL,
    reason text,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT moderation_log_about_known CHECK ((about = ANY (ARRAY['review'::text, 'reply'::text]))),
    CONSTRAINT moderation_log_action_known CHECK ((action = ANY (ARRAY['submitted'::text, 'held'::text, 'published'::text, 'masked'::text, 'withdrawn'::text, 'reported'::text, 'kept'::text, 'removed'::text, 'appealed'::text, 'restored'::text]))),
    CONSTRAINT moderation_log_reason_known CHECK ((reason = ANY (ARRAY['not_a_customer'::text, 'unlawful'::text, 'private_data'::text, 'abusive'::text, 'off_topic'::text]))),
    CONSTRAINT moderation_log_removed_for_a_reason CHECK (((action <> 'removed'::text) OR (reason IS NOT NULL)))
);
ALTER TABLE public.moderation_log ALTER COLUMN log_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.moderation_log_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.note_additions (
    addition_id uuid DEFAULT gen_random_uuid() NOT NULL,
    note_id uuid NOT NULL,
    body text NOT NULL,
    added_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT note_additions_body_length CHECK (((length(TRIM(BOTH FROM body)) >= 1) AND (length(TRIM(BOTH FROM body)) <= 2000)))
);
CREATE TABLE public.note_files (
    object_id uuid NOT NULL,
    note_id uuid NOT NULL,
    added_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.notification_preferences (
    user_id uuid NOT NULL,
    kind text NOT NULL,
    channel text NOT NULL,
    is_on boolean NOT NULL,
    CONSTRAINT notification_preferences_channel_known CHECK ((channel = ANY (ARRAY['inApp'::text, 'email'::text, 'push'::text]))),
    CONSTRAINT notification_preferences_kind_is_name CHECK ((kind ~ '^[a-z_]{1,40}$'::text))
);
CREATE TABLE public.notifications (
    notification_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    version text NOT NULL,
    about_user_id uuid,
    title text NOT NULL,
    summary text NOT NULL,
    path text NOT NULL,
    params jsonb DEFAULT '{}'::jsonb NOT NULL,
    is_listed boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone,
    read_at timestamp with time zone,
    CONSTRAINT notifications_kind_is_name CHECK ((kind ~ '^[a-z_]{1,40}$'::text)),
    CONSTRAINT notifications_params_is_object CHECK ((jsonb_typeof(params) = 'object'::text)),
    CONSTRAINT notifications_path_is_ours CHECK (((path ~ '^/([^/\\]|$)'::text) AND (length(path) <= 400))),
    CONSTRAINT notifications_read_is_seen CHECK (((read_at IS NULL) OR (seen_at IS NOT NULL))),
    CONSTRAINT notifications_summary_length CHECK ((length(summary) <= 600)),
    CONSTRAINT notifications_title_length CHECK (((length(title) >= 1) AND (length(title) <= 300))),
    CONSTRAINT notifications_version_length CHECK (((length(version) >= 1) AND (length(version) <= 100)))
)
WITH (fillfactor='85');
CREATE TABLE public.one_time_tokens (
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    purpose text NOT NULL,
    password_hash text,
    full_name text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT one_time_tokens_full_name_length CHECK ((length(full_name) <= 200)),
    CONSTRAINT one_time_tokens_purpose_known CHECK ((purpose = ANY (ARRAY['signup'::text, 'recovery'::text, 'email_change'::text])))
);
CREATE TABLE public.participant_care (
    participant_id uuid NOT NULL,
    care_encrypted text NOT NULL,
    confirmed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT participant_care_is_encrypted CHECK ((care_encrypted ~ '^v1\.'::text))
);
CREATE TABLE public.payment_lines (
    payment_id uuid NOT NULL,
    line_no smallint NOT NULL,
    booking_id uuid NOT NULL,
    amount_cents integer NOT NULL,
    CONSTRAINT payment_lines_amount_not_negative CHECK ((amount_cents >= 0)),
    CONSTRAINT payment_lines_line_no_positive CHECK ((line_no > 0))
);
CREATE TABLE public.payments (
    payment_id uuid DEFAULT gen_random_uuid() NOT NULL,
    customer_user_id uuid NOT NULL,
    amount_cents integer NOT NULL,
    currency text DEFAULT 'gbp'::text NOT NULL,
    status text DEFAULT 'processing'::text NOT NULL,
    hold_number smallint,
    stripe_customer_id text,
    stripe_payment_method_id text,
    stripe_payment_intent_id text,
    card_brand text,
    card_last_four text,
    failure_code text,
    failure_message text,
    check_at timestamp with time zone DEFAULT (now() + '00:00:10'::interval) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT payments_amount_not_negative CHECK ((amount_cents >= 0)),
    CONSTRAINT payments_charge_has_card CHECK (((amount_cents = 0) OR ((stripe_customer_id IS NOT NULL) AND (stripe_payment_method_id IS NOT NULL)))),
    CONSTRAINT payments_currency_known CHECK ((currency = 'gbp'::text)),
    CONSTRAINT payments_hold_number_range CHECK (((hold_number >= 1) AND (hold_number <= 3))),
    CONSTRAINT payments_status_known CHECK ((status = ANY (ARRAY['processing'::text, 'requires_action'::text, 'succeeded'::text, 'failed'::text]))),
    CONSTRAINT payments_succeeded_has_payment_intent CHECK (((status <> 'succeeded'::text) OR (amount_cents = 0) OR (stripe_payment_intent_id IS NOT NULL)))
);
CREATE TABLE public.payrun_items (
    payrun_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    kind text NOT NULL,
    amount_cents integer NOT NULL,
    is_cancelled boolean DEFAULT false NOT NULL,
    refund_id uuid,
    payout_needs text,
    CONSTRAINT payrun_items_amount_has_sign_of_kind CHECK ((((kind = 'lesson'::text) = (amount_cents > 0)) AND (amount_cents <> 0))),
    CONSTRAINT payrun_items_kind_known CHECK ((kind = ANY (ARRAY['lesson'::text, 'carried_forward'::text]))),
    CONSTRAINT payrun_items_only_deductions_have_refunds CHECK (((refund_id IS NULL) OR (kind = 'carried_forward'::text))),
    CONSTRAINT payrun_items_payout_needs_known CHECK ((payout_needs = ANY (ARRAY['none'::text, 'attendance'::text, 'note'::text])))
);
CREATE TABLE public.payrun_recipients (
    payrun_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    amount_cents bigint NOT NULL,
    account_name text NOT NULL,
    account_number_encrypted text NOT NULL,
    sort_code_encrypted text NOT NULL,
    recipient_type text NOT NULL,
    bank_country text NOT NULL,
    bank_details_at timestamp with time zone NOT NULL,
    CONSTRAINT payrun_recipients_amount_positive CHECK ((amount_cents > 0)),
    CONSTRAINT payrun_recipients_bank_country_known CHECK ((bank_country = 'GB'::text)),
    CONSTRAINT payrun_recipients_recipient_type_known CHECK ((recipient_type = ANY (ARRAY['Individual'::text, 'Business'::text])))
);
CREATE TABLE public.payrun_returns (
    payrun_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    reason text NOT NULL,
    entered_at timestamp with time zone DEFAULT now() NOT NULL,
    entered_by uuid NOT NULL,
    CONSTRAINT payrun_returns_reason_length CHECK (((length(TRIM(BOTH FROM reason)) >= 1) AND (length(TRIM(BOTH FROM reason)) <= 300)))
);
CREATE TABLE public.payruns (
    payrun_id uuid DEFAULT gen_random_uuid() NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    total_amount_cents bigint NOT NULL,
    currency text DEFAULT 'GBP'::text NOT NULL,
    payment_reference text NOT NULL,
    needs_second_admin boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by uuid NOT NULL,
    exported_at timestamp with time zone,
    paid_at timestamp with time zone,
    paid_by uuid,
    cancelled_at timestamp with time zone,
    cancelled_by uuid,
    cancellation_reason text,
    CONSTRAINT payruns_cancellation_reason_length CHECK (((length(TRIM(BOTH FROM cancellation_reason)) >= 1) AND (length(TRIM(BOTH FROM cancellation_reason)) <= 300))),
    CONSTRAINT payruns_cancelled_is_explained CHECK (((status = 'cancelled'::text) = ((cancelled_at IS NOT NULL) AND (cancelled_by IS NOT NULL) AND (cancellation_reason IS NOT NULL)))),
    CONSTRAINT payruns_currency_known CHECK ((currency = 'GBP'::text)),
    CONSTRAINT payruns_paid_by_second_admin CHECK (((NOT needs_second_admin) OR (status <> 'paid'::text) OR ((paid_by IS NOT NULL) AND (paid_by <> created_by)))),
    CONSTRAINT payruns_paid_has_time CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
    CONSTRAINT payruns_payment_reference_length CHECK (((length(payment_reference) >= 1) AND (length(payment_reference) <= 18))),
    CONSTRAINT payruns_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'paid'::text, 'cancelled'::text]))),
    CONSTRAINT payruns_total_amount_positive CHECK ((total_amount_cents > 0))
);
CREATE TABLE public.push_subscriptions (
    session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    endpoint_hash text NOT NULL,
    subscription_encrypted text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT push_subscriptions_endpoint_hash_is_hex CHECK ((endpoint_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT push_subscriptions_subscription_is_encrypted CHECK ((subscription_encrypted ~ '^v1\.'::text))
);
CREATE TABLE public.quiet_hours (
    user_id uuid NOT NULL,
    starts_at time(0) without time zone,
    ends_at time(0) without time zone,
    CONSTRAINT quiet_hours_have_start_and_end CHECK (((starts_at IS NULL) = (ends_at IS NULL))),
    CONSTRAINT quiet_hours_not_empty CHECK ((starts_at <> ends_at))
);
CREATE UNLOGGED TABLE public.rate_limits (
    key character varying(255) NOT NULL,
    calls integer DEFAULT 0 NOT NULL,
    expires_at_ms bigint
);
CREATE TABLE public.recovery_codes (
    code_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE public.refresh_tokens (
    token_hash bytea NOT NULL,
    session_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone
);
CREATE TABLE public.refund_lines (
    refund_id uuid NOT NULL,
    booking_id uuid NOT NULL,
    amount_cents integer NOT NULL,
    coach_cents integer NOT NULL,
    fee_cents integer NOT NULL,
    CONSTRAINT refund_lines_amount_positive CHECK ((amount_cents > 0)),
    CONSTRAINT refund_lines_coach_not_negative CHECK ((coach_cents >= 0)),
    CONSTRAINT refund_lines_fee_not_negative CHECK ((fee_cents >= 0)),
    CONSTRAINT refund_lines_parts_add_up CHECK (((coach_cents + fee_cents) = amount_cents))
);
CREATE TABLE public.refund_requests (
    refund_request_id uuid DEFAULT gen_random_uuid() NOT NULL,
    booking_id uuid NOT NULL,
    amount_cents integer NOT NULL,
    borne_by text NOT NULL,
    reason text NOT NULL,
    needs_second_admin boolean NOT NULL,
    status text NOT NULL,
    asked_by uuid NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_by uuid,
    decided_at timestamp with time zone,
    CONSTRAINT refund_requests_amount_positive CHECK ((amount_cents > 0)),
    CONSTRAINT refund_requests_borne_by_known CHECK ((borne_by = ANY (ARRAY['coach'::text, 'platform'::text]))),
    CONSTRAINT refund_requests_decided_unless_waiting CHECK ((((status = 'waiting'::text) = (decided_at IS NULL)) AND ((decided_at IS NULL) = (decided_by IS NULL)))),
    CONSTRAINT refund_requests_made_by_second_admin CHECK (((NOT needs_second_admin) OR (status <> 'made'::text) OR (decided_by <> asked_by))),
    CONSTRAINT refund_requests_reason_length CHECK (((length(TRIM(BOTH FROM reason)) >= 1) AND (length(TRIM(BOTH FROM reason)) <= 300))),
    CONSTRAINT refund_requests_status_known CHECK ((status = ANY (ARRAY['waiting'::text, 'made'::text, 'declined'::text])))
);
CREATE TABLE public.refunds (
    refund_id uuid DEFAULT gen_random_uuid() NOT NULL,
    payment_id uuid NOT NULL,
    amount_cents integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    reason text NOT NULL,
    stripe_refund_id text,
    asked_cents integer,
    key_number integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    refusals integer DEFAULT 0 NOT NULL,
    refused_at timestamp with time zone,
    failure_message text,
    check_at timestamp with time zone DEFAULT (now() + '00:00:15'::interval) NOT NULL,
    given_up_at timestamp with time zone,
    settled_at timestamp with time zone,
    settled_by uuid,
    settled_reason text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    borne_by text DEFAULT 'coach'::text NOT NULL,
    refund_request_id uuid,
    CONSTRAINT refunds_amount_positive CHECK ((amount_cents > 0)),
    CONSTRAINT refunds_asked_within_amount CHECK (((asked_cents >= 0) AND (asked_cents <= amount_cents))),
    CONSTRAINT refunds_borne_by_known CHECK ((borne_by = ANY (ARRAY['coach'::text, 'platform'::text]))),
    CONSTRAINT refunds_failed_has_given_up_time CHECK (((status <> ALL (ARRAY['failed'::text, 'settled'::text])) OR (given_up_at IS NOT NULL))),
    CONSTRAINT refunds_key_number_not_negative CHECK ((key_number >= 0)),
    CONSTRAINT refunds_reason_known CHECK ((reason = ANY (ARRAY['customer_cancelled'::text, 'coach_cancelled'::text, 'seat_lost'::text, 'paid_after_release'::text, 'admin'::text, 'made_at_stripe'::text, 'dispute'::text]))),
    CONSTRAINT refunds_refusals_not_negative CHECK ((refusals >= 0)),
    CONSTRAINT refunds_settled_is_explained CHECK (((status = 'settled'::text) = ((settled_at IS NOT NULL) AND (settled_by IS NOT NULL) AND (settled_reason IS NOT NULL)))),
    CONSTRAINT refunds_settled_reason_length CHECK (((length(TRIM(BOTH FROM settled_reason)) >= 1) AND (length(TRIM(BOTH FROM settled_reason)) <= 300))),
    CONSTRAINT refunds_status_known CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text, 'settled'::text])))
);
CREATE TABLE public.reminder_progress (
    kind text NOT NULL,
    picked_until timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT reminder_progress_kind_known CHECK ((kind = ANY (ARRAY['reminder_day'::text, 'reminder_hours'::text, 'tomorrow'::text])))
);
CREATE TABLE public.review_cases (
    case_id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL,
    about text NOT NULL,
    review_id uuid,
    booking_id uuid,
    opened_by uuid,
    opened_hash text,
    reason text,
    statement text,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone NOT NULL,
    outcome text,
    decided_reason text,
    decided_by uuid,
    decided_at timestamp with time zone,
    CONSTRAINT review_cases_about_known CHECK ((about = ANY (ARRAY['review'::text, 'reply'::text, 'attendance'::text]))),
    CONSTRAINT review_cases_decided CHECK (((outcome IS NULL) = (decided_at IS NULL))),
    CONSTRAINT review_cases_decided_reason_known CHECK ((decided_reason = ANY (ARRAY['not_a_customer'::text, 'unlawful'::text, 'private_data'::text, 'abusive'::text, 'off_topic'::text]))),
    CONSTRAINT review_cases_kind_known CHECK ((kind = ANY (ARRAY['check'::text, 'report'::text, 'appeal'::text, 'attendance'::text]))),
    CONSTRAINT review_cases_outcome_known CHECK ((outcome = ANY (ARRAY['shown'::text, 'removed'::text, 'accepted'::text, 'declined'::text, 'closed'::text]))),
    CONSTRAINT review_cases_outcome_of_kind CHECK (((outcome IS NULL) OR ((kind = 'attendance'::text) = (outcome = ANY (ARRAY['accepted'::text, 'declined'::text]))))),
    CONSTRAINT review_cases_reason_known CHECK ((reason = ANY (ARRAY['not_a_customer'::text, 'unlawful'::text, 'private_data'::text, 'abusive'::text, 'off_topic'::text]))),
    CONSTRAINT review_cases_removed_for_a_reason CHECK (((NOT (outcome IS DISTINCT FROM 'removed'::text)) = (decided_reason IS NOT NULL))),
    CONSTRAINT review_cases_report_has_reason CHECK (((kind = 'report'::text) = (reason IS NOT NULL))),
    CONSTRAINT review_cases_statement_length CHECK (((length(statement) >= 1) AND (length(statement) <= 1000))),
    CONSTRAINT review_cases_subject CHECK (
CASE kind
    WHEN 'attendance'::text THEN ((about = 'attendance'::text) AND (booking_id IS NOT NULL) AND (review_id IS NULL))
    ELSE ((about <> 'attendance'::text) AND (review_id IS NOT NULL) AND (booking_id IS NULL))
END)
);
CREATE TABLE public.review_invitations (
    booking_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    customer_user_id uuid NOT NULL,
    period daterange NOT NULL,
    invited_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.review_replies (
    review_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    body text NOT NULL,
    status text DEFAULT 'published'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT review_replies_body_length CHECK (((length(body) >= 1) AND (length(body) <= 1000))),
    CONSTRAINT review_replies_status_known CHECK ((status = ANY (ARRAY['published'::text, 'removed'::text])))
);
CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.session_notes (
    note_id uuid DEFAULT gen_random_uuid() NOT NULL,
    booking_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    coach_id uuid NOT NULL,
    business_id uuid,
    is_for_all boolean DEFAULT false NOT NULL,
    is_shared boolean NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    locked_at timestamp with time zone DEFAULT (now() + '7 days'::interval) NOT NULL,
    CONSTRAINT session_notes_body_length CHECK (((length(TRIM(BOTH FROM body)) >= 1) AND (length(TRIM(BOTH FROM body)) <= 4000)))
);
CREATE TABLE public.sessions (
    session_id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    method text DEFAULT 'password'::text NOT NULL,
    user_agent text,
    ip_address text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    refreshed_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone DEFAULT now() NOT NULL,
    second_step_at timestamp with time zone,
    ended_at timestamp with time zone,
    CONSTRAINT sessions_method_known CHECK ((method = ANY (ARRAY['password'::text, 'recovery'::text])))
);
CREATE TABLE public.site_settings (
    key text NOT NULL,
    value jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.skills (
    skill_id uuid DEFAULT gen_random_uuid() NOT NULL,
    business_id uuid,
    coach_id uuid,
    sport text NOT NULL,
    name text NOT NULL,
    "position" integer NOT NULL,
    CONSTRAINT skills_have_one_owner CHECK ((num_nonnulls(business_id, coach_id) = 1)),
    CONSTRAINT skills_name_length CHECK (((length(TRIM(BOTH FROM name)) >= 1) AND (length(TRIM(BOTH FROM name)) <= 60)))
);
CREATE TABLE public.storage_objects (
    object_id uuid DEFAULT gen_random_uuid() NOT NULL,
    bucket text NOT NULL,
    owner_user_id uuid NOT NULL,
    path text NOT NULL,
    content_id uuid NOT NULL,
    content_type text NOT NULL,
    bytes integer NOT NULL,
    width integer,
    height integer,
    cache_seconds integer DEFAULT 3600 NOT NULL,
    alt text DEFAULT ''::text NOT NULL,
    consent_confirmed_at timestamp with time zone,
    state text DEFAULT 'live'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    key_encrypted text,
    CONSTRAINT storage_objects_alt_length CHECK ((length(alt) <= 300)),
    CONSTRAINT storage_objects_bucket_known CHECK ((bucket = ANY (ARRAY['avatars'::text, 'gallery'::text, 'documents'::text, 'attachments'::text]))),
    CONSTRAINT storage_objects_bytes_positive CHECK ((bytes > 0)),
    CONSTRAINT storage_objects_cache_range CHECK (((cache_seconds >= 0) AND (cache_seconds <= 3600))),
    CONSTRAINT storage_objects_content_type_offered CHECK ((content_type = ANY (ARRAY['image/webp'::text, 'application/pdf'::text]))),
    CONSTRAINT storage_objects_gallery_has_consent CHECK (((bucket <> 'gallery'::text) OR (consent_confirmed_at IS NOT NULL))),
    CONSTRAINT storage_objects_path_below_owner CHECK (starts_with(path, ((owner_user_id)::text || '/'::text))),
    CONSTRAINT storage_objects_pictures_have_size CHECK ((((content_type = 'image/webp'::text) = ((width IS NOT NULL) AND (height IS NOT NULL))) AND ((width IS NULL) = (height IS NULL)))),
    CONSTRAINT storage_objects_state_known CHECK ((state = ANY (ARRAY['live'::text, 'hidden'::text])))
);
CREATE TABLE public.storage_removals (
    content_id uuid NOT NULL,
    bucket text NOT NULL,
    removed_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE public.storage_reports (
    report_id uuid DEFAULT gen_random_uuid() NOT NULL,
    object_id uuid NOT NULL,
    reporter_user_id uuid,
    reporter_hash text NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT storage_reports_reason_length CHECK (((length(TRIM(BOTH FROM reason)) >= 1) AND (length(TRIM(BOTH FROM reason)) <= 500)))
);
CREATE TABLE public.suppressions (
    address_hash text NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT suppressions_address_hash_is_hex CHECK ((address_hash ~ '^[0-9a-f]{32}$'::text)),
    CONSTRAINT suppressions_reason_known CHECK ((reason = ANY (ARRAY['bounced'::text, 'complained'::text])))
);
CREATE TABLE public.update_service_consents (
    consent_id uuid DEFAULT gen_random_uuid() NOT NULL,
    coach_id uuid NOT NULL,
    text_version integer NOT NULL,
    given_at timestamp with time zone DEFAULT now() NOT NULL,
    withdrawn_at timestamp with time zone,
    CONSTRAINT update_service_consents_version_positive CHECK ((text_version > 0))
);
CREATE TABLE public.users (
    user_id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    full_name text,
    email_confirmed_at timestamp with time zone,
    last_sign_in_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT users_email_normalised CHECK (((email = lower(email)) AND (length(email) <= 254))),
    CONSTRAINT users_full_name_length CHECK ((length(full_name) <= 200))
);
CREATE TABLE public.webhook_events (
    event_id text NOT NULL,
    event_type text NOT NULL,
    object_id text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    handled_at timestamp with time zone
);
CREATE TABLE public.welfare_concerns (
    concern_id uuid DEFAULT gen_random_uuid() NOT NULL,
    booking_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    reported_by uuid NOT NULL,
    business_id uuid,
    body text NOT NULL,
    reported_at timestamp with time zone DEFAULT now() NOT NULL,
    handled_at timestamp with time zone,
    handled_by uuid,
    CONSTRAINT welfare_concerns_body_length CHECK (((length(TRIM(BOTH FROM body)) >= 1) AND (length(TRIM(BOTH FROM body)) <= 4000))),
    CONSTRAINT welfare_concerns_handled_by_someone CHECK (((handled_at IS NULL) = (handled_by IS NULL)))
);
ALTER TABLE ONLY public.age_requests
    ADD CONSTRAINT age_requests_once UNIQUE (template_id, participant_id);
ALTER TABLE ONLY public.age_requests
    ADD CONSTRAINT age_requests_pkey PRIMARY KEY (age_request_id);
ALTER TABLE ONLY public.announcements
    ADD CONSTRAINT announcements_pkey PRIMARY KEY (announcement_id);
ALTER TABLE ONLY public.assessments
    ADD CONSTRAINT assessments_pkey PRIMARY KEY (assessment_id);
ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (audit_id);
ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_customer_never_overlap EXCLUDE USING gist (participant_id WITH =, during WITH &&) WHERE (is_active);
ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_pkey PRIMARY KEY (booking_id);
ALTER TABLE ONLY public.business_invitations
    ADD CONSTRAINT business_invitations_pkey PRIMARY KEY (invitation_id);
ALTER TABLE ONLY public.business_invitations
    ADD CONSTRAINT business_invitations_token_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_pkey PRIMARY KEY (feed_id);
ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_token_hash_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.card_fingerprints
    ADD CONSTRAINT card_fingerprints_pkey PRIMARY KEY (stripe_payment_method_id);
ALTER TABLE ONLY public.care_reads
    ADD CONSTRAINT care_reads_pkey PRIMARY KEY (care_read_id);
ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (xid, change_id);
ALTER TABLE ONLY public.closed_sums
    ADD CONSTRAINT closed_sums_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.coach_addresses
    ADD CONSTRAINT coach_addresses_owner UNIQUE (address, coach_id);
ALTER TABLE ONLY public.coach_addresses
    ADD CONSTRAINT coach_addresses_pkey PRIMARY KEY (address);
ALTER TABLE ONLY public.coach_applications
    ADD CONSTRAINT coach_applications_pkey PRIMARY KEY (application_id);
ALTER TABLE ONLY public.coach_bank_details
    ADD CONSTRAINT coach_bank_details_pkey PRIMARY KEY (coach_id);
ALTER TABLE ONLY public.coach_documents
    ADD CONSTRAINT coach_documents_file_once UNIQUE (file_object_id);
ALTER TABLE ONLY public.coach_documents
    ADD CONSTRAINT coach_documents_pkey PRIMARY KEY (document_id);
ALTER TABLE ONLY public.coach_ledger_months
    ADD CONSTRAINT coach_ledger_months_pkey PRIMARY KEY (coach_id, month);
ALTER TABLE ONLY public.coach_lesson_months
    ADD CONSTRAINT coach_lesson_months_pkey PRIMARY KEY (coach_id, month);
ALTER TABLE ONLY public.coaches
    ADD CONSTRAINT coaches_membership_unique UNIQUE (coach_id, business_id, business_role);
ALTER TABLE ONLY public.coaches
    ADD CONSTRAINT coaches_pkey PRIMARY KEY (coach_id);
ALTER TABLE ONLY public.coaching_businesses
    ADD CONSTRAINT coaching_businesses_owner_unique UNIQUE (owner_user_id);
ALTER TABLE ONLY public.coaching_businesses
    ADD CONSTRAINT coaching_businesses_pkey PRIMARY KEY (business_id);
ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (consent_id);
ALTER TABLE ONLY public.customer_coaches
    ADD CONSTRAINT customer_coaches_pkey PRIMARY KEY (customer_user_id, coach_id);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (notification_id, channel);
ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_pkey PRIMARY KEY (dispute_id);
ALTER TABLE ONLY public.document_openings
    ADD CONSTRAINT document_openings_pkey PRIMARY KEY (opening_id);
ALTER TABLE ONLY public.document_reminders
    ADD CONSTRAINT document_reminders_pkey PRIMARY KEY (document_id, ends_on, days_before);
ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_current_token_unique UNIQUE (current_token_hash);
ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_new_token_unique UNIQUE (new_token_hash);
ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.external_refunds
    ADD CONSTRAINT external_refunds_pkey PRIMARY KEY (stripe_refund_id);
ALTER TABLE ONLY public.factor_challenges
    ADD CONSTRAINT factor_challenges_pkey PRIMARY KEY (challenge_id);
ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_pkey PRIMARY KEY (factor_id);
ALTER TABLE ONLY public.goals
    ADD CONSTRAINT goals_pkey PRIMARY KEY (goal_id);
ALTER TABLE ONLY public.guardian_invitations
    ADD CONSTRAINT guardian_invitations_pkey PRIMARY KEY (guardian_invitation_id);
ALTER TABLE ONLY public.guardian_invitations
    ADD CONSTRAINT guardian_invitations_token_unique UNIQUE (token_hash);
ALTER TABLE ONLY public.guardians
    ADD CONSTRAINT guardians_pkey PRIMARY KEY (participant_id, user_id);
ALTER TABLE ONLY public.health
    ADD CONSTRAINT health_pkey PRIMARY KEY (is_only_row);
ALTER TABLE ONLY public.hidden_coaches
    ADD CONSTRAINT hidden_coaches_pkey PRIMARY KEY (coach_id);
ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (entry_id);
ALTER TABLE ONLY public.lesson_answers
    ADD CONSTRAINT lesson_answers_pkey PRIMARY KEY (booking_id);
ALTER TABLE ONLY public.lesson_slots
    ADD CONSTRAINT lesson_slots_never_overlap EXCLUDE USING gist (coach_id WITH =, tstzrange(start_time, end_time) WITH &&) WHERE ((status = 'scheduled'::text));
ALTER TABLE ONLY public.lesson_slots
    ADD CONSTRAINT lesson_slots_pkey PRIMARY KEY (slot_id);
ALTER TABLE ONLY public.lesson_templates
    ADD CONSTRAINT lesson_templates_pkey PRIMARY KEY (template_id);
ALTER TABLE ONLY public.locations
    ADD CONSTRAINT locations_pkey PRIMARY KEY (location_id);
ALTER TABLE ONLY public.moderation_log
    ADD CONSTRAINT moderation_log_pkey PRIMARY KEY (log_id);
ALTER TABLE ONLY public.note_additions
    ADD CONSTRAINT note_additions_pkey PRIMARY KEY (addition_id);
ALTER TABLE ONLY public.note_files
    ADD CONSTRAINT note_files_pkey PRIMARY KEY (object_id);
ALTER TABLE ONLY public.notification_preferences
    ADD CONSTRAINT notification_preferences_pkey PRIMARY KEY (user_id, kind, channel);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_once UNIQUE (user_id, kind, subject_id, version);
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (notification_id);
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.participant_care
    ADD CONSTRAINT participant_care_pkey PRIMARY KEY (participant_id);
ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_pkey PRIMARY KEY (participant_id);
ALTER TABLE ONLY public.payment_lines
    ADD CONSTRAINT payment_lines_booking_once UNIQUE (booking_id, payment_id);
ALTER TABLE ONLY public.payment_lines
    ADD CONSTRAINT payment_lines_pkey PRIMARY KEY (payment_id, line_no);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (payment_id);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_stripe_payment_intent_unique UNIQUE (stripe_payment_intent_id);
ALTER TABLE ONLY public.payrun_recipients
    ADD CONSTRAINT payrun_recipients_pkey PRIMARY KEY (payrun_id, coach_id);
ALTER TABLE ONLY public.payrun_returns
    ADD CONSTRAINT payrun_returns_pkey PRIMARY KEY (payrun_id, coach_id);
ALTER TABLE ONLY public.payruns
    ADD CONSTRAINT payruns_pkey PRIMARY KEY (payrun_id);
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_stripe_customer_unique UNIQUE (stripe_customer_id);
ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_endpoint_unique UNIQUE (endpoint_hash);
ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.quiet_hours
    ADD CONSTRAINT quiet_hours_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.rate_limits
    ADD CONSTRAINT rate_limits_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.refund_lines
    ADD CONSTRAINT refund_lines_pkey PRIMARY KEY (refund_id, booking_id);
ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_pkey PRIMARY KEY (refund_request_id);
ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_pkey PRIMARY KEY (refund_id);
ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_stripe_refund_unique UNIQUE (stripe_refund_id);
ALTER TABLE ONLY public.reminder_progress
    ADD CONSTRAINT reminder_progress_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY public.review_cases
    ADD CONSTRAINT review_cases_pkey PRIMARY KEY (case_id);
ALTER TABLE ONLY public.review_invitations
    ADD CONSTRAINT review_invitations_one_in_12_months EXCLUDE USING gist (coach_id WITH =, customer_user_id WITH =, period WITH &&);
ALTER TABLE ONLY public.review_invitations
    ADD CONSTRAINT review_invitations_pkey PRIMARY KEY (booking_id);
ALTER TABLE ONLY public.review_replies
    ADD CONSTRAINT review_replies_pkey PRIMARY KEY (review_id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_booking_unique UNIQUE (booking_id);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_one_in_12_months EXCLUDE USING gist (coach_id WITH =, customer_user_id WITH =, period WITH &&);
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_one_per_card EXCLUDE USING gist (coach_id WITH =, card_hash WITH =, period WITH &&) WHERE ((card_hash IS NOT NULL));
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (review_id);
ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.session_notes
    ADD CONSTRAINT session_notes_one_of_each UNIQUE (booking_id, is_for_all, is_shared);
ALTER TABLE ONLY public.session_notes
    ADD CONSTRAINT session_notes_pkey PRIMARY KEY (note_id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.site_settings
    ADD CONSTRAINT site_settings_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.skills
    ADD CONSTRAINT skills_pkey PRIMARY KEY (skill_id);
ALTER TABLE ONLY public.storage_objects
    ADD CONSTRAINT storage_objects_content_of_object UNIQUE (object_id, content_id);
ALTER TABLE ONLY public.storage_objects
    ADD CONSTRAINT storage_objects_content_unique UNIQUE (content_id);
ALTER TABLE ONLY public.storage_objects
    ADD CONSTRAINT storage_objects_path_unique UNIQUE (bucket, path);
ALTER TABLE ONLY public.storage_objects
    ADD CONSTRAINT storage_objects_pkey PRIMARY KEY (object_id);
ALTER TABLE ONLY public.storage_removals
    ADD CONSTRAINT storage_removals_pkey PRIMARY KEY (content_id);
ALTER TABLE ONLY public.storage_reports
    ADD CONSTRAINT storage_reports_once_each UNIQUE (object_id, reporter_hash);
ALTER TABLE ONLY public.storage_reports
    ADD CONSTRAINT storage_reports_pkey PRIMARY KEY (report_id);
ALTER TABLE ONLY public.suppressions
    ADD CONSTRAINT suppressions_pkey PRIMARY KEY (address_hash);
ALTER TABLE ONLY public.update_service_consents
    ADD CONSTRAINT update_service_consents_pkey PRIMARY KEY (consent_id);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_unique UNIQUE (email);
ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_pkey PRIMARY KEY (event_id);
ALTER TABLE ONLY public.welfare_concerns
    ADD CONSTRAINT welfare_concerns_pkey PRIMARY KEY (concern_id);
CREATE INDEX age_requests_asked_by ON public.age_requests USING btree (asked_by);
CREATE INDEX age_requests_participant ON public.age_requests USING btree (participant_id);
CREATE INDEX announcements_coach ON public.announcements USING btree (coach_id);
CREATE INDEX announcements_sent ON public.announcements USING brin (sent_at) WITH (pages_per_range='32');
CREATE INDEX announcements_slot ON public.announcements USING btree (slot_id, sent_at DESC, announcement_id);
CREATE INDEX assessments_booking ON public.assessments USING btree (booking_id);
CREATE INDEX assessments_coach ON public.assessments USING btree (coach_id);
CREATE INDEX assessments_participant ON public.assessments USING btree (participant_id, at);
CREATE INDEX assessments_skill ON public.assessments USING btree (skill_id);
CREATE INDEX audit_log_actor ON public.audit_log USING btree (actor_user_id, audit_id);
CREATE INDEX audit_log_actor_type ON public.audit_log USING btree (actor_user_id, subject_type, audit_id);
CREATE INDEX audit_log_at ON public.audit_log USING btree (at);
CREATE INDEX audit_log_subject_id ON public.audit_log USING btree (subject_id, audit_id);
CREATE INDEX audit_log_subject_type ON public.audit_log USING btree (subject_type, audit_id);
CREATE INDEX bookings_customer ON public.bookings USING btree (customer_user_id, created_at DESC, booking_id DESC);
CREATE INDEX bookings_customer_lesson ON public.bookings USING btree (customer_user_id, lower(during), booking_id);
CREATE INDEX bookings_dependant ON public.bookings USING btree (participant_id, created_at DESC, booking_id DESC) WHERE (participant_id <> customer_user_id);
CREATE UNIQUE INDEX bookings_one_active_per_slot ON public.bookings USING btree (slot_id, participant_id) WHERE is_active;
CREATE INDEX bookings_payable ON public.bookings USING btree (upper(during), booking_id) WHERE ((is_active OR (cancelled_at IS NOT NULL)) AND is_owed AND (NOT is_in_payrun) AND (fee_cents < amount_cents));
CREATE INDEX bookings_payment ON public.bookings USING btree (payment_id);
CREATE INDEX bookings_slot ON public.bookings USING btree (slot_id, created_at);
CREATE INDEX business_invitations_business ON public.business_invitations USING btree (business_id);
CREATE INDEX business_invitations_inviter ON public.business_invitations USING btree (invited_by);
CREATE INDEX business_invitations_over ON public.business_invitations USING btree (COALESCE(decided_at, expires_at));
CREATE UNIQUE INDEX business_invitations_pending ON public.business_invitations USING btree (business_id, email) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX calendar_feeds_one_in_use ON public.calendar_feeds USING btree (user_id, scope) WHERE (revoked_at IS NULL);
CREATE INDEX calendar_feeds_person ON public.calendar_feeds USING btree (user_id);
CREATE INDEX card_fingerprints_person ON public.card_fingerprints USING btree (user_id);
CREATE INDEX care_reads_participant ON public.care_reads USING btree (participant_id, read_at DESC, care_read_id DESC);
CREATE INDEX care_reads_read_at ON public.care_reads USING brin (read_at) WITH (pages_per_range='32');
CREATE INDEX care_reads_reader ON public.care_reads USING btree (read_by);
CREATE INDEX care_reads_slot ON public.care_reads USING btree (slot_id) WHERE (slot_id IS NOT NULL);
CREATE INDEX changes_at ON public.changes USING btree (at);
CREATE INDEX coach_addresses_coach ON public.coach_addresses USING btree (coach_id);
CREATE INDEX coach_applications_decided ON public.coach_applications USING btree (decided_at DESC, application_id DESC) WHERE (status = ANY (ARRAY['approved'::text, 'declined'::text]));
CREATE INDEX coach_applications_decided_by ON public.coach_applications USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE UNIQUE INDEX coach_applications_one_open_each ON public.coach_applications USING btree (user_id) WHERE (status = ANY (ARRAY['draft'::text, 'submitted'::text, 'changes'::text]));
CREATE INDEX coach_applications_person ON public.coach_applications USING btree (user_id, created_at DESC);
CREATE INDEX coach_applications_waiting ON public.coach_applications USING btree (submitted_at, application_id) WHERE (status = 'submitted'::text);
CREATE INDEX coach_documents_checker ON public.coach_documents USING btree (checked_by);
CREATE INDEX coach_documents_closed ON public.coach_documents USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX coach_documents_coach ON public.coach_documents USING btree (coach_id, kind);
CREATE INDEX coach_documents_ending ON public.coach_documents USING btree (ends_on) WHERE (status = 'accepted'::text);
CREATE UNIQUE INDEX coach_documents_one_submitted ON public.coach_documents USING btree (coach_id, kind) WHERE (status = 'submitted'::text);
CREATE INDEX coach_documents_waiting ON public.coach_documents USING btree (submitted_at, document_id) WHERE (status = 'submitted'::text);
CREATE INDEX coaches_business ON public.coaches USING btree (business_id);
CREATE INDEX coaches_hidden ON public.coaches USING btree (coach_id) WHERE (NOT (is_active AND is_listed));
CREATE INDEX coaches_inactive ON public.coaches USING btree (coach_id) WHERE (NOT is_active);
CREATE INDEX consents_at ON public.consents USING brin (at) WITH (pages_per_range='32');
CREATE INDEX consents_given_by ON public.consents USING btree (given_by);
CREATE INDEX consents_participant ON public.consents USING btree (participant_id, kind, consent_id DESC);
CREATE INDEX customer_coaches_coach ON public.customer_coaches USING btree (coach_id);
CREATE INDEX disputes_against_us ON public.disputes USING btree (payment_id) WHERE (status <> ALL (ARRAY['won'::text, 'warning_closed'::text]));
CREATE INDEX disputes_booked_by ON public.disputes USING btree (booked_by) WHERE (booked_by IS NOT NULL);
CREATE INDEX disputes_ended ON public.disputes USING btree (updated_at DESC, dispute_id) WHERE ((status = ANY (ARRAY['won'::text, 'warning_closed'::text])) OR (booked_at IS NOT NULL));
CREATE INDEX disputes_evidence_by ON public.disputes USING btree (evidence_by) WHERE (evidence_by IS NOT NULL);
CREATE INDEX disputes_open ON public.disputes USING btree (evidence_due_by, dispute_id) WHERE ((status <> ALL (ARRAY['won'::text, 'warning_closed'::text])) AND (booked_at IS NULL));
CREATE INDEX disputes_payment ON public.disputes USING btree (payment_id);
CREATE INDEX document_openings_admin ON public.document_openings USING btree (opened_by);
CREATE INDEX document_openings_document ON public.document_openings USING btree (document_id);
CREATE INDEX document_openings_over ON public.document_openings USING btree (opened_at);
CREATE INDEX email_changes_expiring ON public.email_changes USING btree (expires_at);
CREATE INDEX external_refunds_entered ON public.external_refunds USING btree (entered_refund_id) WHERE (entered_refund_id IS NOT NULL);
CREATE INDEX external_refunds_payment ON public.external_refunds USING btree (payment_id);
CREATE INDEX external_refunds_refund ON public.external_refunds USING btree (refund_id) WHERE (refund_id IS NOT NULL);
CREATE INDEX external_refunds_unexplained ON public.external_refunds USING btree (payment_id) WHERE (((covers_cents + entered_cents) < amount_cents) AND (status <> ALL (ARRAY['failed'::text, 'canceled'::text])));
CREATE INDEX factor_challenges_expiring ON public.factor_challenges USING btree (expires_at);
CREATE INDEX factor_challenges_factor ON public.factor_challenges USING btree (factor_id);
CREATE INDEX factor_challenges_session ON public.factor_challenges USING btree (session_id);
CREATE INDEX factors_user ON public.factors USING btree (user_id);
CREATE UNIQUE INDEX factors_verified ON public.factors USING btree (user_id) WHERE (status = 'verified'::text);
CREATE INDEX goals_coach ON public.goals USING btree (coach_id);
CREATE INDEX goals_participant ON public.goals USING btree (participant_id);
CREATE INDEX guardian_invitations_inviter ON public.guardian_invitations USING btree (invited_by);
CREATE INDEX guardian_invitations_over ON public.guardian_invitations USING btree (COALESCE(decided_at, expires_at));
CREATE UNIQUE INDEX guardian_invitations_pending ON public.guardian_invitations USING btree (participant_id, email) WHERE (status = 'pending'::text);
CREATE INDEX guardians_person ON public.guardians USING btree (user_id);
CREATE INDEX ledger_entries_coach ON public.ledger_entries USING btree (coach_id, created_at, booking_id, kind) INCLUDE (amount_cents) WHERE (amount_cents <> 0);
CREATE INDEX ledger_entries_created ON public.ledger_entries USING brin (created_at) WITH (pages_per_range='32');
CREATE UNIQUE INDEX ledger_entries_once ON public.ledger_entries USING btree (booking_id, kind, source_id) NULLS NOT DISTINCT;
CREATE INDEX lesson_answers_author ON public.lesson_answers USING btree (answered_by);
CREATE INDEX lesson_answers_coach ON public.lesson_answers USING btree (coach_id);
CREATE INDEX lesson_answers_participant ON public.lesson_answers USING btree (participant_id);
CREATE INDEX lesson_slots_coach ON public.lesson_slots USING btree (coach_id, start_time);
CREATE INDEX lesson_slots_completed ON public.lesson_slots USING btree (start_time) WHERE (status = 'completed'::text);
CREATE INDEX lesson_slots_ending ON public.lesson_slots USING btree (end_time) WHERE (status = 'scheduled'::text);
CREATE INDEX lesson_slots_location ON public.lesson_slots USING btree (location_id);
CREATE INDEX lesson_slots_open_by_price ON public.lesson_slots USING btree (price_cents, start_time, slot_id) INCLUDE (template_id, location_id) WHERE ((status = 'scheduled'::text) AND is_open);
CREATE INDEX lesson_slots_open_by_sport_price ON public.lesson_slots USING btree (sport, price_cents, start_time, slot_id) INCLUDE (template_id, location_id, lesson_type) WHERE ((status = 'scheduled'::text) AND is_open);
CREATE INDEX lesson_slots_open_by_sport_time ON public.lesson_slots USING btree (sport, start_time, slot_id) INCLUDE (template_id, location_id, lesson_type) WHERE ((status = 'scheduled'::text) AND is_open);
CREATE INDEX lesson_slots_open_by_template ON public.lesson_slots USING btree (template_id, start_time, slot_id) INCLUDE (lesson_type, price_cents, location_id) WHERE ((status = 'scheduled'::text) AND is_open);
CREATE INDEX lesson_slots_open_by_time ON public.lesson_slots USING btree (start_time, slot_id) INCLUDE (template_id, location_id) WHERE ((status = 'scheduled'::text) AND is_open);
CREATE INDEX lesson_slots_open_by_type_price ON public.lesson_slots USING btree (lesson_type, price_cents, start_time, slot_id) INCLUDE (template_id, location_id) WHERE ((status = 'scheduled'::text) AND is_open);
CREATE INDEX lesson_slots_open_by_type_time ON public.lesson_slots USING btree (lesson_type, start_time, slot_id) INCLUDE (template_id, location_id) WHERE ((status = 'scheduled'::text) AND is_open);
CREATE INDEX lesson_slots_start ON public.lesson_slots USING btree (start_time, slot_id);
CREATE INDEX lesson_slots_template ON public.lesson_slots USING btree (template_id, start_time);
CREATE INDEX lesson_templates_coach ON public.lesson_templates USING btree (coach_id, created_at DESC);
CREATE INDEX lesson_templates_description ON public.lesson_templates USING gin (description public.gin_trgm_ops);
CREATE INDEX lesson_templates_price ON public.lesson_templates USING btree (base_price_cents);
CREATE INDEX lesson_templates_search ON public.lesson_templates USING gin (search_with_locations);
CREATE INDEX lesson_templates_sport ON public.lesson_templates USING btree (sport);
CREATE INDEX lesson_templates_title ON public.lesson_templates USING gin (title public.gin_trgm_ops);
CREATE INDEX locations_city ON public.locations USING btree (lower(city) COLLATE "C");
CREATE INDEX locations_coach ON public.locations USING btree (coach_id);
CREATE INDEX locations_postcode ON public.locations USING btree (postcode COLLATE "C");
CREATE INDEX moderation_log_action ON public.moderation_log USING btree (action, at);
CREATE INDEX moderation_log_review ON public.moderation_log USING btree (review_id, log_id);
CREATE INDEX note_additions_note ON public.note_additions USING btree (note_id, added_at);
CREATE INDEX note_files_note ON public.note_files USING btree (note_id, added_at);
CREATE INDEX notifications_about ON public.notifications USING btree (about_user_id) WHERE (about_user_id IS NOT NULL);
CREATE INDEX notifications_created ON public.notifications USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX notifications_listed ON public.notifications USING btree (user_id, created_at DESC, notification_id DESC) WHERE is_listed;
CREATE INDEX notifications_unread ON public.notifications USING btree (user_id) WHERE (is_listed AND (read_at IS NULL));
CREATE INDEX one_time_tokens_expiring ON public.one_time_tokens USING btree (expires_at);
CREATE INDEX one_time_tokens_user ON public.one_time_tokens USING btree (user_id, purpose);
CREATE INDEX participant_care_confirmed ON public.participant_care USING btree (confirmed_at);
CREATE UNIQUE INDEX participants_account ON public.participants USING btree (own_user_id);
CREATE INDEX participants_name_search ON public.participants USING gin (full_name public.gin_trgm_ops);
CREATE INDEX payments_card ON public.payments USING btree (card_last_four, payment_id) WHERE (card_last_four IS NOT NULL);
CREATE INDEX payments_customer ON public.payments USING btree (customer_user_id);
CREATE UNIQUE INDEX payments_three_undecided ON public.payments USING btree (customer_user_id, hold_number) WHERE (status = ANY (ARRAY['processing'::text, 'requires_action'::text]));
CREATE INDEX payments_unfinished ON public.payments USING btree (check_at) WHERE (status = ANY (ARRAY['processing'::text, 'requires_action'::text]));
CREATE INDEX payrun_items_booking ON public.payrun_items USING btree (booking_id);
CREATE INDEX payrun_items_coach ON public.payrun_items USING btree (coach_id);
CREATE UNIQUE INDEX payrun_items_once ON public.payrun_items USING btree (payrun_id, booking_id, kind, refund_id) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX payrun_items_one_live_deduction ON public.payrun_items USING btree (refund_id, booking_id) WHERE ((kind = 'carried_forward'::text) AND (NOT is_cancelled));
CREATE UNIQUE INDEX payrun_items_one_live_lesson ON public.payrun_items USING btree (booking_id) WHERE ((kind = 'lesson'::text) AND (NOT is_cancelled));
CREATE INDEX payrun_items_payrun ON public.payrun_items USING btree (payrun_id, coach_id);
CREATE INDEX payrun_recipients_coach ON public.payrun_recipients USING btree (coach_id);
CREATE INDEX payrun_returns_coach ON public.payrun_returns USING btree (coach_id);
CREATE INDEX payrun_returns_entered_by ON public.payrun_returns USING btree (entered_by);
CREATE INDEX payruns_cancelled_by ON public.payruns USING btree (cancelled_by) WHERE (cancelled_by IS NOT NULL);
CREATE INDEX payruns_creator ON public.payruns USING btree (created_by);
CREATE INDEX payruns_newest ON public.payruns USING btree (created_at DESC, payrun_id DESC);
CREATE INDEX payruns_payer ON public.payruns USING btree (paid_by);
CREATE INDEX payruns_pending ON public.payruns USING btree (created_at) WHERE (status = 'pending'::text);
CREATE INDEX profiles_admins ON public.profiles USING btree (created_at DESC, user_id DESC) WHERE (roles @> '{admin}'::text[]);
CREATE INDEX profiles_card_expiry ON public.profiles USING btree (payment_method_exp_year, payment_method_exp_month) WHERE (card_expiry_warned_at IS NULL);
CREATE INDEX profiles_coaches ON public.profiles USING btree (created_at DESC, user_id DESC) WHERE (roles @> '{coach}'::text[]);
CREATE INDEX profiles_email_search ON public.profiles USING gin (email public.gin_trgm_ops);
CREATE UNIQUE INDEX profiles_living ON public.profiles USING btree (living_user_id);
CREATE INDEX profiles_name_search ON public.profiles USING gin (full_name public.gin_trgm_ops);
CREATE INDEX profiles_newest ON public.profiles USING btree (created_at DESC, user_id DESC);
CREATE INDEX profiles_word_starts ON public.profiles USING gin (public.word_starts(((full_name || ' '::text) || split_part(email, '@'::text, 1))));
CREATE INDEX push_subscriptions_user ON public.push_subscriptions USING btree (user_id);
CREATE INDEX rate_limits_expiring ON public.rate_limits USING btree (expires_at_ms);
CREATE INDEX recovery_codes_user ON public.recovery_codes USING btree (user_id);
CREATE INDEX refresh_tokens_session ON public.refresh_tokens USING btree (session_id);
CREATE INDEX refresh_tokens_used ON public.refresh_tokens USING btree (used_at) WHERE (used_at IS NOT NULL);
CREATE INDEX refund_lines_booking ON public.refund_lines USING btree (booking_id);
CREATE INDEX refund_requests_asked_by ON public.refund_requests USING btree (asked_by);
CREATE INDEX refund_requests_booking ON public.refund_requests USING btree (booking_id);
CREATE INDEX refund_requests_decided_by ON public.refund_requests USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE UNIQUE INDEX refund_requests_one_waiting ON public.refund_requests USING btree (booking_id) WHERE (status = 'waiting'::text);
CREATE INDEX refund_requests_waiting ON public.refund_requests USING btree (asked_at, refund_request_id) WHERE (status = 'waiting'::text);
CREATE INDEX refunds_given_up ON public.refunds USING btree (given_up_at, refund_id) WHERE (status = 'failed'::text);
CREATE INDEX refunds_payment ON public.refunds USING btree (payment_id);
CREATE INDEX refunds_request ON public.refunds USING btree (refund_request_id) WHERE (refund_request_id IS NOT NULL);
CREATE INDEX refunds_settled_by ON public.refunds USING btree (settled_by) WHERE (settled_by IS NOT NULL);
CREATE INDEX refunds_unfinished ON public.refunds USING btree (check_at) WHERE (status = 'pending'::text);
CREATE INDEX review_cases_decided_at ON public.review_cases USING btree (decided_at DESC, case_id DESC) WHERE (outcome IS NOT NULL);
CREATE INDEX review_cases_decided_by ON public.review_cases USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE UNIQUE INDEX review_cases_one_appeal_each ON public.review_cases USING btree (review_id, about, opened_by) WHERE (kind = 'appeal'::text);
CREATE UNIQUE INDEX review_cases_one_check ON public.review_cases USING btree (review_id) WHERE ((kind = 'check'::text) AND (outcome IS NULL));
CREATE UNIQUE INDEX review_cases_one_claim ON public.review_cases USING btree (booking_id) WHERE (kind = 'attendance'::text);
CREATE UNIQUE INDEX review_cases_one_report_each ON public.review_cases USING btree (review_id, about, opened_hash) WHERE (kind = 'report'::text);
CREATE INDEX review_cases_open ON public.review_cases USING btree (opened_at, case_id) WHERE (outcome IS NULL);
CREATE INDEX review_cases_opened_by ON public.review_cases USING btree (opened_by) WHERE (opened_by IS NOT NULL);
CREATE INDEX review_cases_review ON public.review_cases USING btree (review_id) WHERE (review_id IS NOT NULL);
CREATE INDEX review_invitations_coach ON public.review_invitations USING btree (coach_id);
CREATE INDEX review_invitations_customer ON public.review_invitations USING btree (customer_user_id);
CREATE INDEX review_replies_coach ON public.review_replies USING btree (coach_id);
CREATE INDEX reviews_customer ON public.reviews USING btree (customer_user_id, submitted_at DESC);
CREATE INDEX reviews_of_coach ON public.reviews USING btree (coach_id, published_at DESC, review_id DESC) WHERE (status = 'published'::text);
CREATE INDEX reviews_undecided ON public.reviews USING btree (submitted_at) WHERE (status = ANY (ARRAY['pending'::text, 'held'::text]));
CREATE INDEX session_notes_coach ON public.session_notes USING btree (coach_id);
CREATE INDEX session_notes_participant ON public.session_notes USING btree (participant_id);
CREATE INDEX sessions_ended ON public.sessions USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX sessions_open_by_start ON public.sessions USING btree (created_at) WHERE (ended_at IS NULL);
CREATE INDEX sessions_open_by_use ON public.sessions USING btree (refreshed_at) WHERE (ended_at IS NULL);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id);
CREATE UNIQUE INDEX skills_of_business_once ON public.skills USING btree (business_id, sport, lower(name));
CREATE UNIQUE INDEX skills_of_coach_once ON public.skills USING btree (coach_id, sport, lower(name));
CREATE INDEX storage_objects_owner ON public.storage_objects USING btree (owner_user_id, bucket);
CREATE INDEX storage_removals_oldest ON public.storage_removals USING btree (removed_at);
CREATE INDEX storage_reports_decided ON public.storage_reports USING btree (decided_at);
CREATE INDEX storage_reports_open ON public.storage_reports USING btree (created_at) WHERE (decided_at IS NULL);
CREATE INDEX storage_reports_reporter ON public.storage_reports USING btree (reporter_user_id);
CREATE INDEX update_service_consents_coach ON public.update_service_consents USING btree (coach_id);
CREATE UNIQUE INDEX update_service_consents_one_open ON public.update_service_consents USING btree (coach_id) WHERE (withdrawn_at IS NULL);
CREATE INDEX users_unconfirmed ON public.users USING btree (created_at) WHERE (email_confirmed_at IS NULL);
CREATE INDEX webhook_events_failed_setups ON public.webhook_events USING btree (object_id) WHERE (event_type = 'setup_intent.setup_failed'::text);
CREATE INDEX webhook_events_handled ON public.webhook_events USING btree (received_at) WHERE (handled_at IS NOT NULL);
CREATE INDEX webhook_events_unhandled ON public.webhook_events USING btree (received_at) WHERE (handled_at IS NULL);
CREATE INDEX welfare_concerns_booking ON public.welfare_concerns USING btree (booking_id);
CREATE INDEX welfare_concerns_business ON public.welfare_concerns USING btree (business_id);
CREATE INDEX welfare_concerns_handler ON public.welfare_concerns USING btree (handled_by) WHERE (handled_by IS NOT NULL);
CREATE INDEX welfare_concerns_participant ON public.welfare_concerns USING btree (participant_id);
CREATE INDEX welfare_concerns_reported ON public.welfare_concerns USING btree (reported_at DESC, concern_id DESC);
CREATE INDEX welfare_concerns_reporter ON public.welfare_concerns USING btree (reported_by);
CREATE TRIGGER announcements_keep_text BEFORE UPDATE ON public.announcements FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER announcements_record_new AFTER INSERT ON public.announcements FOR EACH ROW EXECUTE FUNCTION public.record_announcement();
CREATE TRIGGER assessments_are_append_only BEFORE UPDATE OF assessment_id, participant_id, sport, skill_name, level, coach_id, business_id, booking_id, at ON public.assessments FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER assessments_keep_their_skill BEFORE UPDATE OF skill_id ON public.assessments FOR EACH ROW WHEN ((new.skill_id IS NOT NULL)) EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER assessments_record_new AFTER INSERT ON public.assessments FOR EACH ROW EXECUTE FUNCTION public.record_progress();
CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION public.refuse_change_before_expiry();
CREATE TRIGGER bookings_copy_the_lesson BEFORE INSERT ON public.bookings FOR EACH ROW WHEN ((new.title IS NULL)) EXECUTE FUNCTION public.copy_lesson_to_booking();
CREATE TRIGGER bookings_fill_charge BEFORE UPDATE OF status ON public.bookings FOR EACH ROW WHEN (((old.status = ANY (ARRAY['pending'::text, 'released'::text])) AND (new.status = 'booked'::text) AND (new.charged_cents = 0) AND (new.amount_cents > 0))) EXECUTE FUNCTION public.fill_charge();
CREATE TRIGGER bookings_fill_payment_lines AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.fill_payment_lines();
CREATE TRIGGER bookings_keep_sold_lesson BEFORE UPDATE OF title, description, sport, coach_name ON public.bookings FOR EACH ROW EXECUTE FUNCTION public.refuse_change_of_sold_lesson();
CREATE TRIGGER bookings_name_their_participant BEFORE INSERT ON public.bookings FOR EACH ROW WHEN ((new.participant_id IS NULL)) EXECUTE FUNCTION public.name_participant_of_booking();
CREATE TRIGGER bookings_raise_sequence BEFORE UPDATE OF during, location, changed_to, status ON public.bookings FOR EACH ROW WHEN (((old.during <> new.during) OR (old.location IS DISTINCT FROM new.location) OR (old.changed_to IS DISTINCT FROM new.changed_to) OR (old.is_active AND (new.status = ANY (ARRAY['cancelled'::text, 'refunded'::text]))))) EXECUTE FUNCTION public.raise_sequence();
CREATE TRIGGER bookings_record_changed AFTER UPDATE ON public.bookings FOR EACH ROW WHEN (((((((((old.status IS DISTINCT FROM new.status) OR (old.slot_id IS DISTINCT FROM new.slot_id)) OR (old.during IS DISTINCT FROM new.during)) OR (old.attended IS DISTINCT FROM new.attended)) OR (old.refunded_cents IS DISTINCT FROM new.refunded_cents)) OR (old.location IS DISTINCT FROM new.location)) OR (old.changed_to IS DISTINCT FROM new.changed_to)) OR (old.customer_user_id IS DISTINCT FROM new.customer_user_id))) EXECUTE FUNCTION public.record_changed_booking();
CREATE TRIGGER bookings_record_new AFTER INSERT ON public.bookings REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.record_new_bookings();
CREATE TRIGGER bookings_record_payable_mark AFTER UPDATE OF attended ON public.bookings FOR EACH ROW WHEN ((old.attended IS DISTINCT FROM new.attended)) EXECUTE FUNCTION public.record_payable_mark();
CREATE TRIGGER bookings_refresh_sums AFTER UPDATE OF status, during, slot_id, customer_user_id ON public.bookings FOR EACH ROW WHEN ((((lower(old.during) < (now() - '1 day'::interval)) OR (lower(new.during) < (now() - '1 day'::interval))) AND ((((((old.status = ANY (ARRAY['booked'::text, 'attended'::text])) IS DISTINCT FROM (new.status = ANY (ARRAY['booked'::text, 'attended'::text]))) OR ((old.status = ANY (ARRAY['cancelled'::text, 'refunded'::text])) IS DISTINCT FROM (new.status = ANY (ARRAY['cancelled'::text, 'refunded'::text])))) OR (old.during IS DISTINCT FROM new.during)) OR (old.slot_id IS DISTINCT FROM new.slot_id)) OR (old.customer_user_id IS DISTINCT FROM new.customer_user_id)))) EXECUTE FUNCTION public.refresh_sums_of_booking();
CREATE TRIGGER bookings_refresh_sums_of_new AFTER INSERT ON public.bookings FOR EACH ROW WHEN ((lower(new.during) < (now() - '1 day'::interval))) EXECUTE FUNCTION public.refresh_sums_of_booking();
CREATE TRIGGER bookings_sequence_only_rises BEFORE UPDATE OF sequence ON public.bookings FOR EACH ROW WHEN ((new.sequence < old.sequence)) EXECUTE FUNCTION public.refuse_lower_sequence();
CREATE TRIGGER business_invitations_record_application AFTER UPDATE ON public.business_invitations FOR EACH ROW WHEN (((new.applied_at IS NOT NULL) AND ((old.applied_at IS DISTINCT FROM new.applied_at) OR (old.status IS DISTINCT FROM new.status)))) EXECUTE FUNCTION public.record_application();
CREATE TRIGGER care_reads_keep BEFORE UPDATE OF participant_id, read_by, reader_role, slot_id, read_at ON public.care_reads FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER closed_sums_only_rise BEFORE DELETE OR UPDATE ON public.closed_sums FOR EACH ROW EXECUTE FUNCTION public.guard_closed_sums();
CREATE TRIGGER coach_applications_are_decided_once BEFORE UPDATE OF status, user_id ON public.coach_applications FOR EACH ROW EXECUTE FUNCTION public.refuse_change_of_application();
CREATE TRIGGER coach_applications_record_change AFTER INSERT OR DELETE OR UPDATE ON public.coach_applications FOR EACH ROW EXECUTE FUNCTION public.record_coach_application();
CREATE TRIGGER coach_bank_details_record_change AFTER INSERT OR DELETE OR UPDATE ON public.coach_bank_details FOR EACH ROW EXECUTE FUNCTION public.record_bank_details();
CREATE TRIGGER coach_documents_clearance AFTER INSERT OR DELETE OR UPDATE ON public.coach_documents FOR EACH ROW EXECUTE FUNCTION public.renew_clearance_of_row();
CREATE TRIGGER coach_documents_record_change AFTER INSERT OR DELETE OR UPDATE ON public.coach_documents FOR EACH ROW EXECUTE FUNCTION public.record_document();
CREATE TRIGGER coach_documents_remove_file AFTER DELETE ON public.coach_documents FOR EACH ROW WHEN ((old.file_object_id IS NOT NULL)) EXECUTE FUNCTION public.remove_document_file();
CREATE TRIGGER coach_documents_update_service_has_consent BEFORE INSERT OR UPDATE OF method, checked_at ON public.coach_documents FOR EACH ROW WHEN (((new.method = 'update_service'::text) AND (new.status = 'accepted'::text))) EXECUTE FUNCTION public.assert_update_service_consent();
CREATE TRIGGER coaches_clearance BEFORE INSERT ON public.coaches FOR EACH ROW EXECUTE FUNCTION public.clear_new_coach();
CREATE TRIGGER coaches_date_inactive BEFORE UPDATE OF is_active ON public.coaches FOR EACH ROW WHEN ((old.is_active <> new.is_active)) EXECUTE FUNCTION public.date_inactive_coach();
CREATE TRIGGER coaches_end_welfare_office BEFORE UPDATE OF business_id ON public.coaches FOR EACH ROW WHEN ((old.is_welfare_officer AND (old.business_id IS DISTINCT FROM new.business_id))) EXECUTE FUNCTION public.end_welfare_office();
CREATE TRIGGER coaches_give_address AFTER INSERT ON public.coaches FOR EACH ROW EXECUTE FUNCTION public.give_coach_address();
CREATE TRIGGER coaches_record_hiding AFTER UPDATE OF is_active, is_listed ON public.coaches FOR EACH ROW WHEN ((old.is_active AND ((new.is_active IS DISTINCT FROM old.is_active) OR (new.is_listed IS DISTINCT FROM old.is_listed)))) EXECUTE FUNCTION public.record_hiding();
CREATE TRIGGER coaches_record_listing AFTER UPDATE ON public.coaches FOR EACH ROW WHEN ((old.is_listed <> new.is_listed)) EXECUTE FUNCTION public.record_listing();
CREATE TRIGGER coaching_businesses_record_payout_needs AFTER UPDATE ON public.coaching_businesses FOR EACH ROW WHEN ((old.payout_needs <> new.payout_needs)) EXECUTE FUNCTION public.record_payout_needs();
CREATE TRIGGER consents_are_append_only BEFORE DELETE OR UPDATE ON public.consents FOR EACH ROW EXECUTE FUNCTION public.refuse_change_before_expiry();
CREATE TRIGGER consents_record_change AFTER INSERT ON public.consents FOR EACH ROW EXECUTE FUNCTION public.record_consent();
CREATE TRIGGER consents_remove_pictures AFTER INSERT ON public.consents FOR EACH ROW WHEN (((new.kind = 'photos'::text) AND (new.choice = 'none'::text))) EXECUTE FUNCTION public.remove_pictures_without_consent();
CREATE TRIGGER disputes_record_change AFTER INSERT OR UPDATE ON public.disputes FOR EACH ROW EXECUTE FUNCTION public.record_withheld_payment();
CREATE TRIGGER external_refunds_record_change AFTER INSERT OR UPDATE ON public.external_refunds FOR EACH ROW EXECUTE FUNCTION public.record_withheld_payment();
CREATE TRIGGER factors_record_change AFTER INSERT OR DELETE OR UPDATE OF status ON public.factors FOR EACH ROW EXECUTE FUNCTION public.record_session();
CREATE TRIGGER goals_record_change AFTER INSERT OR UPDATE ON public.goals FOR EACH ROW EXECUTE FUNCTION public.record_progress();
CREATE TRIGGER ledger_entries_add_refunds AFTER INSERT ON public.ledger_entries FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['refunded'::text, 'fee_refunded'::text]))) EXECUTE FUNCTION public.add_refund_to_booking();
CREATE TRIGGER ledger_entries_are_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER ledger_entries_fill_refund_line AFTER INSERT ON public.ledger_entries FOR EACH ROW WHEN (((new.kind = 'refunded'::text) AND (new.amount_cents < 0))) EXECUTE FUNCTION public.fill_refund_line();
CREATE TRIGGER ledger_entries_name_their_coach BEFORE INSERT ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION public.name_coach_of_entry();
CREATE TRIGGER ledger_entries_record_new AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.record_ledger_entries();
CREATE TRIGGER ledger_entries_refresh_sums AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.refresh_sums_of_entries();
CREATE TRIGGER lesson_answers_record_change AFTER INSERT OR UPDATE ON public.lesson_answers FOR EACH ROW EXECUTE FUNCTION public.record_progress();
CREATE TRIGGER lesson_slots_date_cancellation BEFORE UPDATE OF status ON public.lesson_slots FOR EACH ROW WHEN (((old.status <> 'cancelled'::text) AND (new.status = 'cancelled'::text))) EXECUTE FUNCTION public.date_slot_cancellation();
CREATE TRIGGER lesson_slots_raise_sequence BEFORE UPDATE OF start_time, end_time, location_id, status ON public.lesson_slots FOR EACH ROW WHEN (((old.start_time <> new.start_time) OR (old.end_time <> new.end_time) OR (old.location_id IS DISTINCT FROM new.location_id) OR ((old.status <> 'cancelled'::text) AND (new.status = 'cancelled'::text)))) EXECUTE FUNCTION public.raise_sequence();
CREATE TRIGGER lesson_slots_record_changed AFTER UPDATE ON public.lesson_slots FOR EACH ROW WHEN ((((((((((((old.status IS DISTINCT FROM new.status) OR (old.booked_count IS DISTINCT FROM new.booked_count)) OR (old.max_capacity IS DISTINCT FROM new.max_capacity)) OR (old.min_capacity IS DISTINCT FROM new.min_capacity)) OR (old.price_cents IS DISTINCT FROM new.price_cents)) OR (old.start_time IS DISTINCT FROM new.start_time)) OR (old.end_time IS DISTINCT FROM new.end_time)) OR (old.location_id IS DISTINCT FROM new.location_id)) OR (old.lesson_type IS DISTINCT FROM new.lesson_type)) OR (old.sport IS DISTINCT FROM new.sport)) OR (old.cancellation_reason IS DISTINCT FROM new.cancellation_reason))) EXECUTE FUNCTION public.record_changed_slot();
CREATE TRIGGER lesson_slots_record_deleted AFTER DELETE ON public.lesson_slots REFERENCING OLD TABLE AS before_rows FOR EACH STATEMENT EXECUTE FUNCTION public.record_deleted_slots();
CREATE TRIGGER lesson_slots_record_new AFTER INSERT ON public.lesson_slots REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.record_new_slots();
CREATE TRIGGER lesson_slots_refresh_sums AFTER UPDATE OF start_time, coach_id ON public.lesson_slots FOR EACH ROW WHEN ((((old.start_time IS DISTINCT FROM new.start_time) OR (old.coach_id IS DISTINCT FROM new.coach_id)) AND ((old.start_time < (now() - '1 day'::interval)) OR (new.start_time < (now() - '1 day'::interval))))) EXECUTE FUNCTION public.refresh_sums_of_slot();
CREATE TRIGGER lesson_slots_sequence_only_rises BEFORE UPDATE OF sequence ON public.lesson_slots FOR EACH ROW WHEN ((new.sequence < old.sequence)) EXECUTE FUNCTION public.refuse_lower_sequence();
CREATE TRIGGER lesson_templates_clearance AFTER INSERT OR UPDATE OF min_age, deleted_at ON public.lesson_templates FOR EACH ROW EXECUTE FUNCTION public.renew_clearance_of_row();
CREATE TRIGGER lesson_templates_search BEFORE INSERT OR UPDATE OF title, sport, description, coach_id ON public.lesson_templates FOR EACH ROW EXECUTE FUNCTION public.set_template_search();
CREATE TRIGGER locations_clearance AFTER INSERT OR UPDATE OF nation, deleted_at ON public.locations FOR EACH ROW EXECUTE FUNCTION public.renew_clearance_of_row();
CREATE TRIGGER locations_record_change AFTER UPDATE ON public.locations FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION public.record_location();
CREATE TRIGGER locations_search AFTER INSERT OR DELETE OR UPDATE OF name, city, postcode ON public.locations FOR EACH ROW EXECUTE FUNCTION public.renew_search_of_coach();
CREATE TRIGGER moderation_log_is_append_only BEFORE DELETE OR UPDATE ON public.moderation_log FOR EACH ROW EXECUTE FUNCTION public.refuse_change_of_moderation();
CREATE TRIGGER note_additions_keep BEFORE UPDATE ON public.note_additions FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER note_additions_record_change AFTER INSERT ON public.note_additions FOR EACH ROW EXECUTE FUNCTION public.record_note_part();
CREATE TRIGGER note_files_guard BEFORE INSERT ON public.note_files FOR EACH ROW EXECUTE FUNCTION public.guard_note_file();
CREATE TRIGGER note_files_record_change AFTER INSERT OR DELETE ON public.note_files FOR EACH ROW EXECUTE FUNCTION public.record_note_part();
CREATE TRIGGER note_files_remove_picture AFTER DELETE ON public.note_files FOR EACH ROW EXECUTE FUNCTION public.remove_note_picture();
CREATE TRIGGER notifications_record_changed AFTER UPDATE ON public.notifications REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.record_notifications();
CREATE TRIGGER notifications_record_new AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.record_notifications();
CREATE TRIGGER payments_settle_whole AFTER UPDATE OF status ON public.payments FOR EACH ROW WHEN (((old.status <> new.status) AND (new.status = ANY (ARRAY['succeeded'::text, 'failed'::text])))) EXECUTE FUNCTION public.refuse_half_settled_payment();
CREATE TRIGGER payrun_items_are_append_only BEFORE DELETE OR UPDATE ON public.payrun_items FOR EACH ROW EXECUTE FUNCTION public.guard_payrun_item();
CREATE TRIGGER payrun_items_wait BEFORE INSERT ON public.payrun_items FOR EACH ROW WHEN ((new.kind = 'lesson'::text)) EXECUTE FUNCTION public.refuse_waiting_item();
CREATE TRIGGER payrun_recipients_are_append_only BEFORE DELETE OR UPDATE ON public.payrun_recipients FOR EACH ROW EXECUTE FUNCTION public.refuse_change_except_key_rotation();
CREATE TRIGGER payrun_recipients_record_new AFTER INSERT ON public.payrun_recipients REFERENCING NEW TABLE AS after_rows FOR EACH STATEMENT EXECUTE FUNCTION public.record_payrun_recipients();
CREATE TRIGGER payrun_returns_are_append_only BEFORE DELETE OR UPDATE ON public.payrun_returns FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER payrun_returns_cancel_their_items AFTER INSERT ON public.payrun_returns FOR EACH ROW EXECUTE FUNCTION public.cancel_returned_items();
CREATE TRIGGER payrun_returns_of_paid_payruns BEFORE INSERT ON public.payrun_returns FOR EACH ROW EXECUTE FUNCTION public.guard_payrun_return();
CREATE TRIGGER payruns_cancel_their_items AFTER UPDATE OF status ON public.payruns FOR EACH ROW WHEN (((new.status = 'cancelled'::text) AND (old.status <> 'cancelled'::text))) EXECUTE FUNCTION public.cancel_payrun_items();
CREATE TRIGGER payruns_end_once BEFORE UPDATE OF status ON public.payruns FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION public.guard_payrun_status();
CREATE TRIGGER payruns_record_change AFTER INSERT OR UPDATE ON public.payruns FOR EACH ROW EXECUTE FUNCTION public.record_payrun();
CREATE TRIGGER profiles_add_own_participant AFTER INSERT ON public.profiles FOR EACH ROW EXECUTE FUNCTION public.add_own_participant();
CREATE TRIGGER profiles_end_own_participant AFTER UPDATE OF deleted_at ON public.profiles FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION public.end_own_participant();
CREATE TRIGGER profiles_record_change AFTER INSERT OR UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION public.record_profile();
CREATE TRIGGER profiles_renew_coach_address BEFORE UPDATE ON public.profiles FOR EACH ROW EXECUTE FUNCTION public.renew_coach_address();
CREATE TRIGGER profiles_search AFTER UPDATE ON public.profiles FOR EACH ROW WHEN ((public.coach_public_name(old.*) IS DISTINCT FROM public.coach_public_name(new.*))) EXECUTE FUNCTION public.renew_search_of_coach();
CREATE TRIGGER refund_requests_record_change AFTER INSERT OR UPDATE ON public.refund_requests FOR EACH ROW EXECUTE FUNCTION public.record_refund_request();
CREATE TRIGGER refunds_record_change AFTER UPDATE ON public.refunds FOR EACH ROW WHEN (((old.status <> new.status) OR (old.given_up_at IS DISTINCT FROM new.given_up_at))) EXECUTE FUNCTION public.record_refund();
CREATE TRIGGER review_cases_record_change AFTER INSERT OR DELETE OR UPDATE ON public.review_cases FOR EACH ROW EXECUTE FUNCTION public.record_review_case();
CREATE TRIGGER review_replies_keep_text BEFORE UPDATE OF coach_id, body, created_at ON public.review_replies FOR EACH ROW EXECUTE FUNCTION public.refuse_change_of_reply();
CREATE TRIGGER review_replies_record_change AFTER INSERT OR UPDATE ON public.review_replies FOR EACH ROW EXECUTE FUNCTION public.record_review_reply();
CREATE TRIGGER reviews_keep_their_lesson BEFORE UPDATE OF booking_id, coach_id, customer_user_id, written_for, period, card_hash ON public.reviews FOR EACH ROW EXECUTE FUNCTION public.refuse_change_of_review();
CREATE TRIGGER reviews_need_a_lesson BEFORE INSERT ON public.reviews FOR EACH ROW EXECUTE FUNCTION public.refuse_unverified_review();
CREATE TRIGGER reviews_record_change AFTER INSERT OR DELETE OR UPDATE ON public.reviews FOR EACH ROW EXECUTE FUNCTION public.record_review();
CREATE TRIGGER session_notes_lock BEFORE UPDATE ON public.session_notes FOR EACH ROW WHEN ((old.locked_at <= now())) EXECUTE FUNCTION public.refuse_change_of_locked_note();
CREATE TRIGGER session_notes_record_change AFTER INSERT OR DELETE OR UPDATE ON public.session_notes FOR EACH ROW EXECUTE FUNCTION public.record_session_note();
CREATE TRIGGER session_notes_stay_where_they_are BEFORE UPDATE OF booking_id, participant_id, coach_id, business_id, is_for_all, is_shared, created_at, locked_at ON public.session_notes FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
CREATE TRIGGER sessions_forget_push_subscription AFTER UPDATE OF ended_at ON public.sessions FOR EACH ROW WHEN ((new.ended_at IS NOT NULL)) EXECUTE FUNCTION public.forget_push_subscription();
CREATE TRIGGER sessions_record_deletion AFTER DELETE ON public.sessions FOR EACH ROW WHEN ((old.ended_at IS NULL)) EXECUTE FUNCTION public.record_session();
CREATE TRIGGER sessions_record_end AFTER UPDATE ON public.sessions FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION public.record_session();
CREATE TRIGGER storage_objects_change_avatar AFTER UPDATE ON public.storage_objects FOR EACH ROW WHEN ((new.bucket = 'avatars'::text)) EXECUTE FUNCTION public.copy_avatar_url();
CREATE TRIGGER storage_objects_delete_avatar AFTER DELETE ON public.storage_objects FOR EACH ROW WHEN ((old.bucket = 'avatars'::text)) EXECUTE FUNCTION public.copy_avatar_url();
CREATE TRIGGER storage_objects_insert_avatar AFTER INSERT ON public.storage_objects FOR EACH ROW WHEN ((new.bucket = 'avatars'::text)) EXECUTE FUNCTION public.copy_avatar_url();
CREATE TRIGGER storage_objects_remove_bytes AFTER DELETE ON public.storage_objects FOR EACH ROW EXECUTE FUNCTION public.remove_stored_bytes();
CREATE TRIGGER storage_objects_remove_replaced_bytes AFTER UPDATE OF content_id ON public.storage_objects FOR EACH ROW WHEN ((old.content_id <> new.content_id)) EXECUTE FUNCTION public.remove_stored_bytes();
CREATE TRIGGER storage_reports_record_change AFTER INSERT OR DELETE OR UPDATE ON public.storage_reports FOR EACH ROW EXECUTE FUNCTION public.record_report();
CREATE TRIGGER update_service_consents_record_change AFTER INSERT OR DELETE OR UPDATE ON public.update_service_consents FOR EACH ROW EXECUTE FUNCTION public.record_document();
CREATE TRIGGER welfare_concerns_keep BEFORE UPDATE OF booking_id, participant_id, reported_by, body, reported_at ON public.welfare_concerns FOR EACH ROW EXECUTE FUNCTION public.refuse_change();
ALTER TABLE ONLY public.age_requests
    ADD CONSTRAINT age_requests_asked_by_exists FOREIGN KEY (asked_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.age_requests
    ADD CONSTRAINT age_requests_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.age_requests
    ADD CONSTRAINT age_requests_template_exists FOREIGN KEY (template_id) REFERENCES public.lesson_templates(template_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.announcements
    ADD CONSTRAINT announcements_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.announcements
    ADD CONSTRAINT announcements_slot_exists FOREIGN KEY (slot_id) REFERENCES public.lesson_slots(slot_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.assessments
    ADD CONSTRAINT assessments_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.assessments
    ADD CONSTRAINT assessments_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.assessments
    ADD CONSTRAINT assessments_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.assessments
    ADD CONSTRAINT assessments_skill_exists FOREIGN KEY (skill_id) REFERENCES public.skills(skill_id) ON DELETE SET NULL;
ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_customer_exists FOREIGN KEY (customer_user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_payment_exists FOREIGN KEY (payment_id) REFERENCES public.payments(payment_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.bookings
    ADD CONSTRAINT bookings_slot_exists FOREIGN KEY (slot_id) REFERENCES public.lesson_slots(slot_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.business_invitations
    ADD CONSTRAINT business_invitations_business_exists FOREIGN KEY (business_id) REFERENCES public.coaching_businesses(business_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.business_invitations
    ADD CONSTRAINT business_invitations_invited_by_exists FOREIGN KEY (invited_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.calendar_feeds
    ADD CONSTRAINT calendar_feeds_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.card_fingerprints
    ADD CONSTRAINT card_fingerprints_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.care_reads
    ADD CONSTRAINT care_reads_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.care_reads
    ADD CONSTRAINT care_reads_reader_exists FOREIGN KEY (read_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.care_reads
    ADD CONSTRAINT care_reads_slot_exists FOREIGN KEY (slot_id) REFERENCES public.lesson_slots(slot_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_addresses
    ADD CONSTRAINT coach_addresses_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_applications
    ADD CONSTRAINT coach_applications_decided_by_exists FOREIGN KEY (decided_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_applications
    ADD CONSTRAINT coach_applications_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_bank_details
    ADD CONSTRAINT coach_bank_details_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_documents
    ADD CONSTRAINT coach_documents_checked_by_exists FOREIGN KEY (checked_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_documents
    ADD CONSTRAINT coach_documents_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_documents
    ADD CONSTRAINT coach_documents_file_kept FOREIGN KEY (file_object_id, file_content_id) REFERENCES public.storage_objects(object_id, content_id) ON UPDATE RESTRICT ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_ledger_months
    ADD CONSTRAINT coach_ledger_months_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coach_lesson_months
    ADD CONSTRAINT coach_lesson_months_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coaches
    ADD CONSTRAINT coaches_business_exists FOREIGN KEY (business_id) REFERENCES public.coaching_businesses(business_id) ON DELETE SET NULL;
ALTER TABLE ONLY public.coaches
    ADD CONSTRAINT coaches_profile_exists FOREIGN KEY (coach_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coaching_businesses
    ADD CONSTRAINT coaching_businesses_owner_exists FOREIGN KEY (owner_user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.coaching_businesses
    ADD CONSTRAINT coaching_businesses_owner_in_team FOREIGN KEY (owner_user_id, business_id, owner_role) REFERENCES public.coaches(coach_id, business_id, business_role) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_given_by_exists FOREIGN KEY (given_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.customer_coaches
    ADD CONSTRAINT customer_coaches_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.customer_coaches
    ADD CONSTRAINT customer_coaches_customer_exists FOREIGN KEY (customer_user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_notification_exists FOREIGN KEY (notification_id) REFERENCES public.notifications(notification_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_booked_by_exists FOREIGN KEY (booked_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_evidence_by_exists FOREIGN KEY (evidence_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.disputes
    ADD CONSTRAINT disputes_payment_exists FOREIGN KEY (payment_id) REFERENCES public.payments(payment_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.document_openings
    ADD CONSTRAINT document_openings_document_exists FOREIGN KEY (document_id) REFERENCES public.coach_documents(document_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.document_openings
    ADD CONSTRAINT document_openings_opened_by_exists FOREIGN KEY (opened_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.document_reminders
    ADD CONSTRAINT document_reminders_document_exists FOREIGN KEY (document_id) REFERENCES public.coach_documents(document_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.email_changes
    ADD CONSTRAINT email_changes_user_exists FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.external_refunds
    ADD CONSTRAINT external_refunds_entered_refund_exists FOREIGN KEY (entered_refund_id) REFERENCES public.refunds(refund_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.external_refunds
    ADD CONSTRAINT external_refunds_payment_exists FOREIGN KEY (payment_id) REFERENCES public.payments(payment_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.external_refunds
    ADD CONSTRAINT external_refunds_refund_exists FOREIGN KEY (refund_id) REFERENCES public.refunds(refund_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.factor_challenges
    ADD CONSTRAINT factor_challenges_factor_exists FOREIGN KEY (factor_id) REFERENCES public.factors(factor_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.factor_challenges
    ADD CONSTRAINT factor_challenges_session_exists FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.factors
    ADD CONSTRAINT factors_user_exists FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.goals
    ADD CONSTRAINT goals_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.goals
    ADD CONSTRAINT goals_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.guardian_invitations
    ADD CONSTRAINT guardian_invitations_invited_by_exists FOREIGN KEY (invited_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.guardian_invitations
    ADD CONSTRAINT guardian_invitations_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.guardians
    ADD CONSTRAINT guardians_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.guardians
    ADD CONSTRAINT guardians_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.hidden_coaches
    ADD CONSTRAINT hidden_coaches_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_answers
    ADD CONSTRAINT lesson_answers_author_exists FOREIGN KEY (answered_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_answers
    ADD CONSTRAINT lesson_answers_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_answers
    ADD CONSTRAINT lesson_answers_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_answers
    ADD CONSTRAINT lesson_answers_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_slots
    ADD CONSTRAINT lesson_slots_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_slots
    ADD CONSTRAINT lesson_slots_location_exists FOREIGN KEY (location_id) REFERENCES public.locations(location_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_slots
    ADD CONSTRAINT lesson_slots_template_exists FOREIGN KEY (template_id) REFERENCES public.lesson_templates(template_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.lesson_templates
    ADD CONSTRAINT lesson_templates_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.locations
    ADD CONSTRAINT locations_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.note_additions
    ADD CONSTRAINT note_additions_note_exists FOREIGN KEY (note_id) REFERENCES public.session_notes(note_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.note_files
    ADD CONSTRAINT note_files_note_exists FOREIGN KEY (note_id) REFERENCES public.session_notes(note_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.note_files
    ADD CONSTRAINT note_files_object_exists FOREIGN KEY (object_id) REFERENCES public.storage_objects(object_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.notification_preferences
    ADD CONSTRAINT notification_preferences_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_named_person_exists FOREIGN KEY (about_user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.one_time_tokens
    ADD CONSTRAINT one_time_tokens_user_exists FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.participant_care
    ADD CONSTRAINT participant_care_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_account_exists FOREIGN KEY (own_user_id) REFERENCES public.profiles(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.payment_lines
    ADD CONSTRAINT payment_lines_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payment_lines
    ADD CONSTRAINT payment_lines_payment_exists FOREIGN KEY (payment_id) REFERENCES public.payments(payment_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_customer_exists FOREIGN KEY (customer_user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payrun_items
    ADD CONSTRAINT payrun_items_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payrun_items
    ADD CONSTRAINT payrun_items_recipient_exists FOREIGN KEY (payrun_id, coach_id) REFERENCES public.payrun_recipients(payrun_id, coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payrun_items
    ADD CONSTRAINT payrun_items_refund_exists FOREIGN KEY (refund_id, booking_id) REFERENCES public.refund_lines(refund_id, booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payrun_recipients
    ADD CONSTRAINT payrun_recipients_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payrun_recipients
    ADD CONSTRAINT payrun_recipients_payrun_exists FOREIGN KEY (payrun_id) REFERENCES public.payruns(payrun_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payrun_returns
    ADD CONSTRAINT payrun_returns_entered_by_exists FOREIGN KEY (entered_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payrun_returns
    ADD CONSTRAINT payrun_returns_recipient_exists FOREIGN KEY (payrun_id, coach_id) REFERENCES public.payrun_recipients(payrun_id, coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payruns
    ADD CONSTRAINT payruns_cancelled_by_exists FOREIGN KEY (cancelled_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payruns
    ADD CONSTRAINT payruns_created_by_exists FOREIGN KEY (created_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.payruns
    ADD CONSTRAINT payruns_paid_by_exists FOREIGN KEY (paid_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_coach_address_own FOREIGN KEY (coach_address, user_id) REFERENCES public.coach_addresses(address, coach_id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.profiles
    ADD CONSTRAINT profiles_living_user_exists FOREIGN KEY (living_user_id) REFERENCES public.users(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.push_subscriptions
    ADD CONSTRAINT push_subscriptions_session_exists FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.quiet_hours
    ADD CONSTRAINT quiet_hours_person_exists FOREIGN KEY (user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_exists FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refresh_tokens
    ADD CONSTRAINT refresh_tokens_session_exists FOREIGN KEY (session_id) REFERENCES public.sessions(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.refund_lines
    ADD CONSTRAINT refund_lines_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.refund_lines
    ADD CONSTRAINT refund_lines_refund_exists FOREIGN KEY (refund_id) REFERENCES public.refunds(refund_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_asked_by_exists FOREIGN KEY (asked_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.refund_requests
    ADD CONSTRAINT refund_requests_decided_by_exists FOREIGN KEY (decided_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_payment_exists FOREIGN KEY (payment_id) REFERENCES public.payments(payment_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_request_exists FOREIGN KEY (refund_request_id) REFERENCES public.refund_requests(refund_request_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.refunds
    ADD CONSTRAINT refunds_settled_by_exists FOREIGN KEY (settled_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_cases
    ADD CONSTRAINT review_cases_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_cases
    ADD CONSTRAINT review_cases_decided_by_exists FOREIGN KEY (decided_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_cases
    ADD CONSTRAINT review_cases_opened_by_exists FOREIGN KEY (opened_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_cases
    ADD CONSTRAINT review_cases_review_exists FOREIGN KEY (review_id) REFERENCES public.reviews(review_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.review_invitations
    ADD CONSTRAINT review_invitations_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_invitations
    ADD CONSTRAINT review_invitations_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_invitations
    ADD CONSTRAINT review_invitations_customer_exists FOREIGN KEY (customer_user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_replies
    ADD CONSTRAINT review_replies_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.review_replies
    ADD CONSTRAINT review_replies_review_exists FOREIGN KEY (review_id) REFERENCES public.reviews(review_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_customer_exists FOREIGN KEY (customer_user_id) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.session_notes
    ADD CONSTRAINT session_notes_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.session_notes
    ADD CONSTRAINT session_notes_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.session_notes
    ADD CONSTRAINT session_notes_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_exists FOREIGN KEY (user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.skills
    ADD CONSTRAINT skills_business_exists FOREIGN KEY (business_id) REFERENCES public.coaching_businesses(business_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.skills
    ADD CONSTRAINT skills_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.storage_objects
    ADD CONSTRAINT storage_objects_owner_exists FOREIGN KEY (owner_user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.storage_reports
    ADD CONSTRAINT storage_reports_object_exists FOREIGN KEY (object_id) REFERENCES public.storage_objects(object_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.storage_reports
    ADD CONSTRAINT storage_reports_reporter_exists FOREIGN KEY (reporter_user_id) REFERENCES public.users(user_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.update_service_consents
    ADD CONSTRAINT update_service_consents_coach_exists FOREIGN KEY (coach_id) REFERENCES public.coaches(coach_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.welfare_concerns
    ADD CONSTRAINT welfare_concerns_booking_exists FOREIGN KEY (booking_id) REFERENCES public.bookings(booking_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.welfare_concerns
    ADD CONSTRAINT welfare_concerns_business_exists FOREIGN KEY (business_id) REFERENCES public.coaching_businesses(business_id) ON DELETE SET NULL;
ALTER TABLE ONLY public.welfare_concerns
    ADD CONSTRAINT welfare_concerns_handler_exists FOREIGN KEY (handled_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.welfare_concerns
    ADD CONSTRAINT welfare_concerns_participant_exists FOREIGN KEY (participant_id) REFERENCES public.participants(participant_id) ON DELETE RESTRICT;
ALTER TABLE ONLY public.welfare_concerns
    ADD CONSTRAINT welfare_concerns_reporter_exists FOREIGN KEY (reported_by) REFERENCES public.profiles(user_id) ON DELETE RESTRICT;
