-- The sequence of an unlogged table is unlogged as well. On a promoted standby of PostgreSQL 15 such a sequence is
-- unreadable, and every transaction that records a change fails. Its numbers are cheap to log, once in 32 rows.
alter sequence changes_change_id_seq set logged;
