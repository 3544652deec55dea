-- Discover looks how many of the cheapest, or of the dearest, templates a search wants before it decides how to read.
create index lesson_templates_price on lesson_templates (base_price_cents);
