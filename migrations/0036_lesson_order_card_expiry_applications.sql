-- A customer's bookings in the order of their lessons.
create index bookings_customer_lesson on bookings (customer_user_id, lower(during), booking_id);

-- Until the end of which month the saved card is valid, and when its owner was warned that it ends.
alter table profiles
  add column payment_method_exp_month smallint check (payment_method_exp_month between 1 and 12),
  add column payment_method_exp_year smallint,
  add column card_expiry_warned_at timestamptz,
  add constraint profiles_card_expiry_is_whole
    check ((payment_method_exp_month is null) = (payment_method_exp_year is null)),
  add constraint profiles_expiry_of_a_card
    check (payment_method_exp_year is null or stripe_payment_method_id is not null);
create index profiles_card_expiry on profiles (payment_method_exp_year, payment_method_exp_month)
  where card_expiry_warned_at is null;

-- When the invited person, not a coach yet, asked to become one.
alter table business_invitations add column applied_at timestamptz;
