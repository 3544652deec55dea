-- Until when the books are known to agree with the card network's ledger: the next audit asks for what came after it.
alter table health add books_compared_at timestamptz;
