-- What a process proves it can still write to, whenever somebody asks for its health: one row, always the same one.
create table health (
  is_only_row boolean primary key default true check (is_only_row),
  proven_at timestamptz not null default now()
);
insert into health default values;

-- Writes a row and fills some kilobytes of temporary files, so that a full disk shows even while the row itself still finds
-- room on a page that exists. Throws what any other statement would throw then.
create function prove_health() returns void language plpgsql
  set work_mem = '64kB'
as $$
begin
  update health set proven_at = now();
  perform count(*) from (select repeat(md5(n::text), 8) as filler from generate_series(1, 1500) n order by 1) as spilled;
end $$;
