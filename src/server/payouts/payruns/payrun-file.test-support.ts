/** Parses a payment file; throws unless the file complies with RFC 4180 and docs/payrun-csv.md. */
export function parseStrictly(text: string): string[][] {
  if (!/^[\x20-\x7e\r\n]*$/.test(text)) throw new Error('The file is not plain ASCII.');
  if (!text.endsWith('\r\n')) throw new Error('The file does not end with a line break.');
  return text
    .slice(0, -2)
    .split('\r\n')
    .map((line) => {
      const fields = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)];
      if (fields.map(([whole]) => whole).join('') !== line)
        throw new Error(`This line is not valid CSV: ${line}`);
      const values = fields.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!);
      if (values.length !== 8 || values.some((value) => /^[=+\-@\t]/.test(value))) throw new Error(line);
      return values;
    });
}

/** The sum of a payment file's amounts in minor units; throws if an amount is not written as "123.40". */
export function sumAmounts(text: string): number {
  const [header = [], ...rows] = parseStrictly(text);
  const column = header.indexOf('amount');
  return rows.reduce((sum, row) => {
    const amount = row[column] ?? '';
    if (!/^(0|[1-9]\d*)\.\d\d$/.test(amount)) throw new Error(`This is not an amount: ${amount}`);
    return sum + Number(amount.replace('.', ''));
  }, 0);
}
