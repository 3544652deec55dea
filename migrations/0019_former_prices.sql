-- Discover reads every former price of a template for every visitor, so only those are kept at which a lesson can
-- still be booked, and no more than anybody needs.
update lesson_templates template
set former_prices_cents = array(
  select distinct slot.price_cents from lesson_slots slot
  where slot.template_id = template.template_id and slot.status = 'scheduled' and slot.start_time > now()
    and slot.price_cents <> template.base_price_cents
  order by slot.price_cents desc
  limit 200
);
alter table lesson_templates
  add constraint lesson_templates_former_prices_are_few check (cardinality(former_prices_cents) <= 200);
